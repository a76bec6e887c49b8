"""Watching a table: every entry once, in order, none missing, whatever happens to the stream."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from typing import Any

import grpc
import pytest
from baloot.api.table.v1 import events_pb2
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.client import follow
from baloot.codec.enums import SEAT
from baloot.core.auction import PASS
from baloot.core.errors import Reason
from baloot.core.ruleset import STANDARD
from baloot.core.seats import SEATS, Seat
from baloot.kit.errors import from_rpc_error
from baloot.kit.info import RESUME_WINDOW
from baloot.kit.interceptors import STOPPING
from baloot.table.codec import decode_duration, decode_time, encode_entry, encode_table, encode_time
from baloot.table.events import SECOND, Settings
from baloot.table.feed import Watcher
from baloot.table.live import LiveTable
from baloot.table.streams import SPREAD
from baloot.table.views import Viewer, see, see_entry

from tests.table.served import QUICK, QUIET, Replica, bearer, read, replica, rest, until, watching
from tests.table.timed import BANK, CALL, SETTINGS, asked
from tests.table.trial import Trial

LONG = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))
"""A match that does not end by itself in these tests."""


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=LONG)
    await made.deal()
    return made


@pytest.fixture
async def served(trial: Trial) -> AsyncIterator[Replica]:
    async with replica(trial.table) as made:
        yield made


def token_of(trial: Trial, viewer: Viewer) -> Any:
    return bearer(None if viewer is None else trial.tokens[viewer])


def watch(served: Replica, trial: Trial, after: int | None = None, viewer: Viewer = None) -> Any:
    return served.stub.WatchTable(watching(trial, after), metadata=token_of(trial, viewer))


async def ended(stream: Any) -> list[pb.WatchTableResponse]:
    """All further messages of a stream that ends with OK."""
    messages = await rest(stream)
    assert await stream.code() is grpc.StatusCode.OK
    return messages


async def seen(trial: Trial, viewer: Viewer, after: int = 0) -> list[events_pb2.TableEntry]:
    """The entries above `after` as a viewer should get them."""
    return [encode_entry(see_entry(entry, viewer)) for entry in (await trial.entries())[after:]]


async def view(trial: Trial, viewer: Viewer = None) -> pb.TableView:
    return encode_table(see(await trial.state(), viewer))


def entries(messages: list[pb.WatchTableResponse]) -> list[events_pb2.TableEntry]:
    """The entries of messages that are nothing else."""
    assert all(message.HasField("entry") for message in messages)
    return [message.entry for message in messages]


# Where it begins.


@pytest.mark.parametrize("viewer", [None, Seat.EAST])
async def test_a_watch_begins_with_the_view_and_goes_on_with_entries(
    served: Replica, trial: Trial, viewer: Viewer
) -> None:
    stream = watch(served, trial, None, viewer)
    (first,) = await read(stream, 1)
    assert first.view == await view(trial, viewer)
    before = first.view.sequence
    await trial.play(3)
    assert entries(await read(stream, 3)) == await seen(trial, viewer, before)


@pytest.mark.parametrize("after", [0, 1, 4])
async def test_a_watch_after_an_entry_gives_every_later_one(
    served: Replica, trial: Trial, after: int
) -> None:
    count = len(await trial.entries())
    stream = watch(served, trial, after, Seat.WEST)
    assert entries(await read(stream, count - after)) == await seen(trial, Seat.WEST, after)
    await trial.play(1)
    assert entries(await read(stream, 1)) == await seen(trial, Seat.WEST, count)


async def test_a_watch_after_the_last_entry_waits_for_the_next(served: Replica, trial: Trial) -> None:
    count = len(await trial.entries())
    stream = watch(served, trial, count)
    await until(lambda: len(served.feed._watchers) == 1)
    await trial.play(1)
    assert entries(await read(stream, 1)) == await seen(trial, None, count)


async def test_whoever_is_a_whole_window_behind_gets_entries_and_beyond_it_the_view(
    served: Replica, trial: Trial
) -> None:
    await trial.play(RESUME_WINDOW)
    count = len(await trial.entries())
    near = await read(watch(served, trial, count - RESUME_WINDOW), RESUME_WINDOW)
    assert entries(near) == await seen(trial, None, count - RESUME_WINDOW)
    (far,) = await read(watch(served, trial, count - RESUME_WINDOW - 1), 1)
    assert far.view == await view(trial)


async def test_whoever_is_ahead_of_the_table_is_told_where_it_stands(served: Replica, trial: Trial) -> None:
    count = len(await trial.entries())
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch(served, trial, count + 1).read()
    refusal = from_rpc_error(caught.value)
    assert (refusal.reason, refusal.metadata) == (Reason.SEQUENCE_AHEAD, {"sequence": str(count)})
    assert not served.feed._watchers


# Where it ends.


async def test_a_watch_ends_with_ok_after_the_entry_that_ends_the_table(
    served: Replica, trial: Trial
) -> None:
    count = len(await trial.entries())
    stream = watch(served, trial, count)
    await until(lambda: len(served.feed._watchers) == 1)
    await trial.play(2)
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    messages = await ended(stream)
    assert entries(messages) == await seen(trial, None, count)
    assert messages[-1].entry.events[-2].HasField("table_abandoned")


async def test_an_ended_table_can_be_watched_from_anywhere(served: Replica, trial: Trial) -> None:
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    count = len(await trial.entries())
    (whole,) = await ended(watch(served, trial))
    assert whole.view == await view(trial)
    assert entries(await ended(watch(served, trial, 2))) == await seen(trial, None, 2)
    assert await ended(watch(served, trial, count)) == []
    assert not served.feed._watchers


async def test_a_stop_ends_every_watch_with_unavailable(served: Replica, trial: Trial) -> None:
    streams = [watch(served, trial, viewer=viewer) for viewer in (None, Seat.SOUTH, Seat.EAST)]
    for stream in streams:
        await read(stream, 1)
    await served.server.stop()
    for stream in streams:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        told = from_rpc_error(caught.value)
        assert (told.reason, told.message) == (Reason.UNAVAILABLE, STOPPING)
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE
    assert_nobody_watches(served)


async def test_a_planned_stop_tells_every_stream_when_to_come_back(served: Replica, trial: Trial) -> None:
    served.server.on_drain(served.feed.drain)
    streams = [watch(served, trial, viewer=viewer) for viewer in (None, Seat.SOUTH, Seat.EAST)]
    for stream in streams:
        await read(stream, 1)
    await served.server.stop()
    waits = [(await read(stream, 1))[0].drain.wait.ToTimedelta().total_seconds() for stream in streams]
    assert all(0 <= wait <= SPREAD for wait in waits)
    assert len(set(waits)) > 1
    for stream in streams:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        assert from_rpc_error(caught.value).message == STOPPING
    assert_nobody_watches(served)


async def test_whoever_comes_while_a_server_drains_is_sent_away(served: Replica, trial: Trial) -> None:
    await served.feed.drain()
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch(served, trial).read()
    assert from_rpc_error(caught.value).reason is Reason.UNAVAILABLE


async def test_a_stream_that_cannot_be_told_holds_no_stop_up(
    trial: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def told_nobody() -> None:
        pass

    async with replica(trial.table, replace(QUIET, drain=0.05)) as served:
        served.server.on_drain(served.feed.drain)
        await read(watch(served, trial), 1)
        monkeypatch.setattr(served.feed, "_beat", told_nobody)
        async with asyncio.timeout(10):
            await served.server.stop()


async def test_the_watch_of_a_seat_that_is_left_ends_and_shows_nothing_of_its_next_player() -> None:
    trial = Trial(seed=5, settings=LONG)
    await trial.open()
    for seat in (Seat.SOUTH, Seat.EAST, Seat.NORTH):
        _, trial.tokens[seat] = await trial.table.take_seat(trial.table_id, trial.id(), seat, "Omar")
    async with replica(trial.table) as served:
        left, other = watch(served, trial, 0, Seat.EAST), watch(served, trial, 0)
        await read(left, 4)
        await read(other, 4)
        await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
        for seat in (Seat.EAST, Seat.WEST):
            _, trial.tokens[seat] = await trial.table.take_seat(trial.table_id, trial.id(), seat, "Omar")
        await trial.play(1)
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await rest(left)
        assert from_rpc_error(caught.value).reason is Reason.TOKEN_INVALID
        assert entries(await read(other, 4)) == await seen(trial, None, 4)
        again = watch(served, trial, 4, Seat.EAST)
        assert entries(await read(again, 4)) == await seen(trial, Seat.EAST, 4)


def assert_nobody_watches(served: Replica) -> None:
    assert not served.feed._watchers
    assert [live.watchers for live in served.table.tables.values() if live.watchers] == []


# Cut and resumed.


@dataclass
class Follower:
    """A viewer whose stream is cut again and again, at random."""

    viewer: Viewer
    rng: random.Random
    got: list[events_pb2.TableEntry] = field(default_factory=list)
    cuts: int = 0

    async def follow(self, served: Replica, trial: Trial) -> None:
        while not await self._until_cut(served, trial):
            self.cuts += 1

    async def _until_cut(self, served: Replica, trial: Trial) -> bool:
        """Reads a few messages; True when the stream has ended by itself."""
        stream = watch(served, trial, len(self.got), self.viewer)
        for _ in range(self.rng.randrange(8)):
            message = await stream.read()
            if message is grpc.aio.EOF:
                assert await stream.code() is grpc.StatusCode.OK
                return True
            self.got += entries([message])
        stream.cancel()
        return False


async def test_every_viewer_gets_every_entry_once_however_often_the_stream_is_cut() -> None:
    trial = Trial(seed=11)
    await trial.fill()
    viewers: list[Viewer] = [None, None, *Seat]
    followers = [Follower(viewer, random.Random(n)) for n, viewer in enumerate(viewers)]
    async with replica(trial.table) as served, asyncio.timeout(30):
        following = [asyncio.create_task(each.follow(served, trial)) for each in followers]
        await play_slowly(trial)
        await asyncio.gather(*following)
        await until(lambda: not served.feed._watchers)
        assert_nobody_watches(served)
    assert min(each.cuts for each in followers) > 10
    assert sum(each.cuts for each in followers) > 100
    for each in followers:
        assert each.got == await seen(trial, each.viewer)
        assert folded(each, trial) == await view(trial, each.viewer)


def folded(follower: Follower, trial: Trial) -> pb.TableView:
    """What the follower's entries make of the table."""
    made = follow.fresh(str(trial.table_id), SEAT.encode_optional(follower.viewer))
    for entry in follower.got:
        follow.apply(made, entry)
    return made


async def play_slowly(trial: Trial) -> None:
    """A match to its end, with pauses in which others get their turn."""
    while not (await trial.play(1)).status.ended:
        for _ in range(trial.random.randrange(40)):
            await asyncio.sleep(0)


async def test_a_resume_that_begins_anew_joins_up_with_the_view(served: Replica, trial: Trial) -> None:
    known = follow.fresh(str(trial.table_id), SEAT.encode(Seat.NORTH))
    for message in await read(watch(served, trial, 0, Seat.NORTH), 3):
        follow.apply(known, message.entry)
    await trial.play(RESUME_WINDOW + 1)
    stream = watch(served, trial, known.sequence, Seat.NORTH)
    (message,) = await read(stream, 1)
    known = message.view
    await trial.play(5)
    for message in await read(stream, 5):
        follow.apply(known, message.entry)
    assert known == await view(trial, Seat.NORTH)


# Heartbeats.


async def test_heartbeats_tell_where_the_table_stands(trial: Trial) -> None:
    async with replica(trial.table, replace(QUICK, poll=3600)) as served:
        stream = watch(served, trial)
        await read(stream, 1)
        for _ in range(3):
            state = await trial.state()
            assert state.deadline is not None
            (message,) = await read(stream, 1)
            assert message.heartbeat == pb.Heartbeat(
                sequence=state.sequence,
                server_time=encode_time(trial.clock.now),
                deadline=encode_time(state.deadline),
            )


async def test_heartbeats_tell_the_banks_and_the_fair_deadline() -> None:
    trial = Trial(seed=7, settings=SETTINGS)
    state = await trial.deal()
    trial.clock.pass_(CALL + SECOND)
    async with replica(trial.table, replace(QUICK, poll=3600)) as served:
        await trial.act(asked(state), PASS)
        stream = watch(served, trial)
        view, beat = await read(stream, 2)
    assert state.deadline is not None
    banks = [BANK - SECOND if seat is asked(state) else BANK for seat in SEATS]
    assert [decode_duration(bank) for bank in beat.heartbeat.banks] == banks
    assert [decode_duration(seat.bank) for seat in view.view.seats] == banks
    assert decode_time(beat.heartbeat.deadline) == trial.clock.now + CALL + BANK
    assert beat.heartbeat.deadline == view.view.deadline == view.view.asked[0].deadline


async def test_entries_come_between_heartbeats_none_missing(trial: Trial) -> None:
    async with replica(trial.table, replace(QUICK, heartbeat=0.001)) as served:
        count = len(await trial.entries())
        stream = watch(served, trial, count)
        numbers: list[int] = []
        beats = 0
        while len(numbers) < 30 or beats < 10:
            await trial.play(1 if len(numbers) + count == (await trial.state()).sequence else 0)
            (message,) = await read(stream, 1)
            beats += message.HasField("heartbeat")
            numbers += [message.entry.sequence] * message.HasField("entry")
        assert numbers == list(range(count + 1, count + len(numbers) + 1))


# Readers that do not read.


CUTTING = replace(QUIET, poll=0.02, stalled=1)
TINY_WINDOW = [("grpc.http2.lookahead_bytes", 1024), ("grpc.http2.bdp_probe", 0)]


@dataclass
class Sleeper:
    """A client that reads the first message of a watch only, and the server's end of it."""

    channel: grpc.aio.Channel
    stream: Any
    watcher: Watcher

    async def wake(self) -> grpc.aio.AioRpcError:
        """Reads on, to the error at the end."""
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await rest(self.stream)
        return caught.value


async def stalled(served: Replica, trial: Trial) -> Sleeper:
    """A sleeper whose window is full: the server waits for it."""
    channel = grpc.aio.insecure_channel(served.server.address, options=TINY_WINDOW)
    stream = TableServiceStub(channel).WatchTable(watching(trial, 0))
    opened: list[Watcher] = []
    open_ = served.feed.open

    def noted(live: LiveTable, after: int, viewer: Viewer = None) -> Watcher:
        opened.append(open_(live, after, viewer))
        return opened[0]

    served.feed.open = noted  # type: ignore[method-assign]
    await read(stream, 1)
    served.feed.open = open_  # type: ignore[method-assign]
    while (await trial.play(1)).sequence < opened[0].cursor + 20:
        await asyncio.sleep(0.001)
    return Sleeper(channel, stream, opened[0])


async def test_a_reader_that_does_not_read_is_cut_and_told_so(trial: Trial) -> None:
    async with replica(trial.table, CUTTING) as served:
        sleeper = await stalled(served, trial)
        await until(lambda: not served.feed._watchers)
        error = await sleeper.wake()
        assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert from_rpc_error(error).reason is Reason.READER_SLOW
        await sleeper.channel.close()


async def test_a_reader_that_never_reads_again_is_let_go(trial: Trial) -> None:
    async with replica(trial.table, replace(CUTTING, stalled=0.1)) as served:
        sleeper = await stalled(served, trial)
        await until(lambda: len(served.server._calls) == 0)
        assert_nobody_watches(served)
        error = await sleeper.wake()
        assert from_rpc_error(error).reason in (Reason.UNAVAILABLE, Reason.READER_SLOW)
        await sleeper.channel.close()


async def test_others_go_on_while_one_does_not_read(trial: Trial, served: Replica) -> None:
    """And for the one that does not, no more is kept than one message and what fits into its window."""
    sleeper = await stalled(served, trial)
    count = len(await trial.entries())
    held = sleeper.watcher.cursor
    stream = watch(served, trial, count, Seat.SOUTH)
    for n in range(100):
        await trial.play(1)
        (message,) = await read(stream, 1)
        assert message.entry.sequence == count + n + 1
    assert sleeper.watcher.cursor == held
    await sleeper.channel.close()
    stream.cancel()
    await until(lambda: len(served.server._calls) == 0)
    assert_nobody_watches(served)


# Clients that go.


async def test_clients_that_go_leave_nobody_behind(served: Replica, trial: Trial) -> None:
    streams = [watch(served, trial, after) for after in (None, 0, 2) * 10]
    for stream in streams[:20]:
        await read(stream, 1)
    await until(lambda: len(served.feed._watchers) == 30)
    for stream in streams[:15]:
        stream.cancel()
    await until(lambda: len(served.feed._watchers) == 15)
    await served.channel.close()
    await until(lambda: not served.feed._watchers)
    assert_nobody_watches(served)
    await until(lambda: len(served.server._calls) == 0)
    assert (await trial.play(1)).sequence


async def test_a_client_that_goes_at_once_leaves_nobody_behind(served: Replica, trial: Trial) -> None:
    for n in range(40):
        stream = watch(served, trial)
        for _ in range(n % 20):
            await asyncio.sleep(0)
        stream.cancel()
    await read(watch(served, trial), 1)
    await until(lambda: len(served.feed._watchers) == 1)
