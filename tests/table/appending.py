"""Players of no game: tasks that append to a table as an orchestrator does, and know what they were promised."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field, replace
from random import Random
from uuid import UUID

from baloot.table.events import Entry, Status
from baloot.table.store import Store, StoreUnavailable

from tests.strategies.entries import plain_entry


@dataclass(slots=True)
class Appender:
    """Appends to one table until told to stop. `acknowledged` are the entries that were promised to be in the log."""

    store: Store
    table_id: UUID
    rng: Random
    acknowledged: list[Entry] = field(default_factory=list)
    failures: int = 0
    lost: int = 0
    stop: bool = False

    async def run(self, entries: int | None = None) -> None:
        while not self.stop and (entries is None or len(self.acknowledged) < entries):
            await self.append_one()

    async def append_one(self) -> None:
        """Brings one entry into the log, however often that takes."""
        wanted = plain_entry(self.table_id, await self._last() + 1, self.rng)
        while True:
            if await self._try(wanted):
                self.acknowledged.append(wanted)
                return
            last = await self._last()
            found = await self._found(wanted)
            if found is not None:
                self.acknowledged.append(found)
                return
            wanted = replace(wanted, sequence=last + 1)

    async def _try(self, entry: Entry) -> bool:
        try:
            appended = await self.store.append(entry, Status.PLAYING)
        except StoreUnavailable:
            self.failures += 1
            return False
        self.lost += appended is None
        return appended is not None

    async def _found(self, wanted: Entry) -> Entry | None:
        entries = await self._read()
        return next((entry for entry in entries if entry.request_id == wanted.request_id), None)

    async def _last(self) -> int:
        return len(await self._read())

    async def _read(self) -> list[Entry]:
        while True:
            try:
                return list(await self.store.read(self.table_id))
            except StoreUnavailable:
                self.failures += 1
                await asyncio.sleep(0.01)


async def broken_promises(store: Store, appenders: list[Appender]) -> list[str]:
    """What is wrong with the logs after all that: gaps, entries twice, entries promised and not there."""
    wrong = []
    for table_id in {appender.table_id for appender in appenders}:
        log = await store.read(table_id)
        if [entry.sequence for entry in log] != list(range(1, len(log) + 1)):
            wrong.append(f"{table_id} has gaps")
        if len({entry.request_id for entry in log}) != len(log):
            wrong.append(f"{table_id} has an entry twice")
        head = (await store.heads([table_id])).get(table_id)
        if log and (head is None or head.sequence != len(log)):
            wrong.append(f"{table_id} has another head than log")
    for appender in appenders:
        log = await store.read(appender.table_id)
        wrong += [f"{entry.sequence} is lost" for entry in appender.acknowledged if entry not in log]
    return wrong
