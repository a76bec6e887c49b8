"""The feed: every entry of a table to whoever watches it, in order, none missing, none twice.

A watcher is a cursor. It sends what lies above its cursor, from memory or from the log, and then waits to be woken. A
wake-up is only a hint: heartbeats wake everybody, and tables that are watched are compared with the log, so that an
entry written by another process is late at worst.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Self

import structlog
from baloot.core.errors import Reason, Refusal
from baloot.kit.info import RESUME_WINDOW
from baloot.table.delayed import Delays, source_of
from baloot.table.events import Entry
from baloot.table.live import LiveTable
from baloot.table.orchestrator import Orchestrator
from baloot.table.seat_streams import Hold, Patience, SeatStreams, superseded
from baloot.table.state import Player
from baloot.table.store import StoreUnavailable
from baloot.table.views import Viewer

PAGE = 16
"""Entries that are read at once for one watcher, and kept until it has taken them: a reader that stalls holds no more."""
BEATS_AT_ONCE = 20
"""Tables that are woken for a heartbeat together; with thousands at once, actions would wait meanwhile."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Rhythm:
    """How often the feed does what, in seconds.

    `heartbeat` lies between two heartbeats: less than the 5 s that are promised. `poll` lies between two comparisons of
    watched tables with the log. `stalled` is how long one message may wait for a reader before the reader is cut.
    `forget` is how long a table that nobody watches or uses is kept in memory, and `drain` how long all streams together
    may take to be told that the server stops.
    """

    heartbeat: float = 4.0
    poll: float = 1.0
    stalled: float = 5.0
    forget: float = 60.0
    drain: float = 2.0


@dataclass(slots=True, eq=False)
class Watcher:
    """One open stream. `sending_since` is when the message that its reader has not taken yet was sent."""

    live: LiveTable
    cursor: int
    viewer: Viewer
    player: Player | None
    """Who had the viewer's seat when the stream was opened."""
    task: asyncio.Task[object]
    beat: int
    """The table's last heartbeat that this stream has told."""
    sending_since: float | None = None
    cut_for: Refusal | None = None
    """Why it was ended from outside."""
    hold: Hold | None = None
    """What makes it the stream of its seat; None for the public."""

    def cut(self, why: Refusal, patience: float) -> None:
        """Ends the stream from outside; its status, too, waits for the reader no longer than `patience` seconds."""
        if self.cut_for is None:
            self.cut_for = why
            self.task.cancel()
            self.task.get_loop().call_later(patience, self.task.cancel)

    def take_why(self) -> Refusal:
        """Why it was cut, to be raised: kept here as well, it would keep the whole stream until garbage is collected."""
        why, self.cut_for = self.cut_for, None
        assert why is not None
        return why


class Feed:
    """Keeps the watchers of one process going. Use as an async context manager.

    Who is connected is told in the log as `patience` says, and not at all without it.
    """

    def __init__(
        self, orchestrator: Orchestrator, rhythm: Rhythm | None = None, patience: Patience | None = None
    ) -> None:
        self._orchestrator = orchestrator
        self.delays = Delays(orchestrator)
        """The tables as everybody may see them, where that is later than they are."""
        self._seats = SeatStreams(orchestrator, patience)
        self._rhythm = rhythm or Rhythm()
        self._watchers: set[Watcher] = set()
        self._tasks: list[asyncio.Task[None]] = []
        self.draining = False
        """Whether the server is about to stop: every stream is told so in place of its next heartbeat, and ends."""

    @property
    def owner(self) -> bytes:
        """What this process is called in the log, where it tells who is here."""
        return self._seats.owner

    async def __aenter__(self) -> Self:
        self._tasks = [
            asyncio.create_task(self._every(self._rhythm.heartbeat, self._beat)),
            asyncio.create_task(self._every(self._rhythm.poll, self._poll)),
        ]
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._seats.stop()

    def open(self, live: LiveTable, after: int, viewer: Viewer = None) -> Watcher:
        """Registers the current task as a viewer's watcher that has seen everything up to `after`.

        A seat has one: an older one ends with STREAM_SUPERSEDED.
        """
        if after > live.sequence:
            raise Refusal(
                Reason.SEQUENCE_AHEAD,
                f"the table's last entry is number {live.sequence}",
                field="after_sequence",
                metadata={"sequence": str(live.sequence)},
            )
        task = asyncio.current_task()
        assert task is not None
        watcher = Watcher(live, after, viewer, _player(live, viewer), task, live.beat)
        live.watchers += 1
        self._watchers.add(watcher)
        self.delays.opened(live)
        if viewer is not None:
            watcher.hold = self._seats.open(
                live, viewer, lambda: watcher.cut(superseded(), self._rhythm.stalled)
            )
        return watcher

    async def drain(self) -> None:
        """Tells every stream that the server stops, and returns when all have ended."""
        self.draining = True
        tasks = {watcher.task for watcher in self._watchers}
        await self._beat()
        if tasks:
            await asyncio.wait(tasks, timeout=self._rhythm.drain)

    def close(self, watcher: Watcher) -> None:
        """Forgets a watcher. Its table is kept for a while: streams that are cut are soon opened again."""
        self._watchers.discard(watcher)
        if watcher.hold is not None:
            self._seats.close(watcher.hold)
        watcher.live.watchers -= 1
        self.delays.closed(watcher.live)
        watcher.live.touched = asyncio.get_running_loop().time()

    async def next(self, watcher: Watcher) -> Sequence[Entry] | None:
        """The entries that come next, as soon as there are any; none for a heartbeat, and None after the last entry.

        Raises Refusal READER_SLOW when too many are waiting, TOKEN_INVALID when the viewer's seat was left, and
        STREAM_SUPERSEDED when it has a newer stream elsewhere.
        """
        live = watcher.live
        changed = await self.changed(watcher)
        if not changed:
            return None if changed is None else ()
        self._require_near(watcher)
        entries = await self._orchestrator.entries(live, watcher.cursor, PAGE)
        _require_seated(watcher)
        if (newer := self._superseded(watcher)) is not None:
            raise newer
        if not entries:
            self._orchestrator.forget(live.table_id)
            self.delays.forget(live.table_id)
            raise Refusal(
                Reason.UNAVAILABLE, "the log knows less than it did; resume from the last entry seen"
            )
        watcher.cursor = entries[-1].sequence
        return entries

    async def changed(self, watcher: Watcher) -> bool | None:
        """True as soon as the table is not where the watcher is; False for a heartbeat, and None after the last entry."""
        live = watcher.live
        while watcher.cursor == live.sequence:
            if live.state is not None and live.state.status.ended:
                return None
            if watcher.beat != live.beat:
                watcher.beat = live.beat
                return False
            await live.news()
        return True

    def _superseded(self, watcher: Watcher) -> Refusal | None:
        hold = watcher.hold
        return None if hold is None else self._seats.follow(watcher.live.state, hold)

    def _require_near(self, watcher: Watcher) -> None:
        if watcher.live.sequence - watcher.cursor > RESUME_WINDOW:
            raise Refusal(Reason.READER_SLOW, "the stream fell behind; resume from the last entry seen")

    async def _every(self, seconds: float, do: Callable[[], Awaitable[None]]) -> None:
        while True:
            await asyncio.sleep(seconds)
            try:
                await do()
            except Exception:
                log.exception("the feed stumbled and goes on")

    async def _beat(self) -> None:
        watched = list({watcher.live for watcher in self._watchers})
        for first in range(0, len(watched), BEATS_AT_ONCE):
            for live in watched[first : first + BEATS_AT_ONCE]:
                live.beat += 1
                live.wake()
            await asyncio.sleep(0)

    async def _poll(self) -> None:
        self._cut_stalled()
        self._forget_idle()
        watched = {watcher.live.table_id: source_of(watcher.live) for watcher in self._watchers}
        try:
            heads = await self._orchestrator.store.heads(watched)
        except StoreUnavailable:
            return
        await self._catch_up(
            watched[table] for table, head in heads.items() if head.sequence > watched[table].sequence
        )

    async def _catch_up(self, behind: Iterable[LiveTable]) -> None:
        for live in behind:
            try:
                await self._orchestrator.catch_up(live)
            except Refusal as refusal:
                log.warning(
                    "a watched table cannot be read", table=str(live.table_id), reason=refusal.reason.value
                )

    def _cut_stalled(self) -> None:
        patience = self._rhythm.stalled
        before = asyncio.get_running_loop().time() - patience
        for watcher in self._watchers:
            stalled = watcher.sending_since is not None and watcher.sending_since < before
            if stalled:
                watcher.cut(self._superseded(watcher) or _slow(), patience)

    def _forget_idle(self) -> None:
        before = asyncio.get_running_loop().time() - self._rhythm.forget
        self.delays.forget_idle(before)
        for table_id, live in list(self._orchestrator.tables.items()):
            if not live.watchers and live.touched < before and not live.lock.locked():
                self._orchestrator.forget(table_id)


def _slow() -> Refusal:
    return Refusal(Reason.READER_SLOW, "the stream was not read and was cut; resume from the last entry seen")


def _player(live: LiveTable, viewer: Viewer) -> Player | None:
    return None if viewer is None or live.state is None else live.state.seats[viewer]


def _require_seated(watcher: Watcher) -> None:
    """Ends the stream of a seat that was left: whoever takes the seat next has secrets of its own."""
    if _player(watcher.live, watcher.viewer) != watcher.player:
        raise Refusal(Reason.TOKEN_INVALID, "the seat was left, and its token is void")
