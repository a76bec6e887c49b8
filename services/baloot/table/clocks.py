"""Time at the tables: whatever is due is done, by this process or any other, exactly once.

A timer in memory is a hint that makes a step prompt. The sweeper, which asks the store for overdue tables, is the
guarantee: it finds what a crashed process left. Both may try the same step; the log lets one of them through.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from contextvars import Context
from typing import NamedTuple, Self
from uuid import UUID

import structlog
from baloot.core.errors import Reason, Refusal
from baloot.table.events import SECOND, Micros
from baloot.table.orchestrator import Orchestrator
from baloot.table.store import StoreUnavailable

SWEEP_EVERY = 0.25
"""Seconds between two looks for overdue tables."""
SWEEP_LIMIT = 50
ATTEND_EVERY = 0.5
"""Seconds between two notes that this process is at work: well below what counts as an outage."""
LEASE: Micros = 5 * SECOND
"""How long a table that is handed to this process is kept from the sweepers of others."""

log = structlog.get_logger()


class _Timer(NamedTuple):
    rings: Micros
    handle: asyncio.TimerHandle


class Clocks:
    """Takes the tables' own steps when they are due. Use as an async context manager."""

    def __init__(
        self, orchestrator: Orchestrator, *, sweep_every: float = SWEEP_EVERY, lease: Micros = LEASE
    ) -> None:
        self._orchestrator = orchestrator
        self._sweep_every = sweep_every
        self._lease = lease
        self._timers: dict[UUID, _Timer] = {}
        self._steps: dict[asyncio.Task[None], UUID] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._ended: Micros | None = None
        """When the outage ended after which the clocks of all tables were last extended."""
        self._restarting: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._orchestrator.on_deadline = self._schedule
        self._tasks = [
            asyncio.create_task(self._sweep_forever()),
            asyncio.create_task(self._attend_forever()),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        self._orchestrator.on_deadline = lambda _table, _deadline: None
        for timer in self._timers.values():
            timer.handle.cancel()
        running = [*self._tasks, *self._steps]
        if self._restarting is not None:
            running.append(self._restarting)
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _schedule(self, table_id: UUID, deadline: Micros | None) -> None:
        timer = self._timers.get(table_id)
        if timer is not None and deadline is not None and timer.rings <= deadline:
            return  # most deadlines are put off again and again: a step that comes early sets the next timer
        if timer is not None:
            timer.handle.cancel()
            del self._timers[table_id]
        if deadline is not None:
            self._timers[table_id] = self._timer(table_id, deadline)

    def _timer(self, table_id: UUID, deadline: Micros) -> _Timer:
        delay = max(0, deadline - self._orchestrator.now()) / SECOND
        # In a context of its own: that of the call which led here has a deadline, long past when the timer rings.
        loop = asyncio.get_running_loop()
        return _Timer(deadline, loop.call_later(delay, self._ring, table_id, context=Context()))

    def _ring(self, table_id: UUID) -> None:
        del self._timers[table_id]
        _ = self._start(table_id)

    def _start(self, table_id: UUID) -> asyncio.Task[None]:
        task = asyncio.create_task(self._step(table_id))
        self._steps[task] = table_id
        task.add_done_callback(self._steps.pop)
        return task

    async def _step(self, table_id: UUID) -> None:
        try:
            await self._orchestrator.step(table_id)
        except Refusal as refusal:
            _tell_waiting(table_id, refusal.reason)
        except Exception:
            log.exception("a due step failed", table=str(table_id))
        else:
            return
        self._wait_again(table_id)

    def _wait_again(self, table_id: UUID) -> None:
        """Sets the timer of a step that came early and found out nothing. One that is due is the sweeper's to repeat."""
        live = self._orchestrator.tables.get(table_id)
        deadline = live.state.deadline if live and live.state else None
        if deadline is not None and deadline > self._orchestrator.now():
            self._schedule(table_id, deadline)

    async def _attend_forever(self) -> None:
        """Lets all processes know that one is at work, and after an outage gives all seats their time again."""
        while True:
            try:
                ended = await self._orchestrator.attend()
                if ended is not None and ended != self._ended:
                    self._ended = ended
                    self._restarting = asyncio.create_task(self._restart_clocks())
            except Refusal:
                pass  # the store is away: nobody can attend
            except Exception:
                log.exception("attending stumbled and goes on")
            await asyncio.sleep(ATTEND_EVERY)

    async def _restart_clocks(self) -> None:
        """Steps all tables. One that this does not reach is put right when its time is over."""
        after: UUID | None = None
        with suppress(StoreUnavailable):
            while heads := await self._orchestrator.store.heads_after(after, SWEEP_LIMIT, live=True):
                await asyncio.gather(*(self._start(head.table_id) for head in heads))
                after = heads[-1].table_id

    async def _sweep_forever(self) -> None:
        while True:
            started = await self._sweep()
            if len(started) < SWEEP_LIMIT:
                await asyncio.sleep(self._sweep_every)
            else:
                await asyncio.wait(started)

    async def _sweep(self) -> list[asyncio.Task[None]]:
        """Starts the steps of overdue tables, but for those whose last one still waits for something."""
        try:
            overdue = await self._orchestrator.store.claim_due(SWEEP_LIMIT, self._lease)
        except StoreUnavailable:
            return []
        except Exception:
            log.exception("the sweeper stumbled and goes on")
            return []
        waiting = set(self._steps.values())
        return [self._start(table_id) for table_id in overdue if table_id not in waiting]


def _tell_waiting(table_id: UUID, reason: Reason) -> None:
    """Without what the refusal says, which may name a sealed call."""
    if reason is Reason.RECORD_INVALID:
        log.error(
            "a due step failed: the table's own record is refused", table=str(table_id), reason=reason.value
        )
    else:
        log.warning("a due step waits", table=str(table_id), reason=reason.value)
