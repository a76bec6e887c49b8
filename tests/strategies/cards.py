"""Generators of cards, hands and whole deals."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from baloot.core.cards import CARDS, SUITS, Card, Hand, Rank, Suit
from baloot.core.seats import SEATS, Seat
from hypothesis import strategies as st


def dealt(rng: Random, size: int = 8, among: Iterable[Card] = CARDS) -> tuple[Hand, Hand, Hand, Hand]:
    """Four hands of that many cards each, taken at random from the given ones."""
    cards = rng.sample(list(among), 4 * size)
    south, east, north, west = (Hand.of(cards[size * n : size * (n + 1)]) for n in range(4))
    return south, east, north, west


def nearly_sorted(rng: Random) -> list[list[Card]]:
    """Four hands of eight that hold what lies together by suit or by rank, but for a few cards: so, many projects."""
    suits = rng.sample(SUITS, 4)
    order = [Card.of(suit, rank) for suit in suits for rank in Rank]
    if rng.random() < 0.3:
        order.sort(key=lambda card: (card.rank, suits.index(card.suit)))
    for _ in range(rng.randint(2, 10)):
        one, other = rng.randrange(32), rng.randrange(32)
        order[one], order[other] = order[other], order[one]
    return [order[8 * n : 8 * n + 8] for n in rng.sample(range(4), 4)]


def randoms() -> st.SearchStrategy[Random]:
    """A source of random numbers for the functions that take one; a failing example tells its seed."""
    return st.integers(0, 2**32 - 1).map(Random)


def seats() -> st.SearchStrategy[Seat]:
    return st.sampled_from(SEATS)


def suits() -> st.SearchStrategy[Suit]:
    return st.sampled_from(SUITS)


def hands(smallest: int = 1, largest: int = 8) -> st.SearchStrategy[Hand]:
    """One hand; half of them are drawn from few cards, so that runs, fours and long suits are common."""
    few = [card for card in CARDS if card.suit <= Suit.HEARTS or card.rank >= Rank.QUEEN]
    pool = st.sampled_from([list(CARDS), few])
    return pool.flatmap(
        lambda cards: st.lists(st.sampled_from(cards), min_size=smallest, max_size=largest, unique=True)
    ).map(Hand.of)
