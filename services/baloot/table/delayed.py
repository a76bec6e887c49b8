"""Tables as the public sees them: as they were some time ago, where a table has a delay for spectators.

A table with a delay has one more copy, folded only as far as everybody may know, for all who look at it without a seat.
All that they are told comes from that copy, so nothing that the table knows beyond it can show. It grows by a timer
while somebody watches, is brought up to the moment for whoever asks, and is forgotten when nobody does either.
"""

from __future__ import annotations

import asyncio
from collections import deque
from contextvars import Context
from uuid import UUID

import structlog
from baloot.core.errors import Refusal
from baloot.table.events import SECOND, Entry, Micros
from baloot.table.live import LiveTable
from baloot.table.orchestrator import Orchestrator

AHEAD = 64
"""Entries of a table that wait in memory until they may be told, at most; the log has the rest."""
LONGEST_NAP = 1.0
"""Seconds after which a table is looked at again at the latest: the store's clock is an estimate and may be put right."""
SHORTEST_NAP = 0.001

log = structlog.get_logger()


class DelayedTable(LiveTable):
    """A table up to the last entry that everybody may know. `source` is the table as it is now."""

    __slots__ = ("coming", "growing", "source")

    def __init__(self, source: LiveTable) -> None:
        super().__init__(source.table_id)
        self.source = source
        self.coming: deque[Entry] = deque()
        """The entries that come next."""
        self.growing: asyncio.Task[None] | None = None
        """What lets them in while somebody watches."""

    def due(self) -> Micros:
        """When the next entry may be told, if one is coming. The opening is told even by a clock that is behind."""
        coming = self.coming[0]
        return coming.told_at(self.source.delay) if coming.sequence > 1 else 0

    def let_in(self, now: Micros) -> None:
        """Folds in what may be told by now: in order, so that no entry comes before an older one."""
        ready = []
        while self.coming and self.due() <= now:
            ready.append(self.coming.popleft())
        self.accept(ready)


class Delays:
    """The delayed tables of one process."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._tables: dict[UUID, DelayedTable] = {}

    @property
    def tables(self) -> list[DelayedTable]:
        """The delayed tables in memory."""
        return list(self._tables.values())

    async def of(self, live: LiveTable) -> LiveTable:
        """The table as everybody may see it now: itself, unless it has a delay that has not passed.

        Raises Refusal UNAVAILABLE when the log is needed and cannot be read.
        """
        state = live.state
        assert state is not None
        if not live.delay:
            return live
        if state.status.ended and live.is_told(self._orchestrator.now()):
            return live
        return await self._current(live)

    async def _current(self, source: LiveTable) -> DelayedTable:
        table = self._tables.get(source.table_id)
        if table is None or table.source is not source:
            table = self._tables[source.table_id] = DelayedTable(source)
        table.touched = asyncio.get_running_loop().time()
        source.watchers += 1  # it must not be forgotten meanwhile
        try:
            await self.advance(table)
        finally:
            source.watchers -= 1
        return table

    async def advance(self, table: DelayedTable) -> Micros | None:
        """Lets in all that may be told by now. Returns when the next entry may be; None while there is none."""
        async with table.lock:
            while True:
                if not table.coming:
                    table.coming.extend(await self._orchestrator.entries(table.source, table.sequence, AHEAD))
                if not table.coming:
                    return None
                table.let_in(self._orchestrator.now())
                if table.coming:
                    return table.due()

    def opened(self, live: LiveTable) -> None:
        """Says that a stream of a table was opened: one with a delay grows from the first one on."""
        if isinstance(live, DelayedTable) and live.growing is None:
            live.source.watchers += 1
            # In a context of its own: that of the call which led here has a deadline, and a caller.
            live.growing = asyncio.get_running_loop().create_task(self._grow(live), context=Context())

    def closed(self, live: LiveTable) -> None:
        """Says that a stream was closed; with the last one, the growing ends."""
        if isinstance(live, DelayedTable) and live.growing is not None and not live.watchers:
            live.growing.cancel()
            live.growing = None
            live.source.watchers -= 1
            live.source.touched = asyncio.get_running_loop().time()

    def forget(self, table_id: UUID) -> None:
        """Drops a table from memory."""
        self._tables.pop(table_id, None)

    def forget_idle(self, before: float) -> None:
        """Drops the tables that nobody has watched or asked for since a moment of the loop's clock."""
        for table in self.tables:
            if not table.watchers and table.touched < before:
                self.forget(table.table_id)

    async def _grow(self, table: DelayedTable) -> None:
        while table.state is None or not table.state.status.ended:
            try:
                nap = await self._nap(table)
            except Refusal:
                nap = LONGEST_NAP  # the log cannot be read now
            except Exception:
                log.exception("a delayed table stumbled and goes on", table=str(table.table_id))
                nap = LONGEST_NAP
            if nap is None and table.sequence == table.source.sequence:
                await table.source.news()
            else:
                await asyncio.sleep(LONGEST_NAP if nap is None else nap)

    async def _nap(self, table: DelayedTable) -> float | None:
        """Lets in what may be told; the seconds until more may be, None while there is none."""
        due = await self.advance(table)
        if due is None:
            return None
        return min(max((due - self._orchestrator.now()) / SECOND, SHORTEST_NAP), LONGEST_NAP)


def source_of(live: LiveTable) -> LiveTable:
    """The table as it is now."""
    return live.source if isinstance(live, DelayedTable) else live
