"""Our shuffle looks fair, and the same battery rejects shuffles that are known to be bad.

Seeds are fixed, so a verdict never changes by chance; the limit is one in a million for each test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cmp_to_key
from hashlib import sha256

import pytest
from baloot.core.cards import CARDS, Card
from baloot.core.deal import NO_SEAT_SEEDS
from baloot.dealing.rules import byte_stream, hand_key, permutation

from tests.rules.dealing.battery import verdicts

LIMIT = 1e-6
Shuffled = Callable[[Iterator[int]], tuple[Card, ...]]


def decks(shuffled: Shuffled, count: int) -> list[tuple[Card, ...]]:
    """Decks of one match, each from its own seed."""
    match_id = bytes(16)
    return [
        shuffled(byte_stream(hand_key(sha256(b"%d" % n).digest(), match_id, n, 0, NO_SEAT_SEEDS, b"")))
        for n in range(1, count + 1)
    ]


def fair_choice(stream: Iterator[int], choices: int) -> int:
    return next(byte for byte in stream if byte < 256 - 256 % choices) % choices


def swap_with_any(stream: Iterator[int]) -> tuple[Card, ...]:
    """The beginner's mistake: each card is swapped with any of the 32."""
    cards = list(CARDS)
    for n in range(32):
        chosen = fair_choice(stream, 32)
        cards[n], cards[chosen] = cards[chosen], cards[n]
    return tuple(cards)


def sattolo(stream: Iterator[int]) -> tuple[Card, ...]:
    """One off: a card is never swapped with itself, so no card stays in place."""
    cards = list(CARDS)
    for last in range(31, 0, -1):
        chosen = fair_choice(stream, last)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def byte_modulo(stream: Iterator[int]) -> tuple[Card, ...]:
    """No byte is thrown away, so low numbers are favoured."""
    cards = list(CARDS)
    for last in range(31, 0, -1):
        chosen = next(stream) % (last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def random_comparison(stream: Iterator[int]) -> tuple[Card, ...]:
    """Sorting with a comparison that answers at random."""
    return tuple(sorted(CARDS, key=cmp_to_key(lambda _a, _b: 1 if next(stream) & 1 else -1)))


def test_our_shuffle_looks_fair() -> None:
    unlikely = {name: odds for name, odds in verdicts(decks(permutation, 30_000)).items() if odds < LIMIT}
    assert unlikely == {}


@pytest.mark.parametrize(
    ("bad", "count", "noticed_by"),
    [
        (swap_with_any, 3_000, "card by position"),
        (sattolo, 1_500, "fixed points"),
        (byte_modulo, 30_000, "card by position"),
        (random_comparison, 3_000, "card by position"),
    ],
)
def test_a_bad_shuffle_is_rejected(bad: Shuffled, count: int, noticed_by: str) -> None:
    made = decks(bad, count)
    assert all(sorted(cards) == list(CARDS) for cards in made[:50])
    assert verdicts(made)[noticed_by] < LIMIT


def test_the_same_seed_for_every_deal_is_rejected() -> None:
    same = decks(permutation, 1) * 2_000
    assert verdicts(same)["repeated decks"] < LIMIT
    assert verdicts(same)["same card, same seat"] < LIMIT


def test_the_battery_is_not_too_strict_on_few_decks() -> None:
    assert min(verdicts(decks(permutation, 1_500)).values()) > LIMIT
