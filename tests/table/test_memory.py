"""What an open watch and an idle table cost the process that serves them."""

from __future__ import annotations

import asyncio
import gc
import sys
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.core.ruleset import STANDARD
from baloot.table.encoding import entry_bytes
from baloot.table.events import Settings
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.views import Viewer

from tests.table.served import read
from tests.table.test_server_leaks import VIEWERS
from tests.table.trial import Clock, Trial

KB = 1000
ROOT = Path(__file__).parents[2]
STATM = "/proc/{}/statm"
PAGE_BYTES = 4096
OWN_CONNECTION = [("grpc.use_local_subchannel_pool", 1)]

pytestmark = pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="there is no /proc here")


@dataclass
class Alone:
    """A server in a process of its own, and the watches that are open there."""

    pid: int
    address: str
    table_id: str
    stack: AsyncExitStack
    opened: list[grpc.aio.UnaryStreamCall[pb.WatchTableRequest, pb.WatchTableResponse]] = field(
        default_factory=list
    )

    async def watch(self, count: int, *, together: int) -> None:
        """Opens so many watches more, a few `together` on one connection."""
        for _ in range(count // together):
            channel = grpc.aio.insecure_channel(self.address, options=OWN_CONNECTION)
            await self.stack.enter_async_context(channel)
            for _ in range(together):
                request = pb.WatchTableRequest(table_id=self.table_id)
                stream = TableServiceStub(channel).WatchTable(request)
                (first,) = await read(stream, 1)
                assert first.HasField("view")
                self.opened.append(stream)

    def resident(self) -> int:
        """The bytes of memory that the server's process holds."""
        return int(Path(STATM.format(self.pid)).read_text().split()[1]) * PAGE_BYTES


@pytest.fixture
async def alone() -> AsyncIterator[Alone]:
    command = (sys.executable, "-m", "tests.table.alone")
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe, cwd=ROOT)
    assert process.stdin
    assert process.stdout
    async with AsyncExitStack() as stack:
        address, table_id = (await process.stdout.readline()).decode().split()
        yield Alone(process.pid, address, table_id, stack)
    process.stdin.close()
    assert await process.wait() == 0


@pytest.mark.parametrize(
    ("together", "most"), [(50, 40 * KB), (1, 70 * KB)], ids=["watch", "watch and connection"]
)
async def test_an_open_watch_is_cheap(alone: Alone, together: int, most: int) -> None:
    await alone.watch(100, together=together)
    before = alone.resident()
    await alone.watch(300, together=together)
    each = (alone.resident() - before) / 300
    print(f"{each / KB:.1f} kB for each")
    assert 5 * KB < each < most


async def test_an_idle_table_is_cheap() -> None:
    """One that is far into its match, with all its recent entries encoded for everybody."""
    clock = Clock()
    store = MemoryStore(clock)
    settings = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))
    trials = [Trial(seed=seed, clock=clock, store=store, settings=settings) for seed in range(6)]
    for trial in trials:
        await trial.fill()
        await trial.play(500)
    table = Orchestrator(store, trials[0].table._rules)
    await load(table, trials[0])
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for trial in trials[1:]:
            await load(table, trial)
        gc.collect()
        each = (tracemalloc.get_traced_memory()[0] - before) / len(trials[1:])
    finally:
        tracemalloc.stop()
    print(f"{each / KB:.1f} kB for each")
    assert 5 * KB < each < 100 * KB


async def load(table: Orchestrator, trial: Trial) -> None:
    live = await table.current(trial.table_id)
    viewers: tuple[Viewer, ...] = VIEWERS
    for entry in live.recent:
        for viewer in viewers:
            entry_bytes(live, entry, viewer)
