"""Proofs for a seat that its own cards lay in the deck behind the published root."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from baloot.core.deal import FIRST_CARDS, UP_CARD_POSITION, Opening, dealing_order, dealt_positions
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.table.events import cut_depth
from baloot.table.rules import Rules
from baloot.table.state import Round, TableState


class Openings(NamedTuple):
    """The proofs of a seat's cards and of the up card in the deal `number`."""

    number: int
    openings: Sequence[Opening]


async def openings_of(rules: Rules, state: TableState, seat: Seat) -> Openings:
    """The proofs of what a seat was dealt so far, and of nothing else. Raises Refusal ROUND_UNKNOWN before the first deal."""
    round_ = state.round
    if round_ is None:
        raise Refusal(Reason.ROUND_UNKNOWN, "no card is dealt yet")
    number = round_.dealt.number
    opened = await rules.dealing.open_cards(state.table_id, number, *round_.inputs, positions(round_, seat))
    return Openings(number, opened)


def positions(round_: Round, seat: Seat) -> list[int]:
    """Where the cards that a seat was dealt so far, and the up card, lay in the shuffled deck, before any cut."""
    taker = round_.contract.taker if round_.contract and _is_complete(round_, seat) else None
    own = {*dealt_positions(round_.dealer, seat, taker), UP_CARD_POSITION}
    if round_.cut is None:
        return sorted(own)
    order = dealing_order(round_.cut, cut_depth(round_.dealt))
    return sorted(order[position] for position in own)


def _is_complete(round_: Round, seat: Seat) -> bool:
    """Whether the last cards are dealt: to the play, or to raises with all cards in hand."""
    return round_.play is not None or len(round_.hands[seat]) > FIRST_CARDS
