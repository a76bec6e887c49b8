"""What may be said in an auction and what follows from it (rules, sections 2.5 to 2.16).

An `Auction` carries its record and the facts that the next question needs. `start_auction` and `fold` make one,
`make_call` makes the next, all else only reads.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import permutations

from baloot.bidding.ladder import LADDER, LEVELS
from baloot.bidding.offers import Auction, open_questions, place_of, question_to, question_to_confirm
from baloot.bidding.refusals import BUYING, refusal
from baloot.bidding.terms import ByPlace, terms_of
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
from baloot.core.cards import CARDS, RANK_OF, SUIT_OF, Rank, Suit, mask_of
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.deal import FIRST_CARDS
from baloot.core.errors import Refusal, record_invalid
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

_new = tuple.__new__
"""Makes an `Auction` in half the time that calling it takes: bulk simulation makes one for every call."""

# Members of enums by themselves: Python 3.11 looks one up in its class by a call of its own.
_PASS, _HOKUM, _SUN = CallKind.PASS, CallKind.HOKUM, CallKind.SUN
_ASHKAL, _KAWESH = CallKind.ASHKAL, CallKind.KAWESH
_FIRST, _SECOND, _ANSWER = QuestionKind.FIRST, QuestionKind.SECOND, QuestionKind.ANSWER
_TAKEOVER, _CONFIRM = QuestionKind.TAKEOVER, QuestionKind.CONFIRM
_FIRST_BIDDING, _SECOND_BIDDING = Bidding.FIRST, Bidding.SECOND

_NEXT = tuple((seat.next,) for seat in SEATS)
_FROM_DEALER = tuple(from_dealer(dealer) for dealer in SEATS)
_SEATS_AT = tuple(
    {
        places: tuple(order[place] for place in places)
        for count in range(5)
        for places in permutations(range(4), count)
    }
    for order in _FROM_DEALER
)
"""By dealer: the seats at any places, in the order of the places."""
_ABOVE: dict[Level, Level] = {level: Level(level + 1) for level in Level if level is not Level.GAHWA}
"""For each level the one that raises it."""


# Making an auction.


def start_auction(record: AuctionRecord) -> Auction:
    """The auction before its first call: S1 is asked to buy (2.5).

    Raises Refusal RECORD_INVALID when the record has calls, or hands that are not four times five different cards.
    """
    if record.hands:
        _require_hands(record)
    if record.calls:
        raise record_invalid("an auction starts with a record without calls", "calls")
    terms = terms_of(record.ruleset, RANK_OF[record.up_card])
    worthless = _worthless_hands(record) if terms.kawesh_phases else ()
    return Auction(record, terms, (), _FIRST, _NEXT[record.dealer], _FIRST_BIDDING, kawesh=worthless)


def fold(record: AuctionRecord) -> Auction:
    """The auction after all calls of a record. Raises Refusal RECORD_INVALID naming the first call that is not legal."""
    auction = start_auction(replace(record, calls=()))
    for index, said in enumerate(record.calls):
        try:
            auction = make_call(auction, said.seat, said.call)
        except Refusal as why:
            raise record_invalid(
                f"call {index}, {said.call} by {said.seat}, is not legal: {why.message}",
                f"calls[{index}]",
                {"index": str(index), "reason": why.reason.name, "rule": why.rule},
            ) from why
    return auction


def _require_hands(record: AuctionRecord) -> None:
    masks = [hand.mask for hand in record.hands]
    if [mask.bit_count() for mask in masks] != _FIVE_EACH:
        raise record_invalid("a record has no hands, or five cards for each of the four seats", "hands")
    known = 1 << record.up_card
    for mask in masks:
        if known & mask:
            raise record_invalid("the up card and the first hands of a record are different cards", "hands")
        known |= mask


_FIVE_EACH = [FIRST_CARDS] * len(SEATS)
_COURT_CARDS = mask_of(card for card in CARDS if card.rank >= Rank.TEN)


def _worthless_hands(record: AuctionRecord) -> tuple[Seat, ...]:
    """The seats whose first five cards are all 7, 8 or 9, in order from S1 (2.12)."""
    hands = record.hands
    if not hands:
        return ()
    return tuple([seat for seat in _FROM_DEALER[record.dealer] if not hands[seat].mask & _COURT_CARDS])


# Reading it.


def asked(auction: Auction) -> tuple[Asked, ...]:
    """Every open question: those that are waited for in order from S1, then the offers of a Kawesh; empty at the end."""
    return open_questions(auction)


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
    last = auction.calls[-1]
    return KaweshCalled(last.seat) if last.call.kind is CallKind.KAWESH else ThrownIn()


def step(auction: Auction) -> AuctionStep:
    """The record with all that follows from it."""
    sealed = tuple(answer.seat for answer in auction.answers)
    return AuctionStep(auction.record, asked(auction), auction.contract, outcome(auction), sealed)


# What follows from a call.


def make_call(auction: Auction, seat: Seat, call: Call) -> Auction:
    """The auction after one call more. Raises Refusal with the most telling reason when the call is not legal."""
    question = question_to(auction, seat)
    said = _with_call(auction, SeatCall(seat, call))
    if question is None or call not in question.legal:
        call = _counted_as(auction, seat, call)
    if call.kind is _KAWESH:
        return _ended(said, None)
    assert auction.phase is not None
    return _FOLLOW[auction.phase](said, seat, call)


def _with_call(auction: Auction, said: SeatCall) -> Auction:
    """The auction with a call written down, before anything follows from it."""
    start, terms, calls, phase, waiting, bidding, held, answers, chain, kawesh = auction
    calls = (*calls, said)
    return _new(Auction, (start, terms, calls, phase, waiting, bidding, held, answers, chain, kawesh))


def _counted_as(auction: Auction, seat: Seat, call: Call) -> Call:
    """What a call that is not offered counts as: a wrong Ashkal may be a Sun (2.8). Raises Refusal for all others."""
    if call == ASHKAL and auction.terms.forced_sun and auction.phase in BUYING and seat in auction.waiting:
        return SUN
    raise refusal(auction, seat, call)


def _next(
    said: Auction,
    phase: QuestionKind | None,
    waiting: tuple[Seat, ...],
    held: Contract | None,
    answers: tuple[SeatCall, ...] = (),
    chain: tuple[Seat, ...] = (),
    kawesh: tuple[Seat, ...] = (),
) -> Auction:
    """What is asked after a call, in the same bidding."""
    start, terms, calls, _, _, bidding, _, _, _, _ = said
    return _new(Auction, (start, terms, calls, phase, waiting, bidding, held, answers, chain, kawesh))


def _ended(said: Auction, held: Contract | None) -> Auction:
    return _next(said, None, (), held)


def _after_bid(said: Auction, seat: Seat, call: Call) -> Auction:
    kind = call.kind
    if kind is _PASS:
        return _after_pass(said, seat)
    if kind is _HOKUM:
        return _after_hokum(said, seat)
    return _sun_held(said, _sun(said, seat, call))


def _after_pass(said: Auction, seat: Seat) -> Auction:
    following = _NEXT[seat]
    if seat is not said.start.dealer:
        return _next(said, said.phase, following, None, kawesh=said.kawesh)
    if said.bidding is _FIRST_BIDDING:
        return Auction(said.start, said.terms, said.calls, _SECOND, following, _SECOND_BIDDING)
    return _ended(said, None)


def _after_hokum(said: Auction, seat: Seat) -> Auction:
    """The others may answer Sun, as far as the rule set asks them in this bidding (2.7, 2.9)."""
    terms, bidding = said.terms, said.bidding
    trump = SUIT_OF[said.start.up_card] if bidding is _FIRST_BIDDING else None
    held = _hokum(trump, seat, bidding)
    kawesh = said.kawesh if said.kawesh and _ANSWER in terms.kawesh_phases else ()
    put = _next(said, _ANSWER, (), held, kawesh=kawesh)
    return _answered(put, _seats(said, terms.answering[bidding - 1], seat), ())


def _seats(auction: Auction, by_place: ByPlace, seat: Seat) -> tuple[Seat, ...]:
    """The seats that a table names for the place of a seat."""
    return _SEATS_AT[auction.start.dealer][by_place[place_of(auction, seat)]]


def _after_answer(said: Auction, seat: Seat, call: Call) -> Auction:
    waiting = tuple([other for other in said.waiting if other is not seat])
    return _answered(said, waiting, (*said.answers, SeatCall(seat, call)))


def _answered(said: Auction, waiting: tuple[Seat, ...], answers: tuple[SeatCall, ...]) -> Auction:
    """Settles the answers to a Hokum as soon as no missing one can matter: the earliest claim wins (2.7).

    Until then nobody's question goes away, even where it cannot matter any more: that would tell of a claim.
    """
    claims = [(place_of(said, one.seat), one) for one in answers if one.call.kind is not _PASS]
    if claims:
        place, claim = min(claims)
        if all(place_of(said, seat) > place for seat in waiting):
            return _sun_held(said, _sun(said, claim.seat, claim.call), over=said.held)
    elif not waiting:
        return _unclaimed(said)
    return _next(said, _ANSWER, waiting, said.held, answers, kawesh=said.kawesh)


def _unclaimed(said: Auction) -> Auction:
    """The buyer confirms, unless there is only one thing to say."""
    hokum = said.held
    assert hokum is not None
    if len(question_to_confirm(said, hokum.buyer).legal) == 1:
        return _bought(said, hokum)
    return _next(said, _CONFIRM, (hokum.buyer,), hokum)


def _after_confirm(said: Auction, seat: Seat, call: Call) -> Auction:
    """A Hokum turned to Sun is open to others only where the rule set says so (2.7)."""
    if call.kind is _SUN:
        sun = _sun(said, seat, call)
        return _sun_held(said, sun) if said.terms.turned_is_offered else _bought(said, sun)
    trump = SUIT_OF[said.start.up_card] if call.suit is None else call.suit
    return _bought(said, _hokum(trump, seat, said.bidding))


def _sun(said: Auction, seat: Seat, call: Call) -> Contract:
    """A Sun; in Ashkal the partner takes the up card (2.8)."""
    taker = seat.partner if call.kind is _ASHKAL else seat
    return _new_sun(seat, taker, said.bidding)


@cache
def _new_sun(buyer: Seat, taker: Seat, bidding: Bidding) -> Contract:
    return Contract(Mode.SUN, None, buyer, taker, bidding)


@cache
def _hokum(trump: Suit | None, buyer: Seat, bidding: Bidding) -> Contract:
    """A Hokum; its trump is None while a Hokum of the second bidding is not named."""
    return Contract(Mode.HOKUM, trump, buyer, buyer, bidding)


def _sun_held(
    said: Auction, sun: Contract, chain: tuple[Seat, ...] = (), over: Contract | None = None
) -> Auction:
    """Asks the next who may take over a Sun and was not asked in this chain; with none left it is bought (2.6, 2.10)."""
    takeover = said.terms.takeover[said.bidding - 1]
    if over is not None and takeover.not_the_caller:
        chain = (over.buyer,)
    for seat in _seats(said, takeover.asked, sun.buyer):
        if seat not in chain:
            return _next(said, _TAKEOVER, (seat,), sun, chain=(*chain, seat))
    return _bought(said, sun)


def _after_takeover(said: Auction, seat: Seat, call: Call) -> Auction:
    held = said.held
    assert held is not None
    if call.kind is not _PASS:
        held = _sun(said, seat, call)
        if said.terms.takeover[said.bidding - 1].kept:
            return _bought(said, held)
    return _sun_held(said, held, said.chain)


# Raising.


def _bought(said: Auction, contract: Contract) -> Auction:
    """The buying is over, and the raising begins unless nobody may double (2.14, 2.16)."""
    if said.terms.ladder.double_bar(said.start.scores, contract) is not None:
        return _ended(said, contract)
    return _next_raise(said, contract)


def _after_raise(said: Auction, seat: Seat, call: Call) -> Auction:
    """A raise passes the question to the other side; a pass to the next whose raise it is, or it ends the ladder (2.14)."""
    contract, ladder = said.held, said.terms.ladder
    assert contract is not None
    if call.kind is not _PASS:
        return _next_raise(said, _raised(contract, Raise(seat, LEVELS[call.kind], bool(call.locked))))
    raisers = ladder.raisers(contract, _ABOVE[contract.level])
    following = raisers[raisers.index(seat) + 1 :]
    return _next(said, said.phase, following, contract) if following else _ended(said, contract)


def _raised(contract: Contract, further: Raise) -> Contract:
    mode, trump, buyer = contract.mode, contract.trump, contract.buyer
    return Contract(mode, trump, buyer, contract.taker, contract.bidding, (*contract.raises, further))


def _next_raise(said: Auction, contract: Contract) -> Auction:
    """Asks the first of those who may raise further."""
    ladder, level = said.terms.ladder, contract.level
    if level is ladder.top(contract):
        return _ended(said, contract)
    first = ladder.raisers(contract, _ABOVE[level])[:1]
    return _next(said, LADDER[level - 1], first, contract)


_FOLLOW: dict[QuestionKind, Callable[[Auction, Seat, Call], Auction]] = {
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
