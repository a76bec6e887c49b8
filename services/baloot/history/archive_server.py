"""The archive service over gRPC: matches given out and taken in as text."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterable
from concurrent.futures import Executor
from contextlib import aclosing
from io import StringIO
from typing import Any
from uuid import UUID

from baloot.api.history.v1 import archive_pb2 as pb
from baloot.api.history.v1.archive_pb2_grpc import (
    ArchiveServiceServicer,
    add_ArchiveServiceServicer_to_server,
)
from baloot.codec.fields import invalid
from baloot.core.errors import Reason, Refusal
from baloot.history import codec
from baloot.history.exports import Exported, Exports
from baloot.history.imports import MAX_TEXT, Imports, too_long
from baloot.history.postgres import PostgresHistory
from baloot.history.public_log import PublicLog
from baloot.history.server import account
from baloot.kit import checks
from baloot.kit.quotas import Charge
from baloot.kit.serving import Service
from baloot.table.store import Store

NAME = pb.DESCRIPTOR.services_by_name["ArchiveService"].full_name
CHARGES = {"CheckMatch": Charge.OPEN, "ImportMatches": Charge.OPEN}
"""What takes the server some tenths of a second costs as much as opening a table."""
MOST_IDS = 100
UPLOAD_SECONDS = 60.0
"""For so long a text may come, and be judged and stored."""


class ArchiveServicer(ArchiveServiceServicer):
    """Implements `baloot.api.history.v1.ArchiveService`."""

    def __init__(self, exports: Exports, imports: Imports) -> None:
        self._exports = exports
        self._imports = imports

    async def ExportMatches(
        self, request: pb.ExportMatchesRequest, _context: Any
    ) -> AsyncGenerator[pb.ExportMatchesResponse, None]:
        async with aclosing(self._exported(request)) as matches:
            async for one in matches:
                yield pb.ExportMatchesResponse(
                    match_id=str(one.match_id), text=one.text, page_token=one.page_token
                )

    async def CheckMatch(self, request: pb.CheckMatchRequest, _context: Any) -> pb.CheckMatchResponse:
        matches = await self._imports.check(request.text)
        deals = sum(len(match.deals) for match in matches)
        return pb.CheckMatchResponse(matches=len(matches), deals=deals)

    async def ImportMatches(
        self, pieces: AsyncIterable[pb.ImportMatchesRequest], _context: Any
    ) -> pb.ImportMatchesResponse:
        player_id = account()
        try:
            async with asyncio.timeout(UPLOAD_SECONDS):
                request_id, text = await _whole(pieces)
                answer = await self._imports.take(player_id, request_id, text)
        except TimeoutError as error:
            message = f"the text was not there and taken in within {UPLOAD_SECONDS:g} seconds"
            raise Refusal(Reason.DEADLINE_EXCEEDED, message) from error
        return pb.ImportMatchesResponse(match_ids=map(str, answer.match_ids), added=answer.added)

    def _exported(self, request: pb.ExportMatchesRequest) -> AsyncGenerator[Exported, None]:
        if not request.match_ids:
            chosen, _, token = codec.decode_list_matches(request.filter)
            return self._exports.fitting(chosen, token)
        if request.HasField("filter"):
            raise invalid("filter", "must be unset beside `match_ids`")
        ids = checks.entries(request.match_ids, "match_ids", most=MOST_IDS)
        return self._exports.by_ids([checks.uuid(one, f"match_ids[{n}]") for n, one in enumerate(ids)])


async def _whole(pieces: AsyncIterable[pb.ImportMatchesRequest]) -> tuple[UUID, str]:
    """The request id of the first piece, and the text of all. Raises Refusal, as soon as the text is too long."""
    request_id: UUID | None = None
    text = StringIO(newline="")
    async for piece in pieces:
        if request_id is None:
            request_id = checks.uuid(piece.request_id, "request_id")
        text.write(piece.text)
        if text.tell() > MAX_TEXT:
            raise too_long()
    return request_id or checks.uuid("", "request_id"), text.getvalue()


def service(history: PostgresHistory, store: Store, beside: Executor) -> Service:
    """What `baloot.kit.serving.start` serves, with the tables' logs in `store`; what takes long is done in `beside`."""
    servicer = ArchiveServicer(Exports(PublicLog(store), history, beside), Imports(history, store, beside))
    return Service(NAME, servicer, add_ArchiveServiceServicer_to_server, CHARGES)
