"""Our shuffle looks fair, and the same battery rejects shuffles that are known to be bad.

Only decks are looked at, before any bidding. Seeds are fixed, so a verdict never changes by chance; the limit is one in
a million for each test.
"""

from __future__ import annotations

from functools import cache
from itertools import chain

import pytest
from baloot.core.cards import CARDS, Card
from baloot.core.deal import Deck
from baloot.core.seats import Seat
from baloot.dealing.rules import permutation
from baloot.monitor.battery import Battery, Deal
from baloot.monitor.repeats import Repeats

from tests.monitor.shuffles import (
    MATCH,
    Shuffle,
    byte_modulo,
    counted,
    deals,
    random_comparison,
    rejecting,
    sattolo,
    seed,
    stream,
    swap_with_any,
)

LIMIT = 1e-6
SAMPLE = 100_000
LONG_SAMPLE = 1_000_000
DIGESTS = 10_000_000


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(SAMPLE, marks=pytest.mark.timeout(600)),
        pytest.param(LONG_SAMPLE, marks=[pytest.mark.long, pytest.mark.timeout(1800)]),
    ],
)
def test_our_shuffle_looks_fair(count: int) -> None:
    battery = counted(deals(count))
    assert battery.size == count
    assert [verdict.about.name for verdict in battery.verdicts() if not verdict.enough] == []
    assert rejecting(battery, LIMIT) == {}


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_no_deck_comes_again_among_ten_million() -> None:
    decks = Repeats()
    for number in range(1, DIGESTS + 1):
        decks.add(bytes(permutation(stream(number))))
    assert (decks.size, decks.count()) == (DIGESTS, 0)


BAD: list[tuple[Shuffle, int, set[str]]] = [
    (swap_with_any, 1_000, {"card by position"}),
    (sattolo, 300, {"fixed points", "mean of fixed points", "longest cycle"}),
    (sattolo, 1_000, {"card by position", "fixed points", "mean of fixed points", "longest cycle"}),
    (byte_modulo, 30_000, {"card by position"}),
    (random_comparison, 3_000, {"card by position", "rising sequences"}),
]
"""Each bad shuffle, how many decks it takes, and the tests that must say no."""


@pytest.mark.parametrize(
    ("bad", "count", "noticed_by"), BAD, ids=lambda value: getattr(value, "__name__", None)
)
def test_a_bad_shuffle_is_rejected(bad: Shuffle, count: int, noticed_by: set[str]) -> None:
    battery = counted(deals(count, bad))
    assert battery.size == count, "its decks are whole"
    assert noticed_by <= set(rejecting(battery, LIMIT))
    assert rejecting(ours(count), LIMIT) == {}, "ours is not, on as many"


@cache
def ours(count: int) -> Battery:
    return counted(deals(count))


def test_one_deck_with_a_card_twice_is_rejected() -> None:
    *cards, _ = CARDS
    wrong = Deal(MATCH, 1_001, Seat.SOUTH, Deck((*cards, Card.C7S)))
    battery = counted(chain(deals(1_000), [wrong]))
    assert rejecting(battery, LIMIT) == {"whole decks": 0}
    assert battery.size == 1_000


@pytest.mark.parametrize("length", [0, 31, 33])
def test_one_deck_with_a_card_too_many_or_too_few_is_rejected(length: int) -> None:
    wrong = Deal(MATCH, 1_001, Seat.SOUTH, Deck((*CARDS, *CARDS)[:length]))
    assert rejecting(counted(chain(deals(1_000), [wrong])), LIMIT) == {"whole decks": 0}


def test_one_deck_that_comes_again_is_rejected() -> None:
    [first] = deals(1)
    again = Deal(MATCH, 1_001, first.dealer, first.deck)
    assert rejecting(counted(chain(deals(1_000), [again])), LIMIT) == {"repeated decks": 0}


def test_one_seed_that_is_used_again_for_another_deal_is_rejected() -> None:
    """Its deck is another one, so no look at decks could notice it."""
    again = Deal(MATCH, 1_001, Seat.SOUTH, Deck(permutation(stream(1_001))), seed(1))
    assert rejecting(counted(chain(deals(1_000), [again])), LIMIT) == {"reused seeds": 0}
