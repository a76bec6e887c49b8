"""The odds of the battery are exact, and what it sees in a deck is what the odds are of."""

from __future__ import annotations

from math import exp, factorial

import pytest
from baloot.core.cards import PLAIN_POINTS, Hand
from baloot.dealing.rules import permutation
from baloot.monitor import odds, orders

from tests.monitor.shuffles import stream
from tests.rules.dealing import odds as retold

IDENTITY = tuple(range(32))
REVERSED = IDENTITY[::-1]


def test_the_classes_of_hands_are_those_of_all_hands_there_are() -> None:
    hands = retold.HANDS
    projects = {name: ways / hands for name, ways in retold.best_projects(sun=True).items()}
    assert odds.best_projects() == projects
    assert odds.shapes() == {"-".join(map(str, shape)): n / hands for shape, n in retold.shapes().items()}
    assert odds.aces() == {n: ways / hands for n, ways in retold.aces().items()}


def test_the_odds_of_single_events_are_those_of_all_hands_there_are() -> None:
    both = two = void = voids = 0
    for suits, times in retold.hands_but_for_names():
        kings = sum(ranks & 0b01100000 == 0b01100000 for ranks in suits)
        lacking = suits.count(0)
        both, two = both + times * kings, two + times * kings * (kings - 1)
        void, voids = void + times * lacking, voids + times * lacking * (lacking - 1)
    assert both / 4 / odds.HANDS == odds.BALOOT / 4
    assert void / 4 / odds.HANDS == odds.VOID
    assert voids / 12 / odds.HANDS == odds.TWO_VOIDS
    in_one_hand = two / 12 / odds.HANDS * 4
    # Once one seat holds a pair of six left places, another one's two cards are among the 24 of the other seats.
    in_two_hands = odds.BALOOT * (3 * 8 / 30 * 7 / 29)
    assert pytest.approx(in_one_hand + in_two_hands) == odds.TWO_BALOOTS


ODDS = [
    orders.fixed_points_odds(),
    orders.adjacent_pairs_odds(),
    orders.longest_cycle_odds(),
    orders.rising_sequences_odds(),
    odds.best_projects(),
    odds.shapes(),
    odds.aces(),
]


@pytest.mark.parametrize("chances", ODDS)
def test_the_odds_add_up(chances: dict[object, float]) -> None:
    assert sum(chances.values()) == pytest.approx(1, abs=1e-12)
    assert min(chances.values()) >= 0


def test_fixed_points_are_as_good_as_poissons() -> None:
    for k, chance in orders.fixed_points_odds().items():
        assert chance == pytest.approx(exp(-1) / factorial(k), abs=1e-15)


def test_the_means_of_what_is_counted_in_an_order() -> None:
    def mean(chances: dict[int, float]) -> float:
        return sum(n * chance for n, chance in chances.items())

    assert mean(orders.fixed_points_odds()) == pytest.approx(1)
    assert mean(orders.adjacent_pairs_odds()) == pytest.approx(31 / 32)
    assert mean(orders.rising_sequences_odds()) == pytest.approx(16.5)


def test_an_unshuffled_deck() -> None:
    assert orders.fixed_points(IDENTITY) == 32
    assert orders.adjacent_pairs(IDENTITY) == 31
    assert orders.longest_cycle(IDENTITY) == 16
    assert orders.rising_sequences(IDENTITY) == 1


def test_a_deck_turned_over_and_one_that_is_cut() -> None:
    assert (orders.fixed_points(REVERSED), orders.rising_sequences(REVERSED)) == (0, 32)
    cut = IDENTITY[7:] + IDENTITY[:7]
    assert orders.rising_sequences(cut) == 2
    assert orders.adjacent_pairs(cut) == 30
    assert orders.longest_cycle(cut) == 32


def test_a_long_cycle_is_found_wherever_it_lies() -> None:
    twenty = (*range(1, 20), 0, *range(20, 32))
    assert orders.longest_cycle(twenty) == 20
    assert orders.longest_cycle((*range(12), *range(13, 32), 12)) == 20
    assert orders.longest_cycle((*range(1, 16), 0, *range(17, 32), 16)) == 16


@pytest.mark.parametrize(
    ("hand", "best", "shape"),
    [
        ("AS AH AD AC 7S 8S 9S 10S", "four_hundred", "5-1-1-1"),
        ("10S 10H 10D 10C 7S 8S AD AC", "hundred", "3-2-2-1"),
        ("9S 9H 9D 9C 7S 8S AD AC", "sira", "3-2-2-1"),
        ("7S 8S 9S 10S JS AH AD AC", "hundred", "5-1-1-1"),
        ("7S 8S 9S 10S QS AH AD KC", "fifty", "5-1-1-1"),
        ("7S 8S 10S JS 7H 8H 10H JH", "none", "4-4-0-0"),
    ],
)
def test_a_hand_is_what_its_odds_are_of(hand: str, best: str, shape: str) -> None:
    mask = Hand.parse(hand).mask
    assert (odds.best_project(mask), odds.shape(mask)) == (best, shape)


def test_the_variance_of_cards_that_come_back_and_of_points() -> None:
    """Worked out from the squares of 20,000 deals of our shuffle, against the formulas."""
    decks = [permutation(stream(number)) for number in range(1, 20_001)]
    firsts = [set(deck[:8]) for deck in decks]
    points = [sum(PLAIN_POINTS[card] for card in first) for first in firsts]
    assert sum((n - odds.POINTS) ** 2 for n in points) / 20_000 == pytest.approx(
        odds.points_variance(), rel=0.05
    )
    quarters = [[set(deck[at : at + 8]) for at in range(0, 32, 8)] for deck in decks]
    same = [
        sum(len(one & other) for one, other in zip(quarters[n], quarters[n + 1], strict=True))
        for n in range(len(decks) - 1)
    ]
    assert sum((n - odds.SAME_SEAT) ** 2 for n in same) / len(same) == pytest.approx(
        odds.same_seat_variance(), rel=0.05
    )
