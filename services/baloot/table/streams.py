"""What every stream of a table does, whoever it is for: writing, heartbeats, and how it is ended from outside."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias

import grpc
from baloot.api.table.v1 import table_pb2 as pb
from baloot.table.codec import encode_banks, encode_duration, encode_time
from baloot.table.events import SECOND, Micros
from baloot.table.feed import Feed, Watcher
from baloot.table.live import LiveTable
from baloot.table.timing import told_deadline

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

SPREAD = 2.0
"""Seconds over which those whose streams are ended by plan come back."""


@contextmanager
def watching(feed: Feed, watcher: Watcher) -> Iterator[None]:
    """Around all that a stream does: in the end it is forgotten, and one that was cut is told why."""
    try:
        yield
    except asyncio.CancelledError:
        if watcher.cut_for is None:
            raise
        watcher.task.uncancel()
        raise watcher.take_why() from None
    finally:
        feed.close(watcher)


async def write(watcher: Watcher, context: Context, message: bytes) -> None:
    """Sends a message. The feed sees how long its reader lets it wait."""
    watcher.sending_since = asyncio.get_running_loop().time()
    await context.write(message)
    watcher.sending_since = None


def heartbeat(live: LiveTable, now: Micros) -> pb.Heartbeat:
    """Where a table stands, and the server's time."""
    assert live.state is not None
    deadline = told_deadline(live.state.questions, live.state.deadline)
    return pb.Heartbeat(
        sequence=live.sequence,
        server_time=encode_time(now),
        deadline=None if deadline is None else encode_time(deadline),
        banks=encode_banks(live.state.settings, live.state.banks),
    )


def drain() -> pb.Drain:
    """That the server ends a stream, and when to come back: at another time for each."""
    return pb.Drain(wait=encode_duration(round(random.uniform(0, SPREAD) * SECOND)))
