"""Floods: whoever does too much is refused, and at another table, at the same address, a match is played as ever.

The allowances are given for the whole test and hardly come back, so that what is let through can be counted.
"""

from __future__ import annotations

import asyncio
import random
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import grpc
import pytest
from baloot.api.core.v1.play_pb2 import PlayQuestion
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.app.rules import local_rules
from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.codec.ruleset import encode_ruleset
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.kit import metering
from baloot.kit.buckets import Buckets, Rate
from baloot.kit.errors import from_rpc_error
from baloot.kit.metering import Meter
from baloot.kit.peers import places
from baloot.kit.quotas import Quotas
from baloot.table.clocks import Clocks
from baloot.table.feed import Rhythm
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator

from tests.table.served import Replica, bearer, replica, submit, until
from tests.table.trial import KEY, Trial

SHORT = STANDARD.with_options(name="short", match_target=30)
QUOTAS = Quotas(
    commands=Rate(1, 60, 400),
    watches=Rate(1, 60, 10),
    opens=Rate(1, 60, 40),
    calls=Rate(1, 60, 60),
    streams=20,
    all_streams=40,
    tables=8,
)
HASTY = Pace(give_up_after=0.0)
"""Tries nothing again, so that no refusal is passed over."""
LATE = {Reason.NOT_YOUR_TURN, Reason.SEQUENCE_STALE, Reason.WRONG_PHASE, Reason.TABLE_ENDED}
RHYTHM = Rhythm(heartbeat=0.5, poll=0.1, stalled=0.5, forget=3600)


@dataclass
class Match:
    """Four players at one table. Nothing may be refused them, and no stream cut."""

    seats: list[TableClient]
    cuts: list[str] = field(default_factory=list)

    async def play(self) -> list[pb.TableView]:
        return await asyncio.gather(
            *(self._play(seat, random.Random(n)) for n, seat in enumerate(self.seats))
        )

    async def _play(self, seat: TableClient, rng: random.Random) -> pb.TableView:
        view, answered = pb.TableView(), 0
        async with aclosing(seat.watch(on_cut=self.cuts.append)) as updates:
            async for update in updates:
                view = update.view
                if view.HasField("question") and view.question.asked_at > answered:
                    answered = view.question.asked_at
                    await self._answer(seat, view, rng)
        return view

    async def _answer(self, seat: TableClient, view: pb.TableView, rng: random.Random) -> None:
        question = getattr(view.question, view.question.WhichOneof("question") or "")
        action = rng.choice(question.legal)
        if isinstance(question, PlayQuestion):
            action = type(question.default_move)(card=action.card)
        try:
            await seat.submit(action, expected_sequence=view.sequence)
        except Refusal as refusal:
            if refusal.reason not in LATE:
                raise


@dataclass
class Place:
    """A server with limits, a match that is about to be played, and the seat of somebody at another table."""

    served: Replica
    match: Match
    other: TableClient

    @property
    def meter(self) -> Meter:
        assert self.served.server.meter is not None
        return self.served.server.meter

    async def under(self, flood: Awaitable[Counter[str]]) -> Counter[str]:
        """Plays the match under a flood, and checks that nothing is left of both. The flood's answers, counted."""
        async with asyncio.timeout(60):
            views, answers = await asyncio.gather(self.match.play(), flood)
            assert {view.status for view in views} == {pb.TABLE_STATUS_FINISHED}
            assert self.match.cuts == []
            await until(lambda: self.meter.streams == 0 and len(self.served.server._calls) == 0)
        assert self.meter._streams == {}
        assert not self.served.feed._watchers
        return answers


@asynccontextmanager
async def place(quotas: Quotas = QUOTAS) -> AsyncIterator[Place]:
    table = Orchestrator(MemoryStore(), local_rules(KEY))
    async with Clocks(table), replica(table, RHYTHM, quotas) as served:
        tables = TableClient(served.channel, pace=HASTY)
        opened = await tables.create_table(rules=encode_ruleset(SHORT), round_pause=0, action_timeout=60)
        match = Match([await opened.take_seat(f"player {n}", seed=b"") for n in range(4)])
        other = await (await tables.create_table()).take_seat("Flooder", seed=b"")
        yield Place(served, match, other)


async def flood(calls: Iterable[Callable[[], Awaitable[object]]], at_once: int = 25) -> Counter[str]:
    """Makes all calls, some at once, and counts how they were answered."""
    answers: Counter[str] = Counter()
    waiting = iter(calls)

    async def one_after_the_other() -> None:
        for call in waiting:
            try:
                await call()
            except grpc.aio.AioRpcError as error:
                answers[from_rpc_error(error).reason.name] += 1
            else:
                answers["OK"] += 1

    await asyncio.gather(*(one_after_the_other() for _ in range(at_once)))
    return answers


def fresh() -> str:
    return str(uuid.uuid4())


def submitting(place: Place, token: str | None) -> Awaitable[object]:
    request = pb.SubmitActionRequest(table_id=place.other.table_id, request_id=fresh())
    request.sawa.SetInParent()
    return place.served.stub.SubmitAction(request, metadata=bearer(token))


async def opening(place: Place, token: str | None = None) -> None:
    """Opens a stream, reads what comes first, and drops it."""
    request = pb.WatchTableRequest(table_id=place.other.table_id)
    stream = place.served.stub.WatchTable(request, metadata=bearer(token))
    try:
        await stream.read()
    finally:
        stream.cancel()


async def test_actions_of_one_seat_without_end() -> None:
    async with place() as made:
        token = made.other.seat_token
        answers = await made.under(flood(partial(submitting, made, token) for _ in range(600)))
    assert 400 <= answers["TABLE_NOT_PLAYING"] <= 402
    assert answers["RATE_LIMITED"] == 600 - answers["TABLE_NOT_PLAYING"]


async def test_made_up_tokens_without_end() -> None:
    async with place() as made:
        known = set(made.meter._good)
        answers = await made.under(flood(partial(submitting, made, f"made-up-{n}") for n in range(600)))
        assert set(made.meter._good) == known
        assert {name: len(kept) for name, kept in made.meter._buckets.items()} == {
            "commands": 4, "watches": 4, "opens": 1, "calls": 1,
        }  # fmt: skip
    assert 60 <= answers["TOKEN_INVALID"] <= 62
    assert answers["RATE_LIMITED"] == 600 - answers["TOKEN_INVALID"]


async def test_tables_without_end() -> None:
    async with place() as made:
        stub = made.served.stub

        def open_() -> Awaitable[object]:
            return stub.CreateTable(pb.CreateTableRequest(request_id=fresh()))

        answers = await made.under(flood(open_ for _ in range(200)))
        stored = await made.served.table.store.heads_after(None, 1000, live=False)
    # Two tables and five seats were taken before, of which one table is still open.
    assert answers["OK"] == 7
    assert len(stored) == 9
    assert 33 <= answers["OK"] + answers["TOO_MANY_TABLES"] <= 35
    assert answers["RATE_LIMITED"] + answers["TOO_MANY_TABLES"] + 7 == 200


@pytest.mark.parametrize(("seated", "count"), [(True, 10), (False, 60)])
async def test_streams_opened_and_dropped_without_end(seated: bool, count: int) -> None:
    async with place() as made:
        token = made.other.seat_token if seated else None
        answers = await made.under(flood((partial(opening, made, token) for _ in range(200)), at_once=2))
    assert count <= answers["OK"] <= count + 2
    assert answers["RATE_LIMITED"] + answers["OK"] == 200


async def test_streams_that_stay() -> None:
    """More than an address may have: the seats at it have streams of their own."""
    async with place() as made:
        streams = [
            made.served.stub.WatchTable(pb.WatchTableRequest(table_id=made.other.table_id)) for _ in range(50)
        ]
        answers = await flood((stream.read for stream in streams), at_once=50)
        assert answers == {"OK": 20, "TOO_MANY_STREAMS": 30}
        assert made.meter.streams == 20

        async def leave() -> Counter[str]:
            await until(lambda: made.meter.streams == 24)  # the four players watch, too
            for stream in streams:
                stream.cancel()
            return answers

        await made.under(leave())


async def test_messages_that_are_too_big() -> None:
    async with place() as made:
        send: Any = made.served.channel.unary_unary("/baloot.api.table.v1.TableService/CreateTable")
        answers = await made.under(flood(partial(send, bytes(70_000)) for _ in range(200)))
    assert answers == {"LIMIT_EXCEEDED": 200}


async def test_readers_that_do_not_read() -> None:
    """They watch the match itself with hardly any room; it is not held up, and they are gone in the end."""
    async with place() as made:
        options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
        channel = grpc.aio.insecure_channel(made.served.server.address, options=options)
        request = pb.WatchTableRequest(table_id=made.match.seats[0].table_id, after_sequence=0)
        streams = [TableServiceStub(channel).WatchTable(request) for _ in range(20)]

        async def stay() -> Counter[str]:
            await until(lambda: made.meter.streams >= 20)
            await until(lambda: made.meter.streams < 20, 50)
            return Counter()

        await made.under(stay())
        for stream in streams:
            stream.cancel()
        await channel.close()


async def test_addresses_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many addresses come, no more than so many are remembered; the match is not among the forgotten."""
    monkeypatch.setattr(metering, "Buckets", partial(Buckets, remembered=50))
    trusting = replace(QUOTAS, calls=Rate(1, 60, 2), trusted=places(["127.0.0.1"]))
    async with place(trusting) as made:

        def ask(number: int) -> Awaitable[object]:
            forged = (("x-forwarded-for", f"192.0.2.99, 2001:db8:0:{number // 4:x}::{number}"),)
            return made.served.stub.GetTable(
                pb.GetTableRequest(table_id=made.other.table_id), metadata=forged
            )

        answers = await made.under(flood((partial(ask, number) for number in range(800)), at_once=1))
        assert all(len(kept) <= 50 for kept in made.meter._buckets.values())
    assert answers == {"OK": 400, "RATE_LIMITED": 400}


async def test_a_seat_is_known_again_after_a_restart_and_then_has_its_own() -> None:
    """Its first call is paid for by its address, where others leave nothing for long; then it depends on nobody."""
    async with place() as made:
        token = made.other.seat_token
        made.meter._good.clear()
        await opening(made, token)
        for _ in range(70):
            await flood([partial(submitting, made, "made-up")], at_once=1)
        refusals = await flood((partial(submitting, made, token) for _ in range(5)), at_once=1)
        assert refusals == {"TABLE_NOT_PLAYING": 5}


async def test_an_action_that_is_done_makes_its_token_known() -> None:
    trial = Trial(seed=3)
    await trial.deal()
    asked = (await trial.state()).questions[0]
    async with replica(trial.table, quotas=QUOTAS) as served:
        meter = served.server.meter
        assert meter is not None
        assert not meter._good
        await submit(served, trial, asked.seat, asked.question.default)
        assert len(meter._good) == 1


async def test_the_token_of_a_seat_that_was_left_is_worth_nothing() -> None:
    async with place() as made:
        known = len(made.meter._good)
        await made.other.leave_seat()
        assert len(made.meter._good) == known - 1
        answers = await flood(partial(submitting, made, made.other.seat_token) for _ in range(80))
    assert 60 <= answers["TOKEN_INVALID"] <= 62
