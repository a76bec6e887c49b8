"""Generators of rounds of play: before the first card, at any moment, and finished."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from baloot.core.cards import Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.play import CardMove, Move, PlayAsked, PlayRecord, SawaMove
from baloot.core.seats import SEATS
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import strategies as st

from tests.strategies.cards import dealt, randoms


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


def legal_move(rng: Random, asked: PlayAsked, sawa: float = 0.05) -> Move:
    """Any legal answer; most projects are announced, half of the Akkas said and a few Sawas claimed."""
    if asked.sawa and rng.random() < sawa:
        return SawaMove()
    choice = rng.choice(asked.legal)
    announces = asked.declarations and rng.random() < 0.8
    projects = rng.choice(asked.declarations) if announces else ()
    return CardMove(choice.card, projects, akka=choice.akka and rng.random() < 0.5)


def moments(rng: Random, start: PlayRecord | None = None, sawa: float = 0.05) -> Iterator[Play]:
    """One round from its start to its end, after each move."""
    play = rules.start_play(start or record(rng))
    yield play
    while (question := rules.asked(play)) is not None:
        play = rules.move(play, question.seat, legal_move(rng, question, sawa))
        yield play


def finished(rng: Random, start: PlayRecord | None = None, sawa: float = 0.05) -> Play:
    """A round played to its end."""
    return list(moments(rng, start, sawa))[-1]


def any_moment(rng: Random) -> Play:
    """A round at any moment, the last one included."""
    return rng.choice(list(moments(rng)))


def plays() -> st.SearchStrategy[Play]:
    return randoms().map(any_moment)


def finished_plays() -> st.SearchStrategy[Play]:
    return randoms().map(finished)


def starts() -> st.SearchStrategy[PlayRecord]:
    return randoms().map(record)
