"""A battery of tests for shuffles: how likely a fair one looks as uneven as these decks do."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from math import comb, erfc, sqrt

from baloot.core.cards import Card, Hand
from baloot.core.deal import Deck
from baloot.core.seats import Seat

from tests.rules.dealing import odds

Decks = Sequence[tuple[Card, ...]]
Hands = tuple[Hand, Hand, Hand, Hand]

ACES = Hand.parse("AS AH AD AC").mask
BALOOT_OF_HEARTS = Hand.parse("KH QH").mask
SPADES = 0xFF
SMALL = sum(0b111 << 8 * suit for suit in range(4))
DEALER, TAKER = Seat.WEST, Seat.SOUTH


def verdicts(decks: Decks) -> dict[str, float]:
    """For each test, how likely a fair shuffle gives a result at least as unlikely."""
    hands = [Deck(cards).full_hands(DEALER, TAKER) for cards in decks]
    return {
        "card by position": card_by_position(decks),
        "fixed points": odds.fit(Counter(map(fixed_points, decks)), odds.fixed_points()),
        "successions": odds.fit(Counter(map(successions, decks)), odds.successions()),
        "longest cycle": odds.fit(Counter(map(longest_cycle, decks)), odds.longest_cycles()),
        "rising sequences": odds.fit(Counter(map(rising_sequences, decks)), odds.rising_sequences()),
        "repeated decks": float(len(set(decks)) == len(decks)),
        "same card, same seat": same_seat(hands),
        **of_hands(hands),
        "worthless first hand": worthless_first_hands(decks),
    }


def card_by_position(decks: Decks) -> float:
    seen = [0] * 1024
    for cards in decks:
        for position, card in enumerate(cards):
            seen[position * 32 + card] += 1
    expected = len(decks) / 32
    value = sum((count - expected) ** 2 for count in seen) / expected
    # Every row and column has the same sum, hence 31/32 and 31 times 31 degrees of freedom.
    return odds.chi_square_odds(value * 31 / 32, 961)


def fixed_points(cards: tuple[Card, ...]) -> int:
    return sum(position == card for position, card in enumerate(cards))


def successions(cards: tuple[Card, ...]) -> int:
    return sum(after == card + 1 for card, after in itertools.pairwise(cards))


def longest_cycle(cards: tuple[Card, ...]) -> int:
    """The longest cycle, those of half the deck or less taken together."""
    left, longest = set(range(32)), 16
    while len(left) > longest:
        start = at = left.pop()
        length = 1
        while (at := cards[at]) != start:
            left.remove(at)
            length += 1
        longest = max(longest, length)
    return longest


def rising_sequences(cards: tuple[Card, ...]) -> int:
    place = [0] * 32
    for position, card in enumerate(cards):
        place[card] = position
    return 1 + sum(after < before for before, after in itertools.pairwise(place))


def same_seat(hands: Sequence[Hands]) -> float:
    """Whether a card comes to the same seat in two deals on end more often than one in four times."""
    pairs = list(itertools.pairwise(hands))
    same = sum(
        (mine.mask & next_mine.mask).bit_count()
        for first, second in pairs
        for mine, next_mine in zip(first, second, strict=True)
    )
    # Two cards of one seat stay together with 1/4 * 7/31, of two seats with 1/4 * 8/31.
    both = (7 / 31 * 7 / 31 + 24 / 31 * 8 / 31) / 4
    variance = 32 * 3 / 16 + 32 * 31 * (both - 1 / 16)
    z = (same - 8 * len(pairs)) / sqrt(variance * len(pairs))
    return erfc(abs(z) / sqrt(2))


def of_hands(hands: Sequence[Hands]) -> dict[str, float]:
    size = len(hands)
    masks = [seats[Seat.SOUTH].mask for seats in hands]
    aces = Counter((mask & ACES).bit_count() for mask in masks)
    shapes = Counter(shape(mask) for mask in masks)
    projects = Counter(best_project(mask) for mask in masks)
    anywhere = sum(any(hand.mask & ACES == ACES for hand in seats) for seats in hands)
    baloots = sum(any(hand.mask & BALOOT_OF_HEARTS == BALOOT_OF_HEARTS for hand in seats) for seats in hands)
    projects_anywhere = sum(any(best_project(hand.mask) != "none" for hand in seats) for seats in hands)
    voids = sum(not mask & SPADES for mask in masks)
    return {
        "aces": odds.fit(aces, _shares(odds.aces())),
        "shapes": odds.fit(shapes, _shares(odds.shapes())),
        "best project": odds.fit(projects, _shares(odds.best_projects(sun=True))),
        "four aces anywhere": odds.share_fit(anywhere, size, 4 * comb(28, 4) / odds.HANDS),
        "a Baloot anywhere": odds.share_fit(baloots, size, 4 * comb(30, 6) / odds.HANDS),
        "a project anywhere": odds.share_fit(projects_anywhere, size, 1 - odds.deals_without(3) / odds.DEALS),
        "void in spades": odds.share_fit(voids, size, comb(24, 8) / odds.HANDS),
    }


def _shares(ways: dict[odds.Key, int]) -> dict[odds.Key, float]:
    return {key: count / odds.HANDS for key, count in ways.items()}


def shape(mask: int) -> tuple[int, ...]:
    return tuple(sorted(((mask >> 8 * suit & 0xFF).bit_count() for suit in range(4)), reverse=True))


def best_project(mask: int) -> str:
    suits = [mask >> 8 * suit & 0xFF for suit in range(4)]
    return odds.best_project_of_suits(suits, sun=True)


def worthless_first_hands(decks: Decks) -> float:
    """First hands of five that have nothing but sevens, eights and nines."""
    seen = sum(not Deck(cards).first_hands(DEALER)[Seat.SOUTH].mask & ~SMALL for cards in decks)
    return odds.share_fit(seen, len(decks), comb(12, 5) / comb(32, 5))
