"""Whoever leaves a seat sees no more through it, however long their stream has been open."""

from __future__ import annotations

from collections.abc import AsyncIterable

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error
from baloot.table import events as ev
from baloot.table.events import Entry
from baloot.table.feed import Feed
from baloot.table.live import RECENT
from baloot.table.orchestrator import Orchestrator

from tests.table.served import QUIET, bearer, replica, until
from tests.table.trial import Trial


async def test_the_stream_of_a_seat_that_is_left_ends_before_the_next_player_is_dealt_cards() -> None:
    trial = Trial()
    await trial.open()
    _, left = await trial.table.take_seat(trial.table_id, trial.id(), Seat.SOUTH, "Sarah")
    async with replica(trial.table) as served:
        request = pb.WatchTableRequest(table_id=str(trial.table_id), after_sequence=0)
        stream = served.stub.WatchTable(request, metadata=bearer(left))
        await until(lambda: bool(served.feed._watchers))
        await trial.table.leave_seat(trial.table_id, left, trial.id())
        for seat in SEATS:
            await trial.table.take_seat(trial.table_id, trial.id(), seat, "next")
        await trial.table.step(trial.table_id)
        got: list[pb.WatchTableResponse] = []
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await into(got, stream)
        assert from_rpc_error(ended.value).reason is Reason.TOKEN_INVALID
        assert not any(event.HasField("dealt") for message in got for event in message.entry.events)


async def into(got: list[pb.WatchTableResponse], stream: AsyncIterable[pb.WatchTableResponse]) -> None:
    """Keeps what a stream gives until it ends."""
    async for message in stream:
        got.append(message)  # noqa: PERF401 - what came before an error is kept


async def test_a_left_seat_cannot_be_watched_or_asked_for_again() -> None:
    trial = Trial()
    await trial.open()
    _, left = await trial.table.take_seat(trial.table_id, trial.id(), Seat.SOUTH, "Sarah")
    await trial.table.leave_seat(trial.table_id, left, trial.id())
    async with replica(trial.table) as served:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await served.stub.GetTable(
                pb.GetTableRequest(table_id=str(trial.table_id)), metadata=bearer(left)
            )
        assert from_rpc_error(refused.value).reason is Reason.TOKEN_INVALID


async def test_whoever_left_is_told_nothing_that_memory_does_not_know_yet() -> None:
    """He watches at a process that has not heard that he left, and the log holds the next player's cards already."""
    here = Trial(seed=5)
    await here.open()
    for _ in range(RECENT):
        _, token = await here.table.take_seat(here.table_id, here.id(), Seat.SOUTH, "Omar")
        await here.table.leave_seat(here.table_id, token, here.id())
    _, token = await here.table.take_seat(here.table_id, here.id(), Seat.SOUTH, "Omar")
    feed = Feed(here.table, QUIET)
    watcher = feed.open(await here.table.current(here.table_id), 0, Seat.SOUTH)
    there = Orchestrator(here.log, here.table._rules)
    await there.leave_seat(here.table_id, token, here.id())
    for seat in Seat:
        await there.take_seat(here.table_id, here.id(), seat, "Noura")
    await there.step(here.table_id)
    entries: list[Entry] = []
    while watcher.cursor < watcher.live.sequence:
        page = await feed.next(watcher)
        assert page
        entries += page
        watcher.cursor = page[-1].sequence
    assert not any(isinstance(event, ev.RoundDealt) for entry in entries for event in entry.events)
    await here.table.catch_up(watcher.live)
    with pytest.raises(Refusal) as caught:
        await feed.next(watcher)
    assert caught.value.reason is Reason.TOKEN_INVALID
