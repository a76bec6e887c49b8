"""Reading what was played."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence

import grpc.aio
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_UNSPECIFIED,
    CreateShareRequest,
    CreateShareResponse,
    GetHeadToHeadRequest,
    GetHeadToHeadResponse,
    GetMatchRequest,
    GetMatchResponse,
    GetPartnersRequest,
    GetPlayerStatisticsRequest,
    GetPlayerStatisticsResponse,
    GetProofRequest,
    GetProofResponse,
    GetReplayRequest,
    GetSharedRequest,
    GetSharedResponse,
    ListMatchesRequest,
    ListSharesRequest,
    MatchStatus,
    MatchSummary,
    Partner,
    Replay,
    Share,
    WithdrawShareRequest,
)
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.client.asking import Asking
from baloot.client.credentials import Credentials
from baloot.client.retrying import Pace

PAGE_SIZE = 50
PROOF_PAGE_SIZE = 500


class HistoryClient(Asking):
    """The history of matches. Every method raises Refusal. Links are made with `credentials`."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        pace: Pace | None = None,
        credentials: Credentials | None = None,
    ) -> None:
        super().__init__(pace, credentials)
        self._stub = HistoryServiceStub(channel)

    async def matches(
        self,
        *,
        status: MatchStatus.ValueType = MATCH_STATUS_UNSPECIFIED,
        player_name: str = "",
        page_size: int = PAGE_SIZE,
    ) -> AsyncGenerator[MatchSummary, None]:
        """All matches that fit, the latest started first, page by page as they are read."""
        wanted = ListMatchesRequest(status=status, player_name=player_name, page_size=page_size)
        async for match in self.matches_of(wanted):
            yield match

    async def matches_of(self, wanted: ListMatchesRequest) -> AsyncGenerator[MatchSummary, None]:
        """The same, with all the filters that a request may have; `page_size` says how many are read at once."""
        request = ListMatchesRequest()
        request.CopyFrom(wanted)
        while True:
            page = await self._ask(self._stub.ListMatches, request)
            for match in page.matches:
                yield match
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def match(self, match_id: str) -> GetMatchResponse:
        """One match with its finished rounds. Raises Refusal MATCH_UNKNOWN."""
        request = GetMatchRequest(match_id=match_id)
        return await self._ask(self._stub.GetMatch, request)

    async def head_to_head(self, player_id: str, other_player_id: str) -> GetHeadToHeadResponse:
        """How two accounts did, from the side of the first one."""
        request = GetHeadToHeadRequest(player_id=player_id, other_player_id=other_player_id)
        return await self._ask(self._stub.GetHeadToHead, request)

    async def partners(self, player_id: str) -> AsyncGenerator[Partner, None]:
        """All partners of an account, those with most matches first, page by page as they are read."""
        request = GetPartnersRequest(player_id=player_id, page_size=PAGE_SIZE)
        while True:
            page = await self._ask(self._stub.GetPartners, request)
            for partner in page.partners:
                yield partner
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def statistics(self, player_id: str) -> GetPlayerStatisticsResponse:
        """What an account did in all its finished matches."""
        request = GetPlayerStatisticsRequest(player_id=player_id)
        return await self._ask(self._stub.GetPlayerStatistics, request)

    async def replay(self, request: GetReplayRequest) -> Replay:
        """A round as it was seen. Raises Refusal MATCH_UNKNOWN or ROUND_UNKNOWN."""
        return (await self._ask(self._stub.GetReplay, request)).replay

    async def create_share(self, request: CreateShareRequest) -> CreateShareResponse:
        """A link of the account whose credentials these are. Raises Refusal as the contract says."""
        return await self._ask(self._stub.CreateShare, request)

    async def shared(self, token: str, number: int = 0) -> GetSharedResponse:
        """What a link leads to, with the replay of one of its rounds if it has a number. Raises Refusal SHARE_UNKNOWN."""
        return await self._ask(self._stub.GetShared, GetSharedRequest(token=token, number=number))

    async def withdraw_share(self, share_id: str) -> None:
        """Ends a link of one's own. Raises Refusal SHARE_UNKNOWN."""
        await self._ask(self._stub.WithdrawShare, WithdrawShareRequest(share_id=share_id))

    async def shares(self) -> Sequence[Share]:
        """The links of one's own that are good, the newest first."""
        return (await self._ask(self._stub.ListShares, ListSharesRequest())).shares

    async def proof(
        self, match_id: str, page_size: int = PROOF_PAGE_SIZE
    ) -> AsyncGenerator[GetProofResponse, None]:
        """The log of a match as it is stored, as far as it may be told; the last page says whether that is all of it.

        Raises Refusal MATCH_UNKNOWN.
        """
        request = GetProofRequest(match_id=match_id, page_size=page_size)
        while True:
            page = await self._ask(self._stub.GetProof, request)
            yield page
            if page.complete or not page.entries:
                return
            request.after_sequence = page.entries[-1].sequence
