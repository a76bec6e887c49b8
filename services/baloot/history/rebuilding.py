"""Telling everything anew: history made once more out of the logs, from nothing, while others read it and tell on.

Each table is replaced as a whole, so readers see what was there or what is there now. How far it is stands in the
database, so one that is killed goes on where it was; what was done twice comes to the same.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

import structlog
from baloot.core.errors import Reason, Refusal
from baloot.history.fold import tell
from baloot.history.imports import told_of
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Log
from baloot.history.records import Rebuilt
from baloot.kit.logs import describe
from baloot.table.events import Micros
from baloot.table.store import Head, StoreUnavailable

PAGE = 25
"""Tables after which it is noted how far it is; one that is killed does at most so many again."""
HEADS = 1000
AT_ONCE = 3
ATTEMPTS = 100
"""How often a table is told that moves on meanwhile: it does so once in a round."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far it is, in entries of the logs. `imported` are matches that were told by their texts.

    `failed` are tables and texts that cannot be told; what is told of them stays as it was.
    """

    done: int
    total: int
    tables: int = 0
    failed: int = 0
    imported: int = 0


Tell = Callable[[Progress], None]


class Rebuild:
    """Tells the logs anew. `from_scratch` begins with the first table, even if another rebuild was stopped half-way."""

    def __init__(
        self,
        log: Log,
        history: PostgresHistory,
        *,
        from_scratch: bool = False,
        told: Tell = lambda _: None,
        page: int = PAGE,
    ) -> None:
        self._log = log
        self._history = history
        self._from_scratch = from_scratch
        self._told = told
        self._page = page
        self._progress = Progress(0, 0)

    async def run(self) -> Progress:
        """Goes on until all is told. Raises Refusal or StoreUnavailable when a database is gone; run it again then."""
        rebuilt = await self._history.begin_rebuild(from_scratch=self._from_scratch)
        self._progress = Progress(rebuilt.entries, await self._total())
        async for heads in self._heads(rebuilt.after, self._page):
            await self._tell_all(heads)
            rebuilt = Rebuilt(rebuilt.generation, heads[-1].table_id, self._progress.done)
            await self._history.note_rebuild(rebuilt)
        await self._forget_others()
        await self._tell_imports()
        await self._history.end_rebuild(rebuilt.generation)
        return self._progress

    async def _total(self) -> int:
        pages = [sum(head.sequence for head in heads) async for heads in self._heads(None, HEADS)]
        return sum(pages)

    async def _tell_all(self, heads: Sequence[Head]) -> None:
        limit = asyncio.Semaphore(AT_ONCE)

        async def one(head: Head) -> None:
            async with limit:
                await self._tell_one(head)

        done = await asyncio.gather(*map(one, heads), return_exceptions=True)
        for failure in filter(None, done):
            raise failure

    async def _tell_one(self, head: Head) -> None:
        """Tells a table. A log that cannot be told holds nobody else up."""
        failed = 0
        try:
            await self._replace(head.table_id)
        except (Refusal, StoreUnavailable):
            raise
        except Exception as error:  # noqa: BLE001 - whatever is wrong with it
            log.warning("a table cannot be told", table=str(head.table_id), **describe(error))
            failed = 1
        now = self._progress
        self._progress = replace(
            now, done=now.done + head.sequence, tables=now.tables + 1, failed=now.failed + failed
        )
        self._told(self._progress)

    async def _replace(self, table_id: UUID) -> None:
        """Writes what the log tells, unless somebody else told on after it was read: then once more."""
        for _ in range(ATTEMPTS):
            before = (await self._history.cursors([table_id])).get(table_id)
            told = tell(await self._log.read(table_id, secrets=False))
            if await self._history.record_anew(table_id, before, told):
                return
        raise Refusal(Reason.CONTENDED, f"the table {table_id} moves on all the time; try again")

    async def _forget_others(self) -> None:
        """Forgets tables that have no log."""
        after: UUID | None = None
        while cursors := await self._history.cursors_after(after, HEADS, undone=False):
            known = await self._log.heads(cursor.table_id for cursor in cursors)
            await self._history.forget(cursor.table_id for cursor in cursors if cursor.table_id not in known)
            after = cursors[-1].table_id

    async def _tell_imports(self) -> None:
        """Tells imported matches by their texts, which are all that there is of them."""
        after: UUID | None = None
        while kept := await self._history.imports_after(after, self._page):
            for match_id, text, at in kept:
                await self._tell_import(match_id, text, at)
            after = kept[-1][0]

    async def _tell_import(self, match_id: UUID, text: str, at: Micros) -> None:
        now = self._progress
        try:
            await self._history.tell_import(match_id, told_of(match_id, text, at))
            self._progress = replace(now, imported=now.imported + 1)
        except ValueError as error:
            log.warning("an imported match cannot be told", match=str(match_id), **describe(error))
            self._progress = replace(now, failed=now.failed + 1)
        self._told(self._progress)

    async def _heads(self, after: UUID | None, size: int) -> AsyncIterator[Sequence[Head]]:
        while heads := await self._log.heads_after(after, size, live=False):
            yield heads
            after = heads[-1].table_id
