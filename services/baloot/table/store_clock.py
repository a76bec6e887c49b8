"""The store's clock, estimated between two readings of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from baloot.table.events import SECOND, Micros
from baloot.table.store import StoreUnavailable

DRIFT = 200
"""How far two clocks may part, in microseconds a second: more than ordinary ones do."""


def monotonic_clock() -> Micros:
    """This process's own clock, which nobody sets."""
    return time.monotonic_ns() // 1000


@dataclass(frozen=True, slots=True)
class Reading:
    """What one reading told: the store's clock is ours plus `offset`, give or take `error`, at our moment `at`."""

    offset: Micros
    error: Micros
    at: Micros

    def error_at(self, moment: Micros) -> Micros:
        """How wrong the reading may be by now."""
        return self.error + DRIFT * (moment - self.at) // SECOND


class StoreClock:
    """Ours plus an offset. The reading that is the least wrong by now decides; the estimate never runs backwards."""

    def __init__(self, local: Callable[[], Micros] = monotonic_clock) -> None:
        self.local = local
        self._reading: Reading | None = None
        self._told: Micros = 0

    def learn(self, asked: Micros, answered: Micros, told: Micros) -> None:
        """Takes in a reading: the store told a time between two moments of our clock."""
        reading = Reading(told - (asked + answered) // 2, (answered - asked + 1) // 2, answered)
        if self._reading is None or _better(reading, self._reading):
            self._reading = reading

    def now(self) -> Micros:
        """The store's time. Raises StoreUnavailable before the first reading."""
        if self._reading is None:
            raise StoreUnavailable("the store's clock was never read")
        self._told = max(self._told, self.local() + self._reading.offset)
        return self._told


def _better(new: Reading, old: Reading) -> bool:
    """A sharper reading is better, and so is any that the old one rules out: then the store's clock was set."""
    old_error = old.error_at(new.at)
    return new.error <= old_error or abs(new.offset - old.offset) > new.error + old_error
