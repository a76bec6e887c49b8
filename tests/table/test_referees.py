"""Referees see all hands, every look is written down before anything is shown, and whoever plays sees nothing."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from typing import Any

import grpc
import pytest
import structlog
from baloot.api.table.v1 import referee_pb2 as pb
from baloot.api.table.v1.referee_pb2_grpc import RefereeServiceStub
from baloot.core.access import GUEST, Caller, Role
from baloot.core.errors import Reason
from baloot.core.seats import SEATS, Seat
from baloot.kit import access
from baloot.kit.access import AccessSettings
from baloot.kit.errors import from_rpc_error
from baloot.table.codec import encode_table, encode_time
from baloot.table.events import SECOND, Settings
from baloot.table.feed import Rhythm
from baloot.table.identity import Account
from baloot.table.looks import Look
from baloot.table.memory import MemoryStore
from baloot.table.state import TableState
from baloot.table.store import StoreUnavailable
from baloot.table.views import see

from tests.kit.issuing import Issuing, bearer
from tests.table.served import QUICK, QUIET, Replica, read, replica, rest, until
from tests.table.trial import Trial

WHY = "a claim about the 7H"
CUP = Settings(round_pause=0, event_id="cup-7")

Become = Callable[[Caller], None]


def account(player_id: str, *roles: Role) -> Caller:
    return Caller(player_id, frozenset({Role.ANYONE, *roles}))


REFEREE = account("judge", Role.REFEREE)


@pytest.fixture
def become(monkeypatch: pytest.MonkeyPatch) -> Become:
    """Says who makes all calls from now on; the referee, to begin with."""

    def turned(caller: Caller) -> None:
        monkeypatch.setattr(access, "caller", lambda: caller)

    turned(REFEREE)
    return turned


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=CUP)
    await made.deal()
    await made.play(20)
    return made


@pytest.fixture
async def served(trial: Trial, become: Become) -> AsyncIterator[Replica]:
    async with court(trial) as made:
        yield made


def inspecting(trial: Trial, reason: str = WHY) -> pb.InspectTableRequest:
    return pb.InspectTableRequest(table_id=str(trial.table_id), reason=reason)


def watching(trial: Trial) -> pb.WatchInspectionRequest:
    return pb.WatchInspectionRequest(table_id=str(trial.table_id), reason=WHY)


def listing(trial: Trial) -> pb.ListLooksRequest:
    return pb.ListLooksRequest(table_id=str(trial.table_id))


def open_table(state: TableState) -> pb.OpenTable:
    return pb.OpenTable(seats=[encode_table(see(state, seat)) for seat in SEATS])


async def refused(call: Any) -> Reason:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return from_rpc_error(caught.value).reason


async def looks(trial: Trial) -> list[Look]:
    return list(await trial.log.looks(trial.table_id, 1000))


async def messages_of(stream: Any, count: int) -> list[Any]:
    """So many messages of an inspection."""
    return list(await read(stream, count))


async def rest_of(stream: Any) -> list[Any]:
    """All further messages of an inspection, up to its end."""
    return list(await rest(stream))


async def sit(trial: Trial, player_id: str, seat: Seat) -> Account:
    """Lets an account take a seat."""
    holder = Account(player_id)
    await trial.table.take_seat(trial.table_id, trial.id(), seat, "Omar", holder)
    return holder


def court(trial: Trial, rhythm: Rhythm = QUIET) -> AbstractAsyncContextManager[Replica]:
    """A server that leaves it to the service itself who may look."""
    return replica(trial.table, rhythm, access=AccessSettings(guests=frozenset(Role)))


# What is shown.


async def test_a_referee_sees_what_each_seat_sees(served: Replica, trial: Trial) -> None:
    state = await trial.state()
    answer = await served.referees.InspectTable(inspecting(trial))
    assert answer.table == open_table(state)
    assert all(seat.round.hand for seat in answer.table.seats)
    (look,) = await looks(trial)
    assert (look.player_id, look.at, look.sequence) == ("judge", trial.clock.now, state.sequence)
    assert (look.reason, look.watched) == (WHY, False)


async def test_a_referee_sees_at_once_what_others_see_later(become: Become) -> None:
    trial = Trial(seed=5, settings=replace(CUP, spectator_delay=60 * SECOND))
    await trial.deal()
    async with court(trial) as served:
        answer = await served.referees.InspectTable(inspecting(trial))
        assert answer.table == open_table(await trial.state())


async def test_an_inspection_goes_on_with_every_change_to_the_end(served: Replica, trial: Trial) -> None:
    stream = served.referees.WatchInspection(watching(trial))
    for _ in range(10):
        (message,) = await messages_of(stream, 1)
        assert message.table == open_table(await trial.state())
        await trial.play(1)
    await messages_of(stream, 1)
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    last = await rest_of(stream)
    assert last[-1].table == open_table(await trial.state())
    assert await stream.code() is grpc.StatusCode.OK
    assert [look.watched for look in await looks(trial)] == [True]
    assert not served.feed._watchers


async def test_a_slow_referee_gets_the_latest_and_nothing_piles_up(served: Replica, trial: Trial) -> None:
    stream = served.referees.WatchInspection(watching(trial))
    await messages_of(stream, 1)
    await until(lambda: len(served.feed._watchers) == 1)
    (watcher,) = served.feed._watchers
    await until(lambda: bool(watcher.live._waiting))
    held, watcher.live._waiting = watcher.live._waiting, []  # it is busy, and hears of nothing
    await trial.play(50)
    for waiting in held:
        waiting.set_result(None)
    (message,) = await messages_of(stream, 1)
    assert message.table == open_table(await trial.state())
    stream.cancel()


async def test_an_inspection_has_heartbeats_and_a_planned_end(trial: Trial, become: Become) -> None:
    async with court(trial, replace(QUICK, poll=3600)) as served:
        stream = served.referees.WatchInspection(watching(trial))
        messages = await messages_of(stream, 3)
        assert messages[1].heartbeat.sequence == (await trial.state()).sequence
        assert messages[1].heartbeat.server_time == encode_time(trial.clock.now)
        await served.feed.drain()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            messages += await rest_of(stream)
        assert from_rpc_error(caught.value).reason is Reason.UNAVAILABLE
        assert await refused(served.referees.WatchInspection(watching(trial)).read()) is Reason.UNAVAILABLE


def narrow(served: Replica) -> grpc.aio.Channel:
    """A connection that takes little before somebody reads."""
    options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    return grpc.aio.insecure_channel(served.server.address, options=options)


async def test_a_referee_that_does_not_read_is_cut(trial: Trial, become: Become) -> None:
    rhythm = replace(QUIET, poll=0.02, stalled=0.5)
    async with court(trial, rhythm) as served, narrow(served) as channel:
        stream = RefereeServiceStub(channel).WatchInspection(watching(trial))
        await messages_of(stream, 1)
        (watcher,) = served.feed._watchers
        async with asyncio.timeout(20):
            while served.feed._watchers:
                if watcher.sending_since is None:
                    await trial.play(1)
                await asyncio.sleep(0.005)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await rest_of(stream)
        assert from_rpc_error(caught.value).reason is Reason.READER_SLOW


# Who may look.


async def test_only_referees_look_and_only_judges_and_organisers_list(
    served: Replica, trial: Trial, become: Become
) -> None:
    everybody = [account("x", *(role,)) for role in Role]
    for caller in (GUEST, *everybody):
        become(caller)
        may = caller.is_any(Role.REFEREE, Role.ADMIN)
        expected = Reason.TOKEN_REQUIRED if caller is GUEST else Reason.ROLE_REQUIRED
        before = len(await looks(trial))
        if may:
            assert (await served.referees.InspectTable(inspecting(trial))).table.seats
            assert len(await looks(trial)) == before + 1
            continue
        assert await refused(served.referees.InspectTable(inspecting(trial))) is expected
        assert await refused(served.referees.WatchInspection(watching(trial)).read()) is expected
        if caller.is_any(Role.ORGANISER):
            assert len((await served.referees.ListLooks(listing(trial))).looks) == before
        else:
            assert await refused(served.referees.ListLooks(listing(trial))) is Reason.ROLE_REQUIRED
        assert len(await looks(trial)) == before


async def test_whoever_plays_at_the_table_or_in_its_event_may_not_look(become: Become) -> None:
    looked_at, *others = await event()
    async with court(looked_at) as served:
        for other, may in zip([looked_at, *others], (False, False, True, True), strict=True):
            player = f"player of {other.seed}"
            holder = await sit(other, player, Seat.NORTH)
            become(account(player, Role.REFEREE, Role.ADMIN))
            before = len(await looks(looked_at))
            if may:
                await served.referees.InspectTable(inspecting(looked_at))
                continue
            call = served.referees.InspectTable(inspecting(looked_at))
            assert await refused(call) is Reason.REFEREE_PLAYS
            stream = served.referees.WatchInspection(watching(looked_at))
            assert await refused(stream.read()) is Reason.REFEREE_PLAYS
            assert await refused(served.referees.ListLooks(listing(looked_at))) is Reason.REFEREE_PLAYS
            assert len(await looks(looked_at)) == before
            await other.table.leave_seat(other.table_id, holder, other.id())
            await served.referees.InspectTable(inspecting(looked_at))


async def event() -> list[Trial]:
    """Open tables over one log: two of one event, one of another, one of none."""
    first = Trial(seed=1, settings=CUP)
    settings = [CUP, replace(CUP, event_id="cup-77"), replace(CUP, event_id="")]
    more = [Trial(2 + n, one, first.clock, first.log) for n, one in enumerate(settings)]
    for trial in (first, *more):
        trial.table = first.table
        await trial.open()
    return [first, *more]


async def test_whoever_has_played_in_the_event_may_look_when_that_is_over(become: Become) -> None:
    looked_at, other, *_ = await event()
    for seat in (Seat.SOUTH, Seat.EAST, Seat.WEST):
        await sit(other, f"somebody {seat}", seat)
    holder = await sit(other, "judge", Seat.NORTH)
    async with court(looked_at) as served:
        assert await refused(served.referees.InspectTable(inspecting(looked_at))) is Reason.REFEREE_PLAYS
        await other.table.leave_seat(other.table_id, holder, other.id())
        assert (await other.state()).status.ended
        await served.referees.InspectTable(inspecting(looked_at))
        assert await refused(served.referees.InspectTable(inspecting(other))) is Reason.REFEREE_PLAYS


async def test_however_many_tables_an_event_has_only_those_of_the_referee_are_read(become: Become) -> None:
    looked_at, other, *_ = await event()
    await sit(other, "somebody", Seat.NORTH)
    other.table.forget(other.table_id)
    async with court(looked_at) as served:
        await served.referees.InspectTable(inspecting(looked_at))
        assert other.table_id not in other.table.tables
        await sit(other, "judge", Seat.WEST)
        assert await refused(served.referees.InspectTable(inspecting(looked_at))) is Reason.REFEREE_PLAYS


@pytest.mark.parametrize("elsewhere", [0, 1], ids=["here", "in the event"])
async def test_whoever_sits_down_while_looking_sees_no_more(become: Become, elsewhere: int) -> None:
    tables = await event()
    async with court(tables[0]) as served:
        stream = served.referees.WatchInspection(watching(tables[0]))
        await messages_of(stream, 1)
        await until(lambda: len(served.feed._watchers) == 1)
        await sit(tables[elsewhere], "judge", Seat.EAST)
        if elsewhere:
            await served.feed._beat()
        assert await refused(stream.read()) is Reason.REFEREE_PLAYS


async def test_what_is_asked_is_checked(served: Replica, trial: Trial) -> None:
    for reason, why in (
        ("", Reason.FIELD_REQUIRED),
        ("x" * 201, Reason.FIELD_INVALID),
        ("a\nb", Reason.FIELD_INVALID),
    ):
        assert await refused(served.referees.InspectTable(inspecting(trial, reason))) is why
    unknown = "0190a5b2-7c1e-4d3f-8a2b-0123456789ab"
    inspect = served.referees.InspectTable(pb.InspectTableRequest(table_id=unknown, reason=WHY))
    assert await refused(inspect) is Reason.TABLE_UNKNOWN
    assert (
        await refused(served.referees.ListLooks(pb.ListLooksRequest(table_id=unknown)))
        is Reason.TABLE_UNKNOWN
    )
    assert await looks(trial) == []


async def test_the_roles_come_from_access_tokens(trial: Trial) -> None:
    issuing = Issuing()
    async with replica(trial.table, access=issuing.settings()) as served:
        inspect, request = served.referees.InspectTable, inspecting(trial)
        assert await refused(inspect(request)) is Reason.TOKEN_REQUIRED
        for roles in (["player"], ["organiser", "spectator"]):
            metadata = bearer(issuing.token("judge", roles))
            assert await refused(inspect(request, metadata=metadata)) is Reason.ROLE_REQUIRED
        assert await looks(trial) == []
        answer = await inspect(request, metadata=bearer(issuing.token("judge", ["referee"])))
        assert answer.table == open_table(await trial.state())
        assert [look.player_id for look in await looks(trial)] == ["judge"]


# What is written down.


class Held(MemoryStore):
    """A store that writes looks when it is let, or fails before or after."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.gate = asyncio.Event()
        self.broken = False

    async def write_look(self, look: Look) -> None:
        await self.gate.wait()
        if self.broken:
            raise StoreUnavailable("away")
        await super().write_look(look)


async def held() -> tuple[Trial, Held]:
    clock = Trial().clock
    store = Held(clock)
    trial = Trial(seed=5, settings=CUP, clock=clock, store=store)
    await trial.deal()
    return trial, store


async def test_nothing_is_shown_before_the_look_is_written_down(become: Become) -> None:
    trial, store = await held()
    async with court(trial) as served:
        stream = served.referees.WatchInspection(watching(trial))
        first = asyncio.create_task(stream.read())
        asked = asyncio.ensure_future(served.referees.InspectTable(inspecting(trial)))
        await asyncio.sleep(0.1)
        assert not first.done()
        assert not asked.done()
        store.gate.set()
        shown: Any = await first
        assert shown.table == (await asked).table
        assert len(await looks(trial)) == 2
        stream.cancel()


async def test_nothing_is_shown_when_the_look_cannot_be_written_down(become: Become) -> None:
    trial, store = await held()
    store.broken = True
    store.gate.set()
    async with court(trial) as served:
        assert await refused(served.referees.InspectTable(inspecting(trial))) is Reason.UNAVAILABLE
        assert await refused(served.referees.WatchInspection(watching(trial)).read()) is Reason.UNAVAILABLE
        assert not served.feed._watchers
    assert await looks(trial) == []


async def test_whatever_was_shown_was_written_down_also_if_the_call_is_cancelled(
    served: Replica, trial: Trial
) -> None:
    shown = 0
    for n in range(60):
        stream = served.referees.WatchInspection(watching(trial))
        reading = asyncio.create_task(stream.read())
        for _ in range(n):
            await asyncio.sleep(0)
        shown += reading.done()
        stream.cancel()
        await asyncio.wait([reading])
        assert len(await looks(trial)) >= shown
    await read(served.referees.WatchInspection(watching(trial)), 1)
    assert len(await looks(trial)) > shown


async def test_looks_are_listed_in_order(served: Replica, trial: Trial, become: Become) -> None:
    for n in range(3):
        become(account(f"judge {n}", Role.ADMIN))
        await served.referees.InspectTable(inspecting(trial, f"reason {n}"))
        trial.clock.pass_(SECOND)
        await trial.play(1)
    become(account("boss", Role.ORGANISER))
    listed = (await served.referees.ListLooks(listing(trial))).looks
    assert [(look.player_id, look.reason, look.watched) for look in listed] == [
        (f"judge {n}", f"reason {n}", False) for n in range(3)
    ]
    written = await looks(trial)
    assert [look.time for look in listed] == [encode_time(look.at) for look in written]
    assert [look.sequence for look in listed] == [look.sequence for look in written]


async def test_the_log_tells_of_a_look_and_of_no_card(served: Replica, trial: Trial) -> None:
    with structlog.testing.capture_logs() as lines:
        await served.referees.InspectTable(inspecting(trial))
    (line,) = [line for line in lines if "looked at" in line["event"]]
    state = await trial.state()
    assert line == {
        "event": "a table was looked at with all hands open",
        "log_level": "info",
        "table": str(trial.table_id),
        "player": "judge",
        "sequence": state.sequence,
        "watched": False,
    }
    assert "7H" not in repr(lines)
