"""The service over gRPC answers as the database's own history does, and refuses as its contract says."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID

import grpc.aio
import pytest
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.core.errors import Reason, Refusal
from baloot.history import codec
from baloot.history.client import RemoteHistory
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.records import MatchFilter, MatchStatus
from baloot.history.server import service
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import ServerSettings, start
from baloot.table.memory import MemoryStore

from tests.history.played import forfeits, logbooks, store_with


@asynccontextmanager
async def served(history: PostgresHistory) -> AsyncIterator[grpc.aio.Channel]:
    server = await start([service(history, MemoryStore())], ServerSettings("127.0.0.1:0", grace=0.2))
    try:
        async with open_channel(server.address) as channel:
            yield channel
    finally:
        await server.stop()


@pytest.fixture
async def history(migrated_url: str) -> AsyncIterator[PostgresHistory]:
    async with PostgresHistory(migrated_url) as history:
        await Projection(await store_with(*logbooks(), forfeits()[0]), history).catch_up()
        yield history


@pytest.fixture
async def channel(history: PostgresHistory) -> AsyncIterator[grpc.aio.Channel]:
    async with served(history) as channel:
        yield channel


async def test_it_tells_the_same_over_the_wire(history: PostgresHistory, channel: grpc.aio.Channel) -> None:
    remote = RemoteHistory(channel)
    for log in (*logbooks()[:4], forfeits()[0]):
        assert await remote.get_match(log[0].table_id) == await history.get_match(log[0].table_id)
    for chosen in (MatchFilter(), MatchFilter(MatchStatus.FINISHED), MatchFilter(player_name="player west")):
        page = await remote.list_matches(chosen, 1)
        assert page == await history.list_matches(chosen, 1)
        if page.next_token:
            token = page.next_token
            assert await remote.list_matches(chosen, 5, token) == await history.list_matches(chosen, 5, token)


async def test_it_refuses_the_same_over_the_wire(history: PostgresHistory, channel: grpc.aio.Channel) -> None:
    remote = RemoteHistory(channel)
    token = (await history.list_matches(size=1)).next_token
    for either in (history, remote):
        told = []
        for ask in (
            either.get_match(UUID(int=4)),
            either.list_matches(size=0),
            either.list_matches(token="?"),
            either.list_matches(MatchFilter(MatchStatus.PLAYING), token=token),
        ):
            with pytest.raises(Refusal) as refused:
                await ask
            told.append((refused.value.reason, refused.value.field))
        assert told == [
            (Reason.MATCH_UNKNOWN, "match_id"),
            (Reason.FIELD_INVALID, "page_size"),
            (Reason.FIELD_INVALID, "page_token"),
            (Reason.FIELD_INVALID, "page_token"),
        ]


@pytest.mark.parametrize(
    ("match_id", "reason"),
    [("", Reason.FIELD_REQUIRED), ("7", Reason.FIELD_INVALID), ("z" * 36, Reason.FIELD_INVALID)],
)
async def test_an_id_that_is_none_is_refused(
    channel: grpc.aio.Channel, match_id: str, reason: Reason
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await HistoryServiceStub(channel).GetMatch(pb.GetMatchRequest(match_id=match_id))
    refusal = from_rpc_error(error.value)
    assert (refusal.reason, refusal.field) == (reason, "match_id")


async def test_an_unset_size_is_20_and_an_unknown_status_is_refused(channel: grpc.aio.Channel) -> None:
    stub = HistoryServiceStub(channel)
    assert len((await stub.ListMatches(pb.ListMatchesRequest())).matches) == 5
    assert codec.decode_list_matches(pb.ListMatchesRequest())[1] == 20
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await stub.ListMatches(pb.ListMatchesRequest(status=9))  # type: ignore[arg-type]
    refusal = from_rpc_error(error.value)
    assert (refusal.reason, refusal.field) == (Reason.FIELD_INVALID, "status")


async def test_only_rounds_that_are_over_leave_the_service(
    history: PostgresHistory, channel: grpc.aio.Channel
) -> None:
    """A match is cut off in the middle of each of its rounds: what is told holds nothing of that round."""
    log = logbooks()[2]
    over = (await history.get_match(log[0].table_id)).rounds
    answer = await HistoryServiceStub(channel).GetMatch(pb.GetMatchRequest(match_id=str(log[0].table_id)))
    assert [round_.number for round_ in answer.rounds] == [round_.number for round_ in over]
    assert answer.match.rounds == len(over)
    assert not answer.match.HasField("end_time")


async def test_a_lost_database_is_unavailable() -> None:
    nowhere = PostgresHistory("postgresql://baloot@/x?host=/nowhere", timeout=1)
    async with nowhere as history, served(history) as channel:
        with pytest.raises(Refusal) as refused:
            await RemoteHistory(channel).list_matches()
    assert refused.value.reason is Reason.UNAVAILABLE
    assert "/nowhere" not in refused.value.message
