"""The projection: everything exactly once, however it is stopped, and the same again when it is rebuilt."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from baloot.core.errors import Reason, Refusal
from baloot.history.fold import matters
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.rebuilding import Rebuild
from baloot.history.schema import DERIVED
from baloot.kit.database import open_engine
from baloot.table.events import Entry, Status
from baloot.table.memory import MemoryStore
from baloot.table.policy import ForfeitReason
from baloot.table.store import Head

from tests.history.played import Logbook, append_all, crowd, expected, forfeits, logbooks, states, store_with
from tests.table.proxy import proxy_to

Rows = dict[str, list[tuple[Any, ...]]]


@pytest.fixture
async def history(migrated_url: str) -> AsyncIterator[PostgresHistory]:
    async with PostgresHistory(migrated_url) as history:
        yield history


async def rows(url: str) -> Rows:
    """Every row that is derived."""
    engine = open_engine(url, "reader", size=1)
    found = {}
    async with engine.connect() as connection:
        for table in DERIVED:
            listed = await connection.execute(sa.select(table).order_by(*table.primary_key))
            found[table.name] = [tuple(row) for row in listed]
    await engine.dispose()
    return found


async def tells(history: PostgresHistory, logs: list[Logbook]) -> bool:
    """Whether history tells exactly these matches."""
    for log in logs:
        match = expected(log)
        if match is None:
            with pytest.raises(Refusal):
                await history.get_match(log[0].table_id)
        elif await history.get_match(log[0].table_id) != match:
            return False
    return True


async def test_it_tells_what_the_logs_hold(history: PostgresHistory) -> None:
    logs = list(logbooks())
    await Projection(await store_with(*logs), history).catch_up()
    assert await tells(history, logs)
    listed = (await history.list_matches(size=100)).matches
    assert {match.match_id for match in listed} == {log[0].table_id for log in logs[:4]}


async def test_it_follows_a_log_that_grows(history: PostgresHistory) -> None:
    store = MemoryStore()
    projection = Projection(store, history)
    log = logbooks()[0]
    known = states(log)
    for start in range(0, len(log), 17):
        await append_all(store, log[start : start + 17], known[start : start + 17])
        await projection.catch_up()
        assert await tells(history, [log[: start + 17]])
    await projection.catch_up()
    assert await tells(history, [log])


async def test_a_projection_that_is_killed_tells_everything_once(
    migrated_url: str, history: PostgresHistory
) -> None:
    """Cancelled at any moment, also between what it writes, several of them at a time."""
    rng = Random(7)
    logs = crowd(rng, 12)
    store = await store_with(*logs)
    cut_short = 0
    for _ in range(60):
        tasks = [
            asyncio.create_task(Projection(store, history).catch_up()) for _ in range(rng.randrange(1, 3))
        ]
        await asyncio.wait(tasks, timeout=rng.random() * 0.02)
        cut_short += sum(task.cancel() for task in tasks)
        await asyncio.wait(tasks)
    assert cut_short > 30
    await Projection(store, history).catch_up()
    killed = await rows(migrated_url)
    await Rebuild(store, history).run()
    assert await rows(migrated_url) == killed
    assert await tells(history, logs)


async def test_two_projections_do_no_harm(migrated_url: str, history: PostgresHistory) -> None:
    rng = Random(8)
    logs = crowd(rng, 10)
    store = MemoryStore()
    rounds = [[log[start : start + 90] for start in range(0, len(log), 90)] for log in logs]
    async with PostgresHistory(migrated_url) as other:
        pair = (Projection(store, history), Projection(store, other))
        for n in range(max(map(len, rounds))):
            for log, parts in zip(logs, rounds, strict=True):
                if n < len(parts):
                    await append_all(store, parts[n], states(log)[n * 90 : n * 90 + 90])
            await asyncio.gather(*(projection.catch_up() for projection in pair))
    assert await tells(history, logs)


async def test_rebuilding_gives_the_same_rows_and_mends_others(
    migrated_url: str, history: PostgresHistory
) -> None:
    logs = list(logbooks())
    store = await store_with(*logs)
    projection = Projection(store, history)
    await projection.catch_up()
    right = await rows(migrated_url)
    await Rebuild(store, history).run()
    assert await rows(migrated_url) == right
    await damage(migrated_url)
    assert await rows(migrated_url) != right
    await Rebuild(store, history).run()
    assert await rows(migrated_url) == right


async def damage(url: str) -> None:
    """What a faulty version might leave: wrong figures, missing rows, a match that never was."""
    engine = open_engine(url, "vandal", size=1)
    async with engine.begin() as connection:
        for statement in (
            "UPDATE history_match SET score_south_north = 999, rounds = 1",
            "DELETE FROM history_score_line WHERE place = 1",
            "DELETE FROM history_round WHERE number = 2",
            "INSERT INTO history_cursor VALUES (gen_random_uuid(), 5, 5, false)",
            "INSERT INTO history_match SELECT table_id, 1, '', '', 0, 0, 0, NULL, now() FROM history_cursor WHERE seen = 5",
            "UPDATE history_cursor SET sequence = sequence + 1 WHERE sequence % 2 = 0",
        ):
            await connection.execute(sa.text(statement))
    await engine.dispose()


async def test_a_log_that_cannot_be_read_holds_no_other_up(history: PostgresHistory) -> None:
    logs = list(logbooks()[:3])
    store = await store_with(*logs)
    read = store.read

    async def read_or_fail(
        table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Any:
        if table_id == logs[1][0].table_id:
            raise ValueError("this entry is a later version's")
        return await read(table_id, after, limit, secrets=secrets)

    store.read = read_or_fail  # type: ignore[method-assign]
    await Projection(store, history).catch_up()
    assert await tells(history, [logs[0], logs[2]])
    store.read = read  # type: ignore[method-assign]
    await Projection(store, history).catch_up()
    assert await tells(history, logs)


# While it runs.


@asynccontextmanager
async def running(projection: Projection) -> AsyncIterator[None]:
    task = asyncio.create_task(projection.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def eventually_tells(history: PostgresHistory, log: Logbook) -> None:
    async with asyncio.timeout(20):
        while True:
            with suppress(Refusal):
                if await history.get_match(log[0].table_id) == expected(log):
                    return
            await asyncio.sleep(0.005)


async def test_a_hint_is_enough(history: PostgresHistory) -> None:
    store, log = MemoryStore(), logbooks()[0]
    marker = await with_marker(store)
    projection = Projection(store, history, look_every=3600)
    async with running(projection):
        await eventually_tells(history, marker)
        for entry, state in zip(log, states(log), strict=True):
            assert await store.append(entry, state.status)
            projection.hint(entry)
        await eventually_tells(history, log)


class ReadStore(MemoryStore):
    """Counts how often logs are read."""

    reads = 0

    async def read(self, *args: Any, **kwargs: Any) -> Sequence[Entry]:
        self.reads += 1
        return await super().read(*args, **kwargs)


async def test_what_was_followed_to_no_news_is_not_read_again(history: PostgresHistory) -> None:
    store, log = ReadStore(), logbooks()[0]
    projection = Projection(store, history)
    end = next(number for number in range(100, len(log)) if matters(log[number]))
    middle = end - 3  # within a round

    async def grow(entries: Sequence[Entry], *, hinted: bool) -> int:
        before = store.reads
        for entry in entries:
            assert await store.append(entry, Status.PLAYING)
            if hinted:
                projection.hint(entry)
        await projection.catch_up()
        return store.reads - before

    await grow(log[:middle], hinted=True)
    assert await grow(log[middle:end], hinted=True) == 0, "the round goes on"
    assert await grow(log[end : end + 1], hinted=False) == 1, "the round is over, and nobody hinted at it"
    assert await history.get_match(log[0].table_id) == expected(log[: end + 1])


async def with_marker(store: MemoryStore) -> Logbook:
    """A table that is there from the beginning: once it is told, nothing that comes is found by the first look."""
    marker = crowd(Random(1), 1)[0]
    await append_all(store, marker)
    return marker


async def test_no_hint_is_needed(history: PostgresHistory) -> None:
    """Neither for tables that go on, nor for those that ended since the last look."""
    store, logs = MemoryStore(), logbooks()
    async with running(Projection(store, history, look_every=0.02)):
        going_on = logs[0][:200]
        await append_all(store, going_on)
        await eventually_tells(history, going_on)
        await append_all(store, logs[0][200:], states(logs[0])[200:])
        await eventually_tells(history, logs[0])


async def test_what_began_and_ended_unseen_is_found(history: PostgresHistory) -> None:
    store, logs = MemoryStore(), logbooks()
    marker = await with_marker(store)
    async with running(Projection(store, history, look_every=0.002)):
        await eventually_tells(history, marker)
        await append_all(store, logs[1])
        await eventually_tells(history, logs[1])


async def test_it_survives_a_lost_database(migrated_url: str) -> None:
    store = MemoryStore()
    logs = crowd(Random(9), 6)
    async with proxy_to(migrated_url) as proxy, PostgresHistory(proxy.url, timeout=1) as history:
        async with running(Projection(store, history, look_every=0.02)):
            for log in logs:
                await append_all(store, log)
                proxy.cut()
                await asyncio.sleep(0.01)
            proxy.leads_to("postgresql://baloot@/x?host=/nowhere")
            proxy.cut()
            with pytest.raises(Refusal) as told:
                await history.list_matches()
            assert told.value.reason is Reason.UNAVAILABLE
            proxy.leads_to(migrated_url)
            for log in logs:
                if expected(log) is not None:
                    await eventually_tells(history, log)
        assert await tells(history, logs)


class Stumbling(MemoryStore):
    """A log whose first look fails in a way that nobody foresaw."""

    stumbled = False

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]:
        if not self.stumbled:
            self.stumbled = True
            raise ZeroDivisionError
        return await super().heads_after(after, limit, live=live)


async def test_it_goes_on_after_a_fault_that_nobody_foresaw(history: PostgresHistory) -> None:
    store, log = Stumbling(), logbooks()[1]
    await append_all(store, log)
    async with running(Projection(store, history, look_every=0.02)):
        await eventually_tells(history, log)
    assert store.stumbled


def test_entries_without_news_are_no_hints() -> None:
    hinted: list[Entry] = []
    projection = Projection(MemoryStore(), None)  # type: ignore[arg-type]
    for entry in logbooks()[0]:
        projection.hint(entry)
        if projection._hinted:
            hinted.append(entry)
            projection._hinted.clear()
    rounds = expected(logbooks()[0])
    assert rounds is not None
    assert len(hinted) == 1 + len(rounds.rounds)


async def test_a_forfeit_and_its_reason_are_kept(history: PostgresHistory) -> None:
    log, walked_over = forfeits()
    await Projection(await store_with(log, walked_over), history).catch_up()
    told = await history.get_match(log[0].table_id)
    assert told == expected(log)
    assert told.summary.forfeit is ForfeitReason.LEFT
    assert [match.match_id for match in (await history.list_matches()).matches] == [log[0].table_id]
