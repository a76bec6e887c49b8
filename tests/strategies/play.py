"""Generators of rounds of play: before the first card, at any moment, and finished."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from random import Random

from baloot.core.cards import Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.play import CardMove, PlayAsked, PlayRecord, QaidGround, QaidMove, SawaMove, SeatMove
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset
from baloot.core.seats import SEATS
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import strategies as st

from tests.strategies.cards import dealt, nearly_sorted, randoms

PLAY_OPTIONS = (
    "first_leader", "must_trump", "partner_winning_exemption", "undertrump_obligation", "over_ruff",
    "overtrump_partner", "locked_lead", "akka", "illegal_play", "sawa", "sawa_penalty", "sawa_max_cards",
    "max_projects_per_player", "project_auto", "project_show", "hundred_order", "project_tie", "baloot", "baloot_block",
)  # fmt: skip
"""The options that the play looks at."""


def values_of(option: str) -> list[object]:
    """Every value of an option; of a number of cards or projects, the possible ones."""
    kind = OPTIONS[option]
    if kind is bool:
        return [False, True]
    return list(kind) if issubclass(kind, Enum) else list(range(1, 9))


def play_ruleset(rng: Random) -> Ruleset:
    """A rule set whose options of play are drawn freely, each standard in half of the cases."""
    drawn = {name: rng.choice(values_of(name)) for name in PLAY_OPTIONS if rng.random() < 0.5}
    return STANDARD.with_options(name="drawn", **drawn)


def contract(rng: Random) -> Contract:
    """Any contract: a fifth is Sun, half of the others are raised and half of those locked."""
    buyer = rng.choice(SEATS)
    bidding = rng.choice(list(Bidding))
    if rng.random() < 0.2:
        return Contract(Mode.SUN, None, buyer, buyer, bidding)
    raises = (Raise(buyer.next, Level.DOUBLE, locked=rng.random() < 0.5),) if rng.random() < 0.5 else ()
    return Contract(Mode.HOKUM, rng.choice(list(Suit)), buyer, buyer, bidding, raises)


def record(rng: Random) -> PlayRecord:
    """A round before its first card."""
    return PlayRecord(contract(rng), rng.choice(SEATS), dealt(rng))


def record_of_any_rules(rng: Random) -> PlayRecord:
    """A round before its first card, under any rules of play."""
    first = record(rng)
    return PlayRecord(first.contract, first.dealer, first.hands, (), play_ruleset(rng))


def a_card(rng: Random, play: Play, asked: PlayAsked) -> CardMove:
    """A card with what may be said with it: most of it is said; where it may be, a fifth of the cards is illegal."""
    if play.start.lenient and asked.refused and rng.random() < 0.2:
        return CardMove(rng.choice(asked.refused).card)
    choice = rng.choice(asked.legal)
    announces = asked.declarations and rng.random() < 0.8
    shown = tuple(project for project in asked.showable if rng.random() < 0.7)
    projects = rng.choice(asked.declarations) if announces else ()
    baloot = choice.baloot and not shown and rng.random() < 0.7
    return CardMove(choice.card, projects, choice.akka and rng.random() < 0.5, baloot, shown)


def a_move(rng: Random, play: Play, asked: PlayAsked, sawa: float = 0.05) -> SeatMove:
    """Any answer, a few claims among them."""
    if play.start.lenient and len(play.moves) > 1 and rng.random() < 0.02:
        return a_claim(rng, play)
    if asked.sawa and rng.random() < sawa:
        return SeatMove(asked.seat, SawaMove())
    return SeatMove(asked.seat, a_card(rng, play, asked))


def a_claim(rng: Random, play: Play) -> SeatMove:
    """A claim that is heard, right or wrong: the card and the proof are of one player in most cases."""
    made = [(one.seat, one.move.card) for one in play.moves if isinstance(one.move, CardMove)]
    seat, card = rng.choice(made)
    own = [other for by, other in made if by is seat]
    proof = rng.choice(own if rng.random() < 0.8 else list(Card))
    claimer = rng.choice(seat.team.other.seats)
    ground = rng.choice([ground for ground in QaidGround if ground is not QaidGround.WRONG_SAWA])
    return SeatMove(claimer, QaidMove(ground, card, proof))


def moments(rng: Random, start: PlayRecord | None = None, sawa: float = 0.05) -> Iterator[Play]:
    """One round from its start to its end, after each move."""
    play = rules.start_play(start or record(rng))
    yield play
    while (question := rules.asked(play)) is not None:
        made = a_move(rng, play, question, sawa)
        play = rules.move(play, made.seat, made.move)
        yield play
    if play.start.lenient and len(play.tricks) == 8 and play.said.qaid is None and rng.random() < 0.3:
        made = a_claim(rng, play)
        yield rules.move(play, made.seat, made.move)


def finished(rng: Random, start: PlayRecord | None = None, sawa: float = 0.05) -> Play:
    """A round played to its end."""
    return list(moments(rng, start, sawa))[-1]


def any_moment(rng: Random, start: PlayRecord | None = None) -> Play:
    """A round at any moment, the last one included."""
    return rng.choice(list(moments(rng, start)))


def of_some_rules(rng: Random) -> PlayRecord:
    """A round before its first card: standard, or under any rules, or full of projects."""
    return rng.choice([record, record_of_any_rules, full_of_projects])(rng)


def plays() -> st.SearchStrategy[Play]:
    """A round at any moment, under some rules."""
    return randoms().map(lambda rng: any_moment(rng, of_some_rules(rng)))


def finished_plays() -> st.SearchStrategy[Play]:
    """A round played to its end, under some rules."""
    return randoms().map(lambda rng: finished(rng, of_some_rules(rng)))


def starts() -> st.SearchStrategy[PlayRecord]:
    return randoms().map(record)


def full_of_projects(rng: Random) -> PlayRecord:
    """A round under any rules whose hands hold many projects and, in Hokum, king and queen of trumps together."""
    bought, ruleset = contract(rng), play_ruleset(rng)
    south, east, north, west = map(Hand.of, nearly_sorted(rng))
    return PlayRecord(bought, rng.choice(SEATS), (south, east, north, west), (), ruleset)
