"""What may be said in an auction and what follows from it (rules, sections 2.5 to 2.16).

An `Auction` carries its record and the facts that the next question needs. `start_auction` and `fold` make one,
`make_call` makes the next, all else only reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from baloot.bidding.ladder import LADDER, LEVELS
from baloot.bidding.offers import Auction, place_of, question_to, question_to_confirm
from baloot.bidding.refusals import BUYING, refusal
from baloot.bidding.terms import ByPlace, Terms, terms_of
from baloot.core.auction import (
    ASHKAL,
    PASS,
    SUN,
    Asked,
    AuctionRecord,
    AuctionStep,
    Call,
    CallKind,
    KaweshCalled,
    QuestionKind,
    SeatCall,
    ThrownIn,
)
from baloot.core.cards import CARDS, Rank, mask_of
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.deal import FIRST_CARDS
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat, from_dealer

__all__ = [
    "Auction",
    "Outcome",
    "asked",
    "default_call",
    "fold",
    "legal_calls",
    "make_call",
    "outcome",
    "start_auction",
    "step",
]

Outcome = Contract | ThrownIn | KaweshCalled
"""How an auction ends: something is bought, everybody passed twice, or a worthless hand was shown."""


# Making an auction.


def start_auction(record: AuctionRecord) -> Auction:
    """The auction before its first call: S1 is asked to buy (2.5).

    Raises Refusal RECORD_INVALID when the record has calls, or hands that are not four times five different cards.
    """
    _require_hands(record)
    if record.calls:
        raise _invalid("an auction starts with a record without calls", "calls")
    terms = terms_of(record.ruleset, record.up_card.rank)
    worthless = _worthless_hands(record) if terms.kawesh_phases else ()
    return Auction(record, terms, QuestionKind.FIRST, (record.dealer.next,), Bidding.FIRST, kawesh=worthless)


def fold(record: AuctionRecord) -> Auction:
    """The auction after all calls of a record. Raises Refusal RECORD_INVALID naming the first call that is not legal."""
    auction = start_auction(replace(record, calls=()))
    for index, said in enumerate(record.calls):
        try:
            auction = make_call(auction, said.seat, said.call)
        except Refusal as why:
            raise _invalid(
                f"call {index}, {said.call} by {said.seat}, is not legal: {why.message}",
                f"calls[{index}]",
                {"index": str(index), "reason": why.reason.name},
            ) from why
    return auction


def _invalid(message: str, field: str, metadata: dict[str, str] | None = None) -> Refusal:
    return Refusal(Reason.RECORD_INVALID, message, field=f"record.{field}", metadata=metadata)


def _require_hands(record: AuctionRecord) -> None:
    if not record.hands:
        return
    if len(record.hands) != len(SEATS) or any(len(hand) != FIRST_CARDS for hand in record.hands):
        raise _invalid("a record has no hands, or five cards for each of the four seats", "hands")
    known = 1 << record.up_card
    for hand in record.hands:
        if known & hand.mask:
            raise _invalid("the up card and the first hands of a record are different cards", "hands")
        known |= hand.mask


_COURT_CARDS = mask_of(card for card in CARDS if card.rank >= Rank.TEN)


def _worthless_hands(record: AuctionRecord) -> tuple[Seat, ...]:
    """The seats whose first five cards are all 7, 8 or 9, in order from S1 (2.12)."""
    if not record.hands:
        return ()
    seats = from_dealer(record.dealer)
    return tuple(seat for seat in seats if not record.hands[seat].mask & _COURT_CARDS)


# Reading it.


def asked(auction: Auction) -> tuple[Asked, ...]:
    """Every open question: those that are waited for in order from S1, then the offers of a Kawesh; empty at the end."""
    seats = auction.waiting
    if auction.kawesh and auction.terms.kawesh_any_time:
        seats += tuple(seat for seat in auction.kawesh if seat not in auction.waiting)
    return tuple(question for seat in seats if (question := question_to(auction, seat)))


def legal_calls(auction: Auction, seat: Seat) -> tuple[Call, ...]:
    """What this seat may say now; empty when it has nothing to say."""
    question = question_to(auction, seat)
    return question.legal if question is not None else ()


def default_call(auction: Auction, seat: Seat) -> Call:
    """What is said for a seat that does not answer: the least binding call, and Sun where no suit is named (2.9).

    Raises Refusal NOT_YOUR_TURN or WRONG_PHASE when the seat is not asked.
    """
    question = question_to(auction, seat)
    if question is None:
        raise refusal(auction, seat, PASS)
    return question.default


def outcome(auction: Auction) -> Outcome | None:
    """How the auction ended; None while it goes on."""
    if auction.phase is not None:
        return None
    if auction.held is not None:
        return auction.held
    last = auction.record.calls[-1]
    return KaweshCalled(last.seat) if last.call.kind is CallKind.KAWESH else ThrownIn()


def step(auction: Auction) -> AuctionStep:
    """The record with all that follows from it."""
    sealed = tuple(answer.seat for answer in auction.answers)
    return AuctionStep(auction.record, asked(auction), auction.contract, outcome(auction), sealed)


# What follows from a call.


def make_call(auction: Auction, seat: Seat, call: Call) -> Auction:
    """The auction after one call more. Raises Refusal with the most telling reason when the call is not legal."""
    question = question_to(auction, seat)
    record = auction.record.after(seat, call)
    if question is None or call not in question.legal:
        call = _counted_as(auction, seat, call)
    if call.kind is CallKind.KAWESH:
        return _ended(auction.terms, record, auction.bidding)
    assert auction.phase is not None
    return _FOLLOW[auction.phase](auction, record, seat, call)


def _counted_as(auction: Auction, seat: Seat, call: Call) -> Call:
    """What a call that is not offered counts as: a wrong Ashkal may be a Sun (2.8). Raises Refusal for all others."""
    if call == ASHKAL and auction.terms.forced_sun and auction.phase in BUYING and seat in auction.waiting:
        return SUN
    raise refusal(auction, seat, call)


def _ended(terms: Terms, record: AuctionRecord, bidding: Bidding, held: Contract | None = None) -> Auction:
    return Auction(record, terms, None, (), bidding, held)


def _after_bid(auction: Auction, record: AuctionRecord, seat: Seat, call: Call) -> Auction:
    if call.kind is CallKind.PASS:
        return _after_pass(auction, record, seat)
    if call.kind is CallKind.HOKUM:
        return _after_hokum(auction, record, seat)
    return _sun_held(auction.terms, record, _sun(seat, call, auction.bidding))


def _after_pass(auction: Auction, record: AuctionRecord, seat: Seat) -> Auction:
    terms, following = auction.terms, (seat.next,)
    if seat is not record.dealer:
        return Auction(record, terms, auction.phase, following, auction.bidding, kawesh=auction.kawesh)
    if auction.bidding is Bidding.FIRST:
        return Auction(record, terms, QuestionKind.SECOND, following, Bidding.SECOND)
    return _ended(terms, record, Bidding.SECOND)


def _after_hokum(auction: Auction, record: AuctionRecord, seat: Seat) -> Auction:
    """The others may answer Sun, as far as the rule set asks them in this bidding (2.7, 2.9)."""
    terms, bidding = auction.terms, auction.bidding
    trump = record.up_card.suit if bidding is Bidding.FIRST else None
    held = Contract(Mode.HOKUM, trump, seat, seat, bidding)
    kawesh = auction.kawesh if QuestionKind.ANSWER in terms.kawesh_phases else ()
    put = Auction(record, terms, QuestionKind.ANSWER, (), bidding, held, kawesh=kawesh)
    return _answered(put, record, _seats(record, terms.answering[bidding - 1], seat), ())


def _seats(record: AuctionRecord, by_place: ByPlace, seat: Seat) -> tuple[Seat, ...]:
    """The seats that a table names for the place of a seat."""
    order = _FROM_DEALER[record.dealer]
    return tuple([order[place] for place in by_place[place_of(record, seat)]])


_FROM_DEALER = tuple(from_dealer(dealer) for dealer in SEATS)


def _after_answer(auction: Auction, record: AuctionRecord, seat: Seat, call: Call) -> Auction:
    waiting = tuple(other for other in auction.waiting if other is not seat)
    return _answered(auction, record, waiting, (*auction.answers, SeatCall(seat, call)))


def _answered(
    auction: Auction, record: AuctionRecord, waiting: tuple[Seat, ...], answers: tuple[SeatCall, ...]
) -> Auction:
    """Settles the answers to a Hokum as soon as no missing one can matter: the earliest claim wins (2.7).

    Until then nobody's question goes away, even where it cannot matter any more: that would tell of a claim.
    """
    terms, hokum = auction.terms, auction.held
    assert hokum is not None
    claims = [(place_of(record, said.seat), said) for said in answers if said.call.kind is not CallKind.PASS]
    if claims:
        place, claim = min(claims, key=lambda found: found[0])
        if all(place_of(record, seat) > place for seat in waiting):
            return _sun_held(terms, record, _sun(claim.seat, claim.call, hokum.bidding), over=hokum)
    elif not waiting:
        return _unclaimed(terms, record, hokum)
    return Auction(
        record, terms, QuestionKind.ANSWER, waiting, hokum.bidding, hokum, answers, kawesh=auction.kawesh
    )


def _unclaimed(terms: Terms, record: AuctionRecord, hokum: Contract) -> Auction:
    """The buyer confirms, unless there is only one thing to say."""
    if len(question_to_confirm(terms, record, hokum.bidding, hokum.buyer).legal) == 1:
        return _bought(terms, record, hokum)
    return Auction(record, terms, QuestionKind.CONFIRM, (hokum.buyer,), hokum.bidding, hokum)


def _after_confirm(auction: Auction, record: AuctionRecord, seat: Seat, call: Call) -> Auction:
    """A Hokum turned to Sun is open to others only where the rule set says so (2.7)."""
    terms = auction.terms
    if call.kind is CallKind.SUN:
        sun = _sun(seat, call, auction.bidding)
        return (_sun_held if terms.turned_is_offered else _bought)(terms, record, sun)
    trump = record.up_card.suit if call.suit is None else call.suit
    return _bought(terms, record, Contract(Mode.HOKUM, trump, seat, seat, auction.bidding))


def _sun(seat: Seat, call: Call, bidding: Bidding) -> Contract:
    """A Sun; in Ashkal the partner takes the up card (2.8)."""
    taker = seat.partner if call.kind is CallKind.ASHKAL else seat
    return Contract(Mode.SUN, None, seat, taker, bidding)


def _sun_held(
    terms: Terms,
    record: AuctionRecord,
    sun: Contract,
    chain: tuple[Seat, ...] = (),
    over: Contract | None = None,
) -> Auction:
    """Asks the next who may take over a Sun and was not asked in this chain; with none left it is bought (2.6, 2.10)."""
    takeover = terms.takeover[sun.bidding - 1]
    if over is not None and takeover.not_the_caller:
        chain = (over.buyer,)
    for seat in _seats(record, takeover.asked, sun.buyer):
        if seat not in chain:
            return Auction(
                record, terms, QuestionKind.TAKEOVER, (seat,), sun.bidding, sun, chain=(*chain, seat)
            )
    return _bought(terms, record, sun)


def _after_takeover(auction: Auction, record: AuctionRecord, seat: Seat, call: Call) -> Auction:
    terms, held = auction.terms, auction.held
    assert held is not None
    if call.kind is not CallKind.PASS:
        held = _sun(seat, call, auction.bidding)
        if terms.takeover[auction.bidding - 1].kept:
            return _bought(terms, record, held)
    return _sun_held(terms, record, held, auction.chain)


# Raising.


def _bought(terms: Terms, record: AuctionRecord, contract: Contract) -> Auction:
    """The buying is over, and the raising begins unless nobody may double (2.14, 2.16)."""
    if terms.ladder.double_bar(record.scores, contract) is not None:
        return _ended(terms, record, contract.bidding, contract)
    return _next_raise(terms, record, contract)


def _after_raise(auction: Auction, record: AuctionRecord, seat: Seat, call: Call) -> Auction:
    """A raise passes the question to the other side; a pass to the next whose raise it is, or it ends the ladder (2.14)."""
    contract, terms = auction.held, auction.terms
    assert contract is not None
    if call.kind is not CallKind.PASS:
        raised = Raise(seat, LEVELS[call.kind], bool(call.locked))
        return _next_raise(terms, record, replace(contract, raises=(*contract.raises, raised)))
    raisers = terms.ladder.raisers(contract, Level(contract.level + 1))
    following = raisers[raisers.index(seat) + 1 :][:1]
    if following:
        return Auction(record, terms, auction.phase, following, auction.bidding, contract)
    return _ended(terms, record, auction.bidding, contract)


def _next_raise(terms: Terms, record: AuctionRecord, contract: Contract) -> Auction:
    """Asks the first of those who may raise further."""
    if contract.level is terms.ladder.top(contract):
        return _ended(terms, record, contract.bidding, contract)
    level = Level(contract.level + 1)
    first = terms.ladder.raisers(contract, level)[:1]
    return Auction(record, terms, LADDER[level - 2], first, contract.bidding, contract)


_FOLLOW: dict[QuestionKind, Callable[[Auction, AuctionRecord, Seat, Call], Auction]] = {
    QuestionKind.FIRST: _after_bid,
    QuestionKind.ANSWER: _after_answer,
    QuestionKind.TAKEOVER: _after_takeover,
    QuestionKind.SECOND: _after_bid,
    QuestionKind.CONFIRM: _after_confirm,
    QuestionKind.DOUBLE: _after_raise,
    QuestionKind.THREE: _after_raise,
    QuestionKind.FOUR: _after_raise,
    QuestionKind.GAHWA: _after_raise,
}
