"""The bidding service over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.bidding.v1 import bidding_pb2 as pb
from baloot.api.bidding.v1.bidding_pb2_grpc import (
    BiddingServiceServicer,
    add_BiddingServiceServicer_to_server,
)
from baloot.bidding import codec
from baloot.bidding.local import LocalBidding
from baloot.kit.serving import Service

NAME = pb.DESCRIPTOR.services_by_name["BiddingService"].full_name


class BiddingServicer(BiddingServiceServicer):
    """Decodes, asks the local service, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, bidding: LocalBidding) -> None:
        self._bidding = bidding

    async def GetAuction(self, request: pb.GetAuctionRequest, _context: Any) -> pb.GetAuctionResponse:
        return codec.encode_got(await self._bidding.get_auction(codec.decode_get_auction(request)))

    async def MakeCall(self, request: pb.MakeCallRequest, _context: Any) -> pb.MakeCallResponse:
        return codec.encode_made(await self._bidding.make_call(*codec.decode_make_call(request)))


def service(bidding: LocalBidding) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, BiddingServicer(bidding), add_BiddingServiceServicer_to_server)
