"""What is seen of the buying of a round, on the wire."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.auction import encode_call, encode_seat_call
from baloot.codec.cards import encode_cards, encode_hand
from baloot.codec.contract import encode_contract
from baloot.codec.enums import SEAT
from baloot.table import events as ev
from baloot.table.codec.encoders import Encoders
from baloot.table.views.bidding import SeenAnswerGiven, SeenHandsCompleted


def _call_made(event: ev.CallMade) -> pb.CallMade:
    return pb.CallMade(seat=SEAT.encode(event.seat), call=encode_call(event.call))


def _answer_given(event: SeenAnswerGiven) -> pb.AnswerGiven:
    call = None if event.call is None else encode_call(event.call)
    return pb.AnswerGiven(seat=SEAT.encode(event.seat), call=call)


def _answers_opened(event: ev.AnswersOpened) -> pb.AnswersOpened:
    return pb.AnswersOpened(answers=[encode_seat_call(answer) for answer in event.answers])


def _asked_again(event: ev.AskedAgain) -> pb.AskedAgain:
    return pb.AskedAgain(seat=SEAT.encode(event.seat))


def _bought(event: ev.Bought) -> pb.Bought:
    return pb.Bought(contract=encode_contract(event.contract))


def _deal_void(event: ev.DealVoid) -> pb.DealVoid:
    hands = [encode_hand(hand) for hand in event.hands]
    return pb.DealVoid(kawesh=SEAT.encode_optional(event.kawesh), hands=hands)


def _hands_completed(event: SeenHandsCompleted) -> pb.HandsCompleted:
    return pb.HandsCompleted(hand=encode_cards(event.hand))


ENCODERS: Encoders = {
    ev.CallMade: ("call_made", _call_made),
    SeenAnswerGiven: ("answer_given", _answer_given),
    ev.AnswersOpened: ("answers_opened", _answers_opened),
    ev.AskedAgain: ("asked_again", _asked_again),
    ev.Bought: ("bought", _bought),
    ev.DealVoid: ("deal_void", _deal_void),
    SeenHandsCompleted: ("hands_completed", _hands_completed),
}
