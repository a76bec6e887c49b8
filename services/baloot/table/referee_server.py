"""The referee service over gRPC: tables with all hands open, for those who judge, and who has looked."""

from __future__ import annotations

from typing import Any, TypeAlias

import grpc
from baloot.api.table.v1 import referee_pb2 as pb
from baloot.api.table.v1.referee_pb2_grpc import RefereeServiceServicer, add_RefereeServiceServicer_to_server
from baloot.core.access import Role
from baloot.core.seats import SEATS
from baloot.kit import access, checks
from baloot.kit.interceptors import stopping
from baloot.kit.quotas import Charge
from baloot.kit.serving import Service
from baloot.table.codec import encode_time
from baloot.table.encoding import field_bytes, fields_bytes, view_bytes
from baloot.table.feed import Feed, Watcher
from baloot.table.looks import MOST, Look
from baloot.table.orchestrator import Orchestrator
from baloot.table.referees import Referees, require_no_seat
from baloot.table.state import TableState
from baloot.table.streams import drain, heartbeat, watching, write

NAME = pb.DESCRIPTOR.services_by_name["RefereeService"].full_name
CHARGES = {"InspectTable": Charge.CALL, "WatchInspection": Charge.WATCH, "ListLooks": Charge.CALL}
MAX_REASON = 200

_JUDGES = (Role.REFEREE, Role.ADMIN)

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class RefereeServicer(RefereeServiceServicer):
    """Implements `baloot.api.table.v1.RefereeService`."""

    def __init__(self, orchestrator: Orchestrator, feed: Feed) -> None:
        self._orchestrator = orchestrator
        self._feed = feed
        self._referees = Referees(orchestrator)

    async def InspectTable(  # type: ignore[override]  # encoded already
        self, request: pb.InspectTableRequest, context: Context
    ) -> bytes:
        table_id = checks.uuid(request.table_id, "table_id")
        reason = checks.text(request.reason, "reason", most=MAX_REASON)
        _, state = await self._referees.look(table_id, _judge(), reason)
        return field_bytes(pb.InspectTableResponse.TABLE_FIELD_NUMBER, _open(state))

    async def WatchInspection(  # type: ignore[override]  # it writes by itself, to know when a reader stalls
        self, request: pb.WatchInspectionRequest, context: Context
    ) -> None:
        table_id = checks.uuid(request.table_id, "table_id")
        reason = checks.text(request.reason, "reason", most=MAX_REASON)
        player_id = _judge()
        if self._feed.draining:
            raise stopping()
        # By itself and at once: a stream that is ended while the first write sends it along would get no status.
        await context.send_initial_metadata(())
        live, _ = await self._referees.look(table_id, player_id, reason, watched=True)
        watcher = self._feed.open(live, live.sequence)
        with watching(self._feed, watcher):
            await self._send(watcher, context, player_id)

    async def ListLooks(self, request: pb.ListLooksRequest, context: Context) -> pb.ListLooksResponse:
        table_id = checks.uuid(request.table_id, "table_id")
        access.require_role(access.caller(), (Role.ORGANISER, *_JUDGES))
        looks = await self._referees.looks(table_id, MOST, access.caller().player_id or "")
        return pb.ListLooksResponse(looks=map(_encode, looks))

    async def _send(self, watcher: Watcher, context: Context, player_id: str) -> None:
        """All of the table whenever it has changed: a slow reader misses what was in between, and nothing piles up."""
        await self._show(watcher, context, player_id)
        while (changed := await self._feed.changed(watcher)) is not None:
            if changed:
                await self._show(watcher, context, player_id)
            elif self._feed.draining:
                await write(watcher, context, pb.WatchInspectionResponse(drain=drain()).SerializeToString())
                raise stopping()
            else:
                await self._referees.require_outside(watcher.live, player_id)
                beat = heartbeat(watcher.live, self._orchestrator.now())
                await write(watcher, context, pb.WatchInspectionResponse(heartbeat=beat).SerializeToString())

    async def _show(self, watcher: Watcher, context: Context, player_id: str) -> None:
        state = watcher.live.state
        assert state is not None
        require_no_seat(state, player_id)
        watcher.cursor = state.sequence
        table = field_bytes(pb.WatchInspectionResponse.TABLE_FIELD_NUMBER, _open(state))
        await write(watcher, context, table)


def _judge() -> str:
    """The account of the caller, who may see all hands."""
    player_id = access.caller().player_id
    if player_id is None:
        raise access.token_required()
    access.require_role(access.caller(), _JUDGES)
    return player_id


def _open(state: TableState) -> bytes:
    """The `OpenTable`: a table as each of its seats sees it."""
    return fields_bytes(pb.OpenTable.SEATS_FIELD_NUMBER, [view_bytes(state, seat) for seat in SEATS])


def _encode(look: Look) -> pb.Look:
    return pb.Look(
        player_id=look.player_id,
        time=encode_time(look.at),
        sequence=look.sequence,
        reason=look.reason,
        watched=look.watched,
    )


def service(orchestrator: Orchestrator, feed: Feed) -> Service:
    """What `baloot.kit.serving.start` serves beside the tables."""
    return Service(NAME, RefereeServicer(orchestrator, feed), add_RefereeServiceServicer_to_server, CHARGES)
