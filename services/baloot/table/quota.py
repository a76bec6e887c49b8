"""How many tables an address may have open at once, so that nobody fills the log with tables that never begin."""

from __future__ import annotations

from collections import OrderedDict
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.table.events import Entry, Micros, Settings, Status
from baloot.table.orchestrator import Orchestrator, unavailable
from baloot.table.store import StoreUnavailable

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

    def __len__(self) -> int:
        return len(self._opened)

    async def create(self, address: str | None, request_id: UUID, settings: Settings) -> Entry:
        """Opens a table for an address. The same request is answered again whatever the address has open since.

        Raises Refusal TOO_MANY_TABLES.
        """
        table_id = await self._orchestrator.id_of(request_id)
        if address is None or not self._most or await self._orchestrator.exists(table_id):
            return await self._orchestrator.create(request_id, settings)
        await self._require_room(address)
        self._note(address, table_id, self._orchestrator.now() + settings.fill_timeout)
        try:
            return await self._orchestrator.create(request_id, settings)
        except BaseException:
            self._drop(address, table_id)
            raise

    async def _require_room(self, address: str) -> None:
        mine = self._opened.get(address, {})
        if len(mine) < self._most:
            return
        await self._look_again(address, mine)
        if len(mine) >= self._most:
            wait = min(mine.values()) - self._orchestrator.now()
            raise Refusal(
                Reason.TOO_MANY_TABLES,
                f"{len(mine)} tables are open; fill one of them first",
                metadata={"limit": "tables"},
                retry_after=wait * _NANOS,
            )

    async def _look_again(self, address: str, mine: dict[UUID, Micros]) -> None:
        """Counts no more what has begun or ended since, here or in another process. What is not stored yet counts."""
        try:
            heads = await self._orchestrator.store.heads(tuple(mine))
        except StoreUnavailable as error:
            raise unavailable() from error
        for head in heads.values():
            if head.status is Status.OPEN and head.deadline is not None and head.table_id in mine:
                mine[head.table_id] = head.deadline
            else:
                self._drop(address, head.table_id)
        now = self._orchestrator.now()
        for table_id in [table_id for table_id, until in mine.items() if until <= now]:
            self._drop(address, table_id)

    def _note(self, address: str, table_id: UUID, until: Micros) -> None:
        self._opened.setdefault(address, {})[table_id] = until
        self._opened.move_to_end(address)
        oldest = next(iter(self._opened))
        outlived = max(self._opened[oldest].values()) <= self._orchestrator.now()
        if outlived or len(self._opened) > ADDRESSES:
            del self._opened[oldest]

    def _drop(self, address: str, table_id: UUID) -> None:
        mine = self._opened.get(address, {})
        mine.pop(table_id, None)
        if not mine:
            self._opened.pop(address, None)
