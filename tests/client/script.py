"""The entries of a small table, as its South may see them, and a table service that tells them badly."""

# ruff: noqa: N802 - the methods of a service are named by its contract
from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grpc
from baloot.api.core.v1.auction_pb2 import CALL_KIND_PASS, Call
from baloot.api.core.v1.seats_pb2 import SEAT_SOUTH
from baloot.api.table.v1.events_pb2 import (
    ABANDON_REASON_LEFT,
    CallMade,
    MatchStarted,
    SeatTaken,
    TableAbandoned,
    TableCreated,
    TableEntry,
    TableEvent,
)
from baloot.api.table.v1.table_pb2 import (
    CreateTableRequest,
    CreateTableResponse,
    Drain,
    GetOpeningsRequest,
    GetOpeningsResponse,
    GetTableRequest,
    GetTableResponse,
    GiveBeaconRequest,
    GiveBeaconResponse,
    Heartbeat,
    LeaveSeatRequest,
    LeaveSeatResponse,
    ListMySeatsRequest,
    ListMySeatsResponse,
    MySeat,
    SubmitActionRequest,
    SubmitActionResponse,
    TableView,
    TakeSeatRequest,
    TakeSeatResponse,
    WatchTableRequest,
    WatchTableResponse,
)
from baloot.api.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server
from baloot.client import follow
from baloot.core.errors import Reason, Refusal
from baloot.kit.serving import Service

TABLE = "00000000-0000-4000-8000-000000000001"
Context = grpc.aio.ServicerContext[Any, Any]


def entries(length: int) -> list[TableEntry]:
    """A table of that many entries, four at least, which is abandoned by the last one."""
    middle = [
        TableEvent(call_made=CallMade(seat=SEAT_SOUTH, call=Call(kind=CALL_KIND_PASS)))
        for _ in range(length - 4)
    ]
    events = [
        TableEvent(table_created=TableCreated()),
        TableEvent(seat_taken=SeatTaken(seat=SEAT_SOUTH, player_name="Noura")),
        TableEvent(match_started=MatchStarted()),
        *middle,
        TableEvent(table_abandoned=TableAbandoned(reason=ABANDON_REASON_LEFT)),
    ]
    return [TableEntry(sequence=number, events=[event]) for number, event in enumerate(events, 1)]


def folded(told: Iterable[TableEntry]) -> TableView:
    view = follow.fresh(TABLE, SEAT_SOUTH)
    for entry in told:
        follow.apply(view, entry)
    return view


Step = TableEntry | TableView | Heartbeat | Drain | Refusal | float
"""What a stream does next: say something, break with a refusal, or say nothing for so many seconds."""
Script = Callable[[WatchTableRequest, int], Iterable[Step]]
"""The steps of a stream, by its request and by how many streams came before it."""


def in_turn(*streams: Iterable[Step]) -> Script:
    """One stream after the other; the last one again and again."""
    return lambda _, stream: streams[min(stream, len(streams) - 1)] if streams else ()


@dataclass
class ScriptedTable(TableServiceServicer):
    """A table service that does what its script says; it keeps every request, with the token that came with it."""

    script: Script = field(default_factory=in_turn)
    refusals: list[Refusal] = field(default_factory=list)
    requests: list[Any] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)
    view: TableView | None = None
    """What GetTable tells; a table of five entries unless it is set."""
    chain: bytes = b""
    open_streams: int = 0
    closed: asyncio.Event = field(default_factory=asyncio.Event)

    def service(self) -> Service:
        return Service(
            "baloot.api.table.v1.TableService",
            self,
            add_TableServiceServicer_to_server,
        )

    def _note(self, request: Any, context: Context) -> None:
        self.requests.append(request)
        metadata = {str(key): str(value) for key, value in context.invocation_metadata() or ()}
        self.tokens.append(metadata.get("authorization"))
        if self.refusals:
            raise self.refusals.pop(0)

    async def CreateTable(self, request: CreateTableRequest, context: Context) -> CreateTableResponse:
        self._note(request, context)
        return CreateTableResponse(table_id=TABLE)

    async def TakeSeat(self, request: TakeSeatRequest, context: Context) -> TakeSeatResponse:
        self._note(request, context)
        return TakeSeatResponse(seat=SEAT_SOUTH, seat_token="a-token")

    async def LeaveSeat(self, request: LeaveSeatRequest, context: Context) -> LeaveSeatResponse:
        self._note(request, context)
        return LeaveSeatResponse(entry=TableEntry(sequence=7))

    async def SubmitAction(self, request: SubmitActionRequest, context: Context) -> SubmitActionResponse:
        self._note(request, context)
        return SubmitActionResponse(entry=TableEntry(sequence=8))

    async def GetOpenings(self, request: GetOpeningsRequest, context: Context) -> GetOpeningsResponse:
        self._note(request, context)
        return GetOpeningsResponse(number=3)

    async def GiveBeacon(self, request: GiveBeaconRequest, context: Context) -> GiveBeaconResponse:
        self._note(request, context)
        return GiveBeaconResponse(entry=TableEntry(sequence=9))

    async def ListMySeats(self, request: ListMySeatsRequest, context: Context) -> ListMySeatsResponse:
        self._note(request, context)
        return ListMySeatsResponse(seats=[MySeat(table_id=TABLE, seat=SEAT_SOUTH)])

    async def GetTable(self, request: GetTableRequest, context: Context) -> GetTableResponse:
        self._note(request, context)
        return GetTableResponse(view=self.view or folded(entries(5)), chain=self.chain)

    async def WatchTable(
        self, request: WatchTableRequest, context: Context
    ) -> AsyncIterator[WatchTableResponse]:
        self._note(request, context)
        self.open_streams += 1
        try:
            for step in self.script(request, len(self.requests) - 1):
                if isinstance(step, float):
                    await asyncio.sleep(step)
                else:
                    yield _response(step)
        finally:
            self.open_streams -= 1
            self.closed.set()


def _response(step: TableEntry | TableView | Heartbeat | Drain | Refusal) -> WatchTableResponse:
    match step:
        case Drain():
            return WatchTableResponse(drain=step)
        case TableEntry():
            return WatchTableResponse(entry=step)
        case TableView():
            return WatchTableResponse(view=step)
        case Heartbeat():
            return WatchTableResponse(heartbeat=step)
        case Refusal():
            raise step


def unreliable(told: list[TableEntry], seed: int) -> Script:
    """A server that knows the table, and cuts, ends, repeats, skips and starts over as chance has it."""

    def script(request: WatchTableRequest, stream: int) -> Iterable[Step]:
        random = Random(f"{seed} {stream}")
        after = request.after_sequence if request.HasField("after_sequence") else None
        if after is None or random.random() < 0.1:
            after = random.randrange(1, len(told) + 1) if after is None else after
            yield folded(told[:after])
        while after < len(told):
            yield from _chance(told, after, random)
            if random.random() < 0.15:
                if random.random() < 0.5:
                    return
                raise Refusal(random.choice([Reason.UNAVAILABLE, Reason.READER_SLOW]), "cut")
            if random.random() < 0.05:
                after += 1
                continue
            yield told[after]
            after += 1

    return script


def _chance(told: list[TableEntry], after: int, random: Random) -> Iterable[Step]:
    if random.random() < 0.2:
        yield Heartbeat(sequence=after)
    if after and random.random() < 0.2:
        yield told[random.randrange(after)]
    if random.random() < 0.05:
        yield folded(told[: random.randrange(1, after + 1)] if after else told[:1])
