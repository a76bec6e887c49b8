"""Whether the cards of a deal are those that its seed gives, from what stands in a transcript alone."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from baloot.core.cards import Hand
from baloot.core.deal import NO_SEAT_SEEDS, Dealt, Deck
from baloot.core.seats import SEATS, Seat
from baloot.core.transcript import DealTranscript
from baloot.dealing.rules import commitment, shuffle
from baloot.table.events import cut_deck


def disproved(
    match: UUID | None, deal: DealTranscript, taker: Seat | None, hands: Sequence[Hand]
) -> str | None:
    """How the verification data of a deal and its cards disagree; None when they agree, or no seed is told.

    `hands` are the eight cards of each seat, if they are known, and `taker` who took the up card.
    """
    seed = deal.proof.seed
    if match is None or seed is None:
        return None
    committed = commitment(match.bytes, deal.number, 0, seed)
    if deal.proof.commitment not in (None, committed):
        return "the seed is not the one that was committed to"
    proof = deal.proof
    seats, beacon = proof.seat_seeds or NO_SEAT_SEEDS, proof.beacon or b""
    shuffled = shuffle(seed, match.bytes, deal.number, 0, seats, beacon)
    if proof.deck_root not in (None, shuffled.deck_root):
        return "the root is not that of the deck that the seeds give"
    dealt = Dealt(deal.number, shuffled.deck, committed, shuffled.deck_root)
    return _other_cards(cut_deck(dealt, deal.cut), deal, taker, hands)


def _other_cards(deck: Deck, deal: DealTranscript, taker: Seat | None, hands: Sequence[Hand]) -> str | None:
    """Which of the cards that are told are not those of the deck."""
    if deal.up_card != deck.up_card:
        return f"the up card is {deal.up_card}, and the seeds give {deck.up_card}"
    if deal.first and (seat := _differing(deal.first, deck.first_hands(deal.dealer))) is not None:
        return f"the first cards of {seat} are not those that the seeds give"
    if hands and taker is not None:
        seat = _differing(hands, deck.full_hands(deal.dealer, taker))
        return None if seat is None else f"the hand of {seat} is not the one that the seeds give"
    return None


def _differing(told: Sequence[Hand], given: Sequence[Hand]) -> Seat | None:
    """The first seat of which two tell different hands."""
    return next((seat for seat in SEATS if told[seat] != given[seat]), None)
