"""What can be counted in the order of a deck, each with its exact odds among all orders.

An order is told as card numbers; that a card lies at its own number is what happens before any shuffle.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import comb, factorial
from operator import eq

from baloot.core.cards import CARDS_IN_DECK
from baloot.monitor.odds import DECKS

_PLACES = range(CARDS_IN_DECK)
_HALF = CARDS_IN_DECK // 2

Order = Sequence[int]


def fixed_points(order: Order) -> int:
    """How many cards lie at their own number."""
    return sum(map(eq, order, _PLACES))


def adjacent_pairs(order: Order) -> int:
    """How many cards directly follow the one before them in number."""
    return sum(after == card + 1 for card, after in pairwise(order))


def longest_cycle(order: Order) -> int:
    """The longest cycle of the order as a permutation; those of half the deck or less are taken together as 16."""
    left = set(_PLACES)
    while len(left) > _HALF:
        at = start = left.pop()
        length = 1
        while (at := order[at]) != start:
            left.remove(at)
            length += 1
        if length > _HALF:
            return length
    return _HALF


def rising_sequences(order: Order) -> int:
    """Into how few heaps the deck can be told apart in each of which numbers rise one by one."""
    place = [0] * CARDS_IN_DECK
    for position, card in enumerate(order):
        place[card] = position
    return 1 + sum(after < before for before, after in pairwise(place))


def fixed_points_odds() -> dict[int, float]:
    """Of so many fixed points. Mean and variance are 1, and it is Poisson's distribution to 30 digits."""
    return {k: comb(CARDS_IN_DECK, k) * _derangements(CARDS_IN_DECK - k) / DECKS for k in range(33)}


def _derangements(n: int) -> int:
    """Orders of n cards in which none lies at its own number."""
    return sum((-1) ** k * factorial(n) // factorial(k) for k in range(n + 1))


def adjacent_pairs_odds() -> dict[int, float]:
    """Of so many adjacent pairs: k of 31 places where the number goes on, and no further one in what remains."""
    apart = {m: _derangements(m) + _derangements(m - 1) for m in range(1, 33)}
    return {k: comb(31, k) * apart[CARDS_IN_DECK - k] / DECKS for k in range(CARDS_IN_DECK)}


def longest_cycle_odds() -> dict[int, float]:
    """Of the longest cycle: one in k for a length k above half of the deck, of which there is at most one."""
    long = {k: 1 / k for k in range(_HALF + 1, CARDS_IN_DECK + 1)}
    return {_HALF: 1 - sum(long.values())} | long


def rising_sequences_odds() -> dict[int, float]:
    """Of so many rising sequences (Euler's numbers)."""
    row = [1]
    for n in range(2, CARDS_IN_DECK + 1):
        row = [(k + 1) * (row[k] if k < n - 1 else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return {k + 1: ways / DECKS for k, ways in enumerate(row)}
