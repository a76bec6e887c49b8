"""Exact odds of a deal by counting hands, and the chi-square test against them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement, product
from math import comb, exp, factorial, lgamma, log, prod
from typing import TypeVar

HANDS = comb(32, 8)
"""Hands of eight cards: 10,518,300."""
Key = TypeVar("Key", bound=Hashable)
DEALS = factorial(32) // factorial(8) ** 4
"""Ways to give eight cards to each of four seats."""
FOUR_RANKS = (3, 4, 5, 6, 7)
"""The ranks of which four make a project: 10, J, Q, K and, last, the ace."""


def longest_run(ranks: int) -> int:
    """The longest run in one suit, its ranks as a set of bits."""
    longest = 0
    while ranks:
        longest += 1
        ranks &= ranks >> 1
    return longest


def _suits() -> Counter[tuple[int, int, int]]:
    """Holdings of one suit by size, longest run and which of the ranks for four of a kind are among them."""
    return Counter(
        (
            ranks.bit_count(),
            longest_run(ranks),
            sum((ranks >> rank & 1) << n for n, rank in enumerate(FOUR_RANKS)),
        )
        for ranks in range(256)
    )


@cache
def _hands() -> Counter[tuple[int, int]]:
    """Hands of eight by longest run and the ranks held four times."""
    states: Counter[tuple[int, int, int]] = Counter({(0, 0, 0b11111): 1})
    for _ in range(4):
        grown: Counter[tuple[int, int, int]] = Counter()
        for ((size, run, fours), ways), ((more, other, ranks), times) in product(
            states.items(), _suits().items()
        ):
            if size + more <= 8:
                grown[size + more, max(run, other), fours & ranks] += ways * times
        states = grown
    hands: Counter[tuple[int, int]] = Counter()
    for (size, run, fours), ways in states.items():
        if size == 8:
            hands[run, fours] += ways
    return hands


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


def best_project_of_suits(suits: Sequence[int], *, sun: bool) -> str:
    """The best project of a hand that is given suit by suit, the ranks of each as a set of bits."""
    in_all = suits[0] & suits[1] & suits[2] & suits[3]
    return best_project(max(map(longest_run, suits)), in_all >> FOUR_RANKS[0], sun=sun)


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


def shapes() -> Counter[tuple[int, ...]]:
    """How many hands have which suit lengths, longest first."""
    found: Counter[tuple[int, ...]] = Counter()
    for lengths in product(range(9), repeat=4):
        if sum(lengths) == 8:
            ways = comb(8, lengths[0]) * comb(8, lengths[1]) * comb(8, lengths[2]) * comb(8, lengths[3])
            found[tuple(sorted(lengths, reverse=True))] += ways
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


def _derangements(n: int) -> int:
    return sum((-1) ** k * factorial(n) // factorial(k) for k in range(n + 1))


def fixed_points() -> dict[int, float]:
    """The odds of so many cards at their own number."""
    return {k: comb(32, k) * _derangements(32 - k) / factorial(32) for k in range(33)}


def successions() -> dict[int, float]:
    """The odds of so many cards that directly follow the card before them in number."""
    free = {m: _derangements(m) + (_derangements(m - 1) if m else 0) for m in range(1, 33)}
    return {k: comb(31, k) * free[32 - k] / factorial(32) for k in range(32)}


def longest_cycles() -> dict[int, float]:
    """The odds of the longest cycle: 1/k above half of the deck; 16 stands for all shorter ones."""
    long = {k: 1 / k for k in range(17, 33)}
    return {16: 1 - sum(long.values())} | long


def rising_sequences() -> dict[int, float]:
    """The odds of so many rising sequences (Euler's numbers)."""
    row = [1]
    for n in range(2, 33):
        row = [(k + 1) * (row[k] if k < n - 1 else 0) + (n - k) * (row[k - 1] if k else 0) for k in range(n)]
    return {k + 1: ways / factorial(32) for k, ways in enumerate(row)}


# The chi-square test.


def chi_square_odds(value: float, freedom: int) -> float:
    """How likely a chi-square is at least as high: the upper incomplete gamma function, regularized."""
    shape, x = freedom / 2, value / 2
    if x <= 0:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    return 1 - scale * _series(shape, x) if x < shape + 1 else scale * _fraction(shape, x)


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    n = shape
    while abs(term) > 1e-16 * total:
        n += 1
        term *= x / n
        total += term
    return total


def _fraction(shape: float, x: float) -> float:
    """Lentz's continued fraction."""
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    value = d
    for n in range(1, 10_000):
        a = -n * (n - shape)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


def fit(seen: Mapping[Key, int], odds: Mapping[Key, float]) -> float:
    """How likely counts are at least as far from their odds; rare cells are taken together."""
    size = sum(seen.values())
    rare = {key for key, chance in odds.items() if chance * size < 5}
    cells = [(seen.get(key, 0), chance * size) for key, chance in odds.items() if key not in rare]
    rest = size - sum(count for count, _ in cells), size - sum(expected for _, expected in cells)
    if rest[1] >= 5:
        cells.append(rest)
    value = sum((count - expected) ** 2 / expected for count, expected in cells)
    return chi_square_odds(value, len(cells) - 1)


def share_fit(seen: int, size: int, chance: float) -> float:
    """The same for one event that happened so many times out of `size`."""
    return fit({True: seen, False: size - seen}, {True: chance, False: 1 - chance})
