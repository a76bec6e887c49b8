"""How many tables an address may have open at once, so that nobody fills the log with tables that never begin."""

from __future__ import annotations

from collections import Counter, OrderedDict
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.table.events import Entry, Micros, Settings, Status
from baloot.table.orchestrator import Orchestrator, unavailable
from baloot.table.store import Head, StoreUnavailable

ADDRESSES = 16_384
"""Addresses that are remembered; one that is forgotten begins anew."""
_NANOS = 1000
"""Nanoseconds in a microsecond."""


class OpenTables:
    """Opens tables, and remembers which of an address have not begun: at most `most`, or with 0 any number."""

    def __init__(self, orchestrator: Orchestrator, most: int = 0) -> None:
        self._orchestrator = orchestrator
        self._most = most
        self._opened: OrderedDict[str, dict[UUID, Micros]] = OrderedDict()
        self._opening: Counter[UUID] = Counter()

    def __len__(self) -> int:
        return len(self._opened)

    async def create(self, address: str | None, request_id: UUID, settings: Settings) -> Entry:
        """Opens a table for an address. The same request is answered again whatever the address has open since.

        Raises Refusal TOO_MANY_TABLES.
        """
        table_id = await self._orchestrator.id_of(request_id)
        if address is None or not self._most or await self._orchestrator.state_if_any(table_id):
            return await self._orchestrator.create(request_id, settings)
        if table_id not in self._opened.get(address, {}):
            await self._require_room(address)
        self._note(address, table_id, self._orchestrator.now() + settings.fill_timeout)
        self._opening[table_id] += 1
        try:
            return await self._orchestrator.create(request_id, settings)
        finally:
            self._opening -= Counter((table_id,))

    async def _require_room(self, address: str) -> None:
        if len(self._opened.get(address, {})) >= self._most:
            await self._look_again(address)
        mine = self._opened.get(address, {})
        if len(mine) >= self._most:
            raise Refusal(
                Reason.TOO_MANY_TABLES,
                f"{len(mine)} tables are open; fill one of them first",
                metadata={"limit": "tables"},
                retry_after=(min(mine.values()) - self._orchestrator.now()) * _NANOS,
            )

    async def _look_again(self, address: str) -> None:
        """Counts no more what was not stored after all, or has begun or ended since, here or in another process."""
        asked, opening = tuple(self._opened[address]), set(self._opening)
        try:
            heads = await self._orchestrator.store.heads(asked)
        except StoreUnavailable as error:
            raise unavailable() from error
        mine, now = self._opened.get(address, {}), self._orchestrator.now()
        for table_id in asked:
            until = _open_until(heads.get(table_id))
            if until > now:
                mine[table_id] = until
            elif table_id not in opening:
                mine.pop(table_id, None)
        if not mine:
            self._opened.pop(address, None)

    def _note(self, address: str, table_id: UUID, until: Micros) -> None:
        self._opened.setdefault(address, {})[table_id] = until
        self._opened.move_to_end(address)
        oldest = next(iter(self._opened))
        outlived = max(self._opened[oldest].values()) <= self._orchestrator.now()
        if outlived or len(self._opened) > ADDRESSES:
            del self._opened[oldest]


def _open_until(head: Head | None) -> Micros:
    """When an open table ends by itself; 0 where there is none, or none that is open."""
    if head is None or head.status is not Status.OPEN:
        return 0
    return head.deadline or 0
