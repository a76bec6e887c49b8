"""Reading what was played."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import grpc.aio
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_UNSPECIFIED,
    GetMatchRequest,
    GetMatchResponse,
    GetProofRequest,
    GetProofResponse,
    ListMatchesRequest,
    MatchStatus,
    MatchSummary,
)
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.client.retrying import Pace, until_known
from baloot.kit import calling

PAGE_SIZE = 50
PROOF_PAGE_SIZE = 500


class HistoryClient:
    """The history of matches. Every method raises Refusal."""

    def __init__(self, channel: grpc.aio.Channel, *, pace: Pace | None = None) -> None:
        self._stub = HistoryServiceStub(channel)
        self._pace = pace or Pace()

    async def matches(
        self,
        *,
        status: MatchStatus.ValueType = MATCH_STATUS_UNSPECIFIED,
        player_name: str = "",
        page_size: int = PAGE_SIZE,
    ) -> AsyncGenerator[MatchSummary, None]:
        """All matches that fit, the latest started first, page by page as they are read."""
        request = ListMatchesRequest(status=status, player_name=player_name, page_size=page_size)
        while True:
            page = await until_known(lambda: calling.call(self._stub.ListMatches, request), self._pace)
            for match in page.matches:
                yield match
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def match(self, match_id: str) -> GetMatchResponse:
        """One match with its finished rounds. Raises Refusal MATCH_UNKNOWN."""
        request = GetMatchRequest(match_id=match_id)
        return await until_known(lambda: calling.call(self._stub.GetMatch, request), self._pace)

    async def proof(
        self, match_id: str, page_size: int = PROOF_PAGE_SIZE
    ) -> AsyncGenerator[GetProofResponse, None]:
        """The log of a match as it is stored, as far as it may be told; the last page says whether that is all of it.

        Raises Refusal MATCH_UNKNOWN.
        """
        request = GetProofRequest(match_id=match_id, page_size=page_size)
        while True:
            page = await until_known(lambda: calling.call(self._stub.GetProof, request), self._pace)
            yield page
            if page.complete or not page.entries:
                return
            request.after_sequence = page.entries[-1].sequence
