"""The rebuild: the same rows out of nothing, however often it is stopped, and beside those who tell on."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from random import Random
from typing import Any
from uuid import UUID

import pytest
import sqlalchemy as sa
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.rebuilding import Progress, Rebuild
from baloot.history.schema import DERIVED
from baloot.kit.database import open_engine
from baloot.table.events import Entry
from baloot.table.memory import MemoryStore
from baloot.table.postgres import PostgresStore

from tests.history.accounts import seated
from tests.history.played import Logbook, append_all, crowd, expected, logbooks, states, store_with
from tests.history.test_projection import rows, tells

WHO = ("noura", "fahad", "salem", "huda")


@pytest.fixture
async def history(migrated_url: str) -> AsyncIterator[PostgresHistory]:
    async with PostgresHistory(migrated_url) as history:
        yield history


async def run(url: str, *statements: str) -> Sequence[Any]:
    engine = open_engine(url, "test", size=1)
    found: Sequence[Any] = ()
    async with engine.begin() as connection:
        for statement in statements:
            result = await connection.execute(sa.text(statement))
            found = result.all() if result.returns_rows else ()
    await engine.dispose()
    return found


async def forget_all(url: str) -> None:
    await run(url, f"TRUNCATE {', '.join(table.name for table in DERIVED)}")


async def test_out_of_nothing_it_makes_the_same_rows(migrated_url: str, history: PostgresHistory) -> None:
    logs = [seated(log, log[0].table_id, WHO) for log in logbooks()]
    store = await store_with(*logs)
    await Projection(store, history).catch_up()
    before = await rows(migrated_url)
    assert all(before[table.name] for table in DERIVED)
    await forget_all(migrated_url)
    done = await Rebuild(store, history).run()
    assert await rows(migrated_url) == before
    entries = sum(map(len, logs))
    assert done == Progress(entries, entries, len(logs))


async def test_it_goes_on_where_it_was_stopped(migrated_url: str, history: PostgresHistory) -> None:
    """Cancelled at any moment, again and again; no table that was noted is told again."""
    logs = crowd(Random(3), 20)
    store = Counting()
    for log in logs:
        await append_all(store, log)
    seen: list[Progress] = []
    stops, done = 0, None
    while done is None and stops < 200:
        work = asyncio.create_task(Rebuild(store, history, page=2, told=seen.append).run())
        await told_more(seen, work)
        if work.done():
            done = (await work).done
        else:
            work.cancel()
            await asyncio.wait([work])
            stops += 1
    assert done == sum(map(len, logs))
    assert stops > 1
    assert store.reads <= len(logs) + 2 * (stops + 1) + stops
    assert await tells(history, logs)
    assert all(progress.total == sum(map(len, logs)) for progress in seen)


async def told_more(seen: list[Progress], work: asyncio.Task[Progress]) -> None:
    """Returns in the middle of the work after something more was told, or when the work is done."""
    before = len(seen)
    while len(seen) < before + 3 and not work.done():
        await asyncio.sleep(0)


class Counting(MemoryStore):
    """Counts how often logs are read."""

    reads = 0

    async def read(self, *args: Any, **options: Any) -> Sequence[Entry]:
        self.reads += 1
        return await super().read(*args, **options)


async def test_from_scratch_it_begins_with_the_first_table(history: PostgresHistory) -> None:
    store = Counting()
    logs = crowd(Random(4), 6)
    for log in logs:
        await append_all(store, log)

    def stop(now: Progress) -> None:
        if now.tables == 3:
            stopped.cancel()

    stopped = asyncio.create_task(Rebuild(store, history, page=1, told=stop).run())
    with pytest.raises(asyncio.CancelledError):
        await stopped
    store.reads = 0
    assert (await Rebuild(store, history, from_scratch=True).run()).tables == len(logs)
    assert store.reads == len(logs)
    assert (await Rebuild(store, history).run()).tables == len(logs), "the stopped one is over as well"


class Growing(MemoryStore):
    """A log that is told on by another process right after it was read."""

    def __init__(self, log: Logbook, history: PostgresHistory) -> None:
        super().__init__()
        self.log = log
        self.at = 60
        self.history = history

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        entries = await super().read(table_id, after, limit, secrets=secrets)
        if after == 0 and self.at < len(self.log):
            grown = self.log[self.at : self.at + 60]
            known = states(self.log)[self.at : self.at + 60]
            self.at += 60
            await append_all(self, grown, known)
            await Projection(self, self.history).catch_up()
        return entries


async def test_who_tells_on_meanwhile_is_not_set_back(history: PostgresHistory) -> None:
    log = logbooks()[0]
    store = Growing(log, history)
    await append_all(store, log[:60], states(log)[:60])
    store.at = len(log)
    await Projection(store, history).catch_up()
    store.at = 60
    await Rebuild(store, history).run()
    assert store.at > 60
    assert await history.get_match(log[0].table_id) == expected(log[: store.at])


async def test_a_log_that_cannot_be_told_stays_as_it_was(history: PostgresHistory) -> None:
    logs = list(logbooks()[:3])
    store = await store_with(*logs)
    await Projection(store, history).catch_up()
    read = store.read

    async def read_or_fail(table_id: UUID, *args: Any, **options: Any) -> Any:
        if table_id == logs[1][0].table_id:
            raise ValueError("this entry is a later version's")
        return await read(table_id, *args, **options)

    store.read = read_or_fail  # type: ignore[method-assign]
    done = await Rebuild(store, history).run()
    assert (done.tables, done.failed) == (3, 1)
    assert await tells(history, logs)


async def test_readers_see_no_gap(history: PostgresHistory) -> None:
    logs = list(logbooks()[:3])
    store = await store_with(*logs)
    await Projection(store, history).catch_up()
    work = asyncio.create_task(again_and_again(store, history))
    for _ in range(30):
        assert await tells(history, logs)
    work.cancel()
    await asyncio.wait([work])


async def again_and_again(store: MemoryStore, history: PostgresHistory) -> None:
    while True:
        await Rebuild(store, history).run()


COMMAND = [sys.executable, "-c", "from baloot.app.cli import main; main()", "history", "rebuild"]


async def test_the_command_survives_kill_9(migrated_url: str, history: PostgresHistory) -> None:
    async with PostgresStore(migrated_url) as store:
        for log in logbooks()[:2]:
            for entry, state in zip(log, states(log), strict=True):
                assert await store.append(entry, state.status)
        await multiply(migrated_url, 3)  # 128 tables
        await Projection(store, history).catch_up()
    before = await rows(migrated_url)
    await forget_all(migrated_url)
    command = [*COMMAND, "--database", migrated_url]
    process = await asyncio.create_subprocess_exec(*command, stderr=subprocess.DEVNULL)
    async with asyncio.timeout(60):
        while not await run(migrated_url, "SELECT 1 FROM history_rebuild WHERE after IS NOT NULL"):
            await asyncio.sleep(0.05)
    process.send_signal(signal.SIGKILL)
    assert await process.wait() == -signal.SIGKILL
    again = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said, bar = await again.communicate()
    assert (again.returncode, said.decode().split()[1:4]) == (0, ["tables", "told", "anew"])
    assert int(said.split()[0]) < 128, "it went on where it was"
    assert b"entries" in bar
    assert await rows(migrated_url) == before


async def multiply(url: str, times: int) -> None:
    """Four times as many tables, so many times: with the same logs under ids of their own."""
    for n in range(1, times + 1):
        for copy in range(1, 4):
            new = f"uuid_in(md5(table_id::text || '{n}.{copy}')::cstring)"
            columns = "sequence, at, actor, by_default, request_id, request_digest, status, deadline_at"
            await run(
                url,
                f"CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT {new} AS id, e.* FROM table_entry e "
                f"WHERE table_id IN (SELECT table_id FROM table_head ORDER BY table_id LIMIT {2 * 4 ** (n - 1)})",
                f"INSERT INTO table_entry (table_id, {columns}, payload, secret) "
                f"SELECT id, {columns}, payload, secret FROM kept",
                "INSERT INTO table_head (table_id, sequence, status, updated_at) "
                "SELECT id, max(sequence), (array_agg(status ORDER BY sequence DESC))[1], now() FROM kept GROUP BY id",
            )
