"""The projection: keeps history up with the tables' logs, each entry told exactly once.

What is told of a table and how far that is are written in one transaction, so a projection that is killed at any
moment goes on where it was, and several of them do no harm. Hints make it prompt; looking through the heads of all
tables is what makes sure.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

import structlog
from baloot.core.errors import Refusal
from baloot.history import opened
from baloot.history.fold import Follower, Told, ends, matters, tell
from baloot.history.postgres import PostgresHistory
from baloot.history.records import Cursor
from baloot.kit.logs import describe
from baloot.table.events import Entry
from baloot.table.store import Head, StoreUnavailable

LOOK_EVERY = 5.0
"""Seconds between two looks at the heads of the tables that go on."""
LOOK_AT_ALL = 120
"""Every so many looks go through all tables, for those that began and ended unseen."""
PAGE = 500
REMEMBERED = 10_000
"""Tables whose cursors are kept in memory."""
READY = 8
"""Steps of one table that wait in memory to be written; what is older is read from the log."""
AT_ONCE = 3
"""Tables brought up to date side by side: one connection stays free for those who ask."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Step:
    """What is to be told of a table after its entry `after`."""

    after: int
    told: Told


class Log(opened.Log, Protocol):
    """What is read of the tables' logs: a part of `baloot.table.store.Store`."""

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]: ...

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]: ...


class Projection:
    """`run` keeps history up to date; give `hint` each new entry. `catch_up` does its work and returns."""

    def __init__(self, log: Log, history: PostgresHistory, *, look_every: float = LOOK_EVERY) -> None:
        self._log = log
        self._history = history
        self._look_every = look_every
        self._hinted: set[UUID] = set()
        self._news = asyncio.Event()
        self._known: dict[UUID, Cursor] = {}
        self._followers: dict[UUID, Follower] = {}
        self._ready: dict[UUID, deque[Step]] = {}

    def hint(self, entry: Entry) -> None:
        """Says that an entry is in the log. One that is never hinted at is told later, all the same."""
        self._follow(entry)
        if matters(entry):
            self._hinted.add(entry.table_id)
            self._news.set()

    def _follow(self, entry: Entry) -> None:
        """Tells hinted entries in memory, so that the log need not be read for them."""
        follower = self._followers.pop(entry.table_id, None) or (Follower() if entry.sequence == 1 else None)
        if follower is not None and follower.follows(entry):
            told = follower.take(entry)
            if told is None:
                self._followers[entry.table_id] = follower
                return
            self._ready.setdefault(entry.table_id, deque(maxlen=READY)).append(Step(follower.after, told))
        if matters(entry) and not ends(entry):
            self._followers[entry.table_id] = Follower(entry.sequence)

    async def run(self) -> None:
        """Goes on until it is cancelled, whatever fails."""
        looks, waiting = 0, False
        while True:
            try:
                await (self.catch_up() if looks % LOOK_AT_ALL == 0 else self._look())
                looks, waiting = looks + 1, False
                await self._follow_hints()
            except (Refusal, StoreUnavailable) as error:
                if not waiting:  # one line for an outage, however long
                    log.warning("history waits for the database", **describe(error))
                waiting = True
                await asyncio.sleep(min(1.0, self._look_every))
            except Exception:
                log.exception("history stumbled and goes on")
                await asyncio.sleep(self._look_every)

    async def catch_up(self) -> None:
        """Tells everything that is in the log. Raises Refusal or StoreUnavailable when a database is gone."""
        async for heads in self._heads(live=False):
            await self._bring_those_behind(heads)

    async def _look(self) -> None:
        """Tells what is new of tables that go on, and of those that were going on when last looked at."""
        async for heads in self._heads(live=True):
            await self._bring_those_behind(heads)
        async for cursors in self._cursors(undone=True):
            known = await self._log.heads(cursor.table_id for cursor in cursors)
            await self._bring_those_behind(known.values())

    async def _follow_hints(self) -> None:
        """Tells what is hinted at until it is time to look again."""
        clock = asyncio.get_running_loop().time
        until = clock() + self._look_every
        while await self._hinted_within(until - clock()):
            self._news.clear()
            tables, self._hinted = self._hinted, set()
            await self._bring(tables)

    async def _hinted_within(self, seconds: float) -> bool:
        try:
            async with asyncio.timeout(seconds):
                return await self._news.wait()
        except TimeoutError:
            return False

    async def _bring_those_behind(self, heads: Collection[Head]) -> None:
        cursors = await self._history.cursors(head.table_id for head in heads)
        await self._bring(
            [head.table_id for head in heads if self._may_be_behind(cursors.get(head.table_id), head)]
        )

    def _may_be_behind(self, cursor: Cursor | None, head: Head) -> bool:
        """Whether the log may hold something to tell. Most rounds that go on were followed in memory, to no news."""
        if cursor is None or cursor.seen >= head.sequence:
            return cursor is None
        follower = self._followers.get(head.table_id)
        return follower is None or follower.after > cursor.sequence or follower.seen < head.sequence

    async def _bring(self, tables: Iterable[UUID]) -> None:
        limit = asyncio.Semaphore(AT_ONCE)

        async def bring(table_id: UUID) -> None:
            async with limit:
                await self._bring_one(table_id)

        done = await asyncio.gather(*map(bring, tables), return_exceptions=True)
        for failure in filter(None, done):
            raise failure

    async def _bring_one(self, table_id: UUID) -> None:
        """Tells what is new of a table. A log that cannot be told holds nobody else up."""
        try:
            before = self._known.pop(table_id, None) or await self._cursor_of(table_id)
            told = await self._next(table_id, before.sequence if before else 0)
            while told is not None and await self._history.record(table_id, before, told):
                before = Cursor(table_id, told.sequence, told.seen, told.done)
                told = self._told_after(table_id, before.sequence)
            if before is not None and told is None and not before.done:
                self._remember(before)
        except (Refusal, StoreUnavailable):
            raise
        except Exception:
            log.exception("a table cannot be told", table=str(table_id))

    async def _next(self, table_id: UUID, after: int) -> Told | None:
        """What is to be told after an entry: from memory, or else from the log."""
        told = self._told_after(table_id, after)
        return told or tell(await self._log.read(table_id, after, secrets=False), after)

    def _told_after(self, table_id: UUID, after: int) -> Told | None:
        ready = self._ready.get(table_id)
        while ready:
            step = ready.popleft()
            if step.after == after:
                return step.told
        self._ready.pop(table_id, None)
        return None

    async def _cursor_of(self, table_id: UUID) -> Cursor | None:
        return (await self._history.cursors([table_id])).get(table_id)

    def _remember(self, cursor: Cursor) -> None:
        """Keeps a cursor to save looking it up. If somebody else moves it on, writing after it fails, and it is gone."""
        self._known[cursor.table_id] = cursor
        if len(self._known) > REMEMBERED:
            del self._known[next(iter(self._known))]

    async def _heads(self, *, live: bool) -> AsyncIterator[Sequence[Head]]:
        after: UUID | None = None
        while heads := await self._log.heads_after(after, PAGE, live=live):
            yield heads
            after = heads[-1].table_id

    async def _cursors(self, *, undone: bool) -> AsyncIterator[Sequence[Cursor]]:
        after: UUID | None = None
        while cursors := await self._history.cursors_after(after, PAGE, undone=undone):
            yield cursors
            after = cursors[-1].table_id
