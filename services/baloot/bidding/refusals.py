"""Why a call is refused: the same bars that keep it from being offered say why it is not (rules, 2.5 to 2.16)."""

from __future__ import annotations

from baloot.bidding import bars
from baloot.bidding.bars import Bar
from baloot.bidding.ladder import LEVELS
from baloot.bidding.offers import Auction, ashkal_bar, question_to, turning_bar
from baloot.core.auction import Call, CallKind, QuestionKind, spelled_calls
from baloot.core.contract import Bidding, Mode
from baloot.core.errors import Reason, Refusal, forbidden
from baloot.core.seats import Seat


def refusal(auction: Auction, seat: Seat, call: Call) -> Refusal:
    """The refusal of a call that is not legal, for its most telling reason, with the calls that the seat is offered."""
    bar = next(filter(None, (why(auction, seat, call) for why in _BARS)), None) or _not_offered(auction)
    facts = {"seat": str(seat), "call": str(call)}
    if bar.reason is Reason.SUN_DOUBLE_SCORES and auction.held is not None:
        buying = auction.held.buying_team
        facts["buyers"] = str(auction.start.scores[buying])
        facts["defenders"] = str(auction.start.scores[buying.other])
    question = question_to(auction, seat)
    legal = spelled_calls(question.legal) if question is not None else ""
    return forbidden(bar.reason, bar.sentence.format(**facts), rule=bar.rule, legal=legal, facts=facts)


def _not_offered(auction: Auction) -> Bar:
    """What has no place among the answers to a question, by the rule that lists them."""
    assert auction.phase is not None, "asked what is offered when the auction is over"
    return bars.NOT_OFFERED._replace(rule=_RULES[auction.phase][auction.bidding - 1])


_RULES: dict[QuestionKind, tuple[str, str]] = {
    QuestionKind.FIRST: ("2.5", "2.5"),
    QuestionKind.ANSWER: ("2.7", "2.9"),
    QuestionKind.TAKEOVER: ("2.6", "2.10"),
    QuestionKind.SECOND: ("2.9", "2.9"),
    QuestionKind.CONFIRM: ("2.7", "2.9"),
    QuestionKind.DOUBLE: ("2.14", "2.14"),
    QuestionKind.THREE: ("2.14", "2.14"),
    QuestionKind.FOUR: ("2.14", "2.14"),
    QuestionKind.GAHWA: ("2.14", "2.14"),
}
"""For each question, the rule that lists its answers in either bidding."""


def _kawesh_bar(auction: Auction, seat: Seat, call: Call) -> Bar | None:
    """A worthless hand is shown by who holds it, and where the rule set has it (2.12)."""
    if call.kind is not CallKind.KAWESH:
        return None
    terms = auction.terms
    if auction.bidding is Bidding.SECOND or auction.phase not in terms.kawesh_phases:
        return terms.kawesh_bar
    if seat not in auction.kawesh:
        return bars.KAWESH_HAND
    return None if terms.kawesh_any_time or seat in auction.waiting else bars.NOT_YOUR_TURN


def _raise_bar(auction: Auction, seat: Seat, call: Call) -> Bar | None:
    contract = auction.contract
    if contract is None or call.kind not in LEVELS:
        return None
    ladder, level = auction.terms.ladder, LEVELS[call.kind]
    if level > ladder.top(contract):
        return ladder.sun_top_bar
    if seat not in ladder.raisers(contract, level):
        return bars.RAISE_NOT_YOURS
    return ladder.double_bar(auction.start.scores, contract)


def _turning_bar(auction: Auction, seat: Seat, call: Call) -> Bar | None:
    held = auction.held
    if call.kind is CallKind.SUN and held is not None and held.mode is Mode.HOKUM and seat is held.buyer:
        return turning_bar(auction, seat)
    return None


def _phase_bar(auction: Auction, _: Seat, call: Call) -> Bar | None:
    buying, raising = auction.contract is None, call.kind in LEVELS
    if auction.phase is None or (call.kind is not CallKind.PASS and buying is raising):
        return bars.WRONG_PHASE
    return None


def _seat_bar(auction: Auction, seat: Seat, call: Call) -> Bar | None:
    if seat in auction.waiting or call.kind is CallKind.KAWESH:
        return None
    return bars.NOT_YOUR_TURN


def _bid_bar(auction: Auction, seat: Seat, call: Call) -> Bar | None:
    if call.kind is CallKind.HOKUM and auction.phase is QuestionKind.ANSWER:
        return bars.HOKUM_OVER_HOKUM
    if call.kind is CallKind.ASHKAL and auction.phase in BUYING and not auction.terms.forced_sun:
        return ashkal_bar(auction, seat)
    return None


def _form_bar(auction: Auction, seat: Seat, call: Call) -> Bar | None:
    """The kind of call is offered: then it is its suit or its lock that is not."""
    question = question_to(auction, seat)
    offered = [legal for legal in question.legal if legal.kind is call.kind] if question else []
    if not offered:
        return None
    if call.cut is not None:
        return bars.CUT_NOT_ALLOWED
    if all(legal.suit is not call.suit for legal in offered):
        return bars.SUIT_REQUIRED if call.suit is None else bars.SUIT_NOT_ALLOWED
    return auction.terms.ladder.lock_bar if call.locked is None else bars.LOCK_NOT_ALLOWED


BUYING = (QuestionKind.FIRST, QuestionKind.ANSWER, QuestionKind.SECOND)
"""The questions that are answered by bids."""

_BARS = (_kawesh_bar, _raise_bar, _turning_bar, _phase_bar, _seat_bar, _bid_bar, _form_bar)
"""From what a rule of the game forbids whoever's turn it is, to how the call is put. The first that holds is told."""
