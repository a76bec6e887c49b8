"""Deals to play whole rounds from, under any rule set: scores, decks full of projects, rule sets of one's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from baloot.core.cards import CARDS, Card, Rank
from baloot.core.deal import Deck
from baloot.core.playable import CONTRADICTIONS
from baloot.core.ruleset import STANDARD, BothOver, Ruleset
from baloot.core.seats import SEATS, Seat

from tests.strategies import auction, play, score
from tests.strategies.cards import nearly_sorted


@dataclass(frozen=True)
class Deal:
    """What lies on the table before the first call; `scores` are those of each team before the round."""

    dealer: Seat
    deck: Deck
    scores: tuple[int, int]
    ruleset: Ruleset

    @property
    def up_card(self) -> Card:
        return self.deck.up_card


def deal(rng: Random, ruleset: Ruleset) -> Deal:
    """Any deal; of each ten three are full of projects and one of worthless first hands."""
    makes = rng.choices((shuffled, sorted_by_suit, low_cards_first), (6, 3, 1))[0]
    return Deal(rng.choice(SEATS), Deck(tuple(makes(rng))), scores(rng, ruleset), ruleset)


def shuffled(rng: Random) -> list[Card]:
    return rng.sample(CARDS, 32)


def sorted_by_suit(rng: Random) -> list[Card]:
    """A deck that gives each seat what lies together by suit or by rank, but for a few cards."""
    return in_dealing_order(nearly_sorted(rng))


def in_dealing_order(hands: Sequence[list[Card]]) -> list[Card]:
    """The deck from which S1 to S4 get these hands if S1 takes the up card, and most of them if another does."""
    threes = [card for hand in hands for card in hand[:3]]
    twos = [card for hand in hands for card in hand[3:5]]
    return [*threes, *twos, *(card for hand in hands for card in hand[5:])]


def low_cards_first(rng: Random) -> list[Card]:
    """A deck that gives one or two seats a worthless first hand."""
    low = rng.sample([card for card in CARDS if card.rank <= Rank.NINE], rng.choice((5, 10)))
    others = rng.sample([card for card in CARDS if card not in low], 32 - len(low))
    hands = [low[n : n + 5] for n in range(0, len(low), 5)]
    while len(hands) < 4:
        hands.append([others.pop() for _ in range(5)])
    rng.shuffle(hands)
    return in_dealing_order([*hands[:3], hands[3] + others])


def scores(rng: Random, ruleset: Ruleset) -> tuple[int, int]:
    """The totals of an unfinished match, often near the 100 that doubles of a Sun look at, or near its end."""
    target = ruleset.match_target
    if rng.random() < 0.03 and ruleset.both_over is not BothOver.BUYER_SIDE:
        both = target + rng.randrange(20)
        return both, both
    near = [points for points in (0, 40, 99, 100, 101, target - 9, target - 1) if 0 <= points < target]
    first, second = (rng.choice((rng.randrange(target), rng.choice(near))) for _ in range(2))
    return first, second


def own_rules(rng: Random) -> Ruleset:
    """A rule set with any values of all the options that auction, play and scoring look at."""
    while True:
        drawn: dict[str, Any] = {
            name: rng.choice(auction.values_of(name)) for name in auction.OPTIONS_OF_THE_AUCTION
        }
        drawn |= {name: rng.choice(play.values_of(name)) for name in play.PLAY_OPTIONS}
        drawn |= {name: score.value(rng, name) for name in score.SCORING_OPTIONS}
        made = STANDARD.with_options(name="drawn", **drawn)
        if not any(contradiction.holds(made) for contradiction in CONTRADICTIONS):
            return made
