"""A store in memory, for tests and trials: it keeps every promise of the port but outliving the process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from hashlib import sha256
from uuid import UUID

from baloot.table import chain
from baloot.table.entries import holder_of
from baloot.table.events import LATE, Entry, Micros, Status
from baloot.table.looks import Look
from baloot.table.payload import decode, encode
from baloot.table.store import Head, RawEntry, Stored


def system_clock() -> Micros:
    """The clock of this machine."""
    return time.time_ns() // 1000


class MemoryStore:
    """Implements `Store`. Several users of one object stand for several processes on one database."""

    def __init__(self, clock: Callable[[], Micros] = system_clock) -> None:
        self._clock = clock
        self._entries: dict[UUID, list[Entry]] = {}
        self._heads: dict[UUID, Head] = {}
        self._leases: dict[UUID, Micros] = {}
        self._keys: dict[str, bytes] = {}
        self._events: dict[str, set[UUID]] = {}
        self._looks: dict[UUID, Look] = {}
        self._attended: Micros | None = None
        self._resumed: Micros = 0
        self._processes: dict[bytes, Micros] = {}
        self._handed: dict[bytes, Micros] = {}

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        await _elsewhere()
        log = self._entries.get(entry.table_id, [])
        if entry.sequence != len(log) + 1:
            return None
        stored = _linked(log[-1].chain if log else chain.START, entry)
        self._entries.setdefault(entry.table_id, log).append(stored)
        self._heads[entry.table_id] = Head(entry.table_id, entry.sequence, status, entry.deadline)
        self._leases.pop(entry.table_id, None)
        return Stored(stored.chain)

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        await _elsewhere()
        found = self._entries.get(table_id, ())[after:][:limit]
        return tuple(found if secrets else map(_without_secrets, found))

    async def raw(self, table_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[RawEntry]:
        await _elsewhere()
        return tuple(map(_raw, self._entries.get(table_id, ())[after:][:limit]))

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        await _elsewhere()
        return {table_id: self._heads[table_id] for table_id in table_ids if table_id in self._heads}

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]:
        await _elsewhere()
        wanted = (table_id for table_id in sorted(self._heads) if after is None or table_id > after)
        heads = (self._heads[table_id] for table_id in wanted)
        return tuple(head for head in heads if not (live and head.status.ended))[:limit]

    async def held_by(self, holder: bytes, limit: int) -> Sequence[UUID]:
        await _elsewhere()
        seated = self._seated(holder)
        return sorted(seated, key=lambda table_id: (seated[table_id], table_id), reverse=True)[:limit]

    def _seated(self, holder: bytes) -> dict[UUID, Micros]:
        """The tables that have not ended at which a holder was seated, and when."""
        live = [log for table_id, log in self._entries.items() if not self._heads[table_id].status.ended]
        return {log[0].table_id: entry.at for log in live for entry in log if holder_of(entry) == holder}

    async def claim_due(self, limit: int, lease: Micros) -> Sequence[UUID]:
        await _elsewhere()
        now = self._clock()
        due = sorted(
            (head.deadline, head.table_id) for head in self._heads.values() if head.deadline is not None
        )
        free = [
            table_id for deadline, table_id in due if deadline <= now and self._leases.get(table_id, 0) <= now
        ]
        for table_id in free[:limit]:
            self._leases[table_id] = now + lease
        return tuple(free[:limit])

    async def key(self, name: str, fresh: bytes, *, sealed: bool = False) -> bytes:  # noqa: ARG002 - nothing is sealed here
        await _elsewhere()
        return self._keys.setdefault(name, fresh)

    async def enrol(self, table_id: UUID, event_id: str) -> None:
        await _elsewhere()
        self._events.setdefault(event_id, set()).add(table_id)

    async def held_in(self, event_id: str, holder: bytes) -> Sequence[UUID]:
        await _elsewhere()
        return sorted(self._seated(holder).keys() & self._events.get(event_id, set()))

    async def write_look(self, look: Look) -> None:
        await _elsewhere()
        self._looks.setdefault(look.id, look)

    async def looks(self, table_id: UUID, limit: int) -> Sequence[Look]:
        await _elsewhere()
        looks = [look for look in self._looks.values() if look.table_id == table_id]
        return tuple(sorted(looks, key=lambda look: (look.at, look.id))[:limit])

    async def attend(self, gap: Micros) -> Micros:
        await _elsewhere()
        now = self._clock()
        if self._attended is not None and now - self._attended > gap:
            self._resumed = now
        self._attended = now
        return self._resumed

    async def muster(self, process: bytes, silence: Micros, lease: Micros) -> Sequence[bytes]:
        await _elsewhere()
        now = self._clock()
        self._processes[process] = now
        self._handed.pop(process, None)
        if self._attended is None or now - self._attended > LATE or now - self._resumed <= silence:
            return ()
        lost = [one for one in self._silent(now - silence) if self._handed.get(one, 0) <= now]
        self._handed.update(dict.fromkeys(lost, now + lease))
        return lost

    def _silent(self, before: Micros) -> list[bytes]:
        return [process for process, at in self._processes.items() if at < before]

    async def strike_off(self, process: bytes, silence: Micros) -> None:
        await _elsewhere()
        if process in self._silent(self._clock() - silence):
            del self._processes[process]

    async def ping(self) -> None:
        await _elsewhere()

    def now(self) -> Micros:
        return self._clock()


def _linked(before: bytes, entry: Entry) -> Entry:
    payload, secret = encode(entry)
    link = chain.link(
        before,
        entry.table_id,
        entry.sequence,
        entry.at,
        entry.actor,
        payload,
        sha256(secret).digest(),
        by_default=entry.by_default,
    )
    return replace(entry, chain=link)


def _without_secrets(entry: Entry) -> Entry:
    return replace(entry, events=decode(encode(entry)[0], None).events, questions=())


def _raw(entry: Entry) -> RawEntry:
    payload, secret = encode(entry)
    return RawEntry(entry.sequence, entry.at, entry.actor, entry.by_default, payload, secret, entry.chain)


async def _elsewhere() -> None:
    """Lets other tasks run, as asking a database would."""
    await asyncio.sleep(0)
