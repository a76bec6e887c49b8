"""What each seat may say at one moment of an auction (rules, sections 2.5 to 2.16)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

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
from baloot.core.seats import Seat


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction at one moment. All but `record` follows from it.

    `phase` is what the seats in `waiting` are asked; None at the end. `held` is the best bid so far, whose trump is
    None while a Hokum of the second bidding is not named. `answers` are the answers to a Hokum that are not settled,
    `chain` the seats that were asked for qablak, `kawesh` those that may still show a worthless hand.
    """

    record: AuctionRecord
    terms: Terms = field(compare=False, repr=False)
    phase: QuestionKind | None
    waiting: tuple[Seat, ...]
    bidding: Bidding
    held: Contract | None = None
    answers: tuple[SeatCall, ...] = ()
    chain: tuple[Seat, ...] = ()
    kawesh: tuple[Seat, ...] = ()

    @property
    def contract(self) -> Contract | None:
        """What is bought, with its raises so far; None until the buying is over."""
        return self.held if self.phase is None or self.phase in LADDER else None


def question_to(auction: Auction, seat: Seat) -> Asked | None:
    """The one place that says what a seat may say."""
    if seat in auction.waiting:
        assert auction.phase is not None
        return _QUESTIONS[auction.phase](auction, seat)
    if seat in auction.kawesh and auction.terms.kawesh_any_time:
        return KAWESH_OFFER[seat]
    return None


def place_of(record: AuctionRecord, seat: Seat) -> int:
    """0 for S1 to 3 for the dealer: the lowest comes first in everything."""
    return (seat - record.dealer - 1) & 3


def ashkal_bar(auction: Auction, seat: Seat) -> Bar | None:
    """Why a seat may not say Ashkal, if it may not (2.8)."""
    record = auction.record
    caller = NO_HOKUM if auction.held is None else place_of(record, auction.held.buyer)
    return auction.terms.ashkal[auction.bidding - 1][place_of(record, seat)][caller]


def turning_bar(terms: Terms, record: AuctionRecord, bidding: Bidding, seat: Seat) -> Bar | None:
    """Why a seat may not turn its Hokum to Sun, if it may not (2.7)."""
    return terms.turning[bidding - 1][place_of(record, seat)]


def question_to_confirm(terms: Terms, record: AuctionRecord, bidding: Bidding, seat: Seat) -> Asked:
    """The confirm step of a Hokum (2.7): in the first bidding to keep it or turn it, in the second to name it."""
    may_turn = turning_bar(terms, record, bidding, seat) is None
    if bidding is Bidding.SECOND:
        return (terms.naming if may_turn else NAME)[record.up_card][seat]
    return (KEEP_OR_TURN if may_turn else KEEP)[seat]


def _first_question(auction: Auction, seat: Seat) -> Asked:
    return FIRST[ashkal_bar(auction, seat) is None][seat in auction.kawesh][seat]


def _answer_question(auction: Auction, seat: Seat) -> Asked:
    return ANSWER[ashkal_bar(auction, seat) is None][seat in auction.kawesh][seat]


def _second_question(auction: Auction, seat: Seat) -> Asked:
    return SECOND[ashkal_bar(auction, seat) is None][False][seat]


def _takeover_question(_: Auction, seat: Seat) -> Asked:
    return TAKEOVER[seat]


def _confirm_question(auction: Auction, seat: Seat) -> Asked:
    return question_to_confirm(auction.terms, auction.record, auction.bidding, seat)


def _raise_question(auction: Auction, seat: Seat) -> Asked:
    assert auction.held is not None
    return auction.terms.ladder.questions[auction.held.mode][auction.held.level - 1][seat]


_QUESTIONS: dict[QuestionKind, Callable[[Auction, Seat], Asked]] = {
    QuestionKind.FIRST: _first_question,
    QuestionKind.ANSWER: _answer_question,
    QuestionKind.TAKEOVER: _takeover_question,
    QuestionKind.SECOND: _second_question,
    QuestionKind.CONFIRM: _confirm_question,
    **dict.fromkeys(LADDER, _raise_question),
}
