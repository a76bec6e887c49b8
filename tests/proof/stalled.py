"""A thousand readers that read nothing, beside tables that are played on: what they cost, and that they are cut.

Each opens a stream and takes nothing but the start of it, so the server waits for it. Phases with and without them
alternate, so that whatever slows the machine slows both.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import grpc
from baloot.api.table.v1.table_pb2 import WatchTableRequest
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.core.errors import Reason
from baloot.kit.errors import from_rpc_error

from tests.bench.load import LoadTable, Samples, at_rate, tables
from tests.bench.process import Measured, server
from tests.proof.report import Figure, Tell, at_least, at_most, percentile

PER_CONNECTION = 100
EVERY = 0.25
"""Seconds between two actions of a table."""
WARM_UP = 4.0
"""Seconds in which every table comes to have more entries than a window holds."""
BEHIND = 60
"""Entries that those who resume are behind, at most: more than the window holds, and more than the server reads at once."""
GROWTH = 64.0
"""MiB that the server may grow by, at most."""
SLOWER = 1.2
"""How much of the p99 without readers the p99 beside them may be, at most."""
NARROW = [
    ("grpc.http2.lookahead_bytes", 1024),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.use_local_subchannel_pool", 1),
]
"""A connection of its own that takes next to nothing of a stream before it is read."""
MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Size:
    """How many tables and readers, how often, and in seconds: how long the server waits for a reader, how long after all are open
    measuring begins, and how long it lasts. It lasts until all are cut, and ends before any is let go unheard.
    """

    tables: int
    readers: int
    phases: int
    patience: float
    settle: float
    phase: float


FULL = Size(64, 1000, 3, patience=15.0, settle=3.0, phase=15.0)
QUICK = Size(8, 100, 1, patience=2.0, settle=0.5, phase=3.5)


@dataclass(slots=True)
class Found:
    """What the phases showed: seconds to an answer in each, bytes of the server, and how streams ended."""

    quiet: list[list[float]] = field(default_factory=list)
    beside: list[list[float]] = field(default_factory=list)
    before: int = 0
    most: int = 0
    ends: Counter[str] = field(default_factory=Counter)

    @property
    def growth(self) -> float:
        return (self.most - self.before) / MEBIBYTE


async def measured(size: Size) -> Found:
    """Phases in turn, while the tables are played on at the same rate all the time."""
    found, samples = Found(), Samples()
    patient = server("patient", str(size.patience), package="tests.proof")
    async with patient as running, tables(running.address, size.tables, samples) as opened:
        until = time.perf_counter() + 3600
        playing = [asyncio.create_task(at_rate(table, until, EVERY)) for table in opened]
        await asyncio.sleep(WARM_UP)
        for _ in range(size.phases):
            await asyncio.sleep(size.settle)
            found.quiet.append(await phase(running, samples, found, size.phase))
            found.before = found.before or running.resident_bytes()
            async with stalled(running.address, opened, size.readers) as streams:
                await asyncio.sleep(size.settle)
                found.beside.append(await phase(running, samples, found, size.phase))
                found.ends.update(await asyncio.gather(*map(end_of, streams)))
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return found


async def phase(running: Measured, samples: Samples, found: Found, seconds: float) -> list[float]:
    """The seconds that the answers of one phase took."""
    first = len(samples.acknowledged)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await asyncio.sleep(0.2)
        found.most = max(found.most, running.resident_bytes())
    return samples.acknowledged[first:]


@asynccontextmanager
async def stalled(address: str, opened: Sequence[LoadTable], readers: int) -> AsyncIterator[list[Any]]:
    """So many streams that are open and of which nothing is read: half begin with the view, half some entries behind."""
    async with AsyncExitStack() as stack:
        streams = []
        for first in range(0, readers, PER_CONNECTION):
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(address, options=NARROW))
            stub = TableServiceStub(channel)
            for number in range(first, min(first + PER_CONNECTION, readers)):
                table = opened[number % len(opened)]
                after = max(0, max(table.last.values(), default=0) - BEHIND) if number % 2 else None
                streams.append(
                    stub.WatchTable(WatchTableRequest(table_id=table.table_id, after_sequence=after))
                )
        await asyncio.gather(*(stream.initial_metadata() for stream in streams))
        try:
            yield streams
        finally:
            for stream in streams:
                stream.cancel()


async def end_of(stream: Any) -> str:
    """Reads a stream on to its end, at last: the reason that it ended with."""
    try:
        async with asyncio.timeout(10):
            while await stream.read() is not grpc.aio.EOF:
                pass
    except grpc.aio.AioRpcError as error:
        return from_rpc_error(error).reason.value
    except TimeoutError:
        return "still open"
    return "ended in order"


def figures(found: Found, size: Size) -> list[Figure]:
    """What the phases show."""
    quiet, beside = (
        percentile([one for part in parts for one in part], 99) for parts in (found.quiet, found.beside)
    )
    parts = [percentile(b, 99) / percentile(q, 99) for q, b in zip(found.quiet, found.beside, strict=True)]
    others = {reason: count for reason, count in found.ends.items() if reason != Reason.READER_SLOW.value}
    return [
        at_least(
            "stalled readers, cut with READER_SLOW",
            found.ends[Reason.READER_SLOW.value],
            size.readers * size.phases,
        ),
        Figure("readers that ended otherwise", f"{others or 'none'}"),
        at_most("growth of the server's memory", found.growth, GROWTH, " MiB"),
        Figure(
            "p99 of SubmitAction without and beside them", f"{1000 * quiet:.1f} and {1000 * beside:.1f} ms"
        ),
        Figure("ratio of p99, phase by phase", " ".join(f"{part:.2f}" for part in sorted(parts))),
        at_most("ratio of p99 over all phases", beside / quiet, SLOWER),
    ]


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    size = QUICK if quick else FULL
    tell(f"{size.readers:,} readers, {size.phases} times with and without them for {size.phase:g} s each …")
    return figures(await measured(size), size)
