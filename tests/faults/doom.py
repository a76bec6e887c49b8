"""Points at which a table service can be made to die, as if the kernel had killed it there.

A point is armed in the process itself, before anything else runs; the product knows nothing of it.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

POINTS = {
    "before append": range(2, 5),
    "during append": range(2, 5),
    "after append": range(1, 4),
    "before reply": range(1, 4),
    "amid push": range(8, 24),
}
"""Each point, and how often it may be passed before it kills: so rarely that the table moves on between two kills."""
DURING = 0.0005
"""Seconds after which a statement is likely to be under way, done or not."""


@dataclass(slots=True)
class Doom:
    """Kills the process when a point is passed for the `hits`-th time. Call it to arm it."""

    point: str
    hits: int
    passed: int = field(default=0, init=False)

    def __call__(self) -> None:
        from baloot.table import server
        from baloot.table.orchestrator import Orchestrator
        from baloot.table.postgres import PostgresStore

        place: dict[str, tuple[Any, str, Callable[[Any], Any]]] = {
            "before append": (PostgresStore, "append", self._before),
            "during append": (PostgresStore, "_write", self._during),
            "after append": (PostgresStore, "append", self._after),
            "before reply": (Orchestrator, "_append", self._after),
            "amid push": (server, "write", self._before),
        }
        owner, name, around = place[self.point]
        setattr(owner, name, around(getattr(owner, name)))

    def _hit(self) -> bool:
        self.passed += 1
        return self.passed == self.hits

    def _before(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(method)
        async def doomed(*arguments: Any, **named: Any) -> Any:
            if self._hit():
                die()
            return await method(*arguments, **named)

        return doomed

    def _during(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(method)
        async def doomed(*arguments: Any, **named: Any) -> Any:
            if self._hit():
                asyncio.get_running_loop().call_later(DURING, die)
            return await method(*arguments, **named)

        return doomed

    def _after(self, method: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @wraps(method)
        async def doomed(*arguments: Any, **named: Any) -> Any:
            answer = await method(*arguments, **named)
            if self._hit():
                die()
            return answer

        return doomed


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
