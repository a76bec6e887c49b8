"""From counts to a verdict: worked by hand, and the tails against tables."""

from __future__ import annotations

from math import exp, factorial

import pytest
from baloot.monitor.repeats import Repeats
from baloot.monitor.tails import chi_square_odds, normal_odds, poisson_odds
from baloot.monitor.verdicts import (
    About,
    Cell,
    of_classes,
    of_count,
    of_events,
    of_mean,
    of_repeats,
    of_shares,
    of_table,
)

ABOUT = About("a test", "what it counts")


@pytest.mark.parametrize(
    ("value", "freedom", "odds"),
    [
        (3.841459, 1, 0.05),
        (10.827566, 1, 1e-3),
        (33.376835, 4, 1e-6),
        (18.307038, 10, 0.05),
        (1183.97, 961, 1e-6),
        (1102.2, 961, 1e-3),
        (5, 2, exp(-2.5)),
        (0, 3, 1),
        (1e7, 961, 0),
    ],
)
def test_the_chi_square_odds_are_those_of_the_tables(value: float, freedom: int, odds: float) -> None:
    assert chi_square_odds(value, freedom) == pytest.approx(odds, rel=1e-3, abs=1e-300)


@pytest.mark.parametrize(("z", "odds"), [(0, 1), (1.959964, 0.05), (-3.290527, 1e-3), (4.891638, 1e-6)])
def test_the_normal_odds_are_those_of_the_tables(z: float, odds: float) -> None:
    assert normal_odds(z) == pytest.approx(odds, rel=1e-5)


@pytest.mark.parametrize(("seen", "expected"), [(0, 3), (1, 3), (9, 3), (12, 30), (70, 30)])
def test_the_poisson_odds_are_a_sum(seen: int, expected: float) -> None:
    chances = [exp(-expected) * expected**k / factorial(k) for k in range(140)]
    tails = sum(chances[: seen + 1]), sum(chances[seen:])
    assert poisson_odds(seen, expected) == pytest.approx(2 * min(tails), rel=1e-6)


def test_a_count_as_expected_is_as_likely_as_can_be() -> None:
    assert poisson_odds(7, 7) == 1
    assert [poisson_odds(0, 0), poisson_odds(1, 0)] == [1, 0]


def test_classes_by_hand() -> None:
    verdict = of_classes(ABOUT, {"a": 60, "b": 40}, {"a": 0.5, "b": 0.5})
    assert (verdict.size, verdict.value, verdict.freedom, verdict.expected) == (100, 4, 1, 1)
    assert verdict.odds == pytest.approx(0.0455, abs=1e-4)
    assert verdict.cells == (Cell("a", 60, 50), Cell("b", 40, 50))


def test_rare_classes_are_taken_together_and_none_is_left_out() -> None:
    chances = {"a": 0.60, "b": 0.25, "c": 0.10, "d": 0.05}
    verdict = of_classes(ABOUT, {"a": 60, "b": 20, "c": 10, "d": 10}, chances)
    assert [cell.name for cell in verdict.cells] == ["a", "rarer"]
    assert verdict.cells[1] == Cell("rarer", 40, pytest.approx(40))  # type: ignore[arg-type]


@pytest.mark.parametrize("size", [0, 1, 39])
def test_few_deals_are_too_few_for_classes(size: int) -> None:
    verdict = of_classes(ABOUT, {"a": size}, {"a": 0.5, "b": 0.5})
    assert (verdict.enough, verdict.odds) == (False, 1)


def test_a_table_by_hand() -> None:
    """Two by two, 60 and 40: 4 cells that are off by 10 of 50, half of it, one degree of freedom."""
    verdict = of_table(ABOUT, [60, 40, 40, 60], 100, 2)
    assert (verdict.value, verdict.freedom, verdict.enough) == (4, 1, True)
    assert not of_table(ABOUT, [10, 9, 9, 10], 39, 2).enough


def test_a_rare_thing_by_hand() -> None:
    verdict = of_count(ABOUT, 9, 1_000, 0.003)
    assert (verdict.value, verdict.expected) == (9, 3)
    assert verdict.odds == pytest.approx(2 * 0.003803, rel=1e-3)
    assert not of_count(ABOUT, 0, 300, 0.003).enough


def test_a_mean_by_hand() -> None:
    verdict = of_mean(ABOUT, 1_060, 1_000, 1, 1)
    assert (verdict.value, verdict.expected) == (1.06, 1)
    assert verdict.odds == pytest.approx(normal_odds(60 / 1_000**0.5))
    assert not of_mean(ABOUT, 99, 99, 1, 1).enough


def test_events_that_never_meet_are_classes_of_a_whole() -> None:
    """Four events that exclude each other and are all there is but one half."""
    counts = {"a": 140, "b": 120, "c": 150, "d": 110, "none": 480}
    chances = {"none": 0.5} | dict.fromkeys("abcd", 0.125)
    cells = [Cell(name, counts[name], 125) for name in "abcd"]
    expected = of_classes(ABOUT, counts, chances)
    verdict = of_events(ABOUT, cells, 1_000, 0.125, 0)
    assert verdict.freedom == expected.freedom == 4
    assert verdict.value == pytest.approx(expected.value)


def test_events_without_a_link_are_judged_one_by_one() -> None:
    cells = [Cell("a", 110, 100), Cell("b", 80, 100)]
    verdict = of_events(ABOUT, cells, 1_000, 0.1, 0.01)
    assert verdict.value == pytest.approx((10**2 + 20**2) / 90)


def test_shares_are_classes_where_one_seat_gets_it_all() -> None:
    cells = [Cell("a", 130, 125), Cell("b", 120, 125), Cell("c", 140, 125), Cell("d", 110, 125)]
    expected = of_classes(ABOUT, {cell.name: cell.seen for cell in cells}, dict.fromkeys("abcd", 0.25))
    verdict = of_shares(ABOUT, cells, 500, 0.25 * 0.75)
    assert verdict.value == pytest.approx(expected.value)
    assert verdict.freedom == 3


def test_repeats_are_counted_over_all_buckets() -> None:
    repeats = Repeats()
    for value in [*range(5_000), *range(0, 5_000, 50), 0]:
        repeats.add(b"%d" % value)
    assert (repeats.size, repeats.count()) == (5_101, 101)


def test_a_repeat_is_judged_by_how_many_values_there_are() -> None:
    assert of_repeats(ABOUT, 1, 23, 365).expected == pytest.approx(253 / 365)
    assert of_repeats(ABOUT, 1, 23, 365).odds == 1
    assert of_repeats(ABOUT, 1, 23, 2**256).odds == 0
    assert not of_repeats(ABOUT, 0, 1, 365).enough
