"""The streams of seats: each seat has one, wherever it is, and the log tells whether it has any.

A newer stream ends the older one. In one process it does so at once; between processes the log does it: whoever opens
the seat's first stream here says so in an entry, and the process that finds such an entry of another one ends its own.
So a stream that is only opened again, after a break, makes no entry.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from contextvars import Context
from dataclasses import dataclass
from uuid import UUID

import structlog
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.table import identity
from baloot.table.decision import Decision
from baloot.table.entries import Request
from baloot.table.events import SECOND, Presence, PresenceChanged
from baloot.table.identity import ANYBODY
from baloot.table.live import LiveTable
from baloot.table.orchestrator import Orchestrator
from baloot.table.state import Player, TableState

AT_ONCE = 16
"""Entries about presence that are under way together: after a restart everybody comes at once, and games go first."""

Place = tuple[UUID, Seat]
"""A seat of a table."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Patience:
    """When it is told who is here, in seconds.

    `away` is how long a seat has no stream before that is told; `between` lies between two entries of one seat at
    least, and between two attempts to write one.
    """

    away: float = 5.0
    between: float = 2.0


@dataclass(slots=True, eq=False)
class Hold:
    """A seat's stream in this process. `since` is the table's last entry when it was opened, `end` ends it."""

    place: Place
    player: Player | None
    since: int
    end: Callable[[], None]


class SeatStreams:
    """The streams of seats in one process. Without `patience` nothing of them is told in the log."""

    def __init__(self, orchestrator: Orchestrator, patience: Patience | None = None) -> None:
        self._orchestrator = orchestrator
        self._patience = patience
        self.owner = secrets.token_bytes(16)
        """What this process is called in the log."""
        self._held: dict[Place, Hold] = {}
        self._timers: dict[Place, asyncio.TimerHandle] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._room = asyncio.Semaphore(AT_ONCE)

    def open(self, live: LiveTable, seat: Seat, end: Callable[[], None]) -> Hold:
        """Makes a stream that of its seat, and ends the one that was. The table must be up to date."""
        state = live.state
        assert state is not None
        place = (live.table_id, seat)
        hold = Hold(place, state.seats[seat], live.sequence, end)
        older, self._held[place] = self._held.get(place), hold
        if older is not None:
            older.end()
        self._stop_waiting(place)
        if self._is_news(state, place, Presence.HERE):
            self._tell_in(place, Presence.HERE, self._pause(state, seat))
        return hold

    def close(self, hold: Hold) -> None:
        """Forgets a stream that has ended. If none comes in its place, its player is away after a while."""
        if self._held.get(hold.place) is hold:
            del self._held[hold.place]
            if self._patience is not None:
                self._tell_in(hold.place, Presence.AWAY, self._patience.away)

    async def stop(self) -> None:
        """Tells nothing any more."""
        for timer in self._timers.values():
            timer.cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def follow(self, state: TableState | None, hold: Hold) -> Refusal | None:
        """Why a stream has to end by what the log tells, as `superseded`.

        Where the log tells that its player is away, as others do for a process that they take to be dead, that is put
        right.
        """
        known = state.connections[hold.place[1]] if state else None
        away = known is not None and known.presence is Presence.AWAY and known.sequence > hold.since
        if state is not None and away and self._is_news(state, hold.place, Presence.HERE):
            self._tell_in(hold.place, Presence.HERE, self._pause(state, hold.place[1]))
        return self.superseded(state, hold)

    def superseded(self, state: TableState | None, hold: Hold) -> Refusal | None:
        """Why a stream has to end: another process has opened a newer one of its seat. None when it is the newest."""
        known = state.connections[hold.place[1]] if state else None
        if known is None or known.sequence <= hold.since or known.presence is Presence.AWAY:
            return None
        return None if known.owner == self.owner else superseded()

    def _is_news(self, state: TableState, place: Place, presence: Presence) -> bool:
        """Whether this is so, the log does not know it yet, and it is for this process to say."""
        known, hold = state.connections[place[1]], self._held.get(place)
        ours = known is not None and known.presence is Presence.HERE and known.owner == self.owner
        if state.status.ended or (presence is Presence.HERE) is (hold is None):
            return False
        if hold is None:
            return ours
        seated = state.seats[place[1]] == hold.player
        return seated and not ours and self.superseded(state, hold) is None

    def _pause(self, state: TableState, seat: Seat) -> float:
        """The seconds until the next entry about a seat may be written."""
        known = state.connections[seat]
        if known is None or self._patience is None:
            return 0.0
        since = (self._orchestrator.now() - known.at) / SECOND
        return min(max(self._patience.between - since, 0.0), self._patience.between)

    def _tell_in(self, place: Place, presence: Presence, seconds: float) -> None:
        if self._patience is None:
            return
        self._stop_waiting(place)
        # In a context of its own: that of the call which led here ends with it.
        loop = asyncio.get_running_loop()
        self._timers[place] = loop.call_later(seconds, self._start, place, presence, context=Context())

    def _stop_waiting(self, place: Place) -> None:
        timer = self._timers.pop(place, None)
        if timer is not None:
            timer.cancel()

    def _start(self, place: Place, presence: Presence) -> None:
        del self._timers[place]
        task = asyncio.create_task(self._tell(place, presence))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, place: Place, presence: Presence) -> None:
        """Writes an entry, if there is still something to tell. What fails is tried again, unless more has changed."""
        try:
            async with self._room:
                await self._orchestrator.note(place[0], lambda state: self._entry(state, place, presence))
        except Refusal as refusal:
            assert self._patience is not None
            if refusal.reason is not Reason.TABLE_UNKNOWN and place not in self._timers:
                self._tell_in(place, presence, self._patience.between)
        except Exception:
            log.exception("who is here could not be told", table=str(place[0]))

    def _entry(self, state: TableState, place: Place, presence: Presence) -> tuple[Decision, Request] | None:
        if not self._is_news(state, place, presence):
            return None
        return told(state, place[1], presence, self.owner)


def told(state: TableState, seat: Seat, presence: Presence, owner: bytes) -> tuple[Decision, Request]:
    """The entry by which a process says who is here. The open questions stand, with their clocks, and so does the deadline."""
    questions = tuple(open_.question for open_ in state.questions)
    decision = Decision((PresenceChanged(seat, presence, owner),), questions)
    request_id = identity.presence_step(state.table_id, state.sequence + 1, owner)
    return decision, Request(ANYBODY, request_id, identity.request_digest("presence"))


def superseded() -> Refusal:
    """Why the older of two streams of a seat ends."""
    return Refusal(Reason.STREAM_SUPERSEDED, "the seat has a newer stream; do not open this one again")
