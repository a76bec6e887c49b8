"""Doing a thing again until it is known to be done."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from baloot.core.errors import Reason, Refusal

_Answer = TypeVar("_Answer")

UNKNOWN_OUTCOME = frozenset({Reason.UNAVAILABLE, Reason.DEADLINE_EXCEEDED, Reason.CONTENDED})
"""Refusals that do not say no: the same request, with the same request id, may still go through."""
_NANOS = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Pace:
    """How a client tries again; all in seconds.

    The wait is drawn at random below a bound that doubles from `first` to `longest`, so that many clients do not come
    back at the same moment; where the server says how long to wait, it comes after that. `give_up_after` bounds one request, retries included. `silence` is how long a stream may
    say nothing before it is taken for dead: servers send a heartbeat every 5 s at least.
    """

    first: float = 0.1
    longest: float = 3.0
    give_up_after: float = 60.0
    silence: float = 12.0

    def waits(self) -> Iterator[float]:
        """The waits before the second, third, ... attempt."""
        bound = self.first
        while True:
            yield random.uniform(bound / 2, bound)
            bound = min(bound * 2, self.longest)


def told_wait(refusal: Refusal) -> float:
    """The seconds that the server said to wait; 0 when it said nothing."""
    return refusal.retry_after / _NANOS


async def until_known(attempt: Callable[[], Awaitable[_Answer]], pace: Pace) -> _Answer:
    """Awaits `attempt()` until it is answered or refused. Raises the refusal, or the last unknown outcome in the end.

    What is refused for now, with the time to wait, is tried again after it, unless that is too long.
    """
    clock = asyncio.get_running_loop().time
    give_up_at = clock() + pace.give_up_after
    waits = pace.waits()
    while True:
        try:
            return await attempt()
        except Refusal as refusal:
            wait = told_wait(refusal) + next(waits)
            passes = refusal.reason in UNKNOWN_OUTCOME or refusal.retry_after
            if not passes or clock() + wait > give_up_at:
                raise
        await asyncio.sleep(wait)
