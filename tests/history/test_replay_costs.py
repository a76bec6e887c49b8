"""What a replay takes: no more of a log than its round needs, a turn among others, and a limit of its own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import grpc.aio
import pytest
import sqlalchemy as sa
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.core.deal import DealEnd
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS
from baloot.history import replays
from baloot.history.encoding import replay_bytes
from baloot.history.fold import tell
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.history.records import RoundEnd, Span
from baloot.history.replays import Eyes, Replays
from baloot.history.server import service
from baloot.kit.buckets import Rate
from baloot.kit.channels import open_channel
from baloot.kit.database import open_engine
from baloot.kit.errors import from_rpc_error
from baloot.kit.quotas import Quotas
from baloot.kit.serving import ServerSettings, start
from baloot.table.events import Entry, Presence, PresenceChanged
from baloot.table.memory import MemoryStore

from tests.history.played import Logbook, logbooks, owners_show, store_with, with_cuts
from tests.history.test_replays import span


class Watched(MemoryStore):
    """Notes what is read, and how many read at a time; they wait for each other while it is held."""

    def __init__(self) -> None:
        super().__init__()
        self.read_up_to: list[int] = []
        self.reading = self.most = 0
        self.free = asyncio.Event()
        self.free.set()

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        self.reading += 1
        self.most = max(self.most, self.reading)
        await self.free.wait()
        self.reading -= 1
        found = await super().read(table_id, after, limit, secrets=secrets)
        self.read_up_to.append(after + len(found))
        return found


async def watched(log: Logbook) -> Watched:
    store, full = Watched(), await store_with(log)
    store._entries, store._heads = full._entries, full._heads
    return store


class Rounds:
    """History of a log, with or without the places of its rounds."""

    def __init__(self, log: Logbook, *, placed: bool = True) -> None:
        self._rounds = {told.number: told for told in tell(log).rounds}
        self._placed = placed

    async def round_end(self, _match_id: UUID, number: int) -> RoundEnd:
        told = self._rounds[number]
        return RoundEnd(told.end, told.span if self._placed else None)


@pytest.mark.parametrize("log", [*logbooks()[:2], owners_show(), with_cuts()])
def test_history_tells_where_a_round_stands_in_its_log(log: Logbook) -> None:
    assert [told.span for told in tell(log).rounds] == [
        Span(_opened(log, told.number), span(log, told.number)[1]) for told in tell(log).rounds
    ]


def _opened(log: Logbook, number: int) -> int:
    """The entry that begins a round, with the cut of its deck if there is one."""
    return next(entry.sequence for entry in log if replays._begins(entry, number))


async def test_it_is_stored_with_the_round(migrated_url: str) -> None:
    log = with_cuts()
    async with PostgresHistory(migrated_url) as history:
        await Projection(await store_with(log), history).catch_up()
        match = await history.get_match(log[0].table_id)
        assert [round_.span for round_ in match.rounds] == [round_.span for round_ in tell(log).rounds]
        (one, *_) = match.rounds
        assert await history.round_end(log[0].table_id, 1) == RoundEnd(one.end, one.span)


async def test_a_round_that_was_told_by_an_older_server_is_found_in_its_log(migrated_url: str) -> None:
    log = logbooks()[0]
    store = await store_with(log)
    async with PostgresHistory(migrated_url) as history:
        await Projection(store, history).catch_up()
        made = Replays(PublicLog(store), history)
        numbers = [told.number for told in tell(log).rounds]
        before = [replay_bytes(await made.replay(log[0].table_id, n, Eyes(open=True))) for n in numbers]
        await _forget_spans(migrated_url)
        after = [replay_bytes(await made.replay(log[0].table_id, n, Eyes(open=True))) for n in numbers]
    assert before == after


async def _forget_spans(url: str) -> None:
    engine = open_engine(url, "test", size=1)
    async with engine.begin() as connection:
        await connection.execute(
            sa.text("UPDATE history_round SET first_sequence = NULL, last_sequence = NULL")
        )
    await engine.dispose()


async def test_the_log_is_read_up_to_the_end_of_the_round() -> None:
    log = logbooks()[0]
    store = await watched(log)
    made = Replays(store, Rounds(log))
    scored = next(told for told in tell(log).rounds if told.end is DealEnd.SCORED)
    assert scored.span is not None
    for eyes in (Eyes(), Eyes(SEATS[0]), Eyes(open=True)):
        store.read_up_to.clear()
        await made.replay(log[0].table_id, scored.number, eyes)
        assert max(store.read_up_to) == scored.span.last < len(log)


async def test_a_round_whose_end_is_not_public_yet_is_not_told_though_history_knows_it() -> None:
    log = logbooks()[0]
    told = tell(log).rounds[1]
    assert told.span is not None
    store = await store_with(log[: told.span.last - 1])
    with pytest.raises(Refusal) as refused:
        await Replays(store, Rounds(log)).replay(log[0].table_id, told.number, Eyes())
    assert refused.value.reason is Reason.ROUND_UNKNOWN


async def test_who_comes_and_goes_begins_no_deal() -> None:
    """The hands of a deal that was thrown in stay hidden, whatever else stands in the log."""
    log = logbooks()[0]
    void = tell(log).rounds[0]
    assert void.end is DealEnd.THROWN_IN
    assert void.span is not None
    came = PresenceChanged(SEATS[0], Presence.AWAY, bytes(16))
    more = [replace(log[0], sequence=void.span.last + n, events=(came,)) for n in range(1, 300)]
    with pytest.raises(Refusal, match="once the next deal has begun"):
        await Replays(Immediate((*log[: void.span.last], *more)), Rounds(log)).replay(
            log[0].table_id, 1, Eyes(SEATS[0])
        )


async def test_two_are_made_at_a_time_and_the_others_wait() -> None:
    log = logbooks()[0]
    store = await watched(log)
    made = Replays(store, Rounds(log))
    store.free.clear()
    asked = [asyncio.create_task(made.replay(log[0].table_id, 2, Eyes())) for _ in range(9)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert store.reading == replays.AT_ONCE == 2
    asked[0].cancel()
    asked[-1].cancel()
    store.free.set()
    done = await asyncio.gather(*asked, return_exceptions=True)
    assert store.most == 2
    assert [isinstance(one, asyncio.CancelledError) for one in done] == [True, *[False] * 7, True]


@pytest.mark.parametrize("placed", [True, False])
async def test_others_have_their_turn_meanwhile(monkeypatch: pytest.MonkeyPatch, *, placed: bool) -> None:
    """After every page that is read, and after as many entries that are folded."""
    monkeypatch.setattr(replays, "PAGE", 10)
    log = logbooks()[0]
    last = tell(log).rounds[-1]
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    store = Immediate(log)
    await Replays(store, Rounds(log, placed=placed)).replay(log[0].table_id, last.number, Eyes())
    task.cancel()
    assert last.span is not None
    assert store.pages > last.span.first // 10
    assert turns >= last.span.first // 10


class Immediate:
    """A log that answers at once."""

    def __init__(self, log: Logbook) -> None:
        self._log = log
        self.pages = 0

    async def read(
        self,
        table_id: UUID,  # noqa: ARG002 - it is the log of one
        after: int = 0,
        limit: int | None = None,
        *,
        secrets: bool = True,  # noqa: ARG002 - it has both halves
    ) -> Sequence[Entry]:
        self.pages += 1
        return self._log[after:][:limit]


# The limit.

NAMES = ("GetReplay", "GetShared", "GetProof")
HOURLY = Quotas(calls=Rate(1, 3600, 100), replays=Rate(1, 3600, 2))


@pytest.fixture
async def stub(migrated_url: str) -> AsyncIterator[HistoryServiceStub]:
    store = await store_with(logbooks()[0])
    async with PostgresHistory(migrated_url) as history:
        await Projection(store, history).catch_up()
        settings = replace(ServerSettings("127.0.0.1:0", grace=0.2), quotas=HOURLY)
        server = await start([service(history, store)], settings)
        try:
            async with open_channel(server.address) as channel:
                yield HistoryServiceStub(channel)
        finally:
            await server.stop()


@pytest.mark.parametrize("name", NAMES)
async def test_what_reads_a_log_has_a_limit_of_its_own(stub: HistoryServiceStub, name: str) -> None:
    for _ in range(2):
        assert (await refused(stub, name)).reason is not Reason.RATE_LIMITED
    refusal = await refused(stub, name)
    assert (refusal.reason, refusal.metadata) == (Reason.RATE_LIMITED, {"limit": "replays"})
    await stub.GetMatch(pb.GetMatchRequest(match_id=str(logbooks()[0][0].table_id)))


async def refused(stub: HistoryServiceStub, name: str) -> Refusal:
    """Why an empty request is refused: with the first thing that it lacks, or before it is read."""
    request: Any = getattr(pb, f"{name}Request")()
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await getattr(stub, name)(request)
    return from_rpc_error(error.value)
