"""Matches as text: got from a server, checked there, and brought to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Iterator, Sequence
from uuid import UUID, uuid4

import grpc.aio
from baloot.api.history.v1.archive_pb2 import (
    CheckMatchRequest,
    CheckMatchResponse,
    ExportMatchesRequest,
    ExportMatchesResponse,
    ImportMatchesRequest,
    ImportMatchesResponse,
)
from baloot.api.history.v1.archive_pb2_grpc import ArchiveServiceStub
from baloot.api.history.v1.history_pb2 import ListMatchesRequest
from baloot.client.asking import Asking
from baloot.client.credentials import Credentials
from baloot.client.retrying import UNKNOWN_OUTCOME, Pace, told_wait
from baloot.core.errors import Refusal
from baloot.kit import calling

PIECE = 16_000
"""Characters of a piece: even of the longest ones, a request may have so many."""
IDS = 100
"""Matches that are asked for at once by their ids."""
UPLOAD_SECONDS = 60.0


class ArchiveClient(Asking):
    """The archive of a server. Every method raises Refusal."""

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        pace: Pace | None = None,
        credentials: Credentials | None = None,
    ) -> None:
        super().__init__(pace, credentials)
        self._stub = ArchiveServiceStub(channel)

    async def matches(self, match_ids: Sequence[str]) -> AsyncGenerator[ExportMatchesResponse, None]:
        """Some matches in order. Raises Refusal MATCH_UNKNOWN."""
        for at in range(0, len(match_ids), IDS):
            request = ExportMatchesRequest(match_ids=match_ids[at : at + IDS])
            async for one in self._export(request):
                yield one

    async def matches_of(self, wanted: ListMatchesRequest) -> AsyncGenerator[ExportMatchesResponse, None]:
        """All matches that fit, the latest started first, as they are read."""
        request = ExportMatchesRequest(filter=wanted)
        async for one in self._export(request):
            yield one

    async def check(self, text: str) -> CheckMatchResponse:
        """How many matches and deals there are, all of them right. Raises Refusal NOTATION_INVALID or MATCH_INVALID."""
        return await self._ask(self._stub.CheckMatch, CheckMatchRequest(text=text))

    async def import_matches(self, text: str, request_id: UUID | None = None) -> ImportMatchesResponse:
        """Brings the matches of a text, as the account whose credentials these are. Raises Refusal as the contract says."""
        pieces = list(_pieces(text, str(request_id or uuid4())))
        return await self._answered(
            lambda metadata: calling.upload(
                self._stub.ImportMatches, pieces, timeout=UPLOAD_SECONDS, metadata=metadata
            )
        )

    async def _export(self, request: ExportMatchesRequest) -> AsyncGenerator[ExportMatchesResponse, None]:
        """The matches of a request; goes on after a break until nothing came for as long as the pace says."""
        clock = asyncio.get_running_loop().time
        give_up_at, waits = clock() + self._pace.give_up_after, self._pace.waits()
        while request.match_ids or request.HasField("filter"):
            try:
                async for one in self._once(request):
                    _go_on_after(request, one)
                    give_up_at, waits = clock() + self._pace.give_up_after, self._pace.waits()
                    yield one
            except Refusal as refusal:
                wait = self._until_the_next(refusal, next(waits))
                if clock() + wait > give_up_at:
                    raise
            else:
                return
            await asyncio.sleep(wait)

    def _until_the_next(self, refusal: Refusal, wait: float) -> float:
        """The seconds to wait before an export goes on. Raises the refusal if it does not."""
        if self._credentials.renew(refusal):
            return 0
        if refusal.reason not in UNKNOWN_OUTCOME and not refusal.retry_after:
            raise refusal
        return told_wait(refusal) + wait

    async def _once(self, request: ExportMatchesRequest) -> AsyncGenerator[ExportMatchesResponse, None]:
        metadata = await self._credentials.metadata()
        async with calling.stream(self._stub.ExportMatches, request, metadata=metadata) as messages:
            async for one in messages:
                yield one


def _go_on_after(request: ExportMatchesRequest, one: ExportMatchesResponse) -> None:
    """Makes a request ask for what follows a match."""
    if request.match_ids:
        del request.match_ids[0]
    else:
        request.filter.page_token = one.page_token


def _pieces(text: str, request_id: str) -> Iterator[ImportMatchesRequest]:
    for at in range(0, max(len(text), 1), PIECE):
        yield ImportMatchesRequest(request_id=request_id, text=text[at : at + PIECE])
