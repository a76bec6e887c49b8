"""Running a command: from its work to an exit code, with every expected error as one line."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from contextlib import suppress
from io import TextIOWrapper
from typing import Any, TypeVar

from baloot.app.ending import let_go
from baloot.app.errors import SetupError
from baloot.app.pg_programs import ClusterError
from baloot.app.work import FAILED, INTERRUPTED, UNREAD, Job, Work
from baloot.core.errors import Reason, Refusal
from baloot.kit import logs, loops, shutdown
from baloot.kit.addresses import CannotListen
from baloot.table.store import StoreUnavailable
from typer import Abort

EXPECTED = (Refusal, SetupError, ClusterError, CannotListen, StoreUnavailable, OSError)
"""What may go wrong without being a fault of the program."""

_TOKEN_FILE = "--token-file or BALOOT_TOKEN_FILE"
_Result = TypeVar("_Result")


def run(start: Callable[[], Work], *, log_level: str = "info", failed: int = FAILED) -> int:
    """Does what `start` returns, and returns the exit code: `failed` after an expected error, told in one line; UNREAD when
    whoever read what it prints has gone.

    BALOOT_LOG goes before `log_level`. `start` is called before there is an event loop, so that it may ask a person.
    """
    try:
        _replace_what_cannot_be_shown()
        _configure_logs(log_level)
        code = _done(start()) or 0
        sys.stdout.flush()
    except BrokenPipeError:
        return _unread()
    except EXPECTED as error:
        return _failed(error, failed)
    except ExceptionGroup as group:
        if group.subgroup(BrokenPipeError) is not None:
            return _unread()
        unexpected = group.split(EXPECTED)[1]
        if unexpected is not None:
            raise unexpected from None
        return _failed(_first(group), failed)
    except (KeyboardInterrupt, Abort):
        return INTERRUPTED
    return code


def _done(work: Work) -> int | None:
    return work if work is None or isinstance(work, int) else loops.run(_heeding(work))


async def _heeding(work: Job | Callable[[asyncio.Event], Job]) -> int | None:
    """Does some work until SIGINT or SIGTERM comes: it ends in order then, or is cancelled."""
    stop = shutdown.stop_requested()
    if not isinstance(work, Coroutine):
        return await work(stop)
    code = await unless_stopped(_code(work), stop)
    return INTERRUPTED if code is None else code


async def _code(work: Job) -> int:
    return await work or 0


def _replace_what_cannot_be_shown() -> None:
    """Signs that the terminal's encoding lacks become question marks, and not an error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _failed(error: Exception, code: int) -> int:
    """Says what is wrong, in the code only if nobody reads that either."""
    with suppress(BrokenPipeError):
        complain(error)
    let_go()
    return code


def _unread() -> int:
    """Whoever read the output has gone and wants no more: nothing is said, and nobody is given a verdict."""
    let_go()
    return UNREAD


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
    line = " ".join(_told(error).split()) or type(error).__name__
    print(f"baloot: {line}", file=sys.stderr)


def _told(error: BaseException | str) -> str:
    """What is wrong; of a token that is missing or not good, also how one is given, which is not said in gRPC's words."""
    if not isinstance(error, Refusal):
        return str(error)
    if error.reason is Reason.TOKEN_REQUIRED:
        return f"this needs an access token: {_TOKEN_FILE} names the file of one"
    if error.reason in (Reason.TOKEN_INVALID, Reason.TOKEN_EXPIRED):
        return f"{error.message}: {_TOKEN_FILE} names the file of another"
    return error.message


async def unless_stopped(work: Coroutine[Any, Any, _Result], stop: asyncio.Event) -> _Result | None:
    """The result of some work, or None when a stop was asked for first: the work is then cancelled and cleans up, unless it
    has a result all the same.
    """
    working = asyncio.ensure_future(work)
    stopping = asyncio.ensure_future(stop.wait())
    try:
        await asyncio.wait({working, stopping}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
    finally:
        for task in (working, stopping):
            task.cancel()
        await asyncio.gather(working, stopping, return_exceptions=True)
    return None if working.cancelled() or working.exception() else working.result()


def tell(line: str) -> None:
    """Says what takes a moment."""
    print(f"{line} ...", file=sys.stderr)
