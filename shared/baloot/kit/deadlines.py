"""The deadline of the call that is being answered, for the calls that are made on its behalf."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def set_remaining(seconds: float | None) -> None:
    """Says how long the current task may still take; None: as long as it likes."""
    _deadline.set(None if seconds is None else asyncio.get_running_loop().time() + seconds)


def remaining() -> float | None:
    """The seconds left to the current task, below zero when it is late; None when nobody set a deadline."""
    deadline = _deadline.get()
    return None if deadline is None else deadline - asyncio.get_running_loop().time()
