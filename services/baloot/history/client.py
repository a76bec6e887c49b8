"""The history service asked over gRPC, with the functions of the database's own history."""

from __future__ import annotations

from uuid import UUID

import grpc.aio
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.history import codec
from baloot.history.postgres import PAGE_SIZE
from baloot.history.records import Match, MatchFilter, Page
from baloot.kit.calling import call


class RemoteHistory:
    """Answers like `PostgresHistory`, with the same refusals; also DEADLINE_EXCEEDED."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = HistoryServiceStub(channel)

    async def list_matches(
        self, chosen: MatchFilter = MatchFilter(), size: int = PAGE_SIZE, token: str = ""
    ) -> Page:
        """A page of 1 to 100 matches, the first one without a token. Raises Refusal FIELD_INVALID."""
        request = codec.encode_list_matches(chosen, size, token)
        return codec.decode_page(await call(self._stub.ListMatches, request))

    async def get_match(self, match_id: UUID) -> Match:
        """A match with its finished rounds. Raises Refusal MATCH_UNKNOWN."""
        return codec.decode_match(await call(self._stub.GetMatch, codec.encode_get_match(match_id)))
