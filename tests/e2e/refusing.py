"""Requests that must be refused, and what a table service says to them."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import grpc.aio
from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.cards_pb2 import Card
from baloot.api.core.v1.play_pb2 import ClaimSawa, PlayCard
from baloot.api.core.v1.seats_pb2 import Seat
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.client.follow import SEATS
from baloot.client.table import Action
from baloot.core.errors import Reason
from baloot.kit.errors import from_rpc_error

Views = Mapping[Seat.ValueType, pb.TableView]


@dataclass(frozen=True, slots=True)
class Asking:
    """One request as somebody sends it; `token` is what goes into the metadata `authorization`, if anything."""

    method: str
    request: Any
    token: str | None = None

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        return () if self.token is None else (("authorization", self.token),)


@dataclass(frozen=True, slots=True)
class Refused:
    """All that a client learns from a refusal."""

    code: grpc.StatusCode
    reason: Reason
    message: str
    field: str
    metadata: tuple[tuple[str, str], ...]


async def refusal(channel: grpc.aio.Channel, asking: Asking) -> Refused | None:
    """What a service says to a request that it should refuse; None when it did not."""
    call = getattr(TableServiceStub(channel), asking.method)(
        asking.request, metadata=asking.metadata, timeout=10
    )
    try:
        await (call.read() if isinstance(call, grpc.aio.UnaryStreamCall) else call)
    except grpc.aio.AioRpcError as error:
        told = from_rpc_error(error)
        return Refused(
            error.code(), told.reason, told.message, told.field, tuple(sorted(told.metadata.items()))
        )
    return None


@dataclass(slots=True)
class Sat:
    """A table at which one sits on all four seats, for asking what nobody should."""

    channel: grpc.aio.Channel
    table_id: str
    tokens: dict[Seat.ValueType, str]

    async def take_seat(self) -> None:
        """Takes one seat more."""
        name = f"player {len(self.tokens)}"
        take = pb.TakeSeatRequest(table_id=self.table_id, request_id=new_id(), player_name=name)
        answer = await TableServiceStub(self.channel).TakeSeat(take)
        self.tokens[answer.seat] = answer.seat_token

    async def view(self, seat: Seat.ValueType) -> pb.TableView:
        answer = await TableServiceStub(self.channel).GetTable(
            pb.GetTableRequest(table_id=self.table_id), metadata=(("authorization", self.bearer(seat)),)
        )
        return answer.view

    async def views(self) -> Views:
        return {seat: await self.view(seat) for seat in self.tokens}

    async def asked(self) -> pb.TableView:
        """The view of a seat for which the table waits."""
        while True:
            for view in (await self.views()).values():
                if any(open_.seat == view.viewer for open_ in view.asked):
                    return view

    async def do(self, seat: Seat.ValueType, action: Action) -> None:
        asking = self.acting(seat, action)
        await TableServiceStub(self.channel).SubmitAction(asking.request, metadata=asking.metadata)

    def bearer(self, seat: Seat.ValueType) -> str:
        return f"Bearer {self.tokens[seat]}"

    def acting(self, seat: Seat.ValueType, action: Action | None, **fields: Any) -> Asking:
        """A SubmitAction by a seat. `fields` go before what it would hold."""
        kinds = {Call: "call", PlayCard: "card", ClaimSawa: "sawa"}
        request = {"table_id": self.table_id, "request_id": new_id(), **fields}
        if action is not None:
            request[kinds[type(action)]] = action
        return Asking("SubmitAction", pb.SubmitActionRequest(**request), self.bearer(seat))


async def sit(channel: grpc.aio.Channel, seats: int = 4) -> Sat:
    """Opens a table and takes its first seats."""
    stub = TableServiceStub(channel)
    request = pb.CreateTableRequest(request_id=new_id())
    request.action_timeout.FromSeconds(120)
    request.round_pause.FromSeconds(0)
    table_id = (await stub.CreateTable(request)).table_id
    sat = Sat(channel, table_id, {})
    for _ in range(seats):
        await sat.take_seat()
    return sat


def others(seat: Seat.ValueType) -> Sequence[Seat.ValueType]:
    """The other seats, in the order of turns."""
    place = SEATS.index(seat)
    return [SEATS[(place + step) % 4] for step in (1, 2, 3)]


def not_held(views: Views, seat: Seat.ValueType) -> Card.ValueType:
    """A card that another seat holds."""
    return views[others(seat)[0]].round.hand[0]


def new_id() -> str:
    return str(uuid.uuid4())
