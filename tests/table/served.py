"""A table service on a real port, over the store of a trial, with clients that speak to it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import grpc
from baloot.api.core.v1 import auction_pb2, play_pb2
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.referee_pb2_grpc import RefereeServiceStub
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.codec.auction import encode_call
from baloot.codec.play import encode_card_move
from baloot.core.auction import Call
from baloot.core.play import CardMove
from baloot.core.seats import Seat
from baloot.kit.access import AccessSettings
from baloot.kit.channels import open_channel
from baloot.kit.quotas import Quotas
from baloot.kit.serving import Server, ServerSettings, start
from baloot.table import referee_server
from baloot.table.decide import Action, ComeBack
from baloot.table.feed import Feed, Rhythm
from baloot.table.orchestrator import Orchestrator
from baloot.table.seat_streams import Patience
from baloot.table.server import service

from tests.table.trial import Trial

QUIET = Rhythm(heartbeat=3600, poll=3600, stalled=3600, forget=3600)
"""Nothing happens by itself: what a test sees is what it did."""
QUICK = Rhythm(heartbeat=0.02, poll=0.02, stalled=0.2, forget=3600)

Metadata = Sequence[tuple[str, str]]


@dataclass
class Replica:
    """One process's share of the service, as the network sees it."""

    table: Orchestrator
    feed: Feed
    server: Server
    channel: grpc.aio.Channel
    stub: TableServiceStub
    referees: RefereeServiceStub


@asynccontextmanager
async def replica(
    table: Orchestrator,
    rhythm: Rhythm = QUIET,
    quotas: Quotas | None = None,
    patience: Patience | None = None,
    access: AccessSettings | None = None,
) -> AsyncIterator[Replica]:
    """A server of the tables of one orchestrator. Without quotas nobody is limited, without patience nobody told of,
    without `access` all are guests.
    """
    quotas = quotas or Quotas()
    settings = ServerSettings(
        "127.0.0.1:0", grace=0.2, max_streams=1000, quotas=quotas, access=access or AccessSettings()
    )
    async with Feed(table, rhythm, patience) as feed:
        served = [service(table, feed, quotas.tables), referee_server.service(table, feed)]
        server = await start(served, settings)
        try:
            async with open_channel(server.address) as channel:
                stubs = TableServiceStub(channel), RefereeServiceStub(channel)
                yield Replica(table, feed, server, channel, *stubs)
        finally:
            await server.stop()


def bearer(token: str | None) -> Metadata:
    """The metadata that a token is sent in."""
    return () if token is None else (("authorization", f"Bearer {token}"),)


def acting(
    trial: Trial, action: Action, request_id: UUID | None = None, expected: int | None = None
) -> pb.SubmitActionRequest:
    """The request for an action."""
    request = pb.SubmitActionRequest(
        table_id=str(trial.table_id), request_id=str(request_id or trial.id()), expected_sequence=expected
    )
    match encoded(action):
        case auction_pb2.Call() as call:
            request.call.CopyFrom(call)
        case play_pb2.PlayCard() as card:
            request.card.CopyFrom(card)
        case play_pb2.ClaimSawa() as sawa:
            request.sawa.CopyFrom(sawa)
        case pb.ComeBack() as back:
            request.come_back.CopyFrom(back)
    return request


def encoded(action: Action) -> auction_pb2.Call | play_pb2.PlayCard | play_pb2.ClaimSawa | pb.ComeBack:
    if isinstance(action, Call):
        return encode_call(action)
    if isinstance(action, ComeBack):
        return pb.ComeBack()
    return encode_card_move(action) if isinstance(action, CardMove) else play_pb2.ClaimSawa()


def watching(trial: Trial, after: int | None = None) -> pb.WatchTableRequest:
    """The request for a watch."""
    return pb.WatchTableRequest(table_id=str(trial.table_id), after_sequence=after)


async def submit(served: Replica, trial: Trial, seat: Seat, action: Action) -> pb.SubmitActionResponse:
    """Does an action over the wire."""
    metadata = bearer(trial.tokens[seat])
    answer: pb.SubmitActionResponse = await served.stub.SubmitAction(acting(trial, action), metadata=metadata)
    return answer


async def read(stream: Any, count: int) -> list[pb.WatchTableResponse]:
    """So many messages of a stream."""
    async with asyncio.timeout(10):
        return [await stream.read() for _ in range(count)]


async def rest(stream: Any) -> list[pb.WatchTableResponse]:
    """All further messages of a stream, up to its end."""
    messages: list[pb.WatchTableResponse] = []
    async with asyncio.timeout(10):
        while (message := await stream.read()) is not grpc.aio.EOF:
            messages.append(message)
    return messages


async def until(holds: Callable[[], bool], seconds: float = 10) -> None:
    """Waits for what other tasks are about to do."""
    async with asyncio.timeout(seconds):
        while not holds():
            await asyncio.sleep(0.001)
