"""What a command leaves to do, and the exit codes it may end with. Light, since every command line loads it."""

from __future__ import annotations

from asyncio import Event
from collections.abc import Callable, Coroutine
from typing import Any

Job = Coroutine[Any, Any, int | None]
"""What runs in an event loop, and comes to an exit code; None for 0."""
Work = Job | Callable[[Event], Job] | int | None
"""What is cancelled when a stop is asked for, what is given the stop and ends by itself, or the exit code of what is done."""

FAILED = 1
"""Something is not as it should be, or could not be done."""
UNREADABLE = 2
"""For commands that judge: there was nothing to judge, so that nobody takes it for a verdict."""
UNREAD = 141
"""Whoever read the output has gone: as of a program that SIGPIPE ends, and no verdict."""
INTERRUPTED = 130
"""It was stopped before it was done."""
