"""The tables' logs as far as everybody may know them: history is for all, so a delay for spectators holds for it too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

from baloot.history.fold import matters
from baloot.table.events import Entry, Micros, TableCreated
from baloot.table.store import Head, Store

REMEMBERED = 10_000
"""Tables whose delay is kept in memory, and as many of which it is known that nothing is to be told."""


class Quiet(NamedTuple):
    """Before the moment `until` history has nothing to tell of a table after its entry `seen`."""

    seen: int
    until: Micros


class PublicLog:
    """What `Projection` reads of a store, as far as everybody may know of it.

    A table whose next news is not public yet stands, by its head, where it was read to, so that it is not read again
    and again meanwhile.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._delays: dict[UUID, Micros] = {}
        self._quiet: dict[UUID, Quiet] = {}

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        """The entries of a table above `after` that everybody may know of, in order, at most `limit`."""
        entries = await self._store.read(table_id, after, limit, secrets=secrets)
        delay = await self._delay(table_id) if entries else 0
        if not delay:
            return entries
        told = self._told(entries, delay)
        if limit is None:
            self._note(table_id, told[-1].sequence if told else after, entries[len(told) :], delay)
        return told

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        heads = await self._store.heads(table_ids)
        return {table_id: self._public(head) for table_id, head in heads.items()}

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]:
        return [self._public(head) for head in await self._store.heads_after(after, limit, live=live)]

    def _told(self, entries: Sequence[Entry], delay: Micros) -> Sequence[Entry]:
        now = self._store.now()
        hidden = (n for n, entry in enumerate(entries) if entry.told_at(delay) > now)
        return entries[: next(hidden, len(entries))]

    def _note(self, table_id: UUID, seen: int, hidden: Sequence[Entry], delay: Micros) -> None:
        news = (entry.told_at(delay) for entry in hidden if matters(entry))
        # What is not in the log yet is no older than this moment, but for what is being written just now.
        self._quiet.pop(table_id, None)
        self._quiet[table_id] = Quiet(seen, next(news, self._store.now() + delay))
        if len(self._quiet) > REMEMBERED:
            del self._quiet[next(iter(self._quiet))]

    def _public(self, head: Head) -> Head:
        quiet = self._quiet.get(head.table_id)
        if quiet is None or quiet.until <= self._store.now():
            return head
        return replace(head, sequence=min(head.sequence, quiet.seen))

    async def _delay(self, table_id: UUID) -> Micros:
        known = self._delays.get(table_id)
        if known is not None:
            return known
        first = (await self._store.read(table_id, 0, 1, secrets=False))[0].events[0]
        assert isinstance(first, TableCreated)
        self._delays[table_id] = first.settings.spectator_delay
        if len(self._delays) > REMEMBERED:
            del self._delays[next(iter(self._delays))]
        return first.settings.spectator_delay
