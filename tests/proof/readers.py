"""Readers that open streams and read nothing of them, in a process of their own. `python -m tests.proof.readers ADDRESS`.

A line names the tables, each with the entry after which it is read or null for its view; it is answered when all are
open. With the next line they are read on to their ends, and the answer is how many ended in which way.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import grpc
from baloot.api.table.v1.table_pb2 import WatchTableRequest
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.kit import logs, loops
from baloot.kit.errors import from_rpc_error

from tests.bench.process import asked

Place = tuple[str, int | None]
"""A table, and after which entry it is read; None for its view."""

PER_CONNECTION = 100
READ_ON = 60.0
"""Seconds in which a stream that is read on has to end."""
NARROW = [
    ("grpc.http2.lookahead_bytes", 1024),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.use_local_subchannel_pool", 1),
]
"""A connection of its own that takes next to nothing of a stream before it is read."""


async def serve(address: str) -> None:
    print("ready", flush=True)
    while (line := await asked()) is not None:
        async with stalled(address, json.loads(line)) as streams:
            print("open", flush=True)
            await asked()
            ends = Counter(await asyncio.gather(*map(end_of, streams)))
        print(json.dumps(ends), flush=True)


@asynccontextmanager
async def stalled(address: str, places: Sequence[Place]) -> AsyncIterator[list[Any]]:
    """A stream for each place, all open."""
    async with AsyncExitStack() as stack:
        streams = []
        for first in range(0, len(places), PER_CONNECTION):
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(address, options=NARROW))
            stub = TableServiceStub(channel)
            for table, after in places[first : first + PER_CONNECTION]:
                streams.append(stub.WatchTable(WatchTableRequest(table_id=table, after_sequence=after)))
        await asyncio.gather(*(stream.initial_metadata() for stream in streams))
        yield streams


async def end_of(stream: Any) -> str:
    """Reads a stream on to its end, at last: the reason that it ended with."""
    try:
        async with asyncio.timeout(READ_ON):
            while await stream.read() is not grpc.aio.EOF:
                pass
    except grpc.aio.AioRpcError as error:
        return from_rpc_error(error).reason.value
    except TimeoutError:
        return "still open"
    return "ended in order"


if __name__ == "__main__":
    logs.configure("error")
    loops.run(serve(sys.argv[1]))
