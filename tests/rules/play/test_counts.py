"""How many ways there are to play the last three tricks of fixed rounds: golden numbers, counted twice."""

from __future__ import annotations

from random import Random

import pytest
from baloot.core.cards import Card, Suit, cards_of
from baloot.play import rules
from baloot.play.state import Play

from tests.rules.play import naive
from tests.rules.play.rounds import started

POSITIONS = [
    # contract, seed of the deal, ways
    ("sun", 5, 672),
    ("sun", 22, 816),
    ("hokum H", 21, 584),
    ("hokum H", 36, 672),
    ("hokum S", 18, 604),
    ("hokum D locked", 23, 360),
    ("hokum C locked", 34, 312),
    ("hokum C locked", 26, 352),
]


def three_tricks_left(bought: str, seed: int) -> Play:
    """A round after five tricks of random legal cards."""
    play, rng = started(bought, {}, seed), Random(seed)
    while len(play.tricks) < 5:
        assert play.turn is not None
        card = rng.choice(rules.legal_cards(play, play.turn))
        play = rules.play_card(play, play.turn, rules.SILENT[card])
    return play


def ways(play: Play) -> int:
    seat = play.turn
    if seat is None:
        return 1
    return sum(
        ways(rules.play_card(play, seat, rules.SILENT[card])) for card in cards_of(rules.legal_mask(play))
    )


def naive_ways(
    hands: list[set[Card]], turn: int, trick: list[Card], trump: Suit | None, *, locked: bool
) -> int:
    if len(trick) == 4:
        turn = (turn + trick.index(naive.winning(trick, trump))) % 4
        trick = []
    if not hands[turn]:
        return 1
    total = 0
    for card in naive.legal(sorted(hands[turn]), trick, trump, locked=locked):
        left = [hand - {card} for hand in hands]
        total += naive_ways(left, (turn + 1) % 4, [*trick, card], trump, locked=locked)
    return total


@pytest.mark.parametrize(("bought", "seed", "expected"), POSITIONS)
def test_the_ways_to_play_the_last_three_tricks(bought: str, seed: int, expected: int) -> None:
    play = three_tricks_left(bought, seed)
    terms = play.start.on
    assert play.turn is not None
    hands = [set(cards_of(hand)) for hand in play.hands]
    assert naive_ways(hands, play.turn, [], terms.trump, locked=terms.locked) == expected
    assert ways(play) == expected
