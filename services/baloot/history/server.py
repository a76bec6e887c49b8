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
from baloot.history.proofs import Log, proof
from baloot.kit.serving import Service

NAME = pb.DESCRIPTOR.services_by_name["HistoryService"].full_name


class HistoryServicer(HistoryServiceServicer):
    """Decodes, asks the database, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, history: PostgresHistory, log: Log) -> None:
        self._history = history
        self._log = log

    async def ListMatches(self, request: pb.ListMatchesRequest, _context: Any) -> pb.ListMatchesResponse:
        return codec.encode_page(await self._history.list_matches(*codec.decode_list_matches(request)))

    async def GetMatch(self, request: pb.GetMatchRequest, _context: Any) -> pb.GetMatchResponse:
        return codec.encode_match(await self._history.get_match(codec.decode_get_match(request)))

    async def GetProof(self, request: pb.GetProofRequest, _context: Any) -> pb.GetProofResponse:
        match_id, after, limit = codec.decode_get_proof(request)
        return codec.encode_proof(await proof(self._history, self._log, match_id, after, limit))


def service(history: PostgresHistory, log: Log) -> Service:
    """What `baloot.kit.serving.start` serves. `log` is where the tables' logs are, as they are stored."""
    return Service(NAME, HistoryServicer(history, log), add_HistoryServiceServicer_to_server)
