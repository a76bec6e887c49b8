"""Numbers of things in words."""

from __future__ import annotations


def counted(number: int, one: str, many: str = "") -> str:
    """A number and what there are so many of: `1 match`, `2,000 matches`. `many` is for what does not only add an s."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def counted_matches(number: int) -> str:
    """A number of matches."""
    return counted(number, "match", "matches")
