"""Time at the tables: whatever is due is done, by this process or any other, exactly once.

A timer in memory is a hint that makes a step prompt. The sweeper, which asks the store for overdue tables, is the
guarantee: it finds what a crashed process left. Both may try the same step; the log lets one of them through.
"""

from __future__ import annotations

import asyncio
from typing import Self
from uuid import UUID

import structlog
from baloot.core.errors import Refusal
from baloot.table.events import SECOND, Micros
from baloot.table.orchestrator import Orchestrator
from baloot.table.store import StoreUnavailable

SWEEP_EVERY = 0.25
"""Seconds between two looks for overdue tables."""
SWEEP_LIMIT = 50
LEASE: Micros = 5 * SECOND
"""How long a table that is handed to this process is kept from the sweepers of others."""

log = structlog.get_logger()


class Clocks:
    """Takes the tables' own steps when they are due. Use as an async context manager."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator
        self._timers: dict[UUID, asyncio.TimerHandle] = {}
        self._steps: set[asyncio.Task[None]] = set()
        self._sweeper: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._orchestrator.on_deadline = self._schedule
        self._sweeper = asyncio.create_task(self._sweep_forever())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._orchestrator.on_deadline = lambda _table, _deadline: None
        for timer in self._timers.values():
            timer.cancel()
        running = [task for task in (self._sweeper, *self._steps) if task is not None]
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _schedule(self, table_id: UUID, deadline: Micros) -> None:
        before = self._timers.pop(table_id, None)
        if before is not None:
            before.cancel()
        delay = max(0, deadline - self._orchestrator.now()) / SECOND
        self._timers[table_id] = asyncio.get_running_loop().call_later(delay, self._start, table_id)

    def _start(self, table_id: UUID) -> None:
        self._timers.pop(table_id, None)
        task = asyncio.create_task(self._step(table_id))
        self._steps.add(task)
        task.add_done_callback(self._steps.discard)

    async def _step(self, table_id: UUID) -> None:
        try:
            await self._orchestrator.step(table_id)
        except Refusal as refusal:
            log.warning("a due step waits", table=str(table_id), reason=refusal.reason.value)
        except Exception:
            log.exception("a due step failed", table=str(table_id))

    async def _sweep_forever(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_EVERY)
            await self._sweep()

    async def _sweep(self) -> None:
        try:
            overdue = await self._orchestrator.store.claim_due(SWEEP_LIMIT, LEASE)
        except StoreUnavailable:
            return
        except Exception:
            log.exception("the sweeper stumbled and goes on")
            return
        for table_id in overdue:
            self._start(table_id)
