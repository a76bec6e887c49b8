"""Deals from fixed seeds: by our shuffle, and by four that are known to be bad."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cmp_to_key
from hashlib import sha256

from baloot.core.cards import CARDS, Card
from baloot.core.deal import NO_SEAT_SEEDS, Deck
from baloot.core.seats import SEATS
from baloot.dealing.rules import byte_stream, hand_key, permutation
from baloot.monitor.battery import Battery, Deal

MATCH = bytes(16)
Shuffle = Callable[[Iterator[int]], tuple[Card, ...]]
"""How a deck is drawn from bytes."""


def seed(number: int) -> bytes:
    return sha256(b"%d" % number).digest()


def stream(number: int) -> Iterator[int]:
    """The bytes of a deal of one match, from its own seed."""
    return byte_stream(hand_key(seed(number), MATCH, number, 0, NO_SEAT_SEEDS, b""))


def deals(count: int, shuffled: Shuffle = permutation) -> Iterator[Deal]:
    """The first deals of a match."""
    for number in range(1, count + 1):
        yield Deal(MATCH, number, SEATS[number % 4], Deck(shuffled(stream(number))), seed(number))


def counted(made: Iterator[Deal]) -> Battery:
    battery = Battery()
    for deal in made:
        battery.add(deal)
    return battery


def rejecting(battery: Battery, limit: float) -> dict[str, float]:
    """The tests that say no, and how likely a fair shuffle would make them."""
    verdicts = (verdict for verdict in battery.verdicts() if verdict.enough)
    return {verdict.about.name: verdict.odds for verdict in verdicts if verdict.odds < limit}


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
