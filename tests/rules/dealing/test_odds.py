"""The odds that deals are tested against are exact, and so is the test itself."""

from __future__ import annotations

from math import comb, exp

import pytest

from tests.rules.dealing import odds


def test_best_projects_of_one_hand() -> None:
    assert odds.best_projects(sun=True) == {
        "none": 8_055_933,
        "sira": 1_998_840,
        "fifty": 318_318,
        "hundred": 124_734,
        "four_hundred": 20_475,
    }
    assert odds.best_projects(sun=False)["hundred"] == 145_209


def test_longest_runs_of_one_hand() -> None:
    expected = [1_422_051, 6_720_483, 2_013_216, 319_650, 39_200, 3_504, 192, 4]
    assert odds.longest_runs() == dict(enumerate(expected, start=1))


def test_aces_shapes_and_their_totals() -> None:
    assert odds.HANDS == 10_518_300
    assert odds.aces()[4] == 20_475
    assert [round(100 * ways / odds.HANDS, 4) for ways in odds.aces().values()] == [
        *(29.5495, 45.0278, 21.4905, 3.7375, 0.1947)
    ]
    assert sum(odds.shapes().values()) == sum(odds.aces().values()) == odds.HANDS
    assert round(100 * odds.shapes()[2, 2, 2, 2] / odds.HANDS, 4) == 5.8437


def test_single_events() -> None:
    assert comb(30, 6) == 593_775
    assert round(100 * comb(30, 6) / odds.HANDS, 4) == 5.6452
    assert round(100 * comb(24, 8) / odds.HANDS, 4) == 6.9923
    assert round(100 * comb(12, 5) / comb(32, 5), 5) == 0.39329
    assert round(100 * comb(28, 12) / comb(32, 16), 4) == 5.0612


@pytest.mark.parametrize(
    "table",
    [odds.fixed_points(), odds.successions(), odds.longest_cycles(), odds.rising_sequences()],
    ids=["fixed points", "successions", "longest cycle", "rising sequences"],
)
def test_the_odds_of_a_permutation_add_up(table: dict[int, float]) -> None:
    assert sum(table.values()) == pytest.approx(1, abs=1e-12)
    assert min(table.values()) >= 0


def test_the_mean_of_fixed_points_is_one() -> None:
    assert sum(k * chance for k, chance in odds.fixed_points().items()) == pytest.approx(1)
    assert sum(k * chance for k, chance in odds.successions().items()) == pytest.approx(31 / 32)
    assert sum(k * chance for k, chance in odds.rising_sequences().items()) == pytest.approx(16.5)


@pytest.mark.parametrize(
    ("value", "freedom", "expected"),
    [
        (3.8415, 1, 0.05),
        (33.377, 4, 1e-6),
        (1183.97, 961, 1e-6),
        (1102.2, 961, 1e-3),
        (5, 2, exp(-2.5)),
        (0, 3, 1),
    ],
)
def test_the_chi_square_odds_are_those_of_the_tables(value: float, freedom: int, expected: float) -> None:
    assert odds.chi_square_odds(value, freedom) == pytest.approx(expected, rel=0.02)
