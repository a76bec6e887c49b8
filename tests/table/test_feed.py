"""The feed by itself: cursors, wake-ups, what is kept in memory, and several processes over one log."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import aclosing
from dataclasses import replace
from typing import Any
from uuid import UUID

import grpc
import pytest
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Seat
from baloot.kit.info import RESUME_WINDOW
from baloot.table.encoding import entry_bytes
from baloot.table.events import Entry, Settings
from baloot.table.feed import PAGE, Feed, Rhythm, Watcher
from baloot.table.live import RECENT
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore
from baloot.table.store import Head, Store, StoreUnavailable
from structlog.testing import capture_logs

from tests.table.served import QUICK, QUIET, read, replica, rest, until, watching
from tests.table.trial import Clock, Trial

LONG = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=LONG)
    await made.deal()
    return made


class Beat:
    """Nothing new: the stream is alive."""


BEAT = Beat()


async def items_of(feed: Feed, watcher: Watcher) -> AsyncIterator[Entry | Beat]:
    """One by one what a watcher is told."""
    while (entries := await feed.next(watcher)) is not None:
        for entry in entries:
            yield entry
        if not entries:
            yield BEAT


async def opened(feed: Feed, trial: Trial, after: int) -> Watcher:
    return feed.open(await trial.table.current(trial.table_id), after)


async def taken(feed: Feed, watcher: Watcher, count: int) -> list[Entry | Beat]:
    """The next items of a watcher."""
    got: list[Entry | Beat] = []
    async with asyncio.timeout(10), aclosing(items_of(feed, watcher)) as items:  # type: ignore[type-var]
        async for item in items:
            got.append(item)
            if len(got) == count:
                break
    return got


async def news(feed: Feed, watcher: Watcher, count: int) -> list[Entry]:
    """The next entries of a watcher, whatever beats come between them."""
    got: list[Entry] = []
    async with asyncio.timeout(10), aclosing(items_of(feed, watcher)) as items:  # type: ignore[type-var]
        async for item in items:
            if isinstance(item, Entry):
                got.append(item)
            if len(got) == count:
                break
    return got


async def test_entries_come_from_the_log_where_memory_does_not_reach(trial: Trial) -> None:
    await trial.play(3 * PAGE)
    entries = await trial.entries()
    feed = Feed(trial.table, QUIET)
    for behind in (1, RECENT - 1, RECENT, RECENT + 1, PAGE, PAGE + 1, 2 * PAGE + 5):
        watcher = await opened(feed, trial, len(entries) - behind)
        assert await taken(feed, watcher, behind) == entries[-behind:]
        feed.close(watcher)


async def test_a_watcher_that_does_not_go_on_holds_few_entries(trial: Trial) -> None:
    """A decoded entry takes some kilobytes, and each of a thousand readers may stall."""
    await trial.play(100)
    feed = Feed(trial.table, QUIET)
    held = await feed.next(await opened(feed, trial, 0))
    assert held is not None
    assert len(held) <= 16


async def test_entries_written_while_a_page_is_read_come_next(trial: Trial) -> None:
    await trial.play(PAGE + 10)
    feed = Feed(trial.table, QUIET)
    watcher = await opened(feed, trial, 0)
    numbers = []
    async with aclosing(items_of(feed, watcher)) as items:  # type: ignore[type-var]
        async for item in items:
            assert isinstance(item, Entry)
            numbers.append(item.sequence)
            if len(numbers) < 150:
                await trial.play(1)
            if len(numbers) == (await trial.state()).sequence:
                break
    assert numbers == list(range(1, len(numbers) + 1))


async def test_whoever_falls_a_window_behind_is_slow(trial: Trial) -> None:
    feed = Feed(trial.table, QUIET)
    watcher = await opened(feed, trial, 0)
    await trial.play(RESUME_WINDOW - 20)
    items = items_of(feed, watcher)
    await anext(items)
    await trial.play(PAGE + 20)
    with pytest.raises(Refusal) as caught:
        async for _ in items:
            pass
    assert caught.value.reason is Reason.READER_SLOW


async def test_a_beat_wakes_whoever_waits_and_is_told_once(trial: Trial) -> None:
    feed = Feed(trial.table, QUIET)
    watcher = await opened(feed, trial, (await trial.state()).sequence)
    items = items_of(feed, watcher)
    waiting = asyncio.ensure_future(anext(items))
    await asyncio.sleep(0)
    await feed._beat()
    assert await waiting is BEAT
    waiting = asyncio.ensure_future(anext(items))
    await asyncio.sleep(0)
    await trial.play(1)
    assert isinstance(await waiting, Entry)


async def test_an_entry_written_while_a_beat_is_sent_is_not_slept_through(trial: Trial) -> None:
    feed = Feed(trial.table, QUIET)
    watcher = await opened(feed, trial, (await trial.state()).sequence)
    items = items_of(feed, watcher)
    waiting = asyncio.ensure_future(anext(items))
    await asyncio.sleep(0)
    await feed._beat()
    assert await waiting is BEAT
    await trial.play(1)
    async with asyncio.timeout(5):
        assert isinstance(await anext(items), Entry)


async def test_every_watched_table_gets_its_beat() -> None:
    """More tables than are woken together."""
    clock = Clock()
    store = MemoryStore(clock)
    trials = [Trial(seed=seed, clock=clock, store=store) for seed in range(45)]
    feed = Feed(trials[0].table, QUIET)
    lives = []
    for each in trials:
        await each.open()
        each.table = trials[0].table
        lives.append((await opened(feed, each, 0)).live)
    await feed._beat()
    assert [live.beat for live in lives] == [1] * 45


# Memory.


@pytest.fixture
async def forgetful(trial: Trial) -> Feed:
    return Feed(trial.table, replace(QUIET, forget=0))


async def test_an_idle_table_is_dropped_from_memory_and_comes_back(trial: Trial, forgetful: Feed) -> None:
    before = await trial.state()
    await asyncio.sleep(0.001)
    await forgetful._poll()
    assert trial.table.tables == {}
    assert await trial.state() == before


async def test_only_recent_entries_are_kept_encoded(trial: Trial) -> None:
    live = await trial.table.current(trial.table_id)
    for _ in range(4 * RECENT):
        await trial.play(1)
        for entry in await trial.entries():
            for viewer in (None, *Seat):
                entry_bytes(live, entry, viewer)
    recent = {entry.sequence for entry in live.recent}
    assert set(live.encoded) == recent
    assert len(recent) == RECENT


async def test_a_table_that_is_watched_is_kept(trial: Trial, forgetful: Feed) -> None:
    watcher = await opened(forgetful, trial, 0)
    await asyncio.sleep(0.001)
    await forgetful._poll()
    assert trial.table.tables == {trial.table_id: watcher.live}
    forgetful.close(watcher)
    await asyncio.sleep(0.001)
    await forgetful._poll()
    assert trial.table.tables == {}


async def test_a_table_is_kept_for_a_while_after_its_last_watcher(trial: Trial) -> None:
    feed = Feed(trial.table, replace(QUIET, forget=60))
    watcher = await opened(feed, trial, 0)
    watcher.live.touched -= 3600
    feed.close(watcher)
    await feed._poll()
    assert trial.table_id in trial.table.tables


async def test_a_table_that_is_written_to_is_kept(trial: Trial, forgetful: Feed) -> None:
    live = trial.table.tables[trial.table_id]
    async with live.lock:
        await asyncio.sleep(0.001)
        await forgetful._poll()
    assert trial.table.tables == {trial.table_id: live}


async def test_the_watcher_of_a_table_that_was_dropped_still_gets_its_entries(trial: Trial) -> None:
    async with Feed(trial.table, QUICK) as feed:
        watcher = await opened(feed, trial, (await trial.state()).sequence)
        trial.table.forget(trial.table_id)
        await trial.play(3)
        assert trial.table.tables[trial.table_id] is not watcher.live
        assert await news(feed, watcher, 3) == (await trial.entries())[-3:]


# Trouble.


class Shrunk(MemoryStore):
    """A log that was set back to nothing."""

    async def read(self, *_: Any, **__: Any) -> tuple[Entry, ...]:
        return ()


async def test_a_log_that_was_set_back_ends_the_stream_and_is_read_anew(trial: Trial) -> None:
    feed = Feed(trial.table, QUIET)
    await trial.play(2 * RECENT)
    watcher = await opened(feed, trial, 0)
    trial.table._store = Shrunk()
    with pytest.raises(Refusal) as caught:
        await feed.next(watcher)
    assert caught.value.reason is Reason.UNAVAILABLE
    assert trial.table_id not in trial.table.tables


async def test_whoever_stops_waiting_is_forgotten(trial: Trial) -> None:
    feed = Feed(trial.table, QUIET)
    live = trial.table.tables[trial.table_id]
    for _ in range(50):
        watcher = await opened(feed, trial, live.sequence)
        waiting = asyncio.create_task(feed.next(watcher))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
        feed.close(watcher)
    assert len(live._waiting) <= 2


class Moody(MemoryStore):
    """A store that cannot tell its heads when it is told not to."""

    trouble: Exception | None = None

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        if self.trouble is not None:
            raise self.trouble
        return await super().heads(table_ids)


@pytest.mark.parametrize("trouble", [StoreUnavailable("gone"), ValueError("a fault of ours")])
async def test_the_feed_goes_on_after_trouble_with_the_log(trouble: Exception) -> None:
    clock = Clock()
    store = Moody(clock)
    here = Trial(seed=5, clock=clock, store=store)
    await here.deal()
    there = Orchestrator(store, here.table._rules)
    async with Feed(there, QUICK) as feed:
        watcher = feed.open(await there.current(here.table_id), (await here.state()).sequence)
        with capture_logs() as logged:
            store.trouble = trouble
            await here.play(2)
            await until(lambda: watcher.live.beat > 5)
            assert watcher.live.sequence == watcher.cursor
            store.trouble = None
            assert await news(feed, watcher, 2) == (await here.entries())[-2:]
    assert len(logged) == 0 or isinstance(trouble, ValueError)


async def test_a_watched_table_that_cannot_be_read_does_not_keep_others_waiting(trial: Trial) -> None:
    other = Trial(seed=6, clock=trial.clock, store=trial.log)
    await other.deal()
    there = Orchestrator(trial.log, trial.table._rules)
    async with Feed(there, QUIET) as feed:
        watchers = [feed.open(await there.current(each.table_id), 0) for each in (trial, other)]
        behind = [watcher.live for watcher in watchers]
        await trial.play(1)
        await other.play(1)
        broken = min(behind, key=lambda live: live.table_id)

        async def unreadable(live: object) -> None:
            if live is broken:
                raise Refusal(Reason.UNAVAILABLE, "gone")
            await Orchestrator.catch_up(there, live)  # type: ignore[arg-type]

        there.catch_up = unreadable  # type: ignore[method-assign]
        with capture_logs() as logged:
            await feed._poll()
        assert [entry["event"] for entry in logged] == ["a watched table cannot be read"]
    sequences = {live is broken: live.sequence for live in behind}
    assert sequences[False] > sequences[True]


# Several processes.


@pytest.fixture(params=["memory", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where the log is; None for memory."""
    return str(request.getfixturevalue("migrated_url")) if request.param == "postgres" else None


@pytest.fixture
async def stores(url: str | None) -> AsyncIterator[tuple[Store, Store]]:
    """The stores of two processes over one log."""
    if url is None:
        store = MemoryStore()
        yield store, store
        return
    async with PostgresStore(url) as here, PostgresStore(url) as there:
        yield here, there


async def test_a_watcher_sees_what_another_process_writes(stores: tuple[Store, Store]) -> None:
    here = Trial(seed=9, store=stores[0])
    await here.deal()
    there = Orchestrator(stores[1], here.table._rules)
    async with replica(there, replace(QUICK, heartbeat=3600)) as served, asyncio.timeout(20):
        stream = served.stub.WatchTable(watching(here, 0))
        for number in range(1, 30):
            (message,) = await read(stream, 1)
            assert message.entry.sequence == number
            if number == (await here.state()).sequence:
                await here.play(5)
        await here.table.leave_seat(here.table_id, here.tokens[Seat.EAST], here.id())
        numbers = [message.entry.sequence for message in await rest(stream)]
        assert numbers == list(range(30, (await here.state()).sequence + 1))
        assert await stream.code() is grpc.StatusCode.OK


async def test_a_watcher_sees_it_within_the_poll(trial: Trial) -> None:
    there = Orchestrator(trial.log, trial.table._rules)
    async with Feed(there, QUIET) as feed:
        watcher = feed.open(await there.current(trial.table_id), (await trial.state()).sequence)
        await trial.play(2)
        assert watcher.live.sequence == watcher.cursor
        await feed._poll()
        assert await taken(feed, watcher, 2) == (await trial.entries())[-2:]


def test_heartbeats_come_more_often_than_is_promised_and_readers_get_as_long() -> None:
    rhythm = Rhythm()
    assert rhythm.heartbeat + rhythm.poll / 2 < 5
    assert rhythm.poll <= 1
