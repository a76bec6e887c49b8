"""Exact odds of a deal, by going through all hands there are and by counting whole deals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod

HANDS = comb(32, 8)
"""Hands of eight cards: 10,518,300."""
DEALS = factorial(32) // factorial(8) ** 4
"""Ways to give eight cards to each of four seats."""
FOUR_RANKS = (3, 4, 5, 6, 7)
"""The ranks of which four make a project: 10, J, Q, K and, last, the ace."""


@cache
def longest_run(ranks: int) -> int:
    """The longest run in one suit, its ranks as a set of bits."""
    longest = 0
    while ranks:
        longest += 1
        ranks &= ranks >> 1
    return longest


@cache
def _hands() -> Counter[tuple[int, int]]:
    """Hands of eight by longest run and the ranks held four times, one after the other."""
    found: Counter[tuple[int, int]] = Counter()
    for suits, times in hands_but_for_names():
        in_all = suits[0] & suits[1] & suits[2] & suits[3]
        found[max(map(longest_run, suits)), in_all >> FOUR_RANKS[0]] += times
    return found


def best_projects(*, sun: bool) -> Counter[str]:
    """How many hands have which best project."""
    found: Counter[str] = Counter()
    for (run, fours), ways in _hands().items():
        found[best_project(run, fours, sun=sun)] += ways
    return found


def best_project(run: int, fours: int, *, sun: bool) -> str:
    if sun and fours & 0b10000:
        return "four_hundred"
    if fours or run >= 5:
        return "hundred"
    return {3: "sira", 4: "fifty"}.get(run, "none")


def hands_but_for_names() -> Iterator[tuple[tuple[int, int, int, int], int]]:
    """Every hand of eight, its suits in order, and how many hands it becomes when their names are changed."""
    by_size = [[ranks for ranks in range(256) if ranks.bit_count() == size] for size in range(9)]
    for first, second, third in combinations_with_replacement(range(256), 3):
        left = 8 - first.bit_count() - second.bit_count() - third.bit_count()
        for fourth in by_size[left] if left >= 0 else ():
            if fourth >= third:
                suits = (first, second, third, fourth)
                same = Counter(suits).values()
                yield suits, factorial(4) // prod(factorial(times) for times in same)


def longest_runs() -> Counter[int]:
    """How many hands have which longest run."""
    found: Counter[int] = Counter()
    for (run, _), ways in _hands().items():
        found[run] += ways
    return found


def aces() -> dict[int, int]:
    """How many hands have how many aces."""
    return {n: comb(4, n) * comb(28, 8 - n) for n in range(5)}


@cache
def shapes() -> Counter[tuple[int, ...]]:
    """How many hands have which suit lengths, longest first."""
    found: Counter[tuple[int, ...]] = Counter()
    for suits, times in hands_but_for_names():
        found[tuple(sorted((ranks.bit_count() for ranks in suits), reverse=True))] += times
    return found


# Whole deals. The sizes of four hands are one number, each a digit to base 17.

_PLACES = tuple(17**seat for seat in range(4))
_FULL = sum(8 * place for place in _PLACES)
Owners = tuple[int | None, ...]
"""For each of the ranks for four of a kind, the seat that holds all four; None if that is left open."""


def deals_without(run: int, seats: tuple[int, ...] = (0, 1, 2, 3)) -> int:
    """In how many deals none of these seats holds a run of this length, or four of a kind.

    By inclusion and exclusion over who holds which four of a kind; for each choice the suits are independent.
    """
    total = 0
    for owners in product((None, *seats), repeat=len(FOUR_RANKS)):
        held = [seat for seat in owners if seat is not None]
        if all(held.count(seat) <= 2 for seat in held):
            total += (-1) ** len(held) * _deals_of(run, seats, _renamed(owners, seats))
    return total


def _renamed(owners: Owners, seats: tuple[int, ...]) -> Owners:
    """The same with the seats in order of appearance: which of them it is makes no difference."""
    order = [seat for seat in dict.fromkeys(owners) if seat is not None]
    return tuple(None if seat is None else seats[order.index(seat)] for seat in owners)


@cache
def _deals_of(run: int, seats: tuple[int, ...], owners: Owners) -> int:
    one = _suit_by_sizes(run, seats, owners)
    two: Counter[int] = Counter()
    for (sizes, ways), (more, times) in product(one.items(), one.items()):
        two[sizes + more] += ways * times
    return sum(ways * two[_FULL - sizes] for sizes, ways in two.items())


def _suit_by_sizes(run: int, seats: tuple[int, ...], owners: Owners) -> Counter[int]:
    """The ways to share out a suit, rank by rank, with what each seat gets of it."""
    fixed = dict(zip(FOUR_RANKS, owners, strict=True))
    states: Counter[tuple[int, int, int]] = Counter({(0, -1, 0): 1})
    for rank in range(8):
        grown: Counter[tuple[int, int, int]] = Counter()
        owner = fixed.get(rank)
        for (sizes, last, length), ways in states.items():
            for seat in range(4) if owner is None else (owner,):
                now = length + 1 if seat == last else 1
                if seat not in seats or now < run:
                    grown[sizes + _PLACES[seat], seat, now] += ways
        states = grown
    by_sizes: Counter[int] = Counter()
    for (sizes, _, _), ways in states.items():
        by_sizes[sizes] += ways
    return by_sizes
