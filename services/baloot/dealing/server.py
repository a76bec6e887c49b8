"""The dealing service over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.dealing.v1 import dealing_pb2 as pb
from baloot.api.dealing.v1.dealing_pb2_grpc import (
    DealingServiceServicer,
    add_DealingServiceServicer_to_server,
)
from baloot.dealing import codec
from baloot.dealing.local import LocalDealing
from baloot.kit.serving import Service

NAME = pb.DESCRIPTOR.services_by_name["DealingService"].full_name


class DealingServicer(DealingServiceServicer):
    """Decodes, asks the local service, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, dealing: LocalDealing) -> None:
        self._dealing = dealing

    async def CommitDeals(self, request: pb.CommitDealsRequest, _context: Any) -> pb.CommitDealsResponse:
        return codec.encode_committed(await self._dealing.commit_deals(*codec.decode_commit_deals(request)))

    async def ChooseDealer(self, request: pb.ChooseDealerRequest, _context: Any) -> pb.ChooseDealerResponse:
        return codec.encode_chosen(await self._dealing.choose_dealer(*codec.decode_choose_dealer(request)))

    async def Deal(self, request: pb.DealRequest, _context: Any) -> pb.DealResponse:
        return codec.encode_dealt_answer(await self._dealing.deal(*codec.decode_deal(request)))

    async def OpenCards(self, request: pb.OpenCardsRequest, _context: Any) -> pb.OpenCardsResponse:
        return codec.encode_opened(await self._dealing.open_cards(*codec.decode_open_cards(request)))

    async def Reveal(self, request: pb.RevealRequest, _context: Any) -> pb.RevealResponse:
        return codec.encode_revealed(await self._dealing.reveal(*codec.decode_reveal(request)))

    async def GetMatchKey(self, request: pb.GetMatchKeyRequest, _context: Any) -> pb.GetMatchKeyResponse:
        return codec.encode_match_key(await self._dealing.match_key(codec.decode_match_id(request.match_id)))

    async def GetStoreKey(self, _request: pb.GetStoreKeyRequest, _context: Any) -> pb.GetStoreKeyResponse:
        return codec.encode_store_key(await self._dealing.store_key())


def service(dealing: LocalDealing) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, DealingServicer(dealing), add_DealingServiceServicer_to_server)
