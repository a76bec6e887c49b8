"""Generators of finished rounds, possible in every respect that scoring looks at."""

from __future__ import annotations

from random import Random

from baloot.core.cards import Card, Rank, Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.play import PlayOutcome
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.score import RoundRecord
from baloot.core.seats import SEATS, TEAMS, Seat, Team
from hypothesis import strategies as st

POINTS = {Mode.HOKUM: 162, Mode.SUN: 130}
HIGHEST_LEVEL = {Mode.HOKUM: Level.GAHWA, Mode.SUN: Level.DOUBLE}


def ladder(buyer: Seat, doubler: Seat, level: Level) -> tuple[Raise, ...]:
    """The raises that lead to a level: doubler, buyer, doubler, buyer."""
    return tuple(
        Raise(doubler if n % 2 == 0 else buyer, step)
        for n, step in enumerate(Level(number) for number in range(Level.DOUBLE, level + 1))
    )


def contract(rng: Random) -> Contract:
    """Any contract at any level; an Ashkal now and then."""
    mode = rng.choice([Mode.HOKUM, Mode.HOKUM, Mode.SUN])
    buyer = rng.choice(SEATS)
    doubler = rng.choice(buyer.team.other.seats)
    level = Level(rng.randint(1, HIGHEST_LEVEL[mode])) if rng.random() < 0.6 else Level.SINGLE
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


def projects(rng: Random, mode: Mode, team: Team) -> list[SeatProject]:
    """Up to two disjoint projects in each hand of one side."""
    found: list[SeatProject] = []
    for _ in range(rng.choice([0, 0, 1, 2, 3, 4])):
        new = SeatProject(rng.choice(team.seats), project(rng, mode))
        theirs = [owned for owned in found if owned.seat is new.seat]
        seen = {card for owned in found for card in owned.project.cards}
        fits = len(_cards(new.seat, found)) + len(new.project.cards) <= 8
        if fits and len(theirs) < 2 and seen.isdisjoint(new.project.cards):
            found.append(new)
    return found


def baloot(rng: Random, trump: Suit, found: list[SeatProject]) -> tuple[Seat, ...]:
    """Somebody's Baloot, if the projects leave room for it."""
    seat = rng.choice(SEATS)
    pair = {Card.of(trump, Rank.QUEEN), Card.of(trump, Rank.KING)}
    elsewhere = {card for owned in found if owned.seat is not seat for card in owned.project.cards}
    hundreds = [owned for owned in found if owned.project.kind is ProjectKind.HUNDRED]
    blocked = {card for owned in hundreds for card in owned.project.cards}
    fits = len(_cards(seat, found) | pair) <= 8
    return (seat,) if fits and pair.isdisjoint(elsewhere | blocked) else ()


def outcome(rng: Random, bought: Contract) -> PlayOutcome:
    """Any end of a play: tricks, card points, projects of one side, perhaps a Baloot."""
    total = POINTS[bought.mode]
    tricks = rng.choice([0, 8, *range(1, 8), *range(1, 8)])
    near_tie = total // 2 + rng.randint(-12, 12)
    points = {0: 0, 8: total}.get(tricks, rng.choice([near_tie, rng.randint(0, total)]))
    found = projects(rng, bought.mode, rng.choice(TEAMS))
    said = bought.trump is not None and rng.random() < 0.4
    return PlayOutcome(
        tricks=(tricks, 8 - tricks),
        card_points=(points, total - points),
        projects=tuple(found),
        baloot=baloot(rng, bought.trump, found) if said and bought.trump is not None else (),
    )


def scores(rng: Random, ruleset: Ruleset) -> tuple[int, int]:
    """The totals before a round of an unfinished match; now and then both over the target and equal."""
    if rng.random() < 0.05:
        both = ruleset.match_target + rng.randrange(20)
        return both, both
    return rng.randrange(ruleset.match_target), rng.randrange(ruleset.match_target)


def round_record(rng: Random, ruleset: Ruleset = STANDARD) -> RoundRecord:
    """A finished round that scoring must accept."""
    bought = contract(rng)
    return RoundRecord(bought, outcome(rng, bought), scores(rng, ruleset), ruleset)


round_records = st.randoms(use_true_random=False).map(round_record)
"""Finished rounds of the `standard` rule set, for hypothesis."""
