"""Lines that a person types, read without keeping the event loop from its work."""

from __future__ import annotations

import asyncio
import sys
import threading
from typing import TextIO


class TypedLines:
    """The lines of standard input, as they come. Reading begins with the first line that is asked for.

    A thread waits for the person, since no event loop can wait for every kind of input; it never keeps a program from
    ending.
    """

    def __init__(self, source: TextIO | None = None) -> None:
        self._source = source or sys.stdin
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._reading: threading.Thread | None = None

    async def next(self) -> str | None:
        """The next line without its end; None when nothing more can come."""
        if self._reading is None:
            loop = asyncio.get_running_loop()
            self._reading = threading.Thread(target=self._read, args=(loop,), daemon=True)
            self._reading.start()
        return await self._lines.get()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        line: str | None = ""
        while line is not None:
            try:
                line = self._source.readline() or None
            except (OSError, ValueError):  # closed under our hands
                line = None
            typed = None if line is None else line.rstrip("\r\n")
            try:
                loop.call_soon_threadsafe(self._lines.put_nowait, typed)
            except RuntimeError:  # the program has ended meanwhile
                return
