"""The bidding service asked over gRPC, with the functions of the local one."""

from __future__ import annotations

import grpc.aio
from baloot.api.bidding.v1.bidding_pb2_grpc import BiddingServiceStub
from baloot.bidding import codec
from baloot.core.auction import AuctionRecord, AuctionStep, Call
from baloot.core.seats import Seat
from baloot.kit.calling import call as ask


class RemoteBidding:
    """Answers like `LocalBidding`, with the same refusals; also UNAVAILABLE and DEADLINE_EXCEEDED."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = BiddingServiceStub(channel)

    async def get_auction(self, record: AuctionRecord) -> AuctionStep:
        """What follows from a record. Raises Refusal when it does not follow the rules."""
        return codec.decode_got(await ask(self._stub.GetAuction, codec.encode_get_auction(record)))

    async def make_call(self, record: AuctionRecord, seat: Seat, call: Call) -> AuctionStep:
        """What follows from one call more. Raises Refusal with the rule that forbids it."""
        request = codec.encode_make_call(record, seat, call)
        return codec.decode_made(await ask(self._stub.MakeCall, request))
