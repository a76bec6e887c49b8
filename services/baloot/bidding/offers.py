"""What each seat may say at one moment of an auction, and why another call is refused (rules, sections 2.5 to 2.16).

A `bar` is the reason why something may not be said. What is offered and what is refused are decided by the same bars.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from baloot.core.auction import (
    ASHKAL,
    CONFIRM,
    HOKUM,
    KAWESH,
    PASS,
    QABLAK,
    SUN,
    Asked,
    AuctionRecord,
    Call,
    CallKind,
    QuestionKind,
    SeatCall,
)
from baloot.core.cards import CARDS, SUITS, Card, Rank
from baloot.core.contract import Bidding, Contract, Level, Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat

LADDER = (QuestionKind.DOUBLE, QuestionKind.THREE, QuestionKind.FOUR, QuestionKind.GAHWA)
LEVELS = {
    CallKind.DOUBLE: Level.DOUBLE,
    CallKind.THREE: Level.THREE,
    CallKind.FOUR: Level.FOUR,
    CallKind.GAHWA: Level.GAHWA,
}


@dataclass(frozen=True, slots=True)
class Auction:
    """An auction at one moment. All but `record` follows from it.

    `phase` is what the seats in `waiting` are asked; None at the end. `held` is the best bid so far, whose trump is
    None while a Hokum of the second bidding is not named. `answers` are the answers to a Hokum that are not settled,
    `chain` the seats that were asked for qablak, `kawesh` those that may still show a worthless hand.
    """

    record: AuctionRecord
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


# What each seat is asked: made once for every seat, since the same few questions come in every auction.


def _for_every_seat(kind: QuestionKind, *legal: Call, default: Call = PASS) -> tuple[Asked, ...]:
    return tuple(Asked(seat, kind, legal, default) for seat in SEATS)


def _opened_or_locked(kind: CallKind) -> tuple[Call, Call]:
    return Call(kind, locked=False), Call(kind, locked=True)


def _naming(up_card: Card) -> tuple[Asked, ...]:
    """The confirm step of the second bidding: any suit but the up card's, or Sun if it may be turned (2.9)."""
    named = tuple(Call(CallKind.CONFIRM, suit) for suit in SUITS if suit is not up_card.suit)
    if _turn_bar(up_card) is not None:
        return _for_every_seat(QuestionKind.CONFIRM, *named, default=named[0])
    return _for_every_seat(QuestionKind.CONFIRM, *named, SUN, default=SUN)


def _turn_bar(up_card: Card) -> Reason | None:
    """Why a Hokum may not be turned to Sun: with an Ace it would hide a Sun from the seats before (2.7)."""
    return Reason.SUN_ON_ACE if up_card.rank is Rank.ACE else None


_BUY_FIRST = tuple(
    tuple(
        _for_every_seat(QuestionKind.FIRST, PASS, HOKUM, SUN, *ashkal, *kawesh) for kawesh in ((), (KAWESH,))
    )
    for ashkal in ((), (ASHKAL,))
)
_KAWESH_OFFER = _for_every_seat(QuestionKind.KAWESH, KAWESH)
_ANSWER = _for_every_seat(QuestionKind.ANSWER, PASS, SUN)
_ANSWER_ASHKAL = _for_every_seat(QuestionKind.ANSWER, PASS, SUN, ASHKAL)
_TAKE_OVER = _for_every_seat(QuestionKind.TAKEOVER, PASS, QABLAK)
_BUY_SECOND = _for_every_seat(QuestionKind.SECOND, PASS, HOKUM, SUN)
_KEEP = _for_every_seat(QuestionKind.CONFIRM, CONFIRM, default=CONFIRM)
_KEEP_OR_TURN = _for_every_seat(QuestionKind.CONFIRM, CONFIRM, SUN, default=CONFIRM)
_NAME = tuple(_naming(up_card) for up_card in CARDS)
_DOUBLE_SUN = _for_every_seat(QuestionKind.DOUBLE, PASS, Call(CallKind.DOUBLE))
_DOUBLE_HOKUM = _for_every_seat(QuestionKind.DOUBLE, PASS, *_opened_or_locked(CallKind.DOUBLE))
_THREE = _for_every_seat(QuestionKind.THREE, PASS, Call(CallKind.THREE))
_FOUR = _for_every_seat(QuestionKind.FOUR, PASS, *_opened_or_locked(CallKind.FOUR))
_GAHWA = _for_every_seat(QuestionKind.GAHWA, PASS, Call(CallKind.GAHWA))


def question_to(auction: Auction, seat: Seat) -> Asked | None:
    """The one place that says what a seat may say."""
    if seat in auction.waiting:
        assert auction.phase is not None
        return _QUESTIONS[auction.phase](auction, seat)
    if seat in auction.kawesh:
        return _KAWESH_OFFER[seat]
    return None


def _always(questions: tuple[Asked, ...]) -> Callable[[Auction, Seat], Asked]:
    return lambda _, seat: questions[seat]


def _first_question(auction: Auction, seat: Seat) -> Asked:
    return _BUY_FIRST[_ashkal_bar(auction, seat) is None][seat in auction.kawesh][seat]


def _answer_question(auction: Auction, seat: Seat) -> Asked:
    return (_ANSWER_ASHKAL if _ashkal_bar(auction, seat) is None else _ANSWER)[seat]


def _confirm_question(auction: Auction, seat: Seat) -> Asked:
    return question_to_confirm(auction.record, auction.bidding, seat)


def question_to_confirm(record: AuctionRecord, bidding: Bidding, seat: Seat) -> Asked:
    """The confirm step of a Hokum (2.7): in the first bidding to keep it or turn it, in the second to name it."""
    if bidding is Bidding.SECOND:
        return _NAME[record.up_card][seat]
    return (_KEEP if _turn_bar(record.up_card) is not None else _KEEP_OR_TURN)[seat]


def _double_question(auction: Auction, seat: Seat) -> Asked:
    assert auction.held is not None
    return (_DOUBLE_SUN if auction.held.mode is Mode.SUN else _DOUBLE_HOKUM)[seat]


_QUESTIONS: dict[QuestionKind, Callable[[Auction, Seat], Asked]] = {
    QuestionKind.FIRST: _first_question,
    QuestionKind.ANSWER: _answer_question,
    QuestionKind.TAKEOVER: _always(_TAKE_OVER),
    QuestionKind.SECOND: _always(_BUY_SECOND),
    QuestionKind.CONFIRM: _confirm_question,
    QuestionKind.DOUBLE: _double_question,
    QuestionKind.THREE: _always(_THREE),
    QuestionKind.FOUR: _always(_FOUR),
    QuestionKind.GAHWA: _always(_GAHWA),
}


def place_of(record: AuctionRecord, seat: Seat) -> int:
    """0 for S1 to 3 for the dealer: the lowest comes first in everything."""
    return (seat - record.dealer - 1) & 3


def _ashkal_bar(auction: Auction, seat: Seat) -> Reason | None:
    """Why a seat may not say Ashkal, if it may not (2.8)."""
    if auction.bidding is not Bidding.FIRST:
        return Reason.ASHKAL_BIDDING
    place = place_of(auction.record, seat)
    if place < 2:
        return Reason.ASHKAL_SEAT
    if auction.record.up_card.rank is Rank.ACE:
        return Reason.ASHKAL_ON_ACE
    if auction.held is not None and place < place_of(auction.record, auction.held.buyer):
        return Reason.ASHKAL_AFTER_PASS
    return None


# The ladder.


def double_bar(record: AuctionRecord, contract: Contract) -> Reason | None:
    """Why nobody may double, if nobody may: a Sun needs a buyer's team over 100 and defenders who are not (2.16)."""
    buying = contract.buying_team
    if contract.mode is Mode.SUN and not record.scores[buying] > 100 >= record.scores[buying.other]:
        return Reason.SUN_DOUBLE_SCORES
    return None


def ceiling(contract: Contract) -> Level:
    """The last raise there is (2.14, 2.16)."""
    return Level.GAHWA if contract.mode is Mode.HOKUM else Level.DOUBLE


def raisers(contract: Contract, level: Level) -> tuple[Seat, ...]:
    """Whose raise a level is: the buyer's, or a defender's in the order in which they are asked, or the doubler's (2.14)."""
    if level in (Level.THREE, Level.GAHWA):
        return (contract.buyer,)
    if contract.raises and level is Level.FOUR:
        return (contract.raises[0].seat,)
    return contract.buyer.next, contract.buyer.next.partner


# Refusing: the same bars that keep a call from being offered say why it is not.


def refusal(auction: Auction, seat: Seat, call: Call) -> Refusal:
    reason = next(filter(None, (why(auction, seat, call) for why in _BARS)), Reason.CALL_NOT_OFFERED)
    facts = {"seat": str(seat), "call": str(call)}
    if reason is Reason.SUN_DOUBLE_SCORES and auction.held is not None:
        buying = auction.held.buying_team
        facts["buyers"] = str(auction.record.scores[buying])
        facts["defenders"] = str(auction.record.scores[buying.other])
    return Refusal(reason, _SENTENCES[reason].format(**facts), metadata=facts)


def _kawesh_bar(auction: Auction, seat: Seat, call: Call) -> Reason | None:
    """A worthless hand is shown before anything but a pass is said in the first bidding (2.12)."""
    if call.kind is not CallKind.KAWESH:
        return None
    if auction.phase is not QuestionKind.FIRST:
        return Reason.KAWESH_WINDOW
    return None if seat in auction.kawesh else Reason.KAWESH_HAND


def _raise_bar(auction: Auction, seat: Seat, call: Call) -> Reason | None:
    contract = auction.contract
    if contract is None or call.kind not in LEVELS:
        return None
    level = LEVELS[call.kind]
    if level > ceiling(contract):
        return Reason.SUN_RAISE_CEILING
    if seat not in raisers(contract, level):
        return Reason.RAISE_NOT_YOURS
    return double_bar(auction.record, contract)


def _turning_bar(auction: Auction, seat: Seat, call: Call) -> Reason | None:
    held = auction.held
    if call.kind is CallKind.SUN and held is not None and held.mode is Mode.HOKUM and seat is held.buyer:
        return _turn_bar(auction.record.up_card)
    return None


def _phase_bar(auction: Auction, _: Seat, call: Call) -> Reason | None:
    buying, raising = auction.contract is None, call.kind in LEVELS
    if auction.phase is None or (call.kind is not CallKind.PASS and buying is raising):
        return Reason.WRONG_PHASE
    return None


def _seat_bar(auction: Auction, seat: Seat, call: Call) -> Reason | None:
    if seat in auction.waiting or call.kind is CallKind.KAWESH:
        return None
    return Reason.NOT_YOUR_TURN


def _bid_bar(auction: Auction, seat: Seat, call: Call) -> Reason | None:
    if call.kind is CallKind.HOKUM and auction.phase is QuestionKind.ANSWER:
        return Reason.HOKUM_OVER_HOKUM
    if call.kind is CallKind.ASHKAL and auction.phase in _BUYING:
        return _ashkal_bar(auction, seat)
    return None


def _form_bar(auction: Auction, seat: Seat, call: Call) -> Reason | None:
    """The kind of call is offered: then it is its suit or its lock that is not."""
    question = question_to(auction, seat)
    offered = [legal for legal in question.legal if legal.kind is call.kind] if question else []
    if not offered:
        return None
    if call.cut is not None:
        return Reason.CUT_NOT_ALLOWED
    if all(legal.suit is not call.suit for legal in offered):
        return Reason.SUIT_REQUIRED if call.suit is None else Reason.SUIT_NOT_ALLOWED
    return Reason.LOCK_REQUIRED if call.locked is None else Reason.LOCK_NOT_ALLOWED


_BUYING = (QuestionKind.FIRST, QuestionKind.ANSWER, QuestionKind.SECOND)
_BARS = (_kawesh_bar, _raise_bar, _turning_bar, _phase_bar, _seat_bar, _bid_bar, _form_bar)
"""From what a rule of the game forbids whoever's turn it is, to how the call is put. The first that holds is told."""

_SENTENCES: dict[Reason, str] = {
    Reason.NOT_YOUR_TURN: "it is not {seat}'s turn to speak",
    Reason.WRONG_PHASE: "{call} has no place at this point of the auction",
    Reason.CALL_NOT_OFFERED: "{call} is not among the calls that {seat} may make now",
    Reason.HOKUM_OVER_HOKUM: "over a Hokum only Sun may be said, not another Hokum",
    Reason.ASHKAL_SEAT: "only the third seat and the dealer may say Ashkal",
    Reason.ASHKAL_ON_ACE: "an Ace is not bought by Ashkal",
    Reason.ASHKAL_BIDDING: "Ashkal belongs to the first bidding",
    Reason.ASHKAL_AFTER_PASS: "{seat} passed in this bidding and may say Sun, but not Ashkal",
    Reason.KAWESH_HAND: "Kawesh needs five first cards that are all 7, 8 or 9",
    Reason.KAWESH_WINDOW: "Kawesh is shown in the first bidding, before anybody says more than a pass",
    Reason.SUIT_REQUIRED: "a Hokum of the second bidding is confirmed by naming its suit",
    Reason.SUIT_NOT_ALLOWED: "{call} names a suit that cannot be named here",
    Reason.SUN_ON_ACE: "a Hokum cannot be turned to Sun when the up card is an Ace",
    Reason.LOCK_REQUIRED: "in Hokum a double and a four are said open or locked",
    Reason.LOCK_NOT_ALLOWED: "{call} says open or locked where there is no such choice",
    Reason.CUT_NOT_ALLOWED: "{call} cuts where there is nothing to cut",
    Reason.RAISE_NOT_YOURS: "{call} is not for {seat} to say",
    Reason.SUN_DOUBLE_SCORES: (
        "a Sun is doubled when the buyers have more than 100 and the defenders do not; they have {buyers} and {defenders}"
    ),
    Reason.SUN_RAISE_CEILING: "a Sun is not raised beyond the double",
}
