"""How the buying of a round is written in the log: sealed answers and hands hidden."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.auction import decode_call, decode_seat_call, encode_call
from baloot.codec.cards import decode_four_hands, decode_hands
from baloot.codec.contract import decode_contract
from baloot.codec.enums import SEAT
from baloot.core.deal import DealEnd
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.payload.halves import NO_HANDS, Hiders, Readers, each, hide_hands


def _call_made(message: wire.CallMade, *_: object) -> ev.CallMade:
    return ev.CallMade(SEAT.decode(message.seat, "seat"), decode_call(message.call, "call"))


def _hide_answer_given(event: ev.AnswerGiven, _payload: log.Entry, secret: log.Secret) -> None:
    secret.answer.CopyFrom(encode_call(event.call))


def _answer_given(message: wire.AnswerGiven, _payload: log.Entry, secret: log.Secret) -> ev.AnswerGiven:
    return ev.AnswerGiven(SEAT.decode(message.seat, "seat"), decode_call(secret.answer, "answer"))


def _open_answer_given(*_: object) -> None:
    return None


def _answers_opened(message: wire.AnswersOpened, *_: object) -> ev.AnswersOpened:
    return ev.AnswersOpened(each(decode_seat_call, message.answers))


def _asked_again(message: wire.AskedAgain, *_: object) -> ev.AskedAgain:
    return ev.AskedAgain(SEAT.decode(message.seat, "seat"))


def _bought(message: wire.Bought, *_: object) -> ev.Bought:
    return ev.Bought(decode_contract(message.contract, "contract"))


def _deal_void(message: wire.DealVoid, *_: object) -> ev.DealVoid:
    kawesh = SEAT.decode_optional(message.kawesh, "kawesh")
    end = DealEnd.THROWN_IN if kawesh is None else DealEnd.KAWESH
    return ev.DealVoid(end, kawesh, decode_hands(message.hands, "hands"))


def _hands_completed(
    _message: wire.HandsCompleted, _payload: log.Entry, secret: log.Secret
) -> ev.HandsCompleted:
    return ev.HandsCompleted(decode_four_hands(secret.hands, "hands"))


def _open_hands_completed(*_: object) -> ev.HandsCompleted:
    return ev.HandsCompleted(NO_HANDS)


HIDERS: Hiders = {
    ev.AnswerGiven: ("answer", _hide_answer_given),
    ev.HandsCompleted: ("hands", hide_hands),
}

READERS: Readers = {
    "call_made": _call_made,
    "answer_given": _answer_given,
    "answers_opened": _answers_opened,
    "asked_again": _asked_again,
    "bought": _bought,
    "deal_void": _deal_void,
    "hands_completed": _hands_completed,
}

OPEN_READERS: Readers = {
    "answer_given": _open_answer_given,
    "hands_completed": _open_hands_completed,
}
