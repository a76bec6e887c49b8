"""Who makes the call that is being answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from baloot.core.access import GUEST, Caller

_CALLER: ContextVar[Caller] = ContextVar("caller", default=GUEST)


def caller() -> Caller:
    """Who makes the call that is being answered. Outside of a call it is a guest."""
    return _CALLER.get()


@contextmanager
def as_caller(known: Caller) -> Iterator[None]:
    """Answers what is called in the block as if it came from this caller."""
    token = _CALLER.set(known)
    try:
        yield
    finally:
        _CALLER.reset(token)
