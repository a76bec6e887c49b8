"""Whether a text that somebody chose shows on a screen as what it is: for names, and whatever else others will read."""

from __future__ import annotations

from itertools import groupby
from unicodedata import category

MOST_MARKS = 4
"""The most combining marks in a row. A letter with more grows over the lines around it; Arabic needs two or three."""
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00013441\U00013442\U00016fe4\U0001d159")
"""Letters and signs of which nothing is seen, though they count as printable."""
_MARKS = ("Mn", "Me")


def unshowable(text: str) -> str | None:
    """Why a text cannot be shown as it is, to be read after its field's name; None if it can, as an empty one can.

    What is refused cannot be seen, or moves what stands around it: line breaks, controls, directions, blank letters,
    and marks without a letter or in heaps.
    """
    for sign in text:
        if not sign.isprintable() or sign in _BLANK:
            return f"has a sign that cannot be shown (U+{ord(sign):04X})"
    kinds = [category(sign) for sign in text]
    if text and all(kind in _MARKS or kind == "Zs" for kind in kinds):
        return "has nothing in it that can be seen"
    heaps = (len(list(row)) for marks, row in groupby(kind in _MARKS for kind in kinds) if marks)
    if max(heaps, default=0) > MOST_MARKS:
        return f"has more than {MOST_MARKS} combining marks in a row"
    return None
