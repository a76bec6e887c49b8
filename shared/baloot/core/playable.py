"""Which rule sets can be played: whose numbers are in range, and whose choices go together and work in this version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import (
    OPTIONS,
    REVERSE_KABOOT_POINTS,
    STANDARD,
    KabootRaised,
    RaisedPoints,
    ReverseKaboot,
    Ruleset,
)

_RANGES: dict[str, range] = {
    "match_target": range(1, 1001),
    "sawa_max_cards": range(1, 9),
    "max_projects_per_player": range(1, 9),
    "kaboot_sun": range(1001),
    "kaboot_hokum": range(1001),
    "qaid_sun": range(1001),
    "qaid_hokum": range(1001),
}


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Choices that no game can have together: the options, which rule sets have them, and a sentence about it."""

    options: tuple[str, str]
    holds: Callable[[Ruleset], bool]
    why: str


CONTRADICTIONS: tuple[Contradiction, ...] = (
    Contradiction(
        ("kaboot_in_raised_hand", "raised_points"),
        lambda rules: (
            rules.kaboot_in_raised_hand is KabootRaised.MAX_OF_BOTH
            and rules.raised_points is RaisedPoints.SHARED
        ),
        "kaboot_in_raised_hand: max_of_both compares a kaboot with a raised round that one side takes whole, "
        "but with raised_points: shared a buyer who makes it does not take it whole",
    ),
    Contradiction(
        ("reverse_kaboot", "kaboot_sun"),
        lambda rules: (
            rules.reverse_kaboot is not ReverseKaboot.OFF and rules.kaboot_sun > REVERSE_KABOOT_POINTS
        ),
        f"reverse_kaboot raises a kaboot in Sun to {REVERSE_KABOOT_POINTS}, but kaboot_sun is more than that",
    ),
    Contradiction(
        ("reverse_kaboot", "kaboot_hokum"),
        lambda rules: (
            rules.reverse_kaboot is ReverseKaboot.ACE_UPCARD_ANY
            and rules.kaboot_hokum > REVERSE_KABOOT_POINTS
        ),
        f"reverse_kaboot: ace_upcard_any raises a kaboot in Hokum to {REVERSE_KABOOT_POINTS}, "
        "but kaboot_hokum is more than that",
    ),
)
"""Combinations that `require_playable` refuses."""

NOT_YET: frozenset[str] = frozenset()
"""Options of which only the `standard` value works in this version: none. A new one stands here until it works."""


def unsupported(ruleset: Ruleset) -> tuple[str, ...]:
    """The options whose chosen value is known but does not work yet, in order of their fields."""
    return tuple(
        name for name in OPTIONS if name in NOT_YET and getattr(ruleset, name) != getattr(STANDARD, name)
    )


def require_playable(ruleset: Ruleset) -> None:
    """Raises Refusal when a number is out of range, choices contradict each other or one does not work yet.

    Nothing is read as `standard`.
    """
    _require_ranges(ruleset)
    _require_no_contradiction(ruleset)
    _require_supported(ruleset)


def _require_ranges(ruleset: Ruleset) -> None:
    for name, allowed in _RANGES.items():
        if getattr(ruleset, name) not in allowed:
            raise Refusal(
                Reason.RULESET_INVALID,
                f"option {name} must be between {allowed.start} and {allowed.stop - 1}",
                field=f"ruleset.{name}",
                metadata={"option": name},
            )


def _require_no_contradiction(ruleset: Ruleset) -> None:
    for contradiction in CONTRADICTIONS:
        if contradiction.holds(ruleset):
            raise Refusal(
                Reason.RULESET_INVALID,
                contradiction.why,
                field=f"ruleset.{contradiction.options[0]}",
                metadata={"options": ",".join(contradiction.options)},
            )


def _require_supported(ruleset: Ruleset) -> None:
    missing = unsupported(ruleset)
    if missing:
        raise Refusal(
            Reason.OPTION_UNSUPPORTED,
            "this version plays only the standard value of: " + ", ".join(missing),
            field=f"ruleset.{missing[0]}",
            metadata={"options": ",".join(missing)},
        )
