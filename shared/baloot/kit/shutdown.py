"""Being asked to stop."""

from __future__ import annotations

import asyncio
import os
import signal

SIGNALS = (signal.SIGINT, signal.SIGTERM)


def stop_requested() -> asyncio.Event:
    """An event that SIGINT or SIGTERM sets. A second signal ends the process at once, with the signal's exit code.

    Call it once, from the main thread, in the loop that serves.
    """
    loop = asyncio.get_running_loop()
    requested = asyncio.Event()

    def ask(number: signal.Signals) -> None:
        if requested.is_set():
            os._exit(128 + number)
        requested.set()

    for number in SIGNALS:
        loop.add_signal_handler(number, ask, number)
    return requested
