"""The tables' logs as far as everybody may know them: history is for all, so a delay for spectators holds for it too."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from uuid import UUID

from baloot.table.events import Entry, Micros, TableCreated
from baloot.table.store import Head, Store

REMEMBERED = 10_000
"""Tables whose delay is kept in memory."""


class PublicLog:
    """What `Projection` reads of a store: entries come once everybody may know of them, heads as they are."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._delays: dict[UUID, Micros] = {}

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, questions: bool = True
    ) -> Sequence[Entry]:
        """The entries of a table above `after` that everybody may know of, in order, at most `limit`."""
        entries = await self._store.read(table_id, after, limit, questions=questions)
        delay = await self._delay(table_id) if entries else 0
        return entries if not delay else self._told(entries, delay)

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        return await self._store.heads(table_ids)

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]:
        return await self._store.heads_after(after, limit, live=live)

    def _told(self, entries: Sequence[Entry], delay: Micros) -> Sequence[Entry]:
        now = self._store.now()
        hidden = (n for n, entry in enumerate(entries) if entry.told_at(delay) > now)
        return entries[: next(hidden, len(entries))]

    async def _delay(self, table_id: UUID) -> Micros:
        known = self._delays.get(table_id)
        if known is not None:
            return known
        first = (await self._store.read(table_id, 0, 1, questions=False))[0].events[0]
        assert isinstance(first, TableCreated)
        self._delays[table_id] = first.settings.spectator_delay
        if len(self._delays) > REMEMBERED:
            del self._delays[next(iter(self._delays))]
        return first.settings.spectator_delay
