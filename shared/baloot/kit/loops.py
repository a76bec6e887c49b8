"""The event loop: one for each process, since gRPC binds itself to the first that it meets."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import structlog
from baloot.kit.logs import failure

_Result = TypeVar("_Result")

WHOLE_AFTER = 200
"""Collections of what is younger between two of all that is there. A Python that collects in
small steps ignores it."""

log = structlog.get_logger()


def run(main: Coroutine[Any, Any, _Result]) -> _Result:
    """Runs a program to its end, under uvloop where there is one.

    What is in memory by now, the imported modules above all, is taken to stay: looking through it for garbage again and
    again would hold every call up for a tenth of a second. The rest is looked through whole a twentieth as often as
    usual: with a thousand streams that takes a sixth of a second, and in some minutes there are a few thousand objects
    to find.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*gc.get_threshold()[:2], WHOLE_AFTER)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.get_loop().set_exception_handler(_log_lost)
        return runner.run(main)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - it does not exist everywhere
    except ImportError:
        return None
    return uvloop.new_event_loop


def _log_lost(_loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Logs an exception that nobody awaited; asyncio would print its text, and the task with all it holds."""
    error, message = context.get("exception"), context.get("message")
    if error is not None:
        failure("lost", error, what=message)
    else:
        log.error("lost", what=message)
