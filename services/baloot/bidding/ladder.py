"""Raising: how far, by whom, at which scores and in which words, as a rule set has it (rules, 2.14 to 2.16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from baloot.bidding.bars import Bar
from baloot.bidding.questions import Questions, for_every_seat
from baloot.core.auction import PASS, Call, CallKind, QuestionKind
from baloot.core.contract import Contract, Level, Mode
from baloot.core.errors import Reason
from baloot.core.ruleset import LockChoice, RaiseBy, Ruleset, SunDoubleThreshold, SunRaiseCeiling
from baloot.core.seats import SEATS, Seat

LADDER = (QuestionKind.DOUBLE, QuestionKind.THREE, QuestionKind.FOUR, QuestionKind.GAHWA)
LEVELS = {
    CallKind.DOUBLE: Level.DOUBLE,
    CallKind.THREE: Level.THREE,
    CallKind.FOUR: Level.FOUR,
    CallKind.GAHWA: Level.GAHWA,
}

# Members of enums by themselves: Python 3.11 looks one up in its class by a call of its own.
_SUN = Mode.SUN
_THREE, _FOUR, _GAHWA = Level.THREE, Level.FOUR, Level.GAHWA

_DEFENDERS = tuple((buyer.next, buyer.next.partner) for buyer in SEATS)


@dataclass(frozen=True, slots=True, eq=False)
class Ladder:
    """The raises of one rule set.

    `sun_top` is the last raise of a Sun. `questions` are those of each mode, from the double on. `sun_may_double` takes
    the game points of the buyers and of the defenders. The bars say why it does not, and why a lock is missing.
    """

    sun_top: Level
    team_raises: tuple[Level, ...]
    questions: dict[Mode, tuple[Questions, ...]]
    sun_may_double: Callable[[int, int], bool]
    sun_scores_bar: Bar
    sun_top_bar: Bar
    lock_bar: Bar

    def top(self, contract: Contract) -> Level:
        """The last raise there is (2.14, 2.16)."""
        return self.sun_top if contract.mode is _SUN else _GAHWA

    def double_bar(self, scores: tuple[int, int], contract: Contract) -> Bar | None:
        """Why nobody may double, if nobody may: a Sun is doubled at certain scores only (2.16)."""
        if contract.mode is not _SUN:
            return None
        buying = contract.buying_team
        may_double = self.sun_may_double(scores[buying], scores[1 - buying])
        return None if may_double else self.sun_scores_bar

    def raisers(self, contract: Contract, level: Level) -> tuple[Seat, ...]:
        """Whose raise a level is, in the order in which they are asked (2.14).

        A defender's, the one next after the buyer first; the buyer's; the doubler's. Where a raise is the team's the
        partner comes after them.
        """
        if level is _THREE or level is _GAHWA:
            principal = contract.buyer
        elif contract.raises and level is _FOUR:
            principal = contract.raises[0].seat
        else:
            return _DEFENDERS[contract.buyer]
        return (principal, principal.partner) if level in self.team_raises else (principal,)


def ladder_of(ruleset: Ruleset) -> Ladder:
    may_double, condition = _SUN_SCORES[ruleset.sun_double_threshold]
    sun_top = _sun_top(ruleset)
    choosing, sentence = _LOCKS[ruleset.lock_choice]
    return Ladder(
        sun_top,
        tuple(level for level, option in _TEAM_OPTIONS if getattr(ruleset, option) is RaiseBy.TEAM),
        {Mode.SUN: _questions({}), Mode.HOKUM: _questions(choosing)},
        may_double,
        Bar(
            Reason.SUN_DOUBLE_SCORES,
            f"a Sun is doubled when {condition}; they have {{buyers}} and {{defenders}}",
        ),
        Bar(Reason.SUN_RAISE_CEILING, _SUN_TOPS.get(sun_top, "")),
        Bar(Reason.LOCK_REQUIRED, sentence),
    )


_TEAM_OPTIONS = ((Level.THREE, "three_by"), (Level.FOUR, "four_by"), (Level.GAHWA, "gahwa_by"))

_SUN_TOPS = {
    Level.SINGLE: "a Sun is not raised in this rule set",
    Level.DOUBLE: "a Sun is not raised beyond the double",
}


def _sun_top(ruleset: Ruleset) -> Level:
    if ruleset.sun_double_threshold is SunDoubleThreshold.OFF:
        return Level.SINGLE
    return Level.GAHWA if ruleset.sun_raise_ceiling is SunRaiseCeiling.FULL else Level.DOUBLE


# Words: with a lock to choose, with the one lock there is, or without.

_OPEN_OR_LOCKED = (False, True)
_LOCKED = (True,)
_NO_LOCK = (None,)

_DOUBLE_AND_FOUR = (Level.DOUBLE, Level.FOUR)
_ALL_BUT_GAHWA = (*_DOUBLE_AND_FOUR, Level.THREE)
_SAID_SO = "in Hokum a double and a four are said open or locked"

_Words = dict[Level, tuple[bool, ...]]

_LOCKS: dict[LockChoice, tuple[_Words, str]] = {
    LockChoice.DOUBLER_AT_TWO_AND_FOUR: (dict.fromkeys(_DOUBLE_AND_FOUR, _OPEN_OR_LOCKED), _SAID_SO),
    LockChoice.ALWAYS: (
        dict.fromkeys(_DOUBLE_AND_FOUR, _LOCKED),
        "in Hokum a double and a four are always said locked",
    ),
    LockChoice.ANY_RAISER: (
        dict.fromkeys(_ALL_BUT_GAHWA, _OPEN_OR_LOCKED),
        "in Hokum every raise but Gahwa is said open or locked",
    ),
    LockChoice.OFF: ({}, ""),
}


def _questions(choosing: _Words) -> tuple[Questions, ...]:
    return tuple(
        for_every_seat(
            question, PASS, *(Call(kind, locked=locked) for locked in choosing.get(level, _NO_LOCK))
        )
        for question, (kind, level) in zip(LADDER, LEVELS.items(), strict=True)
    )


# Scores.

_SUN_SCORES: dict[SunDoubleThreshold, tuple[Callable[[int, int], bool], str]] = {
    SunDoubleThreshold.GT100_LE100: (
        lambda buyers, defenders: buyers > 100 >= defenders,
        "the buyers have more than 100 and the defenders do not",
    ),
    SunDoubleThreshold.GT100_LT100: (
        lambda buyers, defenders: buyers > 100 > defenders,
        "the buyers have more than 100 and the defenders less",
    ),
    SunDoubleThreshold.GE100_LT100: (
        lambda buyers, defenders: buyers >= 100 > defenders,
        "the buyers have at least 100 and the defenders less",
    ),
    SunDoubleThreshold.EITHER_DIRECTION: (
        lambda buyers, defenders: (buyers > 100) is not (defenders > 100),
        "only the buyers or only the defenders have more than 100",
    ),
    SunDoubleThreshold.OFF: (lambda *_: False, "never"),
}
"""For the game points of the buyers and of the defenders: whether a Sun may be doubled, and that in words."""
