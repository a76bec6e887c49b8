"""What each seat may say at one moment of an auction (rules, sections 2.5 to 2.16)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from baloot.bidding.bars import Bar
from baloot.bidding.ladder import LADDER
from baloot.bidding.questions import (
    ANSWER,
    FIRST,
    KAWESH_OFFER,
    KEEP,
    KEEP_OR_TURN,
    NAME,
    SECOND,
    TAKEOVER,
)
from baloot.bidding.terms import NO_HOKUM, Terms
from baloot.core.auction import Asked, AuctionRecord, QuestionKind, SeatCall
from baloot.core.contract import Bidding, Contract
from baloot.core.seats import SEATS, Seat


class Auction(NamedTuple):
    """An auction at one moment. All but `start`, which is its record without calls, and `calls` follows from them.

    `phase` is what the seats in `waiting` are asked; None at the end. `held` is the best bid so far, whose trump is
    None while a Hokum of the second bidding is not named. `answers` are the answers to a Hokum that are not settled,
    `chain` the seats that were asked for qablak, `kawesh` those that may still show a worthless hand.
    """

    start: AuctionRecord
    terms: Terms
    calls: tuple[SeatCall, ...]
    phase: QuestionKind | None
    waiting: tuple[Seat, ...]
    bidding: Bidding
    held: Contract | None = None
    answers: tuple[SeatCall, ...] = ()
    chain: tuple[Seat, ...] = ()
    kawesh: tuple[Seat, ...] = ()

    @property
    def record(self) -> AuctionRecord:
        """The facts that this follows from."""
        first = self.start
        return AuctionRecord(
            first.dealer, first.up_card, first.hands, first.scores, self.calls, first.ruleset
        )

    @property
    def contract(self) -> Contract | None:
        """What is bought, with its raises so far; None until the buying is over."""
        return self.held if self.phase is None or self.phase in LADDER else None


def open_questions(auction: Auction) -> tuple[Asked, ...]:
    """Those that are waited for in order from S1, then the offers of a Kawesh; empty at the end."""
    phase, waiting = auction.phase, auction.waiting
    if phase is None:
        return ()
    question = _QUESTIONS[phase]
    questions = [question(auction, seat) for seat in waiting]
    if auction.kawesh and auction.terms.kawesh_any_time:
        questions += [KAWESH_OFFER[seat] for seat in auction.kawesh if seat not in waiting]
    return tuple(questions)


def question_to(auction: Auction, seat: Seat) -> Asked | None:
    """The one place that says what a seat may say."""
    if seat in auction.waiting:
        assert auction.phase is not None
        return _QUESTIONS[auction.phase](auction, seat)
    if seat in auction.kawesh and auction.terms.kawesh_any_time:
        return KAWESH_OFFER[seat]
    return None


def place_of(auction: Auction, seat: Seat) -> int:
    """0 for S1 to 3 for the dealer: the lowest comes first in everything."""
    return _PLACES[auction.start.dealer][seat]


_PLACES = tuple(tuple((seat - dealer - 1) & 3 for seat in SEATS) for dealer in SEATS)


def ashkal_bar(auction: Auction, seat: Seat) -> Bar | None:
    """Why a seat may not say Ashkal, if it may not (2.8)."""
    caller = NO_HOKUM if auction.held is None else place_of(auction, auction.held.buyer)
    return auction.terms.ashkal[auction.bidding - 1][place_of(auction, seat)][caller]


def turning_bar(auction: Auction, seat: Seat) -> Bar | None:
    """Why a seat may not turn its Hokum to Sun, if it may not (2.7)."""
    return auction.terms.turning[auction.bidding - 1][place_of(auction, seat)]


def question_to_confirm(auction: Auction, seat: Seat) -> Asked:
    """The confirm step of a Hokum (2.7): in the first bidding to keep it or turn it, in the second to name it."""
    may_turn = turning_bar(auction, seat) is None
    if auction.bidding is _SECOND_BIDDING:
        return (auction.terms.naming if may_turn else NAME)[auction.start.up_card][seat]
    return (KEEP_OR_TURN if may_turn else KEEP)[seat]


_SECOND_BIDDING = Bidding.SECOND


def _first_question(auction: Auction, seat: Seat) -> Asked:
    return FIRST[ashkal_bar(auction, seat) is None][seat in auction.kawesh][seat]


def _answer_question(auction: Auction, seat: Seat) -> Asked:
    return ANSWER[ashkal_bar(auction, seat) is None][seat in auction.kawesh][seat]


def _second_question(auction: Auction, seat: Seat) -> Asked:
    return SECOND[ashkal_bar(auction, seat) is None][False][seat]


def _takeover_question(_: Auction, seat: Seat) -> Asked:
    return TAKEOVER[seat]


def _raise_question(auction: Auction, seat: Seat) -> Asked:
    assert auction.held is not None
    return auction.terms.ladder.questions[auction.held.mode][auction.held.level - 1][seat]


_QUESTIONS: dict[QuestionKind, Callable[[Auction, Seat], Asked]] = {
    QuestionKind.FIRST: _first_question,
    QuestionKind.ANSWER: _answer_question,
    QuestionKind.TAKEOVER: _takeover_question,
    QuestionKind.SECOND: _second_question,
    QuestionKind.CONFIRM: question_to_confirm,
    **dict.fromkeys(LADDER, _raise_question),
}
