"""One stream for each seat, and who is connected: in one process, in several, and in the log."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import grpc
import pytest
from baloot.api.table.v1 import events_pb2
from baloot.app.rules import local_rules
from baloot.client import follow
from baloot.codec.enums import SEAT
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error
from baloot.table.codec import encode_entry, encode_table
from baloot.table.events import SECOND, Entry, Presence, PresenceChanged, Settings, Status
from baloot.table.evolve import fold
from baloot.table.memory import MemoryStore, system_clock
from baloot.table.orchestrator import Orchestrator
from baloot.table.seat_streams import Patience, SeatStreams
from baloot.table.state import TableState
from baloot.table.store import Stored, StoreUnavailable
from baloot.table.views import see, see_entry

from tests.table.served import QUICK, QUIET, Replica, bearer, read, replica, rest, until, watching
from tests.table.timed import SETTINGS as TIMED
from tests.table.trial import KEY, Trial

LONG = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))
PROMPT = Patience(away=0.05, between=0.01)
HERE, AWAY = Presence.HERE, Presence.AWAY


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=LONG)
    await made.deal()
    return made


@pytest.fixture
async def served(trial: Trial) -> AsyncIterator[Replica]:
    async with replica(trial.table, QUICK, patience=PROMPT) as made:
        yield made


def watch(served: Replica, trial: Trial, seat: Seat | None, after: int | None = None) -> Any:
    token = None if seat is None else trial.tokens[seat]
    return served.stub.WatchTable(watching(trial, after), metadata=bearer(token))


async def superseded(stream: Any) -> None:
    """Reads a stream to its end, which must be that the seat has a newer one."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await rest(stream)
    refusal = from_rpc_error(caught.value)
    assert (refusal.reason, refusal.retry_after) == (Reason.STREAM_SUPERSEDED, 0)
    assert caught.value.code() is grpc.StatusCode.ABORTED


def told(entries: Sequence[Entry]) -> list[tuple[Seat, Presence]]:
    """What a log tells of who is connected."""
    events = [event for entry in entries for event in entry.events]
    return [(event.seat, event.presence) for event in events if isinstance(event, PresenceChanged)]


async def now_told(trial: Trial) -> list[tuple[Seat, Presence]]:
    return told(await trial.entries())


async def until_told(trial: Trial, expected: list[tuple[Seat, Presence]]) -> None:
    async with asyncio.timeout(10):
        while await now_told(trial) != expected:
            await asyncio.sleep(0.002)


# In one process.


async def test_a_newer_stream_of_a_seat_ends_the_older_one_and_goes_on(trial: Trial) -> None:
    async with replica(trial.table) as served:
        older = watch(served, trial, Seat.EAST)
        await read(older, 1)
        newer = watch(served, trial, Seat.EAST)
        (first,) = await read(newer, 1)
        await superseded(older)
        await trial.play(2)
        assert [one.entry.sequence for one in await read(newer, 2)] == [
            first.view.sequence + 1,
            first.view.sequence + 2,
        ]
        assert len(served.feed._watchers) == 1


async def test_streams_of_other_seats_and_of_the_public_stay(trial: Trial) -> None:
    async with replica(trial.table) as served:
        streams = [watch(served, trial, viewer) for viewer in (None, None, *SEATS)]
        for stream in streams:
            await read(stream, 1)
        await trial.play(1)
        for stream in streams:
            (message,) = await read(stream, 1)
            assert message.HasField("entry")


async def test_of_many_streams_opened_at_once_one_stays(trial: Trial) -> None:
    async with replica(trial.table) as served:
        streams = [watch(served, trial, Seat.EAST) for _ in range(30)]
        ends = [asyncio.create_task(rest(stream)) for stream in streams]
        await until(lambda: sum(end.done() for end in ends) == 29)
        refusals = [end.exception() for end in ends if end.done()]
        assert all(isinstance(one, grpc.aio.AioRpcError) for one in refusals)
        assert len(served.feed._watchers) == 1
        for end in ends:
            end.cancel()


async def test_a_reader_that_is_gone_is_superseded_and_leaves_nothing(trial: Trial) -> None:
    """Its stream waits in the middle of a message that nobody takes."""
    options = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]
    await trial.play(200)
    async with replica(trial.table, replace(QUIET, stalled=0.1)) as served:
        channel = grpc.aio.insecure_channel(served.server.address, options=options)
        deaf = type(served.stub)(channel).WatchTable(
            watching(trial, 0), metadata=bearer(trial.tokens[Seat.EAST])
        )
        await until(lambda: any(one.sending_since is not None for one in served.feed._watchers))
        await read(watch(served, trial, Seat.EAST), 1)
        await until(lambda: len(served.feed._watchers) == 1)
        assert next(iter(served.feed._watchers)).cut_for is None
        deaf.cancel()
        await channel.close()


# What the log tells.


@dataclass(frozen=True)
class Told:
    """What devices of one seat do, a letter for each step, and what the log tells then.

    `o` opens a stream, `c` cancels the newest one, `w` waits until nothing more is to come, `p` opens a public one.
    """

    steps: str
    presence: list[Presence] = field(default_factory=list)


TOLD = [
    Told("w"),
    Told("pw"),
    Told("ow", [HERE]),
    Told("owcw", [HERE, AWAY]),
    Told("owcow", [HERE]),
    Told("owcocow", [HERE]),
    Told("owoow", [HERE]),
    Told("owoocw", [HERE, AWAY]),
    Told("owcwow", [HERE, AWAY, HERE]),
    Told("owcwowcw", [HERE, AWAY, HERE, AWAY]),
]


@pytest.mark.parametrize("case", TOLD, ids=lambda case: case.steps)
async def test_the_log_tells_who_comes_and_who_goes(case: Told, served: Replica, trial: Trial) -> None:
    streams: list[Any] = []
    for step in case.steps:
        await take(step, streams, served, trial)
    assert await now_told(trial) == [(Seat.EAST, presence) for presence in case.presence]


async def take(step: str, streams: list[Any], served: Replica, trial: Trial) -> None:
    if step in "op":
        streams.append(watch(served, trial, Seat.EAST if step == "o" else None))
        await read(streams[-1], 1)
    elif step == "c":
        streams.pop().cancel()
        await until(lambda: not any(one.viewer is Seat.EAST for one in served.feed._watchers))
    else:
        await settled(served)


async def settled(served: Replica) -> None:
    """Waits until nothing more is to be told."""
    seats = served.feed._seats
    await until(lambda: not seats._timers and not seats._tasks)


async def test_everybody_sees_who_is_connected_and_nobody_by_which_process(
    served: Replica, trial: Trial
) -> None:
    before = (await trial.state()).sequence
    public = watch(served, trial, None)
    await read(public, 1)
    stream = watch(served, trial, Seat.EAST)
    await read(stream, 1)
    stream.cancel()
    await until_told(trial, [(Seat.EAST, HERE), (Seat.EAST, AWAY)])
    entries = (await trial.entries())[before:]
    got: list[events_pb2.TableEntry] = []
    while len(got) < len(entries):
        (message,) = await read(public, 1)
        if message.HasField("entry"):
            got.append(message.entry)
    assert got == [encode_entry(see_entry(entry, None)) for entry in entries]
    owner = served.feed.owner
    view = encode_table(see(await trial.state(), None))
    assert [seat.presence for seat in view.seats] == [0, events_pb2.PRESENCE_AWAY, 0, 0]
    assert owner not in b"".join(entry.SerializeToString() for entry in got) + view.SerializeToString()
    assert repr(owner) not in repr(entries) + repr(await trial.state())


async def test_at_a_table_that_has_ended_nothing_is_told(served: Replica, trial: Trial) -> None:
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.WEST], trial.id())
    await rest(watch(served, trial, Seat.EAST))
    await settled(served)
    assert await now_told(trial) == []


async def test_who_takes_a_seat_anew_has_not_been_seen_yet() -> None:
    trial = Trial(settings=LONG)
    await trial.open()
    _, trial.tokens[Seat.EAST] = await trial.table.take_seat(trial.table_id, trial.id(), Seat.EAST, "Huda")
    async with replica(trial.table, QUICK, patience=PROMPT) as served:
        await read(watch(served, trial, Seat.EAST), 1)
        await until_told(trial, [(Seat.EAST, HERE)])
        await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
        await trial.table.take_seat(trial.table_id, trial.id(), Seat.EAST, "Omar")
        await settled(served)
        assert (await trial.state()).connections == (None,) * 4
        assert await now_told(trial) == [(Seat.EAST, HERE)]


async def test_a_client_that_opens_streams_without_end_makes_one_entry(served: Replica, trial: Trial) -> None:
    for _ in range(50):
        stream = watch(served, trial, Seat.EAST)
        await read(stream, 1)
        stream.cancel()
    await until_told(trial, [(Seat.EAST, HERE), (Seat.EAST, AWAY)])


# The game does not notice.


async def note(trial: Trial, seat: Seat, presence: Presence) -> TableState:
    """Tells presence as a process does that has just started."""
    streams = SeatStreams(trial.table, Patience())
    live = await trial.table.current(trial.table_id)
    hold = streams.open(live, seat, lambda: None)
    await streams._tell(hold.place, HERE)
    if presence is AWAY:
        streams.close(hold)
        await streams._tell(hold.place, AWAY)
    await streams.stop()
    return await trial.state()


def game(state: TableState) -> TableState:
    """All of a table but its connections."""
    return state._replace(sequence=0, connections=())


@pytest.mark.parametrize("settings", [LONG, replace(TIMED, ruleset=LONG.ruleset)], ids=["plain", "clocks"])
async def test_at_any_moment_of_a_match_it_changes_nothing_but_itself(settings: Settings) -> None:
    trial = Trial(seed=11, settings=settings)
    rng = random.Random(3)
    await trial.open()
    while (state := await trial.state()).status is not Status.FINISHED and state.sequence < 600:
        trial.clock.pass_(rng.randrange(SECOND // 2))
        seat, presence = rng.choice(SEATS), rng.choice(list(Presence))
        if state.seats[seat] is not None:
            assert game(await note(trial, seat, presence)) == game(state)
        free = [free for free in SEATS if state.seats[free] is None]
        if free:
            _, token = await trial.table.take_seat(trial.table_id, trial.id(), free[0], "Huda")
            trial.tokens[free[0]] = token
        else:
            await trial.play(1)
    assert len(told(await trial.entries())) > 200


async def test_a_default_comes_at_its_time_and_counts_though_players_come_and_go() -> None:
    trial = Trial(seed=2)
    before = await trial.deal()
    for number in range(1, 5):
        await note(trial, Seat.WEST, HERE)
        state = await trial.state()
        assert state.deadline is not None
        trial.clock.now = state.deadline
        await note(trial, Seat.WEST, AWAY)
        await trial.table.step(trial.table_id)
        state = await trial.state()
        assert state.defaults_in_row == number
    assert before.deadline is not None


async def test_a_clock_is_not_extended_twice_because_somebody_came(trial: Trial) -> None:
    state = await trial.state()
    assert state.deadline is not None
    trial.clock.now = state.deadline + 10 * SECOND
    await trial.table.step(trial.table_id)
    assert (await trial.state()).extended
    state = await note(trial, Seat.WEST, AWAY)
    assert state.extended


async def test_an_answer_to_what_was_asked_before_somebody_came_counts(trial: Trial) -> None:
    state = await trial.state()
    await note(trial, Seat.WEST, AWAY)
    (open_, *_) = [open_ for open_ in state.questions if not open_.private]
    await trial.act(open_.seat, trial.choose(open_), expected=state.sequence)


async def test_a_request_that_a_fault_sent_away_still_counts_from_then(trial: Trial) -> None:
    live = await trial.table.current(trial.table_id)
    live.keep_receipt(b"key", 7)
    await note(trial, Seat.WEST, HERE)
    assert live.received(b"key", 9) == 7
    await trial.play(1)
    assert live.received(b"key", 9) == 9


# When the log is away.


class Fragile(MemoryStore):
    """A store that can be away."""

    away = False

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        if self.away:
            raise StoreUnavailable("away")
        return await super().append(entry, status)


async def test_what_could_not_be_told_is_told_later_and_no_stream_breaks() -> None:
    store = Fragile(system_clock)
    trial = Trial(settings=LONG, store=store)
    await trial.deal()
    async with replica(trial.table, QUICK, patience=PROMPT) as served:
        store.away = True
        stream = watch(served, trial, Seat.EAST)
        await read(stream, 5)
        assert await now_told(trial) == []
        store.away = False
        await until_told(trial, [(Seat.EAST, HERE)])
        await read(stream, 1)
        store.away = True
        stream.cancel()
        await asyncio.sleep(2 * PROMPT.away)
        store.away = False
        await until_told(trial, [(Seat.EAST, HERE), (Seat.EAST, AWAY)])


# Several processes.


@dataclass
class Two:
    """Two processes over the log of one trial."""

    trial: Trial
    processes: list[Replica]

    def open(self, process: int, seat: Seat = Seat.EAST) -> Any:
        return watch(self.processes[process], self.trial, seat)


@pytest.fixture
async def two() -> AsyncIterator[Two]:
    trial = Trial(seed=5, settings=LONG, store=MemoryStore(system_clock))
    await trial.deal()
    async with AsyncExitStack() as stack:
        tables = [Orchestrator(trial.log, local_rules(KEY)) for _ in range(2)]
        yield Two(
            trial,
            [await stack.enter_async_context(replica(table, QUICK, patience=PROMPT)) for table in tables],
        )


async def test_a_newer_stream_elsewhere_ends_the_older_one(two: Two) -> None:
    older = two.open(0)
    await read(older, 1)
    await until_told(two.trial, [(Seat.EAST, HERE)])
    newer = two.open(1)
    await read(newer, 1)
    await superseded(older)
    await asyncio.sleep(3 * PROMPT.away)
    await read(newer, 3)
    assert await now_told(two.trial) == [(Seat.EAST, HERE), (Seat.EAST, HERE)]
    newer.cancel()
    await until_told(two.trial, [(Seat.EAST, HERE), (Seat.EAST, HERE), (Seat.EAST, AWAY)])


async def test_whoever_is_back_elsewhere_was_never_away(two: Two) -> None:
    older = two.open(0)
    await read(older, 1)
    await until_told(two.trial, [(Seat.EAST, HERE)])
    older.cancel()
    newer = two.open(1)
    await read(newer, 1)
    await asyncio.sleep(3 * PROMPT.away)
    assert await now_told(two.trial) == [(Seat.EAST, HERE), (Seat.EAST, HERE)]


async def test_a_client_that_changes_processes_without_end_does_not_fill_the_log(two: Two) -> None:
    for process in two.processes:
        process.feed._seats._patience = Patience(away=60, between=60)
    for number in range(20):
        await read(two.open(number % 2), 1)
    assert len(await now_told(two.trial)) == 1


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_devices_do_the_log_tells_in_the_end_who_has_a_stream(two: Two, seed: int) -> None:
    """Two devices of each of two seats open, cut and open again, at two processes, at random."""
    rng = random.Random(seed)
    devices: dict[tuple[Seat, int], Any] = {}
    for _ in range(40):
        device = rng.choice([Seat.EAST, Seat.WEST]), rng.randrange(2)
        if device in devices and rng.random() < 0.5:
            devices.pop(device).cancel()
        else:
            devices[device] = two.open(rng.randrange(2), device[0])
        await asyncio.sleep(rng.choice([0, 0.005, 0.02, 2 * PROMPT.away]))
    await asyncio.sleep(2 * PROMPT.away)
    for process in two.processes:
        await settled(process)
    await until(lambda: all(len(held) <= 1 for held in streams_of(two).values()))
    state = fold(await two.trial.entries())
    assert state is not None
    for seat, held in streams_of(two).items():
        connection = state.connections[seat]
        assert (connection is not None and connection.presence is HERE) is (len(held) == 1)
    await views_are_the_log(two.trial)


def streams_of(two: Two) -> dict[Seat, list[Replica]]:
    """At which processes each seat has a stream."""
    return {
        seat: [
            process
            for process in two.processes
            for watcher in process.feed._watchers
            if watcher.viewer is seat and watcher.cut_for is None
        ]
        for seat in (Seat.EAST, Seat.WEST)
    }


async def views_are_the_log(trial: Trial) -> None:
    """Following the entries gives what is told of the whole table."""
    entries = await trial.entries()
    for viewer in (None, *SEATS):
        view = follow.fresh(str(trial.table_id), SEAT.encode_optional(viewer))
        for entry in entries:
            follow.apply(view, encode_entry(see_entry(entry, viewer)))
        state = fold(entries)
        assert state is not None
        assert view == encode_table(see(state, viewer))


async def test_a_table_that_is_gone_is_not_asked_for_again(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    streams = SeatStreams(trial.table, Patience(away=0, between=0))
    hold = streams.open(await trial.table.current(trial.table_id), Seat.EAST, lambda: None)

    async def gone(*_: object) -> None:
        raise Refusal(Reason.TABLE_UNKNOWN, "gone")

    monkeypatch.setattr(trial.table, "note", gone)
    streams._stop_waiting(hold.place)
    await streams._tell(hold.place, HERE)
    assert not streams._timers
