"""History tells what was played, whoever played it where."""

from __future__ import annotations

import asyncio
from random import Random
from uuid import UUID

from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_FINISHED,
    MATCH_STATUS_PLAYING,
    GetMatchResponse,
    MatchStatus,
)
from baloot.client.history import HistoryClient
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel
from baloot.table.postgres import PostgresStore

from tests.e2e.checks import broken_history
from tests.e2e.platforms import Platform
from tests.e2e.players import PACE, open_match, playing, within


async def test_history_tells_a_match_and_its_rounds_as_the_log_does(platform: Platform) -> None:
    async with open_channel(platform.table) as channel, open_channel(platform.history) as asking:
        history = HistoryClient(asking)
        match = await open_match(lambda: TableClient(channel, pace=PACE), Random(3))
        await within(20, told(history, match.table_id, MATCH_STATUS_PLAYING))
        async with playing([match]):
            await within(50, match.end())
        answer = await within(20, told(history, match.table_id, MATCH_STATUS_FINISHED))
    async with PostgresStore(platform.database) as store:
        assert list(broken_history(await store.read(UUID(match.table_id)), answer)) == []


async def told(history: HistoryClient, match_id: str, status: MatchStatus.ValueType) -> GetMatchResponse:
    """What history tells once the match has this status there: it follows the log, moments later."""
    while True:
        try:
            answer = await history.match(match_id)
            if answer.match.status == status:
                return answer
        except Refusal as refusal:
            if refusal.reason is not Reason.MATCH_UNKNOWN:
                raise
        await asyncio.sleep(0.05)
