"""The play service's requests and answers on the wire."""

from __future__ import annotations

from baloot.api.play.v1 import play_pb2 as pb
from baloot.codec.play import (
    decode_play_record,
    decode_play_step,
    decode_seat_move,
    encode_play_record,
    encode_play_step,
    encode_seat_move,
)
from baloot.core.play import Move, PlayRecord, PlayStep, SeatMove
from baloot.core.seats import Seat


def encode_get_play(record: PlayRecord) -> pb.GetPlayRequest:
    return pb.GetPlayRequest(record=encode_play_record(record))


def decode_get_play(request: pb.GetPlayRequest) -> PlayRecord:
    """Raises Refusal with the path of the field that cannot be read."""
    return decode_play_record(request.record, "record")


def encode_make_move(record: PlayRecord, seat: Seat, move: Move) -> pb.MakeMoveRequest:
    return pb.MakeMoveRequest(record=encode_play_record(record), move=encode_seat_move(SeatMove(seat, move)))


def decode_make_move(request: pb.MakeMoveRequest) -> tuple[PlayRecord, Seat, Move]:
    """Raises Refusal with the path of the field that cannot be read."""
    made = decode_seat_move(request.move, "move")
    return decode_play_record(request.record, "record"), made.seat, made.move


def encode_got(step: PlayStep) -> pb.GetPlayResponse:
    return pb.GetPlayResponse(step=encode_play_step(step))


def decode_got(response: pb.GetPlayResponse) -> PlayStep:
    return decode_play_step(response.step, "step")


def encode_made(step: PlayStep) -> pb.MakeMoveResponse:
    return pb.MakeMoveResponse(step=encode_play_step(step))


def decode_made(response: pb.MakeMoveResponse) -> PlayStep:
    return decode_play_step(response.step, "step")
