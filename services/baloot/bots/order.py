"""Which card beats which, with every suit as trump and with none, as tables of bits."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.cards import (
    CARDS,
    PLAIN_POINTS,
    PLAIN_STRENGTH,
    SUIT_MASK,
    SUITS,
    TRUMP_POINTS,
    TRUMP_STRENGTH,
    Card,
    Suit,
    mask_of,
)


@dataclass(frozen=True, slots=True)
class Order:
    """The cards under one trump, or under none.

    For each card, `stronger` are those of its suit above it, `beats` all that win over it while it is winning,
    `points` its card points, `strength` 0 to 7 within its suit. `trumps` is the trump suit, 0 in Sun.
    """

    trump: Suit | None
    trumps: int
    stronger: tuple[int, ...]
    beats: tuple[int, ...]
    points: tuple[int, ...]
    strength: tuple[int, ...]


def _order(trump: Suit | None) -> Order:
    trumps = 0 if trump is None else SUIT_MASK[trump]
    own = [card.suit is trump for card in CARDS]
    strength = tuple(TRUMP_STRENGTH[card] if own[card] else PLAIN_STRENGTH[card] for card in CARDS)
    stronger = tuple(
        mask_of(other for other in CARDS if other.suit is card.suit and strength[other] > strength[card])
        for card in CARDS
    )
    return Order(
        trump,
        trumps,
        stronger,
        tuple(stronger[card] if own[card] else stronger[card] | trumps for card in CARDS),
        tuple(TRUMP_POINTS[card] if own[card] else PLAIN_POINTS[card] for card in CARDS),
        strength,
    )


ORDERS: dict[Suit | None, Order] = {trump: _order(trump) for trump in (None, *SUITS)}


def winning_place(order: Order, trick: tuple[Card, ...]) -> int:
    """The place, from the leader on, of the card that is winning."""
    best = 0
    for place in range(1, len(trick)):
        if order.beats[trick[best]] >> trick[place] & 1:
            best = place
    return best
