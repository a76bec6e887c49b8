"""Readers that stall: how little is kept for them, and that it goes with them at once."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.core.ruleset import STANDARD
from baloot.table import feed
from baloot.table.events import Entry, Settings
from baloot.table.memory import MemoryStore, system_clock
from baloot.table.payload import decode, encode

from tests.table.served import QUIET, Replica, read, replica, until, watching
from tests.table.trial import Trial

LONG = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))
READERS = 10


class Decoding(MemoryStore):
    """Whoever reads gets entries of his own, as from a database."""

    async def read(self, *arguments: Any, **named: Any) -> Sequence[Entry]:
        return tuple(map(_again, await MemoryStore.read(self, *arguments, **named)))


def _again(entry: Entry) -> Entry:
    facts = decode(*encode(entry))
    return replace(entry, events=facts.events, questions=facts.questions)


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=LONG, store=Decoding(system_clock))
    await made.deal()
    await made.play(200)
    return made


@pytest.fixture
def no_collection() -> Iterator[None]:
    """Only what nobody refers to any more is freed."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@asynccontextmanager
async def stalled(served: Replica, trial: Trial, readers: int) -> AsyncIterator[list[Any]]:
    """Streams of the public, far behind, of which nothing is taken, and for which the server waits."""
    options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    async with grpc.aio.insecure_channel(served.server.address, options=options) as channel:
        stub = TableServiceStub(channel)
        streams = [stub.WatchTable(watching(trial, 0)) for _ in range(readers)]
        await until(lambda: len([one for one in served.feed._watchers if one.sending_since]) == readers)
        yield streams


def count(kind: type) -> int:
    return len([one for one in gc.get_objects() if type(one) is kind])


async def test_no_entry_is_kept_for_a_reader_that_stalls(trial: Trial) -> None:
    async with replica(trial.table) as served:
        await read(served.stub.WatchTable(watching(trial, 0)), 100)
        before = count(Entry)
        async with stalled(served, trial, READERS):
            assert count(Entry) - before < feed.PAGE


@pytest.mark.usefixtures("no_collection")
async def test_a_reader_that_is_cut_leaves_no_garbage(trial: Trial) -> None:
    """Else a crowd that is cut would hold everybody up, a second time, when the collector finds it."""
    rhythm = replace(QUIET, poll=0.02, stalled=0.2)
    before = count(feed.Watcher)  # those of other tests, if any
    async with replica(trial.table, rhythm) as served:
        async with stalled(served, trial, READERS):
            await until(lambda: not served.feed._watchers)
        await until(lambda: len(served.server._calls) == 0)
        assert count(feed.Watcher) <= before
