"""Running a command: from a coroutine to an exit code, with every expected error as one line."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from io import TextIOWrapper
from typing import Any, TypeVar

from baloot.app.errors import SetupError
from baloot.app.pg_programs import ClusterError
from baloot.core.errors import Refusal
from baloot.kit import logs, loops, shutdown
from baloot.kit.addresses import CannotListen
from baloot.table.store import StoreUnavailable

EXPECTED = (Refusal, SetupError, ClusterError, CannotListen, StoreUnavailable, OSError)
"""What may go wrong without being a fault of the program."""
FAILED = 1
INTERRUPTED = 130

_Result = TypeVar("_Result")


def run(main: Callable[[asyncio.Event], Coroutine[Any, Any, int | None]], *, log_level: str = "info") -> int:
    """Runs a command and returns its exit code. `main` gets an event that SIGINT and SIGTERM set.

    BALOOT_LOG goes before `log_level`. Expected errors are one line on standard error.
    """
    try:
        _replace_what_cannot_be_shown()
        _configure_logs(log_level)
        code = loops.run(_main(main)) or 0
        sys.stdout.flush()
    except EXPECTED as error:
        return _failed(error)
    except ExceptionGroup as group:
        unexpected = group.split(EXPECTED)[1]
        if unexpected is not None:
            raise unexpected from None
        return _failed(_first(group))
    except KeyboardInterrupt:
        return INTERRUPTED
    return code


async def _main(main: Callable[[asyncio.Event], Coroutine[Any, Any, int | None]]) -> int | None:
    return await main(shutdown.stop_requested())


def _replace_what_cannot_be_shown() -> None:
    """Signs that the terminal's encoding lacks become question marks, and not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _failed(error: Exception) -> int:
    """Says what is wrong, unless whoever read the output has gone and wants no more."""
    if not isinstance(error, BrokenPipeError):
        complain(error)
    try:
        sys.stdout.flush()
    except OSError:  # the last flush of all would complain again
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _configure_logs(level: str) -> None:
    try:
        logs.configure(os.environ.get(logs.VARIABLE) or level)
    except ValueError as error:
        raise SetupError(str(error)) from error


def _first(error: Exception) -> Exception:
    """The first of the errors that tasks beside each other ended with."""
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


def complain(error: BaseException | str) -> None:
    """Says what is wrong, in one line."""
    line = " ".join(str(error).split()) or type(error).__name__
    print(f"baloot: {line}", file=sys.stderr)


async def unless_stopped(work: Coroutine[Any, Any, _Result], stop: asyncio.Event) -> _Result | None:
    """The result of some work, or None when a stop was asked for first; the work is then cancelled and cleans up."""
    working = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        return working.result() if working.done() else None
    finally:
        for task in (working, stopping):
            task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)


def tell(line: str) -> None:
    """Says what takes a moment."""
    print(f"{line} ...", file=sys.stderr)
