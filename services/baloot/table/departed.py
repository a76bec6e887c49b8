"""Processes that died: what they said of their players, others put right.

A process that is killed cannot say that the players whose streams it had are gone. So each notes every few seconds that
it is at work, and one that has not for long is taken to be dead: whoever finds it tells for it. A player who has come
back at another process has an entry of that one since, and is left alone; the log's key decides between those who tell.
One that was only quiet finds the entry in the log, and says again who is here (`seat_streams.py`).
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Self
from uuid import UUID

import structlog
from baloot.core.errors import Refusal
from baloot.core.seats import SEATS
from baloot.table.decision import Decision
from baloot.table.entries import Request
from baloot.table.events import SECOND, Micros, Presence
from baloot.table.orchestrator import Orchestrator
from baloot.table.seat_streams import told
from baloot.table.state import TableState
from baloot.table.store import StoreUnavailable

MOST_TABLES = 100_000
"""Tables of a dead process that are looked at: more than one has."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Roll:
    """When a process is missed.

    `every` lies between two notes of each, in seconds; `silence` is how long one must have noted nothing, well above
    the longest time in which nobody could without that being an outage; after `lease` another one tells for it, if it
    is still there.
    """

    every: float = 2.0
    silence: Micros = 10 * SECOND
    lease: Micros = 30 * SECOND


class Departed:
    """Notes that this process, which the log calls `owner`, is at work, and tells for those that are not any more.

    Use as an async context manager.
    """

    def __init__(self, orchestrator: Orchestrator, owner: bytes, roll: Roll | None = None) -> None:
        self._orchestrator = orchestrator
        self._owner = owner
        self._roll = roll or Roll()
        self._noting: asyncio.Task[None] | None = None
        self._telling: dict[bytes, asyncio.Task[None]] = {}

    async def __aenter__(self) -> Self:
        self._noting = asyncio.create_task(self._note_forever())
        return self

    async def __aexit__(self, *_: object) -> None:
        running = [*self._telling.values()]
        if self._noting is not None:
            running.append(self._noting)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _note_forever(self) -> None:
        while True:
            try:
                await self._note()
            except StoreUnavailable:
                pass  # nobody can note anything
            except Exception:
                log.exception("looking for dead processes stumbled and goes on")
            await asyncio.sleep(self._roll.every)

    async def _note(self) -> None:
        """Tells by a task of its own: it may take longer than this process may be silent."""
        store, roll = self._orchestrator.store, self._roll
        for process in await store.muster(self._owner, roll.silence, roll.lease):
            if process not in self._telling:
                task = self._telling[process] = asyncio.create_task(self._tell(process))
                task.add_done_callback(partial(self._told, process))

    def _told(self, process: bytes, _task: asyncio.Task[None]) -> None:
        del self._telling[process]

    async def _tell(self, process: bytes) -> None:
        """Tells at all tables of a dead process, then forgets it. What cannot be told now is tried again after the lease."""
        store = self._orchestrator.store
        with suppress(StoreUnavailable):
            tables = await store.held_by(process, MOST_TABLES)
            log.info("a process died; its players are told to be away", tables=len(tables))
            if all([await self._told_at(table_id, process) for table_id in tables]):
                await store.strike_off(process, self._roll.silence)

    async def _told_at(self, table_id: UUID, process: bytes) -> bool:
        try:
            await self._orchestrator.current(table_id)
            for _ in SEATS:
                await self._orchestrator.note(table_id, lambda state: self._entry(state, process))
        except Refusal as refusal:
            log.warning("who is away could not be told", table=str(table_id), reason=refusal.reason.value)
            return False
        except Exception:
            log.exception("who is away could not be told", table=str(table_id))
            return False
        return True

    def _entry(self, state: TableState, process: bytes) -> tuple[Decision, Request] | None:
        """That the first player whose stream the process had is away; None when there is none left."""
        for seat, known in zip(SEATS, state.connections, strict=True):
            here = known is not None and known.presence is Presence.HERE and known.owner == process
            if here and not state.status.ended:
                return told(state, seat, Presence.AWAY, self._owner)
        return None
