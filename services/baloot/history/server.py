"""The history service over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import (
    HistoryServiceServicer,
    add_HistoryServiceServicer_to_server,
)
from baloot.history import codec
from baloot.history.postgres import PostgresHistory
from baloot.kit.serving import Service

NAME = pb.DESCRIPTOR.services_by_name["HistoryService"].full_name


class HistoryServicer(HistoryServiceServicer):
    """Decodes, asks the database, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, history: PostgresHistory) -> None:
        self._history = history

    async def ListMatches(self, request: pb.ListMatchesRequest, _context: Any) -> pb.ListMatchesResponse:
        return codec.encode_page(await self._history.list_matches(*codec.decode_list_matches(request)))

    async def GetMatch(self, request: pb.GetMatchRequest, _context: Any) -> pb.GetMatchResponse:
        return codec.encode_match(await self._history.get_match(codec.decode_get_match(request)))


def service(history: PostgresHistory) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, HistoryServicer(history), add_HistoryServiceServicer_to_server)
