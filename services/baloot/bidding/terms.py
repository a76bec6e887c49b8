"""What a rule set makes of an auction: tables by place, from 0 for S1 to 3 for the dealer, worked out once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from baloot.bidding import bars
from baloot.bidding.bars import Bar
from baloot.bidding.ladder import Ladder, ladder_of
from baloot.bidding.questions import NAME_OR_BE_TURNED, NAME_OR_TURN, Questions
from baloot.core.auction import QuestionKind
from baloot.core.cards import Rank
from baloot.core.contract import Bidding
from baloot.core.ruleset import (
    AshkalBiddings,
    AshkalOverHokum,
    AshkalSeats,
    ConfirmStep,
    IllegalAshkal,
    KaweshTurn,
    Ruleset,
    SunOverHokumFirst,
    SunOverHokumSecond,
    SunTakeoverFirst,
    SunTakeoverSecond,
    TurnedSunTakeover,
    TurnToSunOnAce,
    UnnamedSuit,
)

Places = tuple[int, ...]
ByPlace = tuple[Places, Places, Places, Places]
"""By a place: the places that have something to say, in order."""

BarByPlace = tuple[Bar | None, ...]
"""By a place: why something may not be said from there, if it may not."""

NO_HOKUM = 4
"""Stands for the place of a Hokum's caller when there is no Hokum."""

_PLACES = range(4)
_BIDDINGS = (Bidding.FIRST, Bidding.SECOND)


@dataclass(frozen=True, slots=True)
class Takeover:
    """Who may take over a Sun (2.6, 2.10).

    `asked` goes by the place of its holder. With `kept` the first who takes it keeps it; otherwise the question is put
    anew against the new holder. With `not_the_caller` a Sun over a Hokum is not offered to the caller of the Hokum.
    """

    asked: ByPlace
    kept: bool = False
    not_the_caller: bool = False


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Terms:
    """The terms of one rule set, for an up card of one rank: an Ace is special. Pairs go by bidding.

    `answering` goes by the place of a Hokum's caller, `ashkal` by the place of the seat and then by that of the caller,
    `turning` by the place of the seat. `naming` is by up card what is asked of a buyer who may also turn to Sun.
    `kawesh_phases` are the questions that a worthless hand may be shown at; nothing there, no Kawesh.
    """

    ruleset: Ruleset
    up_rank: Rank
    answering: tuple[ByPlace, ByPlace]
    takeover: tuple[Takeover, Takeover]
    ashkal: tuple[tuple[BarByPlace, ...], ...]
    turning: tuple[BarByPlace, ...]
    forced_sun: bool
    turned_is_offered: bool
    naming: tuple[Questions, ...]
    kawesh_phases: tuple[QuestionKind, ...]
    kawesh_any_time: bool
    kawesh_bar: Bar
    ladder: Ladder

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Terms) and (self.ruleset, self.up_rank) == (other.ruleset, other.up_rank)

    def __hash__(self) -> int:
        return hash((self.ruleset, self.up_rank))

    def __reduce__(self) -> tuple[Callable[[Ruleset, Rank], Terms], tuple[Ruleset, Rank]]:
        return terms_of, (self.ruleset, self.up_rank)


@lru_cache(maxsize=128)
def terms_of(ruleset: Ruleset, up_rank: Rank) -> Terms:
    """The terms of a rule set, for an up card of this rank."""
    ace = up_rank is Rank.ACE
    phases, kawesh_bar = _kawesh(ruleset)
    return Terms(
        ruleset,
        up_rank,
        (_ANSWERING_FIRST[ruleset.sun_over_hokum_first], _ANSWERING_SECOND[ruleset.sun_over_hokum_second]),
        (_TAKEOVER_FIRST[ruleset.sun_takeover_first], _TAKEOVER_SECOND[ruleset.sun_takeover_second][ace]),
        tuple(_ashkal_bars(ruleset, bidding, ace=ace) for bidding in _BIDDINGS),
        tuple(_turning_bars(ruleset, bidding, ace=ace) for bidding in _BIDDINGS),
        ruleset.illegal_ashkal is IllegalAshkal.FORCED_SUN,
        ruleset.turned_sun_takeover is TurnedSunTakeover.AS_SUN,
        NAME_OR_BE_TURNED if ruleset.unnamed_suit is UnnamedSuit.SUN else NAME_OR_TURN,
        phases,
        ruleset.kawesh_turn is KaweshTurn.ANY_TIME_FIRST,
        kawesh_bar,
        ladder_of(ruleset),
    )


# Answering a Hokum and taking over a Sun.

_NOBODY: ByPlace = ((), (), (), ())
_OTHERS: ByPlace = ((1, 2, 3), (0, 2, 3), (0, 1, 3), (0, 1, 2))
_EARLIER: ByPlace = ((), (0,), (0, 1), (0, 1, 2))
_LATER: ByPlace = ((1, 2, 3), (2, 3), (3,), ())
_OPPONENTS_AND_LATER: ByPlace = ((1, 2, 3), (0, 2, 3), (1, 3), (0, 2))
_EARLIER_OPPONENTS: ByPlace = ((), (0,), (1,), (0, 2))
_IN_TURN: ByPlace = ((1, 2, 3), (2, 3, 0), (3, 0, 1), (0, 1, 2))
_FIRST_TWO_OPPOSING_THE_LAST_TWO: ByPlace = ((), (), (1,), (0,))

_ANSWERING_FIRST = {SunOverHokumFirst.ANYONE: _OTHERS, SunOverHokumFirst.EARLIER_ONLY: _EARLIER}
_ANSWERING_SECOND = {
    SunOverHokumSecond.NOT_YET_PASSED: _LATER,
    SunOverHokumSecond.OPPONENTS_ANY: _OPPONENTS_AND_LATER,
    SunOverHokumSecond.ANYONE: _OTHERS,
}
_FINAL = Takeover(_NOBODY)
_TAKEOVER_FIRST = {
    SunTakeoverFirst.NONE: _FINAL,
    SunTakeoverFirst.EARLIER_OPPONENTS: Takeover(_EARLIER_OPPONENTS),
    SunTakeoverFirst.EARLIER_ANY: Takeover(_EARLIER),
    SunTakeoverFirst.ANYONE_IN_TURN: Takeover(_IN_TURN, kept=True),
}
_TAKEOVER_SECOND: dict[SunTakeoverSecond, tuple[Takeover, Takeover]] = {
    SunTakeoverSecond.NONE: (_FINAL, _FINAL),
    SunTakeoverSecond.THALITH: (_FINAL, Takeover(_FIRST_TWO_OPPOSING_THE_LAST_TWO, not_the_caller=True)),
    SunTakeoverSecond.EARLIER_OPPONENTS: (Takeover(_EARLIER_OPPONENTS), Takeover(_EARLIER_OPPONENTS)),
}
"""By whether the up card is an Ace."""


# Ashkal.


def _ashkal_bars(ruleset: Ruleset, bidding: Bidding, *, ace: bool) -> tuple[BarByPlace, ...]:
    return tuple(
        tuple(_ashkal_bar(ruleset, bidding, place, caller, ace=ace) for caller in (*_PLACES, NO_HOKUM))
        for place in _PLACES
    )


def _ashkal_bar(ruleset: Ruleset, bidding: Bidding, place: int, caller: int, *, ace: bool) -> Bar | None:
    """Why a place may not say Ashkal, if it may not (2.8)."""
    if ruleset.ashkal_seats is AshkalSeats.OFF:
        return bars.NO_ASHKAL
    if bidding is Bidding.SECOND and ruleset.ashkal_biddings is AshkalBiddings.FIRST:
        return bars.ASHKAL_BIDDING
    if place < 2:
        return bars.ASHKAL_SEAT
    if ace and not ruleset.ashkal_on_ace:
        return bars.ASHKAL_ON_ACE
    return None if caller == NO_HOKUM else _over_hokum_bar(ruleset.ashkal_over_hokum, place, caller)


def _over_hokum_bar(over_hokum: AshkalOverHokum, place: int, caller: int) -> Bar | None:
    if place < caller:
        return bars.ASHKAL_AFTER_PASS
    if over_hokum is AshkalOverHokum.NO:
        return bars.ASHKAL_OVER_HOKUM
    if over_hokum is AshkalOverHokum.OPPONENTS_ONLY and (place - caller) % 2 == 0:
        return bars.ASHKAL_OVER_PARTNER
    return None


# Turning a Hokum to Sun.


def _turning_bars(ruleset: Ruleset, bidding: Bidding, *, ace: bool) -> BarByPlace:
    return tuple(_turning_bar(ruleset, bidding, place, ace=ace) for place in _PLACES)


def _turning_bar(ruleset: Ruleset, bidding: Bidding, place: int, *, ace: bool) -> Bar | None:
    """Why a Hokum may not be turned to Sun: with an Ace it would hide a Sun from the seats before (2.7)."""
    if bidding not in _CONFIRMED[ruleset.confirm_step]:
        return bars.NO_TURNING
    if not ace or ruleset.turn_to_sun_on_ace is TurnToSunOnAce.ALWAYS:
        return None
    if ruleset.turn_to_sun_on_ace is TurnToSunOnAce.NEVER:
        return bars.SUN_ON_ACE
    return None if place == 0 else bars.SUN_ON_ACE_BY_OTHERS


_CONFIRMED: dict[ConfirmStep, tuple[Bidding, ...]] = {
    ConfirmStep.ON: _BIDDINGS,
    ConfirmStep.OFF: (),
    ConfirmStep.SECOND_ONLY: (Bidding.SECOND,),
}


# Kawesh.


def _kawesh(ruleset: Ruleset) -> tuple[tuple[QuestionKind, ...], Bar]:
    """The questions of the first bidding at which a worthless hand may be shown, and why not at others (2.12)."""
    if not ruleset.kawesh:
        return (), bars.NO_KAWESH
    if ruleset.kawesh_turn is KaweshTurn.AS_SUN_CALL:
        return (QuestionKind.FIRST, QuestionKind.ANSWER), bars.KAWESH_AS_SUN
    return (QuestionKind.FIRST,), bars.KAWESH_BEFORE_A_BID
