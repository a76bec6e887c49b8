"""Clients that end their streams, or are gone without a word: their handlers end, and nothing is left of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Seat
from baloot.kit import serving
from baloot.kit.channels import open_channel
from baloot.kit.serving import ServerSettings
from baloot.table.events import Presence, PresenceChanged, Settings
from baloot.table.memory import MemoryStore, system_clock
from baloot.table.orchestrator import Orchestrator
from baloot.table.seat_streams import Patience

from tests.faults.proxy import proxy_to
from tests.table.served import QUIET, Replica, bearer, read, replica, until, watching
from tests.table.trial import Trial

LONG = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))
PROMPT = Patience(away=0.05, between=0.01)
SOON = 1.0
"""Seconds within which a handler ends once its client has."""
NOTICED = 30.0
"""Seconds within which it is noticed that a peer is gone."""


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=LONG, store=MemoryStore(system_clock))
    await made.deal()
    return made


@asynccontextmanager
async def narrow(served: Replica) -> AsyncIterator[TableServiceStub]:
    """A client that takes hardly anything before it reads."""
    options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    async with grpc.aio.insecure_channel(served.server.address, options=options) as channel:
        yield TableServiceStub(channel)


def opened(stub: TableServiceStub, trial: Trial, after: int | None = None) -> Any:
    return stub.WatchTable(watching(trial, after), metadata=bearer(trial.tokens[Seat.EAST]))


async def nothing_left(served: Replica) -> None:
    """Of a stream that its client has just ended: no handler, no watcher, and soon no word of its presence."""
    await until(lambda: len(served.server._calls) == 0, SOON)
    feed = served.feed
    assert not feed._watchers
    assert not feed._seats._held
    assert [live.watchers for live in served.table.tables.values() if live.watchers] == []
    await until(lambda: not feed._seats._timers and not feed._seats._tasks, SOON)


async def test_a_stream_that_is_cancelled_while_it_waits_is_gone(trial: Trial) -> None:
    async with replica(trial.table, patience=PROMPT) as served:
        stream = opened(served.stub, trial)
        await read(stream, 2)  # the view, and that its player is here
        stream.cancel()
        await nothing_left(served)


async def test_a_stream_that_is_cancelled_before_its_snapshot_is_gone(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log does not answer while the table is read."""
    asked = asyncio.Event()

    async def never(*_: object, **__: object) -> None:
        asked.set()
        await asyncio.Event().wait()

    async with replica(trial.table, patience=PROMPT) as served:
        with monkeypatch.context() as patched:
            patched.setattr(trial.log, "read", never)
            stream = opened(served.stub, trial)
            reading = asyncio.create_task(stream.read())
            await asked.wait()
            stream.cancel()
            await asyncio.gather(reading, return_exceptions=True)
            await nothing_left(served)
        await read(opened(served.stub, trial), 1)


async def test_a_stream_that_is_cancelled_while_it_writes_is_gone(trial: Trial) -> None:
    await trial.play(200)
    async with replica(trial.table, patience=PROMPT) as served, narrow(served) as stub:
        stream = opened(stub, trial, 0)
        await until(lambda: any(one.sending_since is not None for one in served.feed._watchers))
        stream.cancel()
        await nothing_left(served)


@pytest.mark.parametrize("delay", [0, 0.001, 0.003, 0.01, 0.03])
async def test_streams_that_are_cancelled_at_any_moment_are_gone(trial: Trial, delay: float) -> None:
    async with replica(trial.table, patience=PROMPT) as served:
        for after in (None, 0) * 10:
            stream = opened(served.stub, trial, after)
            await asyncio.sleep(delay)
            stream.cancel()
        await nothing_left(served)


# Gone without a word.


def hasty(settings: ServerSettings) -> list[tuple[str, int]]:
    """The options of a server that asks a quiet peer soon, and does not wait long for the answer."""
    sooner = {
        "grpc.keepalive_time_ms": 400,
        "grpc.keepalive_timeout_ms": 400,
        "grpc.http2.ping_timeout_ms": 400,
    }
    return [(name, sooner.get(name, value)) for name, value in USUAL(settings)]


USUAL = serving.server_options


@pytest.mark.parametrize(
    ("options", "seconds"),
    [
        pytest.param(hasty, 5.0, id="hasty"),
        pytest.param(USUAL, NOTICED, id="as served", marks=[pytest.mark.long, pytest.mark.timeout(90)]),
    ],
)
async def test_a_phone_that_is_dead_is_noticed(
    trial: Trial,
    monkeypatch: pytest.MonkeyPatch,
    options: Callable[[ServerSettings], list[tuple[str, int]]],
    seconds: float,
) -> None:
    """Its packets are still acknowledged, as by a carrier's gateway, and nothing is sent that could stall."""
    monkeypatch.setattr(serving, "server_options", options)
    async with (
        replica(Orchestrator(trial.log, trial.table._rules), QUIET, patience=PROMPT) as served,
        proxy_to(served.server.address) as proxy,
        open_channel(proxy.address) as channel,
    ):
        stream = opened(TableServiceStub(channel), trial)
        await read(stream, 2)
        proxy.strand()
        async with asyncio.timeout(seconds):
            while served.feed._seats._held:
                await asyncio.sleep(0.01)
        await nothing_left(served)
        (*_, last) = await trial.entries()
        (event,) = last.events
        assert isinstance(event, PresenceChanged)
        assert (event.seat, event.presence) == (Seat.EAST, Presence.AWAY)


async def test_whoever_comes_back_from_a_dead_network_is_not_in_his_own_way(trial: Trial) -> None:
    """The server still holds the old stream; the new one ends it, and nothing is missed."""
    async with (
        replica(trial.table, replace(QUIET, stalled=0.1), patience=PROMPT) as served,
        proxy_to(served.server.address) as proxy,
        open_channel(proxy.address) as dead,
    ):
        await read(opened(TableServiceStub(dead), trial), 2)
        sequence = (await trial.state()).sequence
        proxy.strand()
        await trial.play(3)
        again = opened(served.stub, trial, sequence)
        assert [one.entry.sequence for one in await read(again, 3)] == [sequence + n for n in (1, 2, 3)]
        await until(lambda: len(served.feed._watchers) == 1, SOON)
        assert (await trial.state()).sequence == sequence + 3
