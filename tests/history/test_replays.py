"""Replays: what a seat's stream showed, byte by byte, and nothing before everybody may know it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import grpc.aio
import pytest
from baloot.api.core.v1.seats_pb2 import Seat as SeatNumber
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.api.table.v1.events_pb2 import TableEntry
from baloot.client import follow
from baloot.client.history import HistoryClient
from baloot.codec.enums import SEAT
from baloot.core.deal import DealEnd
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS
from baloot.history.fold import tell
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.history.replays import Eyes, Replay, Replays
from baloot.history.server import NAME, service
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import ServerSettings, start
from baloot.table import events as ev
from baloot.table.encoding import entry_bytes, view_bytes
from baloot.table.events import SECOND, Entry
from baloot.table.memory import MemoryStore
from baloot.table.store import SecretsSealed, StoreUnavailable
from baloot.table.views import Viewer

from tests.history.played import SHORT, Logbook, append_all, logbooks, states, store_with
from tests.table.trial import Trial

VIEWERS: tuple[Viewer, ...] = (*SEATS, None)


def told_viewer(viewer: Viewer) -> SeatNumber.ValueType:
    return SEAT.encode_optional(viewer)


@dataclass
class World:
    """History of a finished match that began with a deal that was thrown in, and the server that tells it."""

    log: Logbook
    store: MemoryStore
    client: HistoryClient
    stub: HistoryServiceStub
    channel: grpc.aio.Channel

    async def raw(self, request: pb.GetReplayRequest) -> bytes:
        """The answer as it comes over the wire."""
        ask: Any = self.channel.unary_unary(f"/{NAME}/GetReplay")
        answer: bytes = await ask(request.SerializeToString())
        return answer

    @property
    def match_id(self) -> str:
        return str(self.log[0].table_id)

    async def replay(self, number: int, viewer: Viewer, at: int = 0, *, open_: bool = False) -> pb.Replay:
        return await self.client.replay(
            pb.GetReplayRequest(
                match_id=self.match_id,
                number=number,
                viewer=told_viewer(viewer),
                open=open_,
                up_to_sequence=at,
            )
        )


@pytest.fixture
async def history(migrated_url: str) -> AsyncIterator[PostgresHistory]:
    async with PostgresHistory(migrated_url) as history:
        yield history


@pytest.fixture
async def world(history: PostgresHistory) -> AsyncIterator[World]:
    log = logbooks()[0]
    store = await store_with(log)
    await Projection(store, history).catch_up()
    server = await start([service(history, store)], ServerSettings("127.0.0.1:0", grace=0.2))
    try:
        async with open_channel(server.address) as channel:
            yield World(log, store, HistoryClient(channel), HistoryServiceStub(channel), channel)
    finally:
        await server.stop()


def span(log: Sequence[Entry], number: int) -> tuple[int, int]:
    """The numbers of a round's first and last entry."""
    first = next(
        entry.sequence
        for entry in log
        if any(isinstance(event, ev.RoundDealt) and event.dealt.number == number for event in entry.events)
    )
    ends = (ev.RoundScored, ev.DealVoid)
    last = next(
        entry.sequence for entry in log[first - 1 :] if any(isinstance(event, ends) for event in entry.events)
    )
    return first, last


async def test_every_round_is_what_each_viewer_was_shown(world: World) -> None:
    """The bytes of the view and the entries equal those that the table's own streams are made of."""
    tables = states(world.log)
    rounds = len(tell(world.log).rounds)
    assert rounds > 2
    for number in range(1, rounds + 1):
        first, last = span(world.log, number)
        for viewer in VIEWERS:
            told = await world.replay(number, viewer)
            assert (told.number, told.first_sequence, told.last_sequence) == (number, first, last)
            (seen,) = told.seen
            streamed = [entry_bytes(None, entry, viewer) for entry in world.log[first - 1 : last]]
            assert seen.view.SerializeToString() == view_bytes(tables[first - 2], viewer)
            assert list(seen.entries) == [TableEntry.FromString(entry) for entry in streamed]
            raw = await world.raw(
                pb.GetReplayRequest(match_id=world.match_id, number=number, viewer=told_viewer(viewer))
            )
            assert all(entry in raw for entry in streamed)


async def test_any_point_of_a_round_gives_the_view_of_that_moment(world: World) -> None:
    """And so does folding the entries up to there."""
    tables, (first, last) = states(world.log), span(world.log, 2)
    whole = (await world.replay(2, SEATS[1])).seen[0]
    view = whole.view
    for at in range(first - 1, last + 1):
        (seen,) = (await world.replay(2, SEATS[1], at)).seen
        assert seen.view.SerializeToString() == view_bytes(tables[at - 1], SEATS[1])
        assert [entry.sequence for entry in seen.entries] == list(range(at + 1, last + 1))
        if at >= first:
            follow.apply(view, whole.entries[at - first])
        assert view == seen.view


async def test_open_hands_are_the_four_seats(world: World) -> None:
    opened = await world.replay(2, None, open_=True)
    assert list(opened.seen) == [(await world.replay(2, seat)).seen[0] for seat in SEATS]


async def test_the_public_sees_no_hand(world: World) -> None:
    (seen,) = (await world.replay(2, None)).seen
    assert not seen.view.round.hand
    assert not any(event.dealt.hand for entry in seen.entries for event in entry.events)


# What may not be told yet.


async def refused(replays: Replays, match_id: UUID, number: int, eyes: Eyes, at: int = 0) -> Refusal:
    with pytest.raises(Refusal) as told:
        await replays.replay(match_id, number, eyes, at)
    return told.value


async def test_a_round_is_told_when_it_is_over_and_not_before(history: PostgresHistory) -> None:
    """A log is cut off in the middle of a round: whoever asks gets nothing of it."""
    log = logbooks()[0]
    first, last = span(log, 2)
    store, known = MemoryStore(), states(log)
    projection, replays = Projection(store, history), Replays(PublicLog(store), history)
    await append_all(store, log[: last - 1], known[: last - 1])
    await projection.catch_up()
    for eyes in (Eyes(), Eyes(SEATS[0]), Eyes(open=True)):
        assert (await refused(replays, log[0].table_id, 2, eyes)).reason is Reason.ROUND_UNKNOWN
        assert (await refused(replays, log[0].table_id, 3, eyes)).reason is Reason.ROUND_UNKNOWN
    await append_all(store, log[last - 1 : last], known[last - 1 : last])
    assert (await refused(replays, log[0].table_id, 2, Eyes())).reason is Reason.ROUND_UNKNOWN, "not told yet"
    await projection.catch_up()
    assert (await replays.replay(log[0].table_id, 2, Eyes(open=True))).first == first


async def test_the_hands_of_a_deal_that_was_thrown_in_are_told_once_the_next_has_begun(
    history: PostgresHistory,
) -> None:
    log = logbooks()[0]
    assert tell(log).rounds[0].end is DealEnd.THROWN_IN
    (_, last), (begun, _) = span(log, 1), span(log, 2)
    store, known = MemoryStore(), states(log)
    projection, replays = Projection(store, history), Replays(PublicLog(store), history)
    await append_all(store, log[:last], known[:last])
    await projection.catch_up()
    assert (await replays.replay(log[0].table_id, 1, Eyes())).last == last
    for eyes in (Eyes(open=True), *map(Eyes, SEATS)):
        assert (await refused(replays, log[0].table_id, 1, eyes)).reason is Reason.ROUND_UNKNOWN
    await append_all(store, log[last:begun], known[last:begun])
    for eyes in (Eyes(open=True), *map(Eyes, SEATS)):
        assert (await replays.replay(log[0].table_id, 1, eyes)).last == last


async def test_the_delay_of_a_table_holds_for_its_replays(history: PostgresHistory) -> None:
    delay = 60 * SECOND
    trial = Trial(3, replace(SHORT, spectator_delay=delay, action_timeout=600 * SECOND))
    await trial.deal()
    while (await trial.state()).scores == (0, 0):
        await trial.play(1)
    log = await trial.entries()
    number = len(tell(log).rounds)
    replays = service(history, trial.log).servicer._replays
    await Projection(
        trial.log, history
    ).catch_up()  # one that knows no delay, so that only the log holds it back
    assert (await refused(replays, trial.table_id, number, Eyes())).reason is Reason.ROUND_UNKNOWN
    trial.clock.pass_(delay)
    assert (await replays.replay(trial.table_id, number, Eyes())).last == log[-1].sequence


class Sealed(MemoryStore):
    """A log whose hands cannot be opened here."""

    why: StoreUnavailable = SecretsSealed("no key")

    async def read(self, *_: object, **__: object) -> Sequence[Entry]:
        raise self.why


async def test_without_the_key_it_says_that_it_has_none(world: World, history: PostgresHistory) -> None:
    sealed = Sealed()
    without = await refused(Replays(PublicLog(sealed), history), world.log[0].table_id, 2, Eyes(SEATS[0]))
    assert (without.reason, "no key" in without.message) == (Reason.UNAVAILABLE, True)
    sealed.why = StoreUnavailable("away")
    away = await refused(Replays(PublicLog(sealed), history), world.log[0].table_id, 2, Eyes(SEATS[0]))
    assert (away.reason, "key" in away.message) == (Reason.UNAVAILABLE, False)


def test_a_replay_prints_no_card(world: World) -> None:
    tables = states(world.log[:40])
    assert repr(Replay(1, 2, 3, Eyes(open=True), tables[-1], world.log[:40])) == "Replay(1, ██)"


BAD: dict[str, tuple[dict[str, Any], Reason, str]] = {
    "no match": ({"number": 1}, Reason.FIELD_REQUIRED, "match_id"),
    "another match": ({"match_id": str(UUID(int=9)), "number": 1}, Reason.MATCH_UNKNOWN, "match_id"),
    "no round": ({"match_id": "", "number": 0}, Reason.FIELD_REQUIRED, "number"),
    "a round below": ({"match_id": "", "number": -1}, Reason.FIELD_INVALID, "number"),
    "a round beyond": ({"match_id": "", "number": 2**31 - 1}, Reason.FIELD_INVALID, "number"),
    "a round that never was": ({"match_id": "", "number": 9999}, Reason.ROUND_UNKNOWN, "number"),
    "no seat": ({"match_id": "", "number": 1, "viewer": 7}, Reason.FIELD_INVALID, "viewer"),
    "a seat and all": ({"match_id": "", "number": 1, "viewer": 1, "open": True}, Reason.FIELD_INVALID, "viewer"),
    "before all": (
        {"match_id": "", "number": 1, "up_to_sequence": -1}, Reason.FIELD_INVALID, "up_to_sequence",
    ),
    "before the round": (
        {"match_id": "", "number": 2, "up_to_sequence": 3}, Reason.FIELD_INVALID, "up_to_sequence",
    ),
    "after the round": (
        {"match_id": "", "number": 1, "up_to_sequence": 2**31 - 1}, Reason.FIELD_INVALID, "up_to_sequence",
    ),
}  # fmt: skip


async def test_what_cannot_be_replayed_is_refused(world: World) -> None:
    for case, (fields, reason, path) in BAD.items():
        chosen = (
            {**fields, "match_id": fields["match_id"] or world.match_id} if "match_id" in fields else fields
        )
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await world.stub.GetReplay(pb.GetReplayRequest(**chosen))
        refusal = from_rpc_error(error.value)
        assert (refusal.reason, refusal.field) == (reason, path), case
