"""From counts to a verdict: how likely a fair shuffle gives counts at least as far out."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple, TypeVar

from baloot.monitor.tails import chi_square_odds, normal_odds, poisson_odds

FEWEST = 20
"""How often each class must be expected for a chi-square to be told; rarer classes are taken together."""
FEWEST_SUMMED = 100
"""Of how many deals a mean must be for it to be as good as normal."""
RARER = "rarer"
"""The name of the classes that are taken together."""

Key = TypeVar("Key", bound=Hashable)


class About(NamedTuple):
    """A test by its name, and what it counts in words."""

    name: str
    counts: str


class Cell(NamedTuple):
    """One class: how often it came, and how often a fair shuffle brings it on average."""

    name: str
    seen: int
    expected: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a test found in `size` deals, or pairs of deals.

    `value` is a chi-square with `freedom` degrees of freedom, or, where that is 0, a count or a mean. `expected` is what
    a fair shuffle gives on average. `odds` say how likely a fair shuffle gives something at least as far out (the
    p-value); without `enough` deals they mean nothing. `cells` are the classes of a chi-square, where they are few.
    """

    about: About
    size: int
    value: float
    expected: float
    odds: float
    freedom: int = 0
    enough: bool = True
    cells: tuple[Cell, ...] = ()


def of_classes(about: About, seen: Mapping[Key, int], chances: Mapping[Key, float]) -> Verdict:
    """Each deal is of one class; `chances` are those of all classes."""
    size = sum(seen.values())
    cells = _cells(seen, chances, size)
    if len(cells) < 2:
        return Verdict(about, size, 0.0, 0.0, 1.0, enough=False, cells=cells)
    value, freedom = sum((cell.seen - cell.expected) ** 2 / cell.expected for cell in cells), len(cells) - 1
    return Verdict(about, size, value, freedom, chi_square_odds(value, freedom), freedom, cells=cells)


def _cells(seen: Mapping[Key, int], chances: Mapping[Key, float], size: int) -> tuple[Cell, ...]:
    """The classes that are expected often enough, the most frequent first, and all others as one that is as well."""
    cells = [Cell(str(key), seen.get(key, 0), size * chance) for key, chance in chances.items()]
    cells.sort(key=lambda cell: cell.expected, reverse=True)
    rare: list[Cell] = []
    while cells and (cells[-1].expected < FEWEST or 0 < _expected(rare) < FEWEST):
        rare.append(cells.pop())
    if rare:
        cells.append(Cell(RARER, sum(cell.seen for cell in rare), _expected(rare)))
    return tuple(cells)


def _expected(cells: Sequence[Cell]) -> float:
    return sum(cell.expected for cell in cells)


def of_table(about: About, seen: Sequence[int], size: int, side: int) -> Verdict:
    """A table of `side` rows and columns whose rows and columns each have the sum `size`.

    The sums are fixed, hence the factor, and one degree of freedom less in each direction.
    """
    expected = size / side
    freedom = (side - 1) ** 2
    if expected < FEWEST:
        return Verdict(about, size, 0.0, freedom, 1.0, freedom, enough=False)
    value = sum((count - expected) ** 2 for count in seen) / expected * (side - 1) / side
    return Verdict(about, size, value, freedom, chi_square_odds(value, freedom), freedom)


def of_count(about: About, seen: int, size: int, chance: float) -> Verdict:
    """Something rare happened `seen` times in `size` deals. `chance` may be 0: then once is too often."""
    expected = size * chance
    return Verdict(about, size, seen, expected, poisson_odds(seen, expected), enough=not 0 < expected < 1)


def of_repeats(about: About, repeats: int, size: int, possible: int) -> Verdict:
    """Among `size` values, each one of so many `possible` ones, `repeats` had come before."""
    expected = size * (size - 1) / 2 / possible
    odds = poisson_odds(repeats, expected)
    return Verdict(about, size, repeats, expected, odds, enough=size > 1)


def of_mean(about: About, total: int, size: int, mean: float, variance: float) -> Verdict:
    """A number of each deal, of which the sum over all deals is known."""
    if size < FEWEST_SUMMED:
        return Verdict(about, size, 0.0, mean, 1.0, enough=False)
    z = (total - size * mean) / sqrt(size * variance)
    return Verdict(about, size, total / size, mean, normal_odds(z))


def of_events(about: About, seen: Sequence[Cell], size: int, chance: float, both: float) -> Verdict:
    """Several events that may come together: each has the same `chance`, and any two of them come with `both`."""
    if size * chance < FEWEST:
        return Verdict(about, size, 0.0, len(seen), 1.0, enough=False, cells=tuple(seen))
    variance, covariance = chance * (1 - chance), both - chance**2
    return _of_sums(about, seen, size, variance, covariance)


def _of_sums(about: About, seen: Sequence[Cell], size: int, variance: float, covariance: float) -> Verdict:
    """Sums that are alike, by their differences and by their total, which do not depend on each other."""
    events = len(seen)
    off = [cell.seen - cell.expected for cell in seen]
    mean = sum(off) / events
    value = sum((one - mean) ** 2 for one in off) / (size * (variance - covariance))
    value += events * mean**2 / (size * (variance + (events - 1) * covariance))
    return Verdict(about, size, value, events, chi_square_odds(value, events), events, cells=tuple(seen))


def of_shares(about: About, seen: Sequence[Cell], size: int, variance: float) -> Verdict:
    """Parts of a whole that is always the same, alike on average; `variance` is that of one part in one deal."""
    freedom = len(seen) - 1
    if size < FEWEST_SUMMED:
        return Verdict(about, size, 0.0, freedom, 1.0, freedom, enough=False, cells=tuple(seen))
    value = (
        sum((cell.seen - cell.expected) ** 2 for cell in seen) * freedom / (freedom + 1) / (size * variance)
    )
    return Verdict(about, size, value, freedom, chi_square_odds(value, freedom), freedom, cells=tuple(seen))
