"""Exact odds of what a seat holds, by counting hands: eight cards of 32, before any bidding."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from math import comb, factorial

from baloot.core.cards import CARDS, CARDS_IN_DECK, PLAIN_POINTS

HAND = 8
HANDS = comb(CARDS_IN_DECK, HAND)
"""Hands of eight cards: 10,518,300."""
DECKS = factorial(CARDS_IN_DECK)
"""Orders of the deck."""
_FOUR_RANKS = 3
"""The lowest rank of which four make a project: 10, J, Q, K and, last, the ace."""
_ACE = 0b10000
"""Its bit among these ranks."""


# What a hand is, for the counting here and for the hands that are dealt.


def _longest_run(ranks: int) -> int:
    length = 0
    while ranks:
        length += 1
        ranks &= ranks >> 1
    return length


LONGEST_RUN = tuple(map(_longest_run, range(256)))
"""The longest run among the ranks of one suit, by the ranks as bits."""


def best_project(mask: int) -> str:
    """The best project of a hand in Sun, its cards as bits: `none`, `sira`, `fifty`, `hundred` or `four_hundred`."""
    spades, hearts, diamonds, clubs = mask & 0xFF, mask >> 8 & 0xFF, mask >> 16 & 0xFF, mask >> 24
    fours = (spades & hearts & diamonds & clubs) >> _FOUR_RANKS
    run = max(LONGEST_RUN[spades], LONGEST_RUN[hearts], LONGEST_RUN[diamonds], LONGEST_RUN[clubs])
    return _best_of(run, fours)


def _best_of(run: int, fours: int) -> str:
    """By the longest run and, as bits, the ranks held four times."""
    if fours & _ACE:
        return "four_hundred"
    if fours or run >= 5:
        return "hundred"
    return {3: "sira", 4: "fifty"}.get(run, "none")


def shape(mask: int) -> str:
    """The lengths of the suits of a hand, longest first: `4-2-1-1`."""
    lengths = [(mask >> suit & 0xFF).bit_count() for suit in (0, 8, 16, 24)]
    lengths.sort(reverse=True)
    return _shape_name(*lengths)


def _shape_name(a: int, b: int, c: int, d: int) -> str:
    return f"{a}-{b}-{c}-{d}"


# How many hands are like that.


@cache
def best_projects() -> dict[str, float]:
    """The odds of each best project of a hand in Sun."""
    ways: Counter[str] = Counter()
    for (run, fours), hands in _by_runs_and_fours().items():
        ways[_best_of(run, fours)] += hands
    return {name: hands / HANDS for name, hands in ways.items()}


def _by_runs_and_fours() -> Counter[tuple[int, int]]:
    """The hands by longest run and ranks held four times, put together suit by suit."""
    suits = Counter((ranks.bit_count(), LONGEST_RUN[ranks], ranks >> _FOUR_RANKS) for ranks in range(256))
    parts: Counter[tuple[int, int, int]] = Counter({(0, 0, 0b11111): 1})
    for _ in range(4):
        grown: Counter[tuple[int, int, int]] = Counter()
        for ((size, run, fours), ways), ((more, other, held), times) in product(parts.items(), suits.items()):
            if size + more <= HAND:
                grown[size + more, max(run, other), fours & held] += ways * times
        parts = grown
    return Counter({(run, fours): ways for (size, run, fours), ways in parts.items() if size == HAND})


@cache
def shapes() -> dict[str, float]:
    """The odds of each shape of a hand."""
    ways: Counter[str] = Counter()
    for a, b, c in product(range(HAND + 1), repeat=3):
        if (d := HAND - a - b - c) >= 0:
            name = _shape_name(*sorted((a, b, c, d), reverse=True))
            ways[name] += comb(8, a) * comb(8, b) * comb(8, c) * comb(8, d)
    return {name: hands / HANDS for name, hands in ways.items()}


def aces() -> dict[int, float]:
    """The odds of so many aces in a hand."""
    return {n: comb(4, n) * comb(28, HAND - n) / HANDS for n in range(5)}


FOUR_ACES_ANYWHERE = 4 * comb(28, 4) / HANDS
"""The odds that some seat holds all aces; no two can."""
WORTHLESS = comb(12, 5) / comb(CARDS_IN_DECK, 5)
"""The odds of five first cards that are all sevens, eights and nines."""
VOID = comb(24, HAND) / HANDS
"""The odds of no card of a given suit in a hand."""
TWO_VOIDS = comb(16, HAND) / HANDS
"""The same of two given suits."""
BALOOT = 4 * comb(30, 6) / HANDS
"""The odds that king and queen of a given suit are in one hand, whose ever it is."""
TWO_BALOOTS = (4 * comb(28, 4) + 12 * comb(28, 6) * comb(22, 6) / comb(24, HAND)) / HANDS
"""The same of two given suits: both pairs in one hand, or each in another."""


# Cards that come back to a seat, and their points.

SAME_SEAT = CARDS_IN_DECK / 4
"""How many cards lie at the same seat in two deals, on average."""


def same_seat_variance() -> float:
    """Its variance. Two cards of one seat stay together with 1/4 * 7/31, of two seats apart with 1/4 * 8/31."""
    both = (7 / 31 * 7 / 31 + 24 / 31 * 8 / 31) / 4
    return CARDS_IN_DECK * 3 / 16 + CARDS_IN_DECK * (CARDS_IN_DECK - 1) * (both - 1 / 16)


POINTS = sum(PLAIN_POINTS) / 4
"""The card points of a hand in Sun, on average."""


def points_variance() -> float:
    """Its variance: eight cards drawn out of 32 and not put back."""
    mean = POINTS / HAND
    of_a_card = sum((PLAIN_POINTS[card] - mean) ** 2 for card in CARDS) / CARDS_IN_DECK
    return HAND * of_a_card * (CARDS_IN_DECK - HAND) / (CARDS_IN_DECK - 1)
