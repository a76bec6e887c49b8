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
