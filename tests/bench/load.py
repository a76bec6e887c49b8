"""The load generator: tables with four players who watch and act, one process for all of them."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc
from baloot.api.core.v1.auction_pb2 import CALL_KIND_PASS, QUESTION_KIND_KAWESH, Call
from baloot.api.core.v1.seats_pb2 import Seat
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.events_pb2 import Question, TableEntry
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.kit.channels import open_channel
from google.protobuf.duration_pb2 import Duration

from tests.bench.process import Measured

CONNECTIONS = 8
SEATS = (1, 2, 3, 4)


@dataclass(slots=True)
class Samples:
    """What was measured: seconds from sending an action to its answer, and to each watcher."""

    acknowledged: list[float] = field(default_factory=list)
    watched: list[float] = field(default_factory=list)
    refused: int = 0


@dataclass(slots=True)
class LoadTable:
    """One table and its four players."""

    stub: TableServiceStub
    samples: Samples
    rng: random.Random
    table_id: str = ""
    tokens: dict[int, str] = field(default_factory=dict)
    questions: asyncio.Queue[tuple[int, Question]] = field(default_factory=asyncio.Queue)
    last: dict[int, int] = field(default_factory=dict)
    sent: float = 0.0
    over: asyncio.Event = field(default_factory=asyncio.Event)
    streams: list[asyncio.Task[None]] = field(default_factory=list)

    async def open(self) -> None:
        """Opens a table, seats four players and lets them watch."""
        created = await self.stub.CreateTable(self._wanted())
        self.table_id = created.table_id
        self.over.clear()
        self.last.clear()
        self.sent = 0.0
        for seat in SEATS:
            taken = await self.stub.TakeSeat(
                pb.TakeSeatRequest(
                    table_id=self.table_id,
                    request_id=str(uuid.uuid4()),
                    seat=Seat.ValueType(seat),
                    player_name=f"p{seat}",
                )
            )
            self.tokens[seat] = taken.seat_token
        self.streams = [asyncio.create_task(self._watch(seat)) for seat in SEATS]

    def _wanted(self) -> pb.CreateTableRequest:
        return pb.CreateTableRequest(
            request_id=str(uuid.uuid4()), round_pause=Duration(), action_timeout=Duration(seconds=300)
        )

    async def close(self) -> None:
        for stream in self.streams:
            stream.cancel()
        await asyncio.gather(*self.streams, return_exceptions=True)

    async def act(self) -> bool:
        """Answers the next question. Returns False when the match is over."""
        asked = asyncio.create_task(self.questions.get())
        ended = asyncio.create_task(self.over.wait())
        await asyncio.wait([asked, ended], return_when=asyncio.FIRST_COMPLETED)
        ended.cancel()
        if not asked.done():
            asked.cancel()
            return False
        seat, question = asked.result()
        await self._answer(seat, question)
        return True

    async def _answer(self, seat: int, question: Question) -> None:
        request = pb.SubmitActionRequest(table_id=self.table_id, request_id=str(uuid.uuid4()))
        if question.WhichOneof("question") == "play":
            request.card.CopyFrom(question.play.default_move)
        else:
            request.call.CopyFrom(self._choose(question))
        self.sent = began = time.perf_counter()
        try:
            await self.stub.SubmitAction(request, metadata=self._metadata(seat), timeout=30)
        except grpc.aio.AioRpcError:
            self.samples.refused += 1
            return
        self.samples.acknowledged.append(time.perf_counter() - began)

    def _choose(self, question: Question) -> Call:
        legal = question.call.legal
        return self.rng.choices(legal, [2 if call.kind == CALL_KIND_PASS else 1 for call in legal])[0]

    async def _watch(self, seat: int) -> None:
        request = pb.WatchTableRequest(table_id=self.table_id, after_sequence=0)
        call = self.stub.WatchTable(request, metadata=self._metadata(seat))
        try:
            async for message in call:
                if message.WhichOneof("message") == "entry":
                    self._seen(seat, message.entry)
        finally:
            call.cancel()
        self.over.set()

    def _seen(self, seat: int, entry: TableEntry) -> None:
        if self.sent:
            self.samples.watched.append(time.perf_counter() - self.sent)
        if not entry.HasField("question"):
            return
        question = entry.question
        kawesh = question.HasField("call") and question.call.kind == QUESTION_KIND_KAWESH
        if question.asked_at != self.last.get(seat) and not kawesh:
            self.last[seat] = question.asked_at
            self.questions.put_nowait((seat, question))

    def _metadata(self, seat: int) -> tuple[tuple[str, str]]:
        return (("authorization", f"Bearer {self.tokens[seat]}"),)


@asynccontextmanager
async def tables(
    address: str, count: int, samples: Samples, kind: type[LoadTable] = LoadTable
) -> AsyncIterator[list[LoadTable]]:
    """So many tables, all seated and watched, over a few connections."""
    channels = [open_channel(address) for _ in range(min(CONNECTIONS, count))]
    opened = [
        kind(TableServiceStub(channels[n % len(channels)]), samples, random.Random(n)) for n in range(count)
    ]
    try:
        for table in opened:
            await table.open()
        yield opened
    finally:
        await asyncio.gather(*(table.close() for table in opened))
        for channel in channels:
            await channel.close()


async def closed_loop(
    measured: Measured, count: int, seconds: float, warm_up: float = 0.5
) -> tuple[float, float]:
    """Every table acts as fast as it is answered: acknowledged actions per second, and CPU seconds for each.

    Opening the tables, and the first moments, are not counted.
    """
    samples = Samples()
    async with tables(measured.address, count, samples) as opened:
        began = time.perf_counter() + warm_up
        playing = [asyncio.create_task(_as_fast_as_answered(table, began + seconds)) for table in opened]
        await asyncio.sleep(warm_up)
        before, cpu = len(samples.acknowledged), measured.cpu_seconds()
        await asyncio.sleep(seconds)
        done, cpu = len(samples.acknowledged) - before, measured.cpu_seconds() - cpu
        rate = done / (time.perf_counter() - began)
        await asyncio.gather(*playing)
    return rate, cpu / max(1, done)


async def open_loop(address: str, count: int, seconds: float, rate: float) -> Samples:
    """All tables together act at a given rate, however long the answers take."""
    samples = Samples()
    async with tables(address, count, samples) as opened:
        samples.acknowledged.clear()
        samples.watched.clear()
        until = time.perf_counter() + seconds
        await asyncio.gather(*(at_rate(table, until, count / rate) for table in opened))
    return samples


async def _as_fast_as_answered(table: LoadTable, until: float) -> None:
    while time.perf_counter() < until:
        if not await table.act():
            await _again(table)


async def at_rate(table: LoadTable, until: float, interval: float) -> None:
    """Lets a table act every so many seconds, however long the answers take, up to a moment."""
    due = time.perf_counter() + table.rng.random() * interval
    while due < until:
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        if not await table.act():
            await _again(table)
        due += interval


async def _again(table: LoadTable) -> None:
    await table.close()
    await table.open()
