"""A table in memory: its state, the ids of the requests it has seen, and who waits for its next entry."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Sequence
from uuid import UUID

from baloot.table.events import (
    BeaconGiven,
    Entry,
    Micros,
    PresenceChanged,
    SeatTaken,
    SeedAdded,
    TableCreated,
)
from baloot.table.evolve import evolve
from baloot.table.identity import ANYBODY, request_key
from baloot.table.state import TableState

RECENT = 8
"""Entries kept in memory for watchers that keep up; whoever is behind reads the log."""

RECEIPTS = 16
"""Requests of a table that are waited for again during an outage, at most."""


class LiveTable:
    """Everything in it can be rebuilt from the log at any moment."""

    __slots__ = (
        "_receipts",
        "_seen",
        "_waiting",
        "beat",
        "chain",
        "encoded",
        "lock",
        "recent",
        "stale",
        "state",
        "table_id",
        "touched",
        "watchers",
    )

    def __init__(self, table_id: UUID) -> None:
        self.table_id = table_id
        self.state: TableState | None = None
        self.chain = b""
        """The link of the log's hash chain at the last entry; empty in logs that have none."""
        self.lock = asyncio.Lock()
        self.stale = True
        """Whether the log may hold more than the state: the state must be brought up to date before deciding."""
        self.recent: deque[Entry] = deque(maxlen=RECENT)
        self.encoded: dict[int, tuple[bytes, ...]] = {}
        """What each viewer sees of recent entries, by number; whoever encodes fills it, and it ends with `recent`."""
        self.beat = 0
        self.watchers = 0
        self.touched = 0.0
        self._seen: dict[bytes, int] = {}
        self._receipts: dict[bytes, Micros] = {}
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def sequence(self) -> int:
        return self.state.sequence if self.state else 0

    def accept(self, entries: Sequence[Entry]) -> None:
        """Folds further entries of the log in and wakes whoever waits."""
        for entry in entries:
            self._remember(entry)
            self.state = evolve(self.state, entry)
            self._keep(entry)
        if entries:
            self.chain = entries[-1].chain
            if self._receipts and not all(map(_stands_still, entries)):
                self._receipts.clear()
            self.wake()

    @property
    def delay(self) -> Micros:
        """How much later everybody without a seat sees what happens."""
        return self.state.settings.spectator_delay if self.state else 0

    def is_told(self, now: Micros) -> bool:
        """Whether everybody may know by now of all that has happened."""
        return not self.delay or all(entry.told_at(self.delay) <= now for entry in self.recent)

    def seen_at(self, key: bytes) -> int | None:
        """The entry that a request made, by its request key."""
        return self._seen.get(key)

    def received(self, key: bytes, now: Micros) -> Micros:
        """When a request came for the first time: before now, if it came before and a fault of ours sent it away."""
        return self._receipts.get(key, now)

    def keep_receipt(self, key: bytes, received: Micros) -> None:
        """Remembers when a request came that a fault of ours sent away, until the game goes on."""
        if len(self._receipts) < RECEIPTS:
            self._receipts.setdefault(key, received)

    def news(self) -> asyncio.Future[None]:
        """Done at the next `wake`. Whoever asks has just looked, so nothing can come between."""
        if len(self._waiting) > self.watchers:  # some were cancelled meanwhile
            self._waiting = [waiting for waiting in self._waiting if not waiting.done()]
        waiting = asyncio.get_running_loop().create_future()
        self._waiting.append(waiting)
        return waiting

    def wake(self) -> None:
        """Wakes everybody who waits for news."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def recent_after(self, sequence: int) -> list[Entry] | None:
        """The entries above `sequence`, or None when memory does not reach back that far."""
        if sequence >= self.sequence:
            return []
        if not self.recent or self.recent[0].sequence > sequence + 1:
            return None
        return [entry for entry in self.recent if entry.sequence > sequence]

    def _remember(self, entry: Entry) -> None:
        actor = self._actor_of(entry)
        if actor is not None:
            self._seen[request_key(actor, entry.request_id)] = entry.sequence

    def _actor_of(self, entry: Entry) -> bytes | None:
        """In whose scope the entry's request id lies; None for the table's own steps."""
        if isinstance(entry.events[0], TableCreated | SeatTaken | BeaconGiven):
            return ANYBODY
        if entry.actor is None or self.state is None:
            return None
        player = self.state.seats[entry.actor]
        return player.token_hash if player else None

    def _keep(self, entry: Entry) -> None:
        if len(self.recent) == RECENT:
            self.encoded.pop(self.recent[0].sequence, None)
        self.recent.append(entry)


def _stands_still(entry: Entry) -> bool:
    """Whether the game does not go on with an entry: it only tells who is connected, or what a seat adds to deals to come."""
    return isinstance(entry.events[0], PresenceChanged | SeedAdded)
