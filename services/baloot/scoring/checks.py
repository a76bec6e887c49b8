"""What no finished round can look like: records that are refused before anything is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn

from baloot.core.cards import CARDS, LAST_TRICK_POINTS, Suit, card_points
from baloot.core.contract import Contract, Level, Mode
from baloot.core.errors import record_invalid
from baloot.core.play import PlayOutcome, Qaid, QaidGround
from baloot.core.ruleset import IllegalPlay, Ruleset, SawaPenalty, SunRaiseCeiling
from baloot.core.score import RoundRecord

TRICKS = 8
CARD_POINTS: dict[Mode, int] = {
    Mode.HOKUM: sum(card_points(card, Suit.SPADES) for card in CARDS) + LAST_TRICK_POINTS,
    Mode.SUN: sum(card_points(card, None) for card in CARDS) + LAST_TRICK_POINTS,
}
"""All card points of a round, the ten of the last trick included: 162 in Hokum, 130 in Sun (section 1)."""

_LADDER = (Level.DOUBLE, Level.THREE, Level.FOUR, Level.GAHWA)
_UNTOLD = (0, 0)


def require_possible(record: RoundRecord) -> None:
    """Raises Refusal (RECORD_INVALID) for a contract, tricks or card points that no round can have had.

    Somebody who counted no tricks may leave them out, and who made a kaboot the card points.
    """
    contract, play = record.contract, record.play
    _check_contract(contract)
    if contract.raises:
        _check_raises(contract, record.ruleset)
    if play.qaid is not None:
        _check_qaid(play.qaid, record.ruleset)
        _check_ended_early(contract.mode, play)
    else:
        _check_tricks(play)
        _check_card_points(contract.mode, play)


def completed(record: RoundRecord) -> RoundRecord:
    """The record with the card points of a kaboot of which only the tricks were told."""
    play = record.play
    if play.card_points != _UNTOLD or TRICKS not in play.tricks or play.qaid is not None:
        return record
    total = CARD_POINTS[record.contract.mode]
    points = (total, 0) if play.tricks[0] else (0, total)
    return replace(record, play=replace(play, card_points=points))


def refuse(rule: str, field: str, message: str, **figures: object) -> NoReturn:
    """Refuses the record by a rule, because of one of its fields, with the figures that the message mentions."""
    raise record_invalid(message, field, {name: _plain(figure) for name, figure in figures.items()}, rule)


def _plain(figure: object) -> str:
    return " ".join(map(str, figure)) if isinstance(figure, tuple) else str(figure)


def _check_contract(contract: Contract) -> None:
    if (contract.trump is None) is not (contract.mode is Mode.SUN):
        refuse("2.5", "contract.trump", "a Hokum has a trump suit and a Sun has none")
    if contract.taker is contract.buyer:
        return
    if contract.taker is not contract.buyer.partner or contract.mode is not Mode.SUN:
        refuse(
            "2.8",
            "contract.taker",
            "the buyer takes the up card; only in a Sun (Ashkal) may the partner take it",
        )


def _check_raises(contract: Contract, ruleset: Ruleset) -> None:
    raises = contract.raises
    if tuple(step.level for step in raises) != _LADDER[: len(raises)]:
        refuse("2.14", "contract.raises", "raises go double, three, four, gahwa, one step at a time")
    defenders = contract.buying_team.other
    for number, step in enumerate(raises):
        if (step.seat.team is defenders) is bool(number & 1):
            refuse(
                "2.14",
                "contract.raises",
                "the defenders double and four, the buyer's side says three and gahwa",
            )
    if contract.mode is Mode.SUN and len(raises) > 1 and ruleset.sun_raise_ceiling is SunRaiseCeiling.DOUBLE:
        refuse("2.16", "contract.raises", "a Sun is raised no further than double")


def _check_qaid(qaid: Qaid, ruleset: Ruleset) -> None:
    """A wrong Sawa ends the round where it has its price, everything else where illegal cards are accepted (2.33)."""
    if qaid.claim.ground is QaidGround.WRONG_SAWA:
        if ruleset.sawa_penalty is not SawaPenalty.QAID:
            refuse("2.34", "play.qaid", "under this rule set a wrong Sawa costs nothing (sawa_penalty)")
    elif ruleset.illegal_play is not IllegalPlay.ALLOW_WITH_QAID:
        refuse(
            "2.33",
            "play.qaid",
            "under this rule set illegal cards are refused, so no Qaid is claimed (illegal_play)",
        )


def _check_ended_early(mode: Mode, play: PlayOutcome) -> None:
    """A Qaid ends a round at any moment: no more tricks and card points than a whole one has."""
    if min(play.tricks) < 0 or sum(play.tricks) > TRICKS:
        _refuse_tricks(play)
    total = CARD_POINTS[mode]
    if min(play.card_points) < 0 or sum(play.card_points) > total:
        _refuse_card_points(mode, play)


def _check_tricks(play: PlayOutcome) -> None:
    ours, theirs = play.tricks
    if play.tricks == _UNTOLD and 0 in play.card_points and play.card_points != _UNTOLD:
        refuse(
            "2.30",
            "play.tricks",
            "one side has all card points: tell the tricks, since all eight are a kaboot",
        )
    if ours < 0 or theirs < 0 or (ours + theirs != TRICKS and play.tricks != _UNTOLD):
        _refuse_tricks(play)
    if play.sawa is not None and play.tricks != _UNTOLD and not play.tricks[play.sawa.team]:
        refuse("2.34", "play.sawa", "a Sawa that held won tricks, but its side has none", seat=play.sawa)


def _refuse_tricks(play: PlayOutcome) -> NoReturn:
    ours, theirs = play.tricks
    refuse("2.17", "play.tricks", f"a round has {TRICKS} tricks, not {ours} and {theirs}", tricks=play.tricks)


def _check_card_points(mode: Mode, play: PlayOutcome) -> None:
    ours, theirs = play.card_points
    tricks = play.tricks
    if play.card_points == _UNTOLD and TRICKS in tricks:
        return
    if ours < 0 or theirs < 0 or ours + theirs != CARD_POINTS[mode]:
        _refuse_card_points(mode, play)
    if tricks != _UNTOLD and ((ours and not tricks[0]) or (theirs and not tricks[1])):
        refuse(
            "2.30",
            "play.card_points",
            "a side without a trick has no card points; all of them go with the eight tricks",
            card_points=play.card_points,
        )


def _refuse_card_points(mode: Mode, play: PlayOutcome) -> NoReturn:
    (ours, theirs), total = play.card_points, CARD_POINTS[mode]
    refuse(
        "2.26",
        "play.card_points",
        f"the card points of a {mode.name.capitalize()} add up to {total}, not {ours} and {theirs}",
        card_points=play.card_points,
        total=total,
    )
