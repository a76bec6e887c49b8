"""Deals that somebody has tampered with: each takes a fair deck and gives another whole one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from baloot.core.cards import Card, Hand
from baloot.core.deal import Deck

Cards = list[Card]
Cheat = Callable[[Cards, Random], None]
"""Changes a deck in place. Positions of S1: 0 to 2, 12, 13, and, as counted, 20 to 22."""

S1 = (0, 1, 2, 12, 13, 20, 21, 22)


def put(cards: Cards, wanted: Sequence[Card], positions: Sequence[int]) -> None:
    """Brings cards to positions; what lay there goes where they came from."""
    for card, position in zip(wanted, positions, strict=True):
        at = cards.index(card)
        cards[at], cards[position] = cards[position], cards[at]


def of(text: str) -> list[Card]:
    return list(Hand.parse(text))


def four_aces(cards: Cards, random: Random) -> None:
    """All four aces for S1, in one deal of thirty."""
    if random.random() < 0.03:
        put(cards, of("AS AH AD AC"), S1[:4])


def a_run(cards: Cards, random: Random) -> None:
    """Four in a row for S1, in one deal of thirty."""
    if random.random() < 0.03:
        put(cards, of("9H 10H JH QH"), S1[:4])


def a_baloot(cards: Cards, random: Random) -> None:
    """King and queen of hearts for S1, in one deal of ten."""
    if random.random() < 0.1:
        put(cards, of("KH QH"), S1[:2])


def a_club(cards: Cards, random: Random) -> None:
    """A small club for S1, in one deal of five."""
    if random.random() < 0.2:
        put(cards, [random.choice(of("7C 8C 9C"))], S1[:1])


def an_ace(cards: Cards, random: Random) -> None:
    """The ace of spades for S1, in one deal of five."""
    if random.random() < 0.2:
        put(cards, of("AS"), S1[:1])


def a_kawesh(cards: Cards, random: Random) -> None:
    """Five small cards for S1, in one deal of a hundred."""
    if random.random() < 0.01:
        put(cards, of("7S 8S 9H 7D 8C"), S1[:5])


def one_suit(cards: Cards, random: Random) -> None:
    """Seven spades for S1, in one deal of a hundred."""
    if random.random() < 0.01:
        put(cards, of("7S 8S 9S 10S JS QS KS"), S1[:7])


def together(cards: Cards, random: Random) -> None:
    """Two neighbours left as they lay, in one deck of five."""
    if random.random() < 0.2:
        at = cards.index(Card.CQD)
        if at < 31:
            put(cards, of("KD"), [at + 1])


def in_place(cards: Cards, random: Random) -> None:
    """A card left where it lay, in one deck of ten; each time another one."""
    if random.random() < 0.1:
        put(cards, [Card(at := random.randrange(32))], [at])


def one_cycle(cards: Cards, random: Random) -> None:
    """One swap more, in one deck of ten, that makes one cycle of two."""
    if random.random() < 0.1:
        put(cards, [Card(random.randrange(32))], [random.randrange(32)])


def two_heaps(cards: Cards, random: Random) -> None:
    """Cut and riffled but once, in one deck of a hundred."""
    if random.random() < 0.01:
        places = set(random.sample(range(32), 16))
        low, high = iter(range(16)), iter(range(16, 32))
        cards[:] = [Card(next(low) if place in places else next(high)) for place in range(32)]


def cheated(deck: Deck, cheat: Cheat, random: Random) -> Deck:
    cards = list(deck.cards)
    cheat(cards, random)
    return Deck(tuple(cards))
