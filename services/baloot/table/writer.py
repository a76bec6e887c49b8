"""Group commit: what many callers append at the same time goes to the store in one statement.

One task writes; callers wait for it. A caller that is cancelled takes nothing with it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from uuid import UUID

from baloot.table.store import StoreUnavailable

BATCH = 256
"""Rows in one statement at most: beyond it they gain little more and wait longer."""
PACE = 0.01
"""Seconds from a batch of several rows to the next one: while many append, few large batches are cheaper than many."""


class Keyed(Protocol):
    """What is written: one row of a table's log."""

    @property
    def table_id(self) -> UUID: ...

    @property
    def sequence(self) -> int: ...


_Row = TypeVar("_Row", bound=Keyed)
_Written = TypeVar("_Written")


@dataclass(slots=True)
class _Waiting(Generic[_Row, _Written]):
    row: _Row
    written: asyncio.Future[_Written | None]


class GroupWriter(Generic[_Row, _Written]):
    """Gathers rows while a batch is under way and writes them in the next.

    `write` gets rows of different tables, sorted by table, and returns for the table of each that went in what came of
    it. `pace` lies between a batch of several rows and the next one, in seconds; after a batch of one nobody waits for it.
    """

    def __init__(
        self,
        write: Callable[[Sequence[_Row]], Awaitable[Mapping[UUID, _Written]]],
        batch: int = BATCH,
        pace: float = 0.0,
    ) -> None:
        self._write = write
        self._batch = batch
        self._pace = pace
        self._next_at = 0.0
        self._queue: deque[_Waiting[_Row, _Written]] = deque()
        self._wake = asyncio.Event()
        self._closing = asyncio.Event()
        self._task = asyncio.create_task(self._run(), name="group writer")

    async def append(self, row: _Row) -> _Written | None:
        """What came of the row; None when it did not go in. Raises StoreUnavailable when that is not known, or the writer is closed."""
        if self._closing.is_set() or self._task.done():
            raise StoreUnavailable("the store is closed")
        waiting: _Waiting[_Row, _Written] = _Waiting(row, asyncio.get_running_loop().create_future())
        self._queue.append(waiting)
        self._wake.set()
        return await waiting.written

    async def close(self) -> None:
        """Writes what is queued, then ends. Rows that come later are refused."""
        self._closing.set()
        self._wake.set()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        try:
            while await self._more():
                await self._gather()
                await self._write_next()
        finally:
            self._fail(self._queue, None)

    async def _more(self) -> bool:
        if not self._queue and not self._closing.is_set():
            self._wake.clear()
            await self._wake.wait()
        return bool(self._queue)

    async def _gather(self) -> None:
        pause = self._next_at - asyncio.get_running_loop().time()
        if pause > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._closing.wait()

    async def _write_next(self) -> None:
        batch = self._take()
        if not batch:
            return
        if len(batch) > 1:
            self._next_at = asyncio.get_running_loop().time() + self._pace
        try:
            written = await self._write([waiting.row for waiting in batch])
        except Exception as error:  # noqa: BLE001 - drivers raise more than their own errors when a connection is lost
            # The rest of the queue would each wait for the same time-out again.
            self._fail([*batch, *self._queue], error)
            self._queue.clear()
        except BaseException:
            self._fail(batch, None)
            raise
        else:
            for waiting in batch:
                _settle(waiting, written)

    def _take(self) -> list[_Waiting[_Row, _Written]]:
        """The next rows, the first of each table only, in the order in which every writer locks them."""
        batch: dict[UUID, _Waiting[_Row, _Written]] = {}
        later: list[_Waiting[_Row, _Written]] = []
        while self._queue and len(batch) < self._batch:
            waiting = self._queue.popleft()
            if waiting.written.done():
                continue  # cancelled before it was sent: nobody asks for it any more
            if waiting.row.table_id in batch:
                later.append(waiting)
            else:
                batch[waiting.row.table_id] = waiting
        self._queue.extendleft(reversed(later))
        return [batch[table_id] for table_id in sorted(batch)]

    @staticmethod
    def _fail(unwritten: Collection[_Waiting[_Row, _Written]], cause: Exception | None) -> None:
        for waiting in unwritten:
            if not waiting.written.done():
                error = StoreUnavailable("the store did not say whether the entry went in")
                error.__cause__ = cause
                waiting.written.set_exception(error)


def _settle(waiting: _Waiting[_Row, _Written], written: Mapping[UUID, _Written]) -> None:
    if not waiting.written.done():
        waiting.written.set_result(written.get(waiting.row.table_id))
