"""Each test of the battery notices what it is there for, in deals that somebody has tampered with."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

import pytest
from baloot.core.deal import Deck
from baloot.core.seats import Seat
from baloot.monitor.battery import Battery, Deal

from tests.monitor import cheats
from tests.monitor.cheats import Cheat, cheated
from tests.monitor.shuffles import MATCH, counted, deals, rejecting

DEALS = 10_000
LIMIT = 1e-6

NOTICED: list[tuple[Cheat, str]] = [
    (cheats.four_aces, "four aces"),
    (cheats.four_aces, "aces"),
    (cheats.a_run, "best project"),
    (cheats.a_baloot, "king and queen"),
    (cheats.a_club, "voids"),
    (cheats.an_ace, "points by seat"),
    (cheats.a_kawesh, "worthless first hand"),
    (cheats.one_suit, "shapes"),
    (cheats.together, "adjacent pairs"),
    (cheats.in_place, "fixed points"),
    (cheats.in_place, "mean of fixed points"),
    (cheats.two_heaps, "rising sequences"),
]


@cache
def fair() -> tuple[Deal, ...]:
    return tuple(deals(DEALS))


def tampered(cheat: Cheat) -> Iterator[Deal]:
    """The same player deals all the time, so that south is always S1."""
    random = Random(cheat.__name__)
    for deal in fair():
        yield Deal(MATCH, deal.number, Seat.WEST, cheated(deal.deck, cheat, random))


@pytest.fixture(scope="module")
def batteries() -> dict[Cheat, Battery]:
    return {}


@pytest.mark.parametrize(("cheat", "name"), NOTICED, ids=lambda value: getattr(value, "__name__", value))
def test_a_cheat_is_noticed(cheat: Cheat, name: str, batteries: dict[Cheat, Battery]) -> None:
    battery = batteries[cheat] = batteries.get(cheat) or counted(tampered(cheat))
    assert battery.size == DEALS
    assert name in rejecting(battery, LIMIT)


def test_deals_that_hang_on_the_deal_before_are_noticed() -> None:
    """In one of twenty, the cards lie nearly as they lay before."""
    random, made = Random(1), [fair()[0]]
    for before, deal in pairwise(fair()):
        deck = list(before.deck.cards)
        deck[3], deck[30] = deck[30], deck[3]
        kept = Deck(tuple(deck)) if random.random() < 0.05 else deal.deck
        made.append(Deal(MATCH, deal.number, Seat.WEST, kept))
    assert "same card, same seat" in rejecting(counted(iter(made)), LIMIT)


def test_only_deals_of_one_match_that_follow_each_other_are_a_pair() -> None:
    [deal] = deals(1)
    battery = Battery()
    for match, number in ((b"a", 1), (b"a", 2), (b"a", 4), (b"b", 5), (b"b", 6)):
        battery.add(Deal(match, number, deal.dealer, deal.deck))
    [pairs] = [verdict for verdict in battery.verdicts() if verdict.about.name == "same card, same seat"]
    assert pairs.size == 2
