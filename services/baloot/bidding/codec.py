"""The bidding service's requests and answers on the wire."""

from __future__ import annotations

from baloot.api.bidding.v1 import bidding_pb2 as pb
from baloot.codec.auction import (
    decode_auction_record,
    decode_auction_step,
    decode_call,
    encode_auction_record,
    encode_auction_step,
    encode_call,
)
from baloot.codec.enums import SEAT
from baloot.core.auction import AuctionRecord, AuctionStep, Call
from baloot.core.seats import Seat


def encode_get_auction(record: AuctionRecord) -> pb.GetAuctionRequest:
    return pb.GetAuctionRequest(record=encode_auction_record(record))


def decode_get_auction(request: pb.GetAuctionRequest) -> AuctionRecord:
    """Raises Refusal with the path of the field that cannot be read."""
    return decode_auction_record(request.record, "record")


def encode_make_call(record: AuctionRecord, seat: Seat, call: Call) -> pb.MakeCallRequest:
    return pb.MakeCallRequest(
        record=encode_auction_record(record), seat=SEAT.encode(seat), call=encode_call(call)
    )


def decode_make_call(request: pb.MakeCallRequest) -> tuple[AuctionRecord, Seat, Call]:
    """Raises Refusal with the path of the field that cannot be read."""
    return (
        decode_auction_record(request.record, "record"),
        SEAT.decode(request.seat, "seat"),
        decode_call(request.call, "call"),
    )


def encode_got(step: AuctionStep) -> pb.GetAuctionResponse:
    return pb.GetAuctionResponse(step=encode_auction_step(step))


def decode_got(response: pb.GetAuctionResponse) -> AuctionStep:
    return decode_auction_step(response.step, "step")


def encode_made(step: AuctionStep) -> pb.MakeCallResponse:
    return pb.MakeCallResponse(step=encode_auction_step(step))


def decode_made(response: pb.MakeCallResponse) -> AuctionStep:
    return decode_auction_step(response.step, "step")
