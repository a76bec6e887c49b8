"""What all eight tricks are worth (rules 2.30)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from baloot.core.cards import Card, Rank
from baloot.core.contract import Mode
from baloot.core.ruleset import REVERSE_KABOOT_POINTS, ReverseKaboot, Ruleset
from baloot.core.score import RoundRecord
from baloot.core.seats import Position, Team, position
from baloot.scoring.checks import refuse

_Fact = TypeVar("_Fact")


def kaboot_value(record: RoundRecord, winner: Team) -> int:
    """The game points of a side that won all eight tricks (2.30), before any multiplier.

    Raises Refusal (RECORD_INVALID) when the rule set asks for the dealer, the up card or the buyer's Ace, and the record
    does not tell.
    """
    if is_reverse(record, winner):
        return REVERSE_KABOOT_POINTS
    return plain_kaboot_value(record.contract.mode, record.ruleset)


def plain_kaboot_value(mode: Mode, ruleset: Ruleset) -> int:
    return ruleset.kaboot_sun if mode is Mode.SUN else ruleset.kaboot_hokum


def is_reverse(record: RoundRecord, winner: Team) -> bool:
    """Whether a kaboot counts 88. Raises Refusal as `kaboot_value` does."""
    return _REVERSE[record.ruleset.reverse_kaboot](record, winner)


def _never(_record: RoundRecord, _winner: Team) -> bool:
    return False


def _of_defenders(record: RoundRecord, winner: Team) -> bool:
    """In Sun, against a buyer who sat at S1 and had an Ace."""
    contract = record.contract
    if contract.mode is not Mode.SUN or winner is contract.buying_team:
        return False
    dealer = _told(record.dealer, "dealer", "who dealt")
    if position(contract.buyer, dealer) is not Position.S1:
        return False
    return _told(record.buyer_had_ace, "buyer_had_ace", "whether the buyer had an Ace")


def _on_ace_in_sun(record: RoundRecord, winner: Team) -> bool:
    return record.contract.mode is Mode.SUN and _on_ace(record, winner)


def _on_ace(record: RoundRecord, _winner: Team) -> bool:
    up_card: Card = _told(record.up_card, "up_card", "which card was bought")
    return up_card.rank is Rank.ACE


_REVERSE: dict[ReverseKaboot, Callable[[RoundRecord, Team], bool]] = {
    ReverseKaboot.OFF: _never,
    ReverseKaboot.FEDERATION: _of_defenders,
    ReverseKaboot.ACE_UPCARD: _on_ace_in_sun,
    ReverseKaboot.ACE_UPCARD_ANY: _on_ace,
}


def _told(fact: _Fact | None, field: str, what: str) -> _Fact:
    if fact is None:
        refuse("2.30", field, f"what this kaboot is worth depends on {what}, and the record does not tell")
    return fact
