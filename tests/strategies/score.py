"""Generators of finished rounds, possible in every respect that scoring looks at, and of rule sets for them."""

from __future__ import annotations

from enum import Enum
from random import Random
from typing import Any

from baloot.core.cards import CARDS, Card, Rank, Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.play import PlayOutcome, Qaid, QaidGround, QaidMove
from baloot.core.playable import CONTRADICTIONS
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import (
    OPTIONS,
    STANDARD,
    BalootBlock,
    BothOver,
    IllegalPlay,
    Ruleset,
    SawaPenalty,
    SunRaiseCeiling,
)
from baloot.core.score import RoundRecord
from baloot.core.seats import SEATS, TEAMS, Seat, Team
from hypothesis import strategies as st

POINTS = {Mode.HOKUM: 162, Mode.SUN: 130}
SCORING_OPTIONS = (
    "count_side", "hokum_half", "success_basis", "tie_undoubled", "khosara", "tie_raised", "raised_points",
    "raised_projects", "khosara_projects", "khosara_baloot", "project_multiplier", "kaboot_loser_projects",
    "kaboot_in_raised_hand", "kaboot_sun", "kaboot_hokum", "reverse_kaboot", "qaid_sun", "qaid_hokum", "match_target",
    "both_over", "baloot_block", "sun_raise_ceiling", "illegal_play", "sawa_penalty", "max_projects_per_player",
)  # fmt: skip
"""The options that scoring looks at."""
_NUMBERS = {
    "kaboot_sun": (44, 26, 60),
    "kaboot_hokum": (25, 44, 16),
    "qaid_sun": (26, 44),
    "qaid_hokum": (16, 25),
    "match_target": (152, 151, 100, 40),
    "max_projects_per_player": (1, 2, 8),
}


def value(rng: Random, option: str) -> Any:
    """Any value of an option; of a number one of a few."""
    kind = OPTIONS[option]
    if option in _NUMBERS:
        return rng.choice(_NUMBERS[option])
    return rng.choice([True, False] if kind is bool else list(kind) if issubclass(kind, Enum) else [])


def ruleset(rng: Random, options: tuple[str, ...] = SCORING_OPTIONS) -> Ruleset:
    """A rule set with any values of some options that do not contradict each other."""
    while True:
        drawn = STANDARD.with_options(name="drawn", **{option: value(rng, option) for option in options})
        if not any(contradiction.holds(drawn) for contradiction in CONTRADICTIONS):
            return drawn


def ladder(buyer: Seat, doubler: Seat, level: Level) -> tuple[Raise, ...]:
    """The raises that lead to a level: doubler, buyer, doubler, buyer."""
    return tuple(
        Raise(doubler if n % 2 == 0 else buyer, step)
        for n, step in enumerate(Level(number) for number in range(Level.DOUBLE, level + 1))
    )


def contract(rng: Random, ruleset: Ruleset = STANDARD) -> Contract:
    """Any contract at any level that the rule set has; an Ashkal now and then."""
    mode = rng.choice([Mode.HOKUM, Mode.HOKUM, Mode.SUN])
    buyer = rng.choice(SEATS)
    doubler = rng.choice(buyer.team.other.seats)
    sun_doubles_only = mode is Mode.SUN and ruleset.sun_raise_ceiling is SunRaiseCeiling.DOUBLE
    highest = Level.DOUBLE if sun_doubles_only else Level.GAHWA
    level = Level(rng.randint(1, highest)) if rng.random() < 0.6 else Level.SINGLE
    return Contract(
        mode=mode,
        trump=Suit(rng.randrange(4)) if mode is Mode.HOKUM else None,
        buyer=buyer,
        taker=buyer.partner if mode is Mode.SUN and rng.random() < 0.2 else buyer,
        bidding=rng.choice(list(Bidding)),
        raises=ladder(buyer, doubler, level),
    )


def project(rng: Random, mode: Mode) -> Project:
    """Any project that exists in the mode."""
    if rng.random() < 0.25:
        rank = Rank(rng.choice([Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE]))
        aces_in_sun = rank is Rank.ACE and mode is Mode.SUN
        kind = ProjectKind.FOUR_HUNDRED if aces_in_sun else ProjectKind.HUNDRED
        return Project(kind, tuple(Card.of(suit, rank) for suit in Suit))
    kind = rng.choice([ProjectKind.SIRA, ProjectKind.FIFTY, ProjectKind.HUNDRED])
    length = kind + 2
    suit, first = Suit(rng.randrange(4)), rng.randrange(9 - length)
    return Project(kind, tuple(Card.of(suit, Rank(first + n)) for n in range(length)))


def _cards(owner: Seat, projects: list[SeatProject]) -> set[Card]:
    return {card for owned in projects if owned.seat is owner for card in owned.project.cards}


def projects(rng: Random, mode: Mode, team: Team, most: int = 2) -> list[SeatProject]:
    """Disjoint projects in the hands of one side, up to so many in each."""
    found: list[SeatProject] = []
    for _ in range(rng.choice([0, 0, 1, 2, 3, 4])):
        new = SeatProject(rng.choice(team.seats), project(rng, mode))
        theirs = [owned for owned in found if owned.seat is new.seat]
        seen = {card for owned in found for card in owned.project.cards}
        fits = len(_cards(new.seat, found)) + len(new.project.cards) <= 8
        if fits and len(theirs) < most and seen.isdisjoint(new.project.cards):
            found.append(new)
    return found


def baloot(rng: Random, trump: Suit, found: list[SeatProject], ruleset: Ruleset) -> tuple[Seat, ...]:
    """Somebody's Baloot, if the projects leave room for it and the rule set lets none of them block it."""
    seat = rng.choice(SEATS)
    pair = {Card.of(trump, Rank.QUEEN), Card.of(trump, Rank.KING)}
    elsewhere = {card for owned in found if owned.seat is not seat for card in owned.project.cards}
    fits = len(_cards(seat, found) | pair) <= 8 and pair.isdisjoint(elsewhere)
    shared = [(owned.project.kind, len(pair.intersection(owned.project.cards))) for owned in found]
    return (seat,) if fits and all(_may_share(kind, n, ruleset.baloot_block) for kind, n in shared) else ()


def _may_share(kind: ProjectKind, cards_of_pair: int, block: BalootBlock) -> bool:
    if cards_of_pair == 0:
        return True
    if kind is ProjectKind.HUNDRED or block is BalootBlock.ANY_DECLARED:
        return False
    return cards_of_pair == 2 or block is not BalootBlock.HUNDRED_OR_SPLIT


def outcome(rng: Random, bought: Contract, ruleset: Ruleset = STANDARD) -> PlayOutcome:
    """Any end of a play: tricks, card points, projects of one side, perhaps a Baloot, perhaps a Qaid."""
    total = POINTS[bought.mode]
    tricks = rng.choice([0, 8, *range(1, 8), *range(1, 8)])
    near_tie = total // 2 + rng.randint(-12, 12)
    points = {0: 0, 8: total}.get(tricks, rng.choice([near_tie, rng.randint(0, total)]))
    found = projects(rng, bought.mode, rng.choice(TEAMS), ruleset.max_projects_per_player)
    said = bought.trump is not None and rng.random() < 0.4
    return PlayOutcome(
        tricks=(tricks, 8 - tricks),
        card_points=(points, total - points),
        projects=tuple(found),
        baloot=baloot(rng, bought.trump, found, ruleset) if said and bought.trump is not None else (),
        qaid=qaid(rng, ruleset) if rng.random() < 0.1 else None,
    )


def qaid(rng: Random, ruleset: Ruleset) -> Qaid | None:
    """A claim that the rule set knows, right or wrong; None when it knows none."""
    known: set[QaidGround] = set()
    if ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID:
        known |= set(QaidGround) - {QaidGround.WRONG_SAWA}
    if ruleset.sawa_penalty is SawaPenalty.QAID:
        known.add(QaidGround.WRONG_SAWA)
    if not known:
        return None
    ground = rng.choice(sorted(known, key=lambda one: one.value))
    return Qaid(rng.choice(SEATS), QaidMove(ground), rng.random() < 0.7)


def scores(rng: Random, ruleset: Ruleset) -> tuple[int, int]:
    """The totals before a round of an unfinished match; now and then both over the target and equal."""
    if rng.random() < 0.05 and ruleset.both_over is not BothOver.BUYER_SIDE:
        both = ruleset.match_target + rng.randrange(20)
        return both, both
    return rng.randrange(ruleset.match_target), rng.randrange(ruleset.match_target)


def round_record(rng: Random, ruleset: Ruleset = STANDARD) -> RoundRecord:
    """A finished round that scoring must accept."""
    bought = contract(rng, ruleset)
    return RoundRecord(
        bought,
        outcome(rng, bought, ruleset),
        scores(rng, ruleset),
        ruleset,
        dealer=rng.choice(SEATS),
        up_card=rng.choice([Card.CAS, Card.CAH, *CARDS]),
        buyer_had_ace=rng.random() < 0.7,
    )


round_records = st.randoms(use_true_random=False).map(round_record)
"""Finished rounds of the `standard` rule set, for hypothesis."""
any_round_records = st.randoms(use_true_random=False).map(lambda rng: round_record(rng, ruleset(rng)))
"""Finished rounds of any rule set."""
