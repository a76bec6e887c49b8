"""How a process ends whose output nobody reads any more. Light, since every command line loads it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from baloot.app.work import UNREAD


def ended(app: Callable[[], None]) -> None:
    """Runs a command line that ends the process by itself: with the code UNREAD where it only could not print."""
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        let_go()
        raise SystemExit(UNREAD) from None
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # which the command line has taken for a failure
            let_go()
            raise SystemExit(UNREAD) from None
        raise


def let_go() -> None:
    """Gives up output that cannot be written, of which the last flush of all would complain again."""
    for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
