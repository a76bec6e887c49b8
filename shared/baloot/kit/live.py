"""The calls that a server is answering right now."""

from __future__ import annotations

import asyncio
from typing import Any

Task = asyncio.Task[Any]


class LiveCalls:
    """Every call from its first step to its last, so that a stop can end streams and wait for clean-up.

    gRPC's own stop returns while handlers that it cancelled still clean up.
    """

    def __init__(self) -> None:
        self._unary: dict[Task, str] = {}
        self._streams: dict[Task, str] = {}
        self._ended: set[Task] = set()
        self._stopping = False
        self.closed = False
        """Set when the server has stopped: nothing may be sent any more."""

    def __len__(self) -> int:
        return len(self._unary) + len(self._streams)

    def enter(self, method: str, *, streaming: bool) -> Task:
        """Notes that the current task answers a call of `method`."""
        task = asyncio.current_task()
        assert task is not None
        if streaming:
            self._streams[task] = method
            if self._stopping:
                self._end(task)
        else:
            self._unary[task] = method
        return task

    def leave(self, task: Task) -> None:
        self._unary.pop(task, None)
        self._streams.pop(task, None)
        self._ended.discard(task)

    def end_streams(self) -> None:
        """Interrupts every open stream and those still to come."""
        self._stopping = True
        for task in self._streams:
            self._end(task)

    def ended_current(self) -> bool:
        """Whether the cancellation of the current task came from `end_streams`; if so it is taken back."""
        task = asyncio.current_task()
        if task is None or task not in self._ended:
            return False
        task.uncancel()
        return True

    async def settled(self, seconds: float) -> list[str]:
        """Waits until no call is left, at most so long. Returns the methods of those that are."""
        if tasks := {*self._unary, *self._streams}:
            await asyncio.wait(tasks, timeout=seconds)
        return sorted((*self._unary.values(), *self._streams.values()))

    def _end(self, task: Task) -> None:
        self._ended.add(task)
        task.cancel()
