"""Auctions on the wire: calls, the record, and what follows from it."""

from __future__ import annotations

from collections.abc import Mapping

from baloot.api.core.v1 import auction_pb2 as pb
from baloot.codec.cards import (
    decode_hands,
    decode_points,
    decode_seats,
    encode_hand,
    encode_points,
    encode_seats,
)
from baloot.codec.contract import decode_contract, encode_contract
from baloot.codec.enums import CALL_KIND, CARD, CUT_CHOICE, QUESTION_KIND, SEAT, SUIT
from baloot.codec.fields import decode_each, invalid
from baloot.codec.ruleset import decode_ruleset_of, encode_ruleset
from baloot.core.auction import (
    Asked,
    AuctionRecord,
    AuctionStep,
    Call,
    KaweshCalled,
    SeatCall,
    ThrownIn,
)
from baloot.core.contract import Contract

MAX_CALLS = 64
"""The most calls in a record; a real auction has fewer than twenty."""
_MAX_QUESTIONS = 8
_MAX_LEGAL = 165

_LOCKS: Mapping[bool | None, pb.Lock.ValueType] = {
    None: pb.LOCK_UNSPECIFIED,
    False: pb.LOCK_OPEN,
    True: pb.LOCK_LOCKED,
}
_LOCKED: Mapping[int, bool | None] = {number: locked for locked, number in _LOCKS.items()}


def encode_call(call: Call) -> pb.Call:
    return pb.Call(
        kind=CALL_KIND.encode(call.kind),
        suit=SUIT.encode_optional(call.suit),
        lock=_LOCKS[call.locked],
        cut=CUT_CHOICE.encode_optional(call.cut),
    )


def decode_call(message: pb.Call, path: str) -> Call:
    lock = message.lock
    if lock not in _LOCKED:
        raise invalid(f"{path}.lock", f"has the number {lock}, which is no lock")
    return Call(
        CALL_KIND.decode(message.kind, f"{path}.kind"),
        SUIT.decode_optional(message.suit, f"{path}.suit"),
        _LOCKED[lock],
        CUT_CHOICE.decode_optional(message.cut, f"{path}.cut"),
    )


def encode_seat_call(said: SeatCall) -> pb.SeatCall:
    return pb.SeatCall(seat=SEAT.encode(said.seat), call=encode_call(said.call))


def decode_seat_call(message: pb.SeatCall, path: str) -> SeatCall:
    return SeatCall(SEAT.decode(message.seat, f"{path}.seat"), decode_call(message.call, f"{path}.call"))


def encode_auction_record(record: AuctionRecord) -> pb.AuctionRecord:
    return pb.AuctionRecord(
        dealer=SEAT.encode(record.dealer),
        up_card=CARD.encode(record.up_card),
        hands=[encode_hand(hand) for hand in record.hands],
        scores=encode_points(record.scores),
        calls=[encode_seat_call(said) for said in record.calls],
        ruleset=encode_ruleset(record.ruleset),
    )


def decode_auction_record(message: pb.AuctionRecord, path: str) -> AuctionRecord:
    return AuctionRecord(
        dealer=SEAT.decode(message.dealer, f"{path}.dealer"),
        up_card=CARD.decode(message.up_card, f"{path}.up_card"),
        hands=decode_hands(message.hands, f"{path}.hands"),
        scores=decode_points(message.scores),
        calls=decode_each(decode_seat_call, message.calls, f"{path}.calls", most=MAX_CALLS),
        ruleset=decode_ruleset_of(message, path),
    )


def encode_asked(asked: Asked) -> pb.CallQuestion:
    return pb.CallQuestion(
        seat=SEAT.encode(asked.seat),
        kind=QUESTION_KIND.encode(asked.kind),
        legal=[encode_call(call) for call in asked.legal],
        default_call=encode_call(asked.default),
    )


def decode_asked(message: pb.CallQuestion, path: str) -> Asked:
    return Asked(
        seat=SEAT.decode(message.seat, f"{path}.seat"),
        kind=QUESTION_KIND.decode(message.kind, f"{path}.kind"),
        legal=decode_each(decode_call, message.legal, f"{path}.legal", most=_MAX_LEGAL),
        default=decode_call(message.default_call, f"{path}.default_call"),
    )


def encode_auction_step(step: AuctionStep) -> pb.AuctionStep:
    message = pb.AuctionStep(
        record=encode_auction_record(step.record),
        questions=[encode_asked(asked) for asked in step.asked],
        contract=None if step.contract is None else encode_contract(step.contract),
        sealed=encode_seats(step.sealed),
    )
    match step.outcome:
        case Contract():
            message.bought.CopyFrom(encode_contract(step.outcome))
        case ThrownIn():
            message.thrown_in.SetInParent()
        case KaweshCalled(seat):
            message.kawesh.seat = SEAT.encode(seat)
    return message


def decode_auction_step(message: pb.AuctionStep, path: str) -> AuctionStep:
    has_contract = message.HasField("contract")
    return AuctionStep(
        record=decode_auction_record(message.record, f"{path}.record"),
        asked=decode_each(decode_asked, message.questions, f"{path}.questions", most=_MAX_QUESTIONS),
        contract=decode_contract(message.contract, f"{path}.contract") if has_contract else None,
        outcome=_decode_outcome(message, path),
        sealed=decode_seats(message.sealed, f"{path}.sealed"),
    )


def _decode_outcome(message: pb.AuctionStep, path: str) -> Contract | ThrownIn | KaweshCalled | None:
    match message.WhichOneof("outcome"):
        case "bought":
            return decode_contract(message.bought, f"{path}.bought")
        case "thrown_in":
            return ThrownIn()
        case "kawesh":
            return KaweshCalled(SEAT.decode(message.kawesh.seat, f"{path}.kawesh.seat"))
        case _:
            return None
