"""Who makes the call that is being answered."""

from __future__ import annotations

from contextvars import ContextVar

from baloot.core.access import GUEST, Caller

_CALLER: ContextVar[Caller] = ContextVar("caller", default=GUEST)


def caller() -> Caller:
    """Who makes the call that is being answered. Outside of a call it is a guest."""
    return _CALLER.get()
