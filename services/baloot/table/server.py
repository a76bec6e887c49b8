"""The table service over gRPC: reads requests, asks the orchestrator, writes what the viewer may see."""

from __future__ import annotations

from typing import Any, TypeAlias
from uuid import UUID

import grpc
from baloot.api.table.v1 import events_pb2
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server
from baloot.codec.enums import SEAT
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.kit import access, checks, metering
from baloot.kit.info import RESUME_WINDOW
from baloot.kit.interceptors import stopping
from baloot.kit.quotas import Charge
from baloot.kit.serving import Service
from baloot.table import mine, requests
from baloot.table.codec import STATUS, encode_openings, encode_table, encode_time
from baloot.table.encoding import entry_bytes, field_bytes
from baloot.table.events import Entry
from baloot.table.feed import Feed, Watcher
from baloot.table.identity import Account, Holder, holder_hash
from baloot.table.live import LiveTable
from baloot.table.orchestrator import Orchestrator, seat_of
from baloot.table.quota import OpenTables
from baloot.table.state import TableState
from baloot.table.streams import drain, heartbeat, watching, write
from baloot.table.timing import told_deadline
from baloot.table.views import Viewer, see

NAME = pb.DESCRIPTOR.services_by_name["TableService"].full_name
CHARGES = {
    "CreateTable": Charge.OPEN,
    "TakeSeat": Charge.OPEN,
    "LeaveSeat": Charge.COMMAND,
    "SubmitAction": Charge.COMMAND,
    "GetOpenings": Charge.COMMAND,
    "GiveBeacon": Charge.COMMAND,
    "ListMySeats": Charge.CALL,
    "GetTable": Charge.CALL,
    "WatchTable": Charge.WATCH,
}

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

_VIEW = pb.WatchTableResponse.VIEW_FIELD_NUMBER
_ENTRY = pb.WatchTableResponse.ENTRY_FIELD_NUMBER


class TableServicer(TableServiceServicer):
    """Implements `baloot.api.table.v1.TableService`."""

    def __init__(self, orchestrator: Orchestrator, feed: Feed, open_tables: OpenTables) -> None:
        self._orchestrator = orchestrator
        self._feed = feed
        self._open_tables = open_tables

    async def CreateTable(self, request: pb.CreateTableRequest, context: Context) -> pb.CreateTableResponse:
        request_id = checks.uuid(request.request_id, "request_id")
        settings = requests.decode_settings(request)
        entry = await self._open_tables.create(metering.address(), request_id, settings)
        return pb.CreateTableResponse(table_id=str(entry.table_id), entry=self._seen(entry, None))

    async def TakeSeat(self, request: pb.TakeSeatRequest, context: Context) -> pb.TakeSeatResponse:
        table_id = checks.uuid(request.table_id, "table_id")
        request_id = checks.uuid(request.request_id, "request_id")
        wanted = requests.decode_wanted_seat(request.seat)
        name = requests.decode_name(request.player_name)
        seed = requests.decode_seed(request.seed)
        entry, token = await self._orchestrator.take_seat(
            table_id, request_id, wanted, name, _account(), seed
        )
        if token:
            metering.vouch(token)
        assert entry.actor is not None
        return pb.TakeSeatResponse(
            seat=requests.encode_seat(entry.actor), seat_token=token, entry=self._seen(entry, entry.actor)
        )

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, context: Context) -> pb.LeaveSeatResponse:
        table_id = checks.uuid(request.table_id, "table_id")
        request_id = checks.uuid(request.request_id, "request_id")
        holder = _require_holder()
        entry = await self._orchestrator.leave_seat(table_id, holder, request_id)
        if isinstance(holder, str):
            metering.void(holder)
        return pb.LeaveSeatResponse(entry=self._seen(entry, entry.actor))

    async def SubmitAction(  # type: ignore[override]  # encoded already, once for all who see it
        self, request: pb.SubmitActionRequest, context: Context
    ) -> bytes:
        table_id = checks.uuid(request.table_id, "table_id")
        request_id = checks.uuid(request.request_id, "request_id")
        expected = requests.decode_expected(request)
        action = requests.decode_action(request)
        holder = _require_holder()
        entry = await self._orchestrator.submit(table_id, holder, request_id, expected, action)
        _vouch(holder)
        return field_bytes(
            pb.SubmitActionResponse.ENTRY_FIELD_NUMBER,
            entry_bytes(self._orchestrator.tables.get(table_id), entry, entry.actor),
        )

    async def GetOpenings(self, request: pb.GetOpeningsRequest, context: Context) -> pb.GetOpeningsResponse:
        table_id = checks.uuid(request.table_id, "table_id")
        holder = _require_holder()
        openings = await self._orchestrator.openings(table_id, holder)
        _vouch(holder)
        return encode_openings(openings)

    async def GiveBeacon(self, request: pb.GiveBeaconRequest, context: Context) -> pb.GiveBeaconResponse:
        table_id = checks.uuid(request.table_id, "table_id")
        request_id = checks.uuid(request.request_id, "request_id")
        value = requests.decode_beacon(request)
        entry = await self._orchestrator.give_beacon(table_id, request_id, value)
        return pb.GiveBeaconResponse(entry=self._seen(entry, None))

    async def ListMySeats(self, request: pb.ListMySeatsRequest, context: Context) -> pb.ListMySeatsResponse:
        holder = _require_holder()
        seats = await mine.seats_of(self._orchestrator, holder_hash(holder))
        if seats:
            _vouch(holder)
        return pb.ListMySeatsResponse(seats=[_mine(state, seat) for state, seat in seats])

    async def GetTable(self, request: pb.GetTableRequest, context: Context) -> pb.GetTableResponse:
        live, viewer = await self._shown(request.table_id)
        assert live.state is not None
        return pb.GetTableResponse(view=encode_table(see(live.state, viewer)), chain=live.chain)

    async def WatchTable(  # type: ignore[override]  # it writes by itself, to know when a reader stalls
        self, request: pb.WatchTableRequest, context: Context
    ) -> None:
        after = requests.decode_after(request)
        if self._feed.draining:
            raise stopping()
        # By itself and at once: a stream that is ended while the first write sends it along would get no status.
        await context.send_initial_metadata(())
        live, viewer = await self._shown(request.table_id)
        watcher = self._feed.open(live, live.sequence if after is None else after, viewer)
        with watching(self._feed, watcher):
            await self._send(watcher, context, with_view=after is None)

    async def _send(self, watcher: Watcher, context: Context, *, with_view: bool) -> None:
        live = watcher.live
        if with_view or live.sequence - watcher.cursor > RESUME_WINDOW:
            await write(watcher, context, _view_of(watcher))
        while (messages := await self._next(watcher)) is not None:
            for message in messages:
                await write(watcher, context, message)
            if not messages and self._feed.draining:
                await write(watcher, context, pb.WatchTableResponse(drain=drain()).SerializeToString())
                raise stopping()
            if not messages:
                await write(watcher, context, self._heartbeat(live))

    async def _next(self, watcher: Watcher) -> list[bytes] | None:
        """The entries that come next, as they are sent. A page of them waits for a reader that stalls.

        As bytes, it takes a tenth of the memory; and with the objects of a thousand pages to look through, the garbage
        collector would hold everybody up for a quarter of a second.
        """
        entries = await self._feed.next(watcher)
        if entries is None:
            return None
        live, viewer = watcher.live, watcher.viewer
        return [field_bytes(_ENTRY, entry_bytes(live, entry, viewer)) for entry in entries]

    def _heartbeat(self, live: LiveTable) -> bytes:
        beat = heartbeat(live, self._orchestrator.now())
        return pb.WatchTableResponse(heartbeat=beat).SerializeToString()

    async def _shown(self, table_id: str) -> tuple[LiveTable, Viewer]:
        """The table as the caller may see it now, and the seat that the caller's token acts for."""
        live, viewer = await self._seated(table_id)
        return (await self._feed.delays.of(live) if viewer is None else live), viewer

    async def _seated(self, table_id: str) -> tuple[LiveTable, Viewer]:
        """The table, and the seat that the caller's token acts for. An account without a seat there sees as everybody."""
        known: UUID = checks.uuid(table_id, "table_id")
        holder = _holder()
        live = await self._orchestrator.current(known)
        assert live.state is not None
        if holder is None:
            return live, None
        hashed = holder_hash(holder)
        if isinstance(holder, Account):
            return live, live.state.seat_of(hashed)
        seat = seat_of(live.state, hashed)
        _vouch(holder)
        return live, seat

    def _seen(self, entry: Entry, viewer: Seat | None) -> events_pb2.TableEntry:
        live = self._orchestrator.tables.get(entry.table_id)
        return events_pb2.TableEntry.FromString(entry_bytes(live, entry, viewer))


def _view_of(watcher: Watcher) -> bytes:
    """The message with the table as it is now, from which the watcher goes on."""
    state = watcher.live.state
    assert state is not None
    watcher.cursor = state.sequence
    return field_bytes(_VIEW, encode_table(see(state, watcher.viewer)).SerializeToString())


def _account() -> Account | None:
    """The account that calls; None for a guest."""
    player_id = access.caller().player_id
    return None if player_id is None else Account(player_id)


def _holder() -> Holder | None:
    """Whoever a seat of the caller belongs to: his account or his seat token, if he has either."""
    return _account() or access.seat_token()


def _require_holder() -> Holder:
    holder = _holder()
    if holder is None:
        raise Refusal(
            Reason.TOKEN_REQUIRED,
            "this needs a seat token or an access token: metadata `authorization: Bearer <token>`",
        )
    return holder


def _vouch(holder: Holder) -> None:
    """Says that a seat token is good; an account has been counted since its token was checked."""
    if isinstance(holder, str):
        metering.vouch(holder)


def _mine(state: TableState, seat: Seat) -> pb.MySeat:
    """A seat of the caller's."""
    deadline = told_deadline(state.questions, state.deadline)
    return pb.MySeat(
        table_id=str(state.table_id),
        seat=SEAT.encode(seat),
        status=STATUS[state.status],
        sequence=state.sequence,
        asked=state.question_to(seat) is not None,
        deadline=None if deadline is None else encode_time(deadline),
    )


def service(orchestrator: Orchestrator, feed: Feed, open_tables: int = 0) -> Service:
    """What `baloot.kit.serving.start` serves. So many tables may an address have open; 0 for any number."""
    servicer = TableServicer(orchestrator, feed, OpenTables(orchestrator, open_tables))
    return Service(NAME, servicer, add_TableServiceServicer_to_server, CHARGES)
