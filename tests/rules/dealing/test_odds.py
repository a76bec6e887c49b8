"""How many hands and deals are like this and that: the figures, and the rules' own search over every hand."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb, factorial, log2

import pytest
from baloot.core.contract import Mode
from baloot.play.projects import projects_in

from tests.rules.dealing import odds


def test_the_numbers_of_hands_deals_and_decks() -> None:
    assert odds.HANDS == sum(odds.best_projects(sun=True).values()) == 10_518_300
    assert odds.DEALS == 99_561_092_450_391_000
    assert round(log2(odds.DEALS), 2) == 56.47
    assert round(log2(factorial(32)), 2) == 117.66
    assert odds.DEALS // odds.HANDS == 9_465_511_770, "what the others may hold beside one's own hand"
    three_fives = factorial(26) // (factorial(5) ** 3 * factorial(11))
    assert three_fives == 5_846_817_936_960, "what the others may hold while one bids"


BEST = {
    True: {
        "none": 8_055_933,
        "sira": 1_998_840,
        "fifty": 318_318,
        "hundred": 124_734,
        "four_hundred": 20_475,
    },
    False: {"none": 8_055_933, "sira": 1_998_840, "fifty": 318_318, "hundred": 145_209},
}


@pytest.mark.parametrize("sun", [True, False])
def test_best_projects_of_one_hand(sun: bool) -> None:
    assert odds.best_projects(sun=sun) == BEST[sun]


def test_the_odds_of_best_projects() -> None:
    shares = {name: 100 * ways / odds.HANDS for name, ways in BEST[True].items()}
    assert [round(share, 4) for share in shares.values()] == [76.5897, 19.0035, 3.0263, 1.1859, 0.1947]
    assert round(100 * BEST[False]["hundred"] / odds.HANDS, 4) == 1.3805


@pytest.mark.parametrize("mode", Mode)
def test_the_projects_that_are_found_in_every_hand_there_is(mode: Mode) -> None:
    """The rules' own search, over all hands but for the names of the suits."""
    found: Counter[str] = Counter()
    for suits, times in odds.hands_but_for_names():
        spades, hearts, diamonds, clubs = suits
        projects = projects_in(spades | hearts << 8 | diamonds << 16 | clubs << 24, mode)
        found[max(projects, key=lambda one: one.kind).kind.name.lower() if projects else "none"] += times
    assert found == BEST[mode is Mode.SUN]


def test_longest_runs_of_one_hand() -> None:
    expected = [1_422_051, 6_720_483, 2_013_216, 319_650, 39_200, 3_504, 192, 4]
    assert odds.longest_runs() == dict(enumerate(expected, start=1))


def test_aces_shapes_and_their_totals() -> None:
    assert [round(100 * ways / odds.HANDS, 4) for ways in odds.aces().values()] == [
        *(29.5495, 45.0278, 21.4905, 3.7375, 0.1947)
    ]
    assert sum(odds.shapes().values()) == sum(odds.aces().values()) == odds.HANDS
    assert round(100 * odds.shapes()[2, 2, 2, 2] / odds.HANDS, 4) == 5.8437
    void = sum(ways * shape.count(0) for shape, ways in odds.shapes().items()) / 4
    assert round(100 * void / odds.HANDS, 4) == round(100 * comb(24, 8) / odds.HANDS, 4) == 6.9923


def test_four_aces() -> None:
    """No two seats can hold them, so that the odds of several seats add up."""
    four = Fraction(odds.aces()[4], odds.HANDS)
    assert odds.aces()[4] == BEST[True]["four_hundred"]
    assert four == Fraction(7, 3596)
    assert [round(float(1 / (seats * four)), 2) for seats in (1, 2, 4)] == [513.71, 256.86, 128.43]
    assert [round(float(100 * seats * four), 5) for seats in (1, 2, 4)] == [0.19466, 0.38932, 0.77864]
    assert round(100 * comb(28, 12) / comb(32, 16), 4) == 5.0612, "between two partners"


def test_a_baloot() -> None:
    """K and Q of one suit: by hands that hold both, counted suit by suit."""
    both = sum(
        times * sum(ranks & 0b01100000 == 0b01100000 for ranks in suits)
        for suits, times in odds.hands_but_for_names()
    )
    assert both / 4 == comb(30, 6) == 593_775
    assert Fraction(comb(30, 6), odds.HANDS) == Fraction(7, 124)
    assert round(100 * comb(30, 6) / odds.HANDS, 4) == 5.6452
    assert round(4 * 100 * comb(30, 6) / odds.HANDS, 3) == 22.581


def test_a_worthless_first_hand() -> None:
    worthless = Fraction(comb(12, 5), comb(32, 5))
    assert worthless == Fraction(99, 25172)
    assert round(float(100 * worthless), 5) == 0.39329
    assert round(float(1 / worthless), 1) == 254.3


def test_projects_of_several_seats() -> None:
    """Of whole deals, exactly: a project of anybody, one of fifty or more, a hundred or more, and one on each side."""
    shares = [1 - odds.deals_without(run) / odds.DEALS for run in (3, 4, 5)]
    assert [round(100 * share, 4) for share in shares] == [64.0165, 16.3576, 5.3964]
    one_side = odds.deals_without(3, (0, 2))
    on_both = 1 - (2 * one_side - odds.deals_without(3)) / odds.DEALS
    assert round(100 * on_both, 4) == 17.7044


@pytest.mark.parametrize(
    ("run", "worse"), [(3, ["none"]), (4, ["none", "sira"]), (5, ["none", "sira", "fifty"])]
)
def test_one_seat_of_a_deal_is_one_hand(run: int, worse: list[str]) -> None:
    hands = sum(BEST[False][name] for name in worse)
    assert odds.deals_without(run, (2,)) == hands * (odds.DEALS // odds.HANDS)
