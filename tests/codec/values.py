"""Generators of every core type, whether it makes sense in the game or not."""

from __future__ import annotations

from typing import Any

from baloot.core.auction import (
    Asked,
    AuctionRecord,
    AuctionStep,
    Call,
    CallKind,
    CutChoice,
    KaweshCalled,
    QuestionKind,
    SeatCall,
    ThrownIn,
)
from baloot.core.cards import Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.deal import Dealt, Deck, Opening, SealedSeed
from baloot.core.errors import Reason
from baloot.core.play import (
    CardChoice,
    CardMove,
    CardRefused,
    PlayAsked,
    PlayOutcome,
    PlayRecord,
    PlayStep,
    Qaid,
    QaidGround,
    QaidMove,
    SawaMove,
    SeatMove,
    Trick,
)
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset
from baloot.core.score import LineKind, RoundRecord, RoundResult, RoundScore, ScoreLine
from baloot.core.seats import Seat, Team
from hypothesis import strategies as st

INT32 = st.integers(-(2**31), 2**31 - 1)
SHA256 = st.binary(min_size=32, max_size=32)

_of = st.sampled_from
cards, suits, seats, teams = _of(Card), _of(Suit), _of(Seat), _of(Team)
points = st.tuples(INT32, INT32)
hands = st.integers(0, 2**32 - 1).map(Hand)


def some(elements: st.SearchStrategy[Any], most: int = 4, least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(elements, min_size=least, max_size=most).map(tuple)


def different(elements: st.SearchStrategy[Any], most: int, least: int = 0) -> st.SearchStrategy[Any]:
    return st.lists(elements, min_size=least, max_size=most, unique=True).map(tuple)


def _option(kind: type) -> st.SearchStrategy[Any]:
    return INT32 if kind is int else st.booleans() if kind is bool else _of(list(kind))  # type: ignore[call-overload]


names = st.text("abcيلوت019.-_ ", min_size=1, max_size=40)
own_rulesets = st.builds(Ruleset, name=names, **{name: _option(kind) for name, kind in OPTIONS.items()})
rulesets = st.just(STANDARD) | own_rulesets

raises = st.builds(Raise, seats, _of([level for level in Level if level is not Level.SINGLE]), st.booleans())
contracts = st.builds(Contract, _of(Mode), st.none() | suits, seats, seats, _of(Bidding), raises=some(raises))
calls = st.builds(
    Call, _of(CallKind), st.none() | suits, st.none() | st.booleans(), st.none() | _of(CutChoice)
)
seat_calls = st.builds(SeatCall, seats, calls)
auction_records = st.builds(AuctionRecord, seats, cards, some(hands), points, some(seat_calls, 20), rulesets)
asked = st.builds(Asked, seats, _of(QuestionKind), some(calls, 10), calls)
outcomes = st.none() | contracts | st.just(ThrownIn()) | st.builds(KaweshCalled, seats)
auction_steps = st.builds(
    AuctionStep, auction_records, some(asked, 4), st.none() | contracts, outcomes, some(seats)
)

projects = st.builds(
    Project, _of(ProjectKind), different(cards, 5, least=1).map(lambda held: tuple(sorted(held)))
)
declarations = some(projects, 3)
seat_projects = st.builds(SeatProject, seats, projects)
card_moves = st.builds(CardMove, cards, declarations, st.booleans(), st.booleans(), declarations)
qaid_moves = st.builds(QaidMove, _of(QaidGround), st.none() | cards, st.none() | cards)
qaids = st.builds(Qaid, seats, qaid_moves, st.booleans())
seat_moves = st.builds(SeatMove, seats, card_moves | st.just(SawaMove()) | qaid_moves)
play_records = st.builds(
    PlayRecord, contracts, seats, st.tuples(hands, hands, hands, hands), some(seat_moves, 36), rulesets
)
tricks = st.builds(Trick, seats, different(cards, 4, least=4), seats, INT32)
play_asked = st.builds(
    PlayAsked,
    seats,
    some(st.builds(CardChoice, cards, st.booleans(), st.booleans()), 8),
    some(st.builds(CardRefused, cards, _of(Reason)), 8),
    some(declarations, 4),
    st.booleans(),
    card_moves,
    declarations,
)
play_outcomes = st.builds(
    PlayOutcome, points, points, some(seat_projects), some(seats), st.none() | seats, st.none() | qaids
)
play_steps = st.builds(
    PlayStep,
    play_records,
    st.none() | play_asked,
    st.none() | play_outcomes,
    st.none() | tricks,
    st.none() | teams,
    some(seat_projects),
    st.booleans(),
    st.none() | st.booleans(),
)
lines = st.builds(
    ScoreLine, teams, _of(LineKind), names, INT32, some(st.tuples(names, INT32), 5), names, names
)
round_records = st.builds(
    RoundRecord,
    contracts,
    play_outcomes,
    points,
    rulesets,
    st.none() | seats,
    st.none() | cards,
    st.none() | st.booleans(),
)
round_scores = st.builds(
    RoundScore,
    _of(RoundResult),
    st.none() | teams,
    points,
    points,
    some(lines, 6),
    points,
    points,
    st.none() | teams,
)
decks = st.permutations(list(Card)).map(lambda order: Deck(tuple(order)))
sealed_seeds = st.builds(SealedSeed, SHA256, st.binary(min_size=1, max_size=200))
openings = st.builds(
    Opening,
    st.integers(0, 31),
    st.sampled_from(Card),
    st.binary(max_size=16),
    st.lists(SHA256, max_size=5).map(tuple),
)
dealt = st.builds(Dealt, st.integers(1, 2**31 - 1), decks, SHA256, SHA256)
