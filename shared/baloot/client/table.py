"""Playing and watching one table."""

from __future__ import annotations

import asyncio
import secrets
import uuid
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace
from datetime import datetime
from types import TracebackType
from typing import Self, TypeVar

import grpc.aio
from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.core.v1.play_pb2 import ClaimQaid, ClaimSawa, PlayCard
from baloot.api.core.v1.ruleset_pb2 import Ruleset
from baloot.api.core.v1.seats_pb2 import SEAT_UNSPECIFIED, Seat
from baloot.api.table.v1.events_pb2 import AbsencePolicy, TableEntry, TimeControl
from baloot.api.table.v1.table_pb2 import (
    AddSeed,
    ComeBack,
    CreateTableRequest,
    GetOpeningsRequest,
    GetOpeningsResponse,
    GetTableRequest,
    GiveBeaconRequest,
    LeaveSeatRequest,
    ListMySeatsRequest,
    MySeat,
    SubmitActionRequest,
    TableView,
    TakeSeatRequest,
)
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.client import follow
from baloot.client.credentials import Access, Credentials
from baloot.client.deals import DealChecker, Fault, Misfit
from baloot.client.pinning import Look, Pin, first_entry
from baloot.client.retrying import UNKNOWN_OUTCOME, Pace, told_wait, until_known
from baloot.client.watching import Update, Watch
from baloot.core.errors import Reason, Refusal
from baloot.kit import calling
from baloot.kit.channels import open_channel
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

Action = Call | PlayCard | ClaimSawa | ClaimQaid | ComeBack | AddSeed
"""What a seat can do."""

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class TableClient:
    """One table, seen and played through one seat's token or one account, or seen as the public sees it without either.

        async with TableClient("127.0.0.1:7010") as tables:
            table = await tables.create_table()
            seat = await table.take_seat("Noura")
            async for update in seat.watch():
                if update.view.HasField("question"):
                    await seat.submit(update.view.question.play.default_move)

    Every method raises Refusal, whose `lesson` is what to show to the player of the seat. What is worth trying again is
    tried again, with the same request id, as `pace` says.
    `access` gives the access tokens of an account, to which the seats that it takes then belong; a call whose token has
    expired is repeated once with a new one.
    Given an address, the client opens a channel of its own, which `async with` closes; the clients that it makes
    share it.
    """

    def __init__(
        self,
        server: grpc.aio.Channel | str,
        table_id: str = "",
        seat_token: str | None = None,
        *,
        seat: Seat.ValueType = SEAT_UNSPECIFIED,
        pace: Pace | None = None,
        access: Access | None = None,
    ) -> None:
        self._channel = open_channel(server) if isinstance(server, str) else server
        self._owns_channel = isinstance(server, str)
        self._stub = TableServiceStub(self._channel)
        self._pace = pace or Pace()
        self.table_id = table_id
        self.seat_token = seat_token
        self._access = access
        self.seat = seat
        """The seat of the token, where `take_seat` took it."""
        self.deals = DealChecker(table_id)
        """What the seat adds to the deals, and what it knows of them."""
        self.pins: list[Pin] = []
        """What `take_seat` noted of the log before it sent a seed; keep it to check the match with later."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the channel if the client opened it. End watches first."""
        if self._owns_channel:
            await self._channel.close()

    async def create_table(
        self,
        *,
        rules: str | Ruleset = "standard",
        action_timeout: float | None = None,
        round_pause: float | None = None,
        fill_timeout: float | None = None,
        rematch_of: str = "",
        time_control: TimeControl | None = None,
        absence: AbsencePolicy | None = None,
        spectator_delay: float | None = None,
        event_id: str = "",
        beacon: str = "",
        beacon_time: datetime | None = None,
        request_id: str | None = None,
    ) -> TableClient:
        """Opens a table and returns a client of it, without a seat. Times are in seconds; None is the server's choice.

        `time_control` is made by the function of that name; `absence` is what happens when a player is away. `rematch_of` is the id of a finished table whose match this one follows.
        Whoever has no seat sees everything `spectator_delay` later; `event_id` names the event that the table belongs to.
        `beacon` names a public random value to come, which the first deal then waits for: see `give_beacon`.
        `beacon_time` goes with it: the moment, with its zone, from which that value may be public; from then on no seat adds to the first deals.
        """
        request = CreateTableRequest(
            request_id=request_id or new_request_id(),
            action_timeout=_duration(action_timeout),
            round_pause=_duration(round_pause),
            fill_timeout=_duration(fill_timeout),
            rematch_of=rematch_of,
            time_control=time_control,
            absence=absence,
            spectator_delay=_duration(spectator_delay),
            event_id=event_id,
            beacon=beacon,
            beacon_time=_timestamp(beacon_time),
        )
        if isinstance(rules, str):
            request.ruleset_name = rules
        else:
            request.ruleset.CopyFrom(rules)
        answer = await self._ask(self._stub.CreateTable, request)
        return self._with(answer.table_id, None, SEAT_UNSPECIFIED)

    async def take_seat(
        self,
        player_name: str,
        seat: Seat.ValueType = SEAT_UNSPECIFIED,
        *,
        seed: bytes | None = None,
        request_id: str | None = None,
    ) -> TableClient:
        """Takes a seat, the first free one unless it is named, and returns a client that acts for it.

        `seed` is what the seat adds to the shuffles: 32 bytes, empty for nothing; random ones unless it is given. Before
        it is sent, the client reads what the table has committed to, and holds the deals to that; where the table does
        not tell it, they count as unchecked (`deals.unchecked`). A table whose beacon may be public takes no seed.
        """
        added = secrets.token_bytes(32) if seed is None else seed
        look = await self._look() if added else Look()
        request = TakeSeatRequest(
            table_id=self.table_id,
            request_id=request_id or new_request_id(),
            seat=seat,
            player_name=player_name,
            seed=added,
        )
        answer = await self._ask(self._stub.TakeSeat, request)
        taken = self._with(self.table_id, answer.seat_token or None, answer.seat)
        taken.pins = look.pins
        taken.deals.note_commitments(look.opened)
        if added and _takes_seed(look.view, answer.entry):
            taken.deals.own[1] = added
        return taken

    async def _look(self) -> Look:
        """Looks at the table before a seat is taken.

        Whoever sits there already asks for the seat once more; to watch as well would end the seat's own stream.
        """
        told = await self._ask(self._stub.GetTable, GetTableRequest(table_id=self.table_id))
        pins = [Pin(told.view.sequence, told.chain)] if told.chain else []
        if told.view.viewer:
            return Look(pins, told.view)
        nothing = follow.fresh(self.table_id)
        watch = Watch(self._stub, self.table_id, self._credentials(), self._pace, view=nothing)
        return Look(pins, told.view, await first_entry(watch))

    async def leave_seat(self, *, request_id: str | None = None) -> TableEntry:
        """Gives up the seat; what that does during a match is the table's `absence`."""
        request = LeaveSeatRequest(table_id=self.table_id, request_id=request_id or new_request_id())
        return (await self._ask(self._stub.LeaveSeat, request)).entry

    async def submit(
        self, action: Action, *, expected_sequence: int | None = None, request_id: str | None = None
    ) -> TableEntry:
        """Does one thing and returns when it is stored for good. One call is one intent, however often it is sent.

        `expected_sequence` is the last entry that the decision was made on: SEQUENCE_STALE when the seat has been
        asked something else since.
        """
        request = submission(action)
        request.table_id = self.table_id
        request.request_id = request_id or new_request_id()
        if expected_sequence is not None:
            request.expected_sequence = expected_sequence
        return (await self._ask(self._stub.SubmitAction, request)).entry

    async def come_back(self, *, request_id: str | None = None) -> TableEntry:
        """Plays for the seat again, where a bot does; every other action does so as well."""
        return await self.submit(ComeBack(), request_id=request_id)

    async def openings(self) -> GetOpeningsResponse:
        """Proofs that the seat's own cards, and the up card, lay in the deck of the current deal; see `deals.proves`."""
        request = GetOpeningsRequest(table_id=self.table_id)
        answer: GetOpeningsResponse = await self._ask(self._stub.GetOpenings, request)
        return answer

    async def give_beacon(self, value: bytes, *, request_id: str | None = None) -> TableEntry:
        """Gives the table the public random value (32 bytes) that it waits for; for organisers and services."""
        request = GiveBeaconRequest(
            table_id=self.table_id, request_id=request_id or new_request_id(), value=value
        )
        return (await self._ask(self._stub.GiveBeacon, request)).entry

    async def view(self) -> TableView:
        """All that the viewer may know of the table now."""
        request = GetTableRequest(table_id=self.table_id)
        return (await self._ask(self._stub.GetTable, request)).view

    async def my_seats(self) -> Sequence[MySeat]:
        """The seats of the account, or the one of the seat token, at tables that have not ended; the latest first."""
        return (await self._ask(self._stub.ListMySeats, ListMySeatsRequest())).seats

    def watch(
        self, *, known: TableView | None = None, on_cut: Callable[[str], None] | None = None
    ) -> AsyncGenerator[Update, None]:
        """Every update of the table until it has ended, through any number of broken connections.

        It begins with the whole view, or after the `known` one. Leave it early with `contextlib.aclosing`, so that the
        call ends at once. `on_cut` is told in a few words whenever the connection broke.

        A seat adds to the deals that the table commits to meanwhile, by itself, and checks those whose seeds are revealed.
        """
        if known is not None:
            self.deals.follow(known, None)
        updates = Watch(self._stub, self.table_id, self._credentials(), self._pace, on_cut, known).updates()
        return self._checked(updates)

    async def _checked(self, updates: AsyncGenerator[Update, None]) -> AsyncGenerator[Update, None]:
        adding: set[asyncio.Task[None]] = set()
        try:
            async with aclosing(updates):
                async for update in updates:
                    first = _committed(update)
                    if first and first not in self.deals.own:
                        adding.add(asyncio.create_task(self._add_seed(first)))
                    faults = self.deals.follow(update.view, update.entry)
                    yield replace(update, faults=faults) if faults else update
        finally:
            for task in adding:
                task.cancel()

    async def _add_seed(self, first_number: int) -> None:
        """Adds to deals to come, and has it told when the table refuses that without a reason.

        Whether the seed was stored may stay unknown for a while: it is sent until that is known.
        """
        action, request_id = (
            AddSeed(first_number=first_number, seed=secrets.token_bytes(32)),
            new_request_id(),
        )
        self.deals.own[first_number] = action.seed
        self.deals.sending.add(first_number)
        while first_number in self.deals.sending:
            try:
                await self.submit(action, request_id=request_id)
            except Refusal as refusal:
                if refusal.reason in UNKNOWN_OUTCOME or refusal.retry_after:
                    await asyncio.sleep(max(told_wait(refusal), self._pace.longest))
                    continue
                del self.deals.own[first_number]
                if not await self._may_refuse(first_number, refusal.reason):
                    self.deals.report(Fault(first_number, Misfit.SEED_REFUSED))
            self.deals.sending.discard(first_number)

    async def _may_refuse(self, first_number: int, reason: Reason) -> bool:
        """Whether a seed is refused for a reason: somebody else has sent the seat's, or these deals have begun by now."""
        if reason in (Reason.SEED_REPEATED, Reason.TABLE_ENDED) or self.deals.has_begun(first_number):
            return True
        with suppress(Refusal):
            view = await self.view()
            return follow.ended(view) or view.round.number >= first_number
        return False

    def _with(self, table_id: str, seat_token: str | None, seat: Seat.ValueType) -> TableClient:
        return TableClient(
            self._channel, table_id, seat_token, seat=seat, pace=self._pace, access=self._access
        )

    def _credentials(self) -> Credentials:
        return Credentials(self.seat_token, self._access)

    async def _ask(
        self, method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> _Response:
        credentials = self._credentials()

        async def attempt() -> _Response:
            return await calling.call(method, request, metadata=await credentials.metadata())

        try:
            return await until_known(attempt, self._pace)
        except Refusal as refusal:
            if not credentials.renew(refusal):
                raise
        return await until_known(attempt, self._pace)


def new_request_id() -> str:
    """The id of one thing that a client wants done."""
    return str(uuid.uuid4())


def _committed(update: Update) -> int:
    """The number of the first deal that a seat can add to from now on; 0 for none. To the first ones it added with its seat."""
    if update.entry is None or update.entry.sequence == 1 or not update.view.viewer:
        return 0
    committed = (event.deals_committed for event in update.entry.events if event.HasField("deals_committed"))
    return next((event.first_number for event in committed), 0)


def _takes_seed(view: TableView, taken: TableEntry) -> bool:
    """Whether a table takes the seed that came with a seat: it has committed, and its beacon could not be public yet."""
    settings = view.settings
    late = (
        settings.HasField("beacon_time")
        and taken.time.ToNanoseconds() >= settings.beacon_time.ToNanoseconds()
    )
    return bool(view.committed) and not late


def submission(action: Action) -> SubmitActionRequest:
    """An action as a request that does not say yet at which table."""
    return SubmitActionRequest(
        call=action if isinstance(action, Call) else None,
        card=action if isinstance(action, PlayCard) else None,
        sawa=action if isinstance(action, ClaimSawa) else None,
        qaid=action if isinstance(action, ClaimQaid) else None,
        come_back=action if isinstance(action, ComeBack) else None,
        add_seed=action if isinstance(action, AddSeed) else None,
    )


def time_control(
    call_time: float | None = None,
    card_time: float | None = None,
    bank: float | None = None,
    network_allowance: float | None = None,
) -> TimeControl:
    """A time control for `create_table`, from seconds; None is the server's choice."""
    return TimeControl(
        call_time=_duration(call_time),
        card_time=_duration(card_time),
        bank=_duration(bank),
        network_allowance=_duration(network_allowance),
    )


def _timestamp(moment: datetime | None) -> Timestamp | None:
    if moment is None:
        return None
    told = Timestamp()
    told.FromDatetime(moment)
    return told


def _duration(seconds: float | None) -> Duration | None:
    if seconds is None:
        return None
    duration = Duration()
    duration.FromNanoseconds(round(seconds * 1_000_000) * 1_000)
    return duration
