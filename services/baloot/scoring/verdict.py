"""Who is ahead, how the round ended for the buyer, and who takes all (rules 2.27 to 2.31, 2.33)."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from baloot.core.contract import Contract, Level, Mode
from baloot.core.play import PlayOutcome
from baloot.core.ruleset import Khosara, RaisedPoints, Ruleset, SuccessBasis, TieRaised, TieUndoubled
from baloot.core.score import RoundRecord, RoundResult
from baloot.core.seats import TEAMS, Team
from baloot.scoring.checks import TRICKS
from baloot.scoring.counting import Figures, Pair, counted_team


class Ground(Enum):
    """What put a side ahead."""

    QAID = 1
    TRICKS = 2
    GAME_POINTS = 3
    CARD_POINTS = 4
    TIE = 5

    __hash__ = object.__hash__


class Verdict(NamedTuple):
    """How a round ended. `ahead` won it; `takes_all` is the same side, or None when each side writes its own."""

    result: RoundResult
    ahead: Team
    ground: Ground
    takes_all: Team | None


# Members of an Enum are slow to get by name in Python 3.11, and this is asked of every round.
_QAID, _TRICKS, _GAME_POINTS = Ground.QAID, Ground.TRICKS, Ground.GAME_POINTS
_GAHWA, _RAISED_ONLY = Level.GAHWA, Khosara.RAISED_ONLY

_ENDED_BY: dict[Ground, RoundResult] = {
    Ground.QAID: RoundResult.QAID,
    Ground.TRICKS: RoundResult.KABOOT,
}
_OF_BUYER = (RoundResult.KHOSARA, RoundResult.MADE)
_COMPARED: dict[SuccessBasis, tuple[Ground, ...]] = {
    SuccessBasis.GP_THEN_ABNAT: (Ground.GAME_POINTS, Ground.CARD_POINTS),
    SuccessBasis.ABNAT: (Ground.CARD_POINTS,),
    SuccessBasis.GP_ONLY: (Ground.GAME_POINTS,),
}


def decide(record: RoundRecord, figures: Figures) -> Verdict:
    """How the round ended: by a Qaid, by all eight tricks, or by what is compared (2.27 to 2.31, 2.33)."""
    contract, play, ruleset = record.contract, record.play, record.ruleset
    ahead, ground = _ahead(contract, play, figures, ruleset)
    if contract.level is _GAHWA:
        return Verdict(RoundResult.GAHWA, ahead, ground, ahead)
    if ground in _ENDED_BY:
        return Verdict(_ENDED_BY[ground], ahead, ground, ahead)
    made = ahead is contract.buying_team
    shared = _is_shared(contract, ruleset, made=made)
    return Verdict(_OF_BUYER[made], ahead, ground, None if shared else ahead)


def _ahead(contract: Contract, play: PlayOutcome, figures: Figures, ruleset: Ruleset) -> tuple[Team, Ground]:
    if play.qaid is not None:
        return play.qaid.winner, _QAID
    swept = kaboot_team(play.tricks)
    if swept is not None:
        return swept, _TRICKS
    for ground in _COMPARED[ruleset.success_basis]:
        ours, theirs = figures.compared if ground is _GAME_POINTS else figures.raw
        if ours != theirs:
            return TEAMS[ours < theirs], ground
    return tie_team(contract, ruleset), Ground.TIE


def kaboot_team(tricks: Pair) -> Team | None:
    """The side that won all eight tricks (2.30)."""
    return TEAMS[tricks[1] == TRICKS] if TRICKS in tricks else None


def tie_team(contract: Contract, ruleset: Ruleset) -> Team:
    """Who wins an exact tie (2.27)."""
    if contract.raises and ruleset.tie_raised is TieRaised.LAST_RAISER_LOSES:
        return counted_team(contract)
    if contract.raises and ruleset.tie_raised is TieRaised.FIRST_DOUBLER_LOSES:
        return contract.buying_team
    return contract.buying_team if _buyer_is_safe(contract.mode, ruleset) else contract.buying_team.other


def _buyer_is_safe(mode: Mode, ruleset: Ruleset) -> bool:
    if ruleset.tie_undoubled is TieUndoubled.SUN_SUCCEEDS_HOKUM_FAILS:
        return mode is Mode.SUN
    return ruleset.tie_undoubled is TieUndoubled.BUYER_SUCCEEDS


def _is_shared(contract: Contract, ruleset: Ruleset, *, made: bool) -> bool:
    """Whether each side writes its own points: a buyer who made it, unless the raises forbid it (2.28, 2.29)."""
    if contract.raises:
        return made and ruleset.raised_points is RaisedPoints.SHARED
    return made or ruleset.khosara is _RAISED_ONLY
