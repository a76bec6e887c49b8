"""A table with a delay: the public sees it as it was that long ago, and nothing at all of what came since."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Seat
from baloot.kit.errors import from_rpc_error
from baloot.kit.info import RESUME_WINDOW
from baloot.table.codec import decode_time, encode_banks, encode_table, encode_time
from baloot.table.delayed import AHEAD
from baloot.table.events import SECOND, Entry, Micros, Settings
from baloot.table.evolve import fold
from baloot.table.memory import MemoryStore, system_clock
from baloot.table.state import TableState
from baloot.table.timing import told_deadline
from baloot.table.views import see

from tests.table.served import Replica, bearer, read, replica, until, watching
from tests.table.trial import Trial

DELAY = 60 * SECOND
PATIENT = Settings(
    round_pause=0,
    action_timeout=600 * SECOND,
    spectator_delay=DELAY,
    ruleset=STANDARD.with_options(match_target=1000),
)
SHORT = Settings(
    round_pause=0,
    action_timeout=600 * SECOND,
    spectator_delay=DELAY,
    ruleset=STANDARD.with_options(match_target=16),
)


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=PATIENT)
    await made.deal()
    return made


@pytest.fixture
async def served(trial: Trial) -> AsyncIterator[Replica]:
    async with replica(trial.table) as made:
        yield made


async def told(trial: Trial) -> list[Entry]:
    """What everybody may know: the opening, and what is as old as the delay, in order."""
    public: list[Entry] = []
    for entry in await trial.entries():
        if public and entry.at + trial.settings.spectator_delay > trial.clock.now:
            break
        public.append(entry)
    return public


def told_state(public: Sequence[Entry]) -> TableState:
    state = fold(public)
    assert state is not None
    return state


async def view(served: Replica, trial: Trial, seat: Seat | None = None) -> pb.TableView:
    metadata = bearer(None if seat is None else trial.tokens[seat])
    request = pb.GetTableRequest(table_id=str(trial.table_id))
    return (await served.stub.GetTable(request, metadata=metadata)).view


def watch(served: Replica, trial: Trial, after: int | None = None) -> Any:
    return served.stub.WatchTable(watching(trial, after))


async def grown(served: Replica) -> None:
    """Lets in what may be told by now, as the timers would."""
    for table in served.feed.delays.tables:
        await served.feed.delays.advance(table)


async def refusal(stream: Any) -> tuple[Any, ...]:
    """Everything that an error tells."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stream.read()
    error = caught.value
    return error.code(), error.details(), tuple(error.trailing_metadata() or ())


@dataclass
class Public:
    """A spectator, and all that one can be told at a moment."""

    served: Replica
    trial: Trial
    stream: Any
    got: list[pb.WatchTableResponse] = field(default_factory=list)

    async def look(self) -> list[pb.WatchTableResponse]:
        """What the stream brings now: all up to the next heartbeat, which comes after everything that may be told."""
        await grown(self.served)
        await self.served.feed._beat()
        news: list[pb.WatchTableResponse] = []
        async with asyncio.timeout(10):
            while True:
                message = await self.stream.read()
                if message is grpc.aio.EOF:
                    return news
                news.append(message)
                self.got.append(message)
                if message.HasField("heartbeat"):
                    return news


async def spectator(served: Replica, trial: Trial, after: int | None = 0) -> Public:
    """A spectator who has been told all that there is to know."""
    public = Public(served, trial, watch(served, trial, after))
    count = len(await told(trial))
    public.got += await read(public.stream, 1 if after is None else count - after)
    return public


def beat_of(state: TableState, now: Micros) -> pb.Heartbeat:
    deadline = told_deadline(state.questions, state.deadline)
    return pb.Heartbeat(
        sequence=state.sequence,
        server_time=encode_time(now),
        deadline=None if deadline is None else encode_time(deadline),
        banks=encode_banks(state.settings, state.banks),
    )


async def assert_delayed(served: Replica, trial: Trial, public: Public) -> None:
    """That a spectator knows now what was known a delay ago, and no more."""
    known = await told(trial)
    state = told_state(known)
    news = await public.look()
    assert [message.entry.sequence for message in public.got if message.HasField("entry")] == [
        entry.sequence for entry in known
    ]
    assert news[-1].heartbeat == beat_of(state, trial.clock.now)
    assert await view(served, trial) == encode_table(see(state, None))
    code, details, _ = await refusal(watch(served, trial, len(known) + 1))
    assert (code, str(len(known)) in details) == (grpc.StatusCode.OUT_OF_RANGE, True)


async def test_a_spectator_is_told_at_every_moment_what_was_known_a_delay_ago() -> None:
    for seed in (1, 2):
        trial = Trial(seed=seed, settings=PATIENT)
        await trial.open()
        async with replica(trial.table) as served:
            public = await spectator(served, trial)
            for seat in Seat:
                _, trial.tokens[seat] = await trial.table.take_seat(trial.table_id, trial.id(), seat, "Omar")
                trial.clock.pass_(trial.random.randrange(20 * SECOND))
                await assert_delayed(served, trial, public)
            for _ in range(60):
                await trial.play(trial.random.randrange(4))
                trial.clock.pass_(trial.random.choice([0, 1, trial.random.randrange(20 * SECOND)]))
                await assert_delayed(served, trial, public)
            public.stream.cancel()


async def test_seats_see_at_once(trial: Trial, served: Replica) -> None:
    await trial.play(5)
    state = await trial.state()
    for seat in Seat:
        assert await view(served, trial, seat) == encode_table(see(state, seat))
    stream = served.stub.WatchTable(watching(trial, state.sequence), metadata=bearer(trial.tokens[Seat.EAST]))
    await until(lambda: len(served.feed._watchers) == 1)
    await trial.play(1)
    assert (await read(stream, 1))[0].entry.sequence == state.sequence + 1
    stream.cancel()


async def test_an_entry_is_told_to_the_microsecond(trial: Trial, served: Replica) -> None:
    public = await spectator(served, trial)
    trial.clock.pass_(DELAY - 1)
    assert [message.WhichOneof("message") for message in await public.look()] == ["heartbeat"]
    trial.clock.pass_(1)
    assert len(await public.look()) == len(await trial.entries())
    public.stream.cancel()


async def test_the_opening_of_a_table_is_told_at_once(trial: Trial, served: Replica) -> None:
    (opening,) = await told(trial)
    assert await view(served, trial) == encode_table(see(told_state([opening]), None))
    (message,) = await read(watch(served, trial, 0), 1)
    assert message.entry.events[0].table_created.settings.spectator_delay.seconds == 60


async def test_the_end_comes_late_too() -> None:
    trial = Trial(seed=3, settings=SHORT)
    await trial.deal()
    async with replica(trial.table) as served:
        public = await spectator(served, trial)
        while not (await trial.play(1)).status.ended:
            trial.clock.pass_(SECOND)
        trial.clock.pass_(DELAY - 1)
        await public.look()
        assert (await view(served, trial)).status == pb.TABLE_STATUS_PLAYING
        trial.clock.pass_(1)
        last = await public.look()
        assert last[-1].entry.events[-2].HasField("match_ended")
        assert await public.stream.code() is grpc.StatusCode.OK
        entries = [message.entry.sequence for message in public.got if message.HasField("entry")]
        assert entries == [entry.sequence for entry in await trial.entries()]
        assert (await view(served, trial)).status == pb.TABLE_STATUS_FINISHED


async def test_whoever_comes_late_or_again_joins_up(trial: Trial, served: Replica) -> None:
    for _ in range(RESUME_WINDOW + 80):
        await trial.play(1)
        trial.clock.pass_(SECOND)
    known = await told(trial)
    assert len(known) > RESUME_WINDOW
    late = await spectator(served, trial, None)
    assert late.got[0].view == encode_table(see(told_state(known), None))
    for after in (len(known) - 1, len(known) - 9, len(known) - RESUME_WINDOW):
        again = await spectator(served, trial, after)
        assert [message.entry.sequence for message in again.got] == list(range(after + 1, len(known) + 1))
        again.stream.cancel()
    far = await spectator(served, trial, None)
    assert far.got[0].view == late.got[0].view
    trial.clock.pass_(10 * SECOND)
    news = await late.look()
    assert [message.entry.sequence for message in news[:-1]] == [
        entry.sequence for entry in (await told(trial))[len(known) :]
    ]
    for public in (late, far):
        public.stream.cancel()


async def test_another_process_tells_the_same(trial: Trial, served: Replica) -> None:
    for _ in range(90):
        await trial.play(1)
        trial.clock.pass_(SECOND)
    other = Trial(clock=trial.clock, store=trial.log)
    async with replica(other.table) as restarted:
        assert await view(restarted, trial) == await view(served, trial)
        public = await spectator(restarted, trial)
        trial.clock.pass_(DELAY)
        await public.look()
        numbers = [message.entry.sequence for message in public.got if message.HasField("entry")]
        assert numbers == [entry.sequence for entry in await trial.entries()]
        public.stream.cancel()


async def twin(trial: Trial) -> Trial:
    """Another world in which all was the same up to now."""
    assert isinstance(trial.log, MemoryStore)
    store = MemoryStore(trial.clock)
    for name in ("_entries", "_heads", "_keys", "_leases", "_attended", "_resumed"):
        setattr(store, name, copy.copy(getattr(trial.log, name)))
    store._entries = {table: list(log) for table, log in trial.log._entries.items()}
    made = Trial(seed=trial.seed + 1000, settings=trial.settings, clock=trial.clock, store=store)
    made.table_id, made.tokens = trial.table_id, dict(trial.tokens)
    return made


async def everything(served: Replica, trial: Trial, count: int) -> list[bytes]:
    """All that the public can be told now, as bytes; `count` entries are known to it."""
    answers = [(await view(served, trial)).SerializeToString(deterministic=True)]
    for after in (None, 0, count - 1, count):
        public = Public(served, trial, watch(served, trial, after))
        await until(lambda: bool(served.feed._watchers))
        answers += [message.SerializeToString(deterministic=True) for message in await public.look()]
        public.stream.cancel()
        await until(lambda: not served.feed._watchers)
    for after in (count + 1, count + 2, count + 10, count + 1000):
        answers.append(repr(await refusal(watch(served, trial, after))).encode())
    rematch = pb.CreateTableRequest(request_id=REMATCH, rematch_of=str(trial.table_id))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await served.stub.CreateTable(rematch)
    return [*answers, repr((caught.value.code(), caught.value.details())).encode()]


REMATCH = "0190a5b2-7c1e-4d3f-8a2b-0123456789ab"


async def under_way(seed: int, steps: int) -> Trial:
    """A match that has gone on for so many entries, or for fewer if it would be nearly over."""
    trial = Trial(seed=seed, settings=SHORT)
    await trial.deal()
    for _ in range(steps):
        await trial.play(1)
        trial.clock.pass_(2 * SECOND)
    state = await trial.state()
    nearly = state.status.ended or (state.round is not None and len(state.round.tricks) > 5)
    return await under_way(seed, steps // 2) if nearly else trial


async def test_nothing_that_the_public_gets_depends_on_what_came_since() -> None:
    """Worlds that part from one another, up to the end of the match in one of them, look alike for the delay."""
    for seed in range(6):
        one = await under_way(seed, 6 * seed)
        other = await twin(one)
        await one.play()
        await other.play(1 + seed % 2)
        assert await one.entries() != await other.entries()
        async with replica(one.table) as served, replica(other.table) as alike:
            for length in (0, SECOND, DELAY - 2 * SECOND):
                one.clock.pass_(length)
                count = len(await told(one))
                assert await everything(served, one, count) == await everything(alike, other, count)
            one.clock.pass_(SECOND)
            assert await view(served, one) != await view(alike, other)


async def test_a_rematch_is_opened_once_everybody_may_know_who_lost() -> None:
    trial = Trial(seed=3, settings=SHORT)
    await trial.deal()
    await trial.play()
    again = Settings(rematch_of=trial.table_id)
    with pytest.raises(Refusal) as caught:
        await trial.table.create(trial.id(), again)
    assert caught.value.reason is Reason.TABLE_NOT_FINISHED
    trial.clock.pass_(DELAY)
    await trial.table.create(trial.id(), again)


# What it takes.


async def test_a_table_without_a_delay_is_shown_as_it_is() -> None:
    trial = Trial(settings=Settings(round_pause=0))
    await trial.deal()
    async with replica(trial.table) as served:
        live = await trial.table.current(trial.table_id)
        assert await served.feed.delays.of(live) is live
        assert served.feed.delays.tables == []


async def test_all_spectators_share_one_copy_that_ends_with_them(trial: Trial) -> None:
    async with replica(trial.table) as served:
        streams = [watch(served, trial, 0) for _ in range(5)]
        for stream in streams:
            await read(stream, 1)
        (table,) = served.feed.delays.tables
        assert table.watchers == 5
        assert (await trial.table.current(trial.table_id)).watchers == 1
        for stream in streams:
            stream.cancel()
        await until(lambda: not served.feed._watchers)
        assert table.growing is None
        assert (await trial.table.current(trial.table_id)).watchers == 0
        served.feed.delays.forget_idle(asyncio.get_running_loop().time() + 1)
        assert served.feed.delays.tables == []


async def test_little_is_kept_of_what_waits(trial: Trial, served: Replica) -> None:
    await trial.play(200)
    public = await spectator(served, trial)
    await public.look()
    (table,) = served.feed.delays.tables
    assert len(table.coming) == AHEAD - 1  # the opening is told already
    trial.clock.pass_(DELAY)
    assert len(await public.look()) == len(await trial.entries())
    public.stream.cancel()


async def test_entries_come_by_themselves_when_their_time_has_come() -> None:
    delay = 3 * SECOND // 10
    trial = Trial(seed=5, settings=Settings(round_pause=0, spectator_delay=delay), store=MemoryStore())
    await trial.open()
    async with replica(trial.table) as served:
        stream = watch(served, trial, 0)
        await read(stream, 1)
        for seat in Seat:
            _, trial.tokens[seat] = await trial.table.take_seat(trial.table_id, trial.id(), seat, "Omar")
            await asyncio.sleep(0.05)
        await trial.table.step(trial.table_id)
        await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
        numbers = []
        async with asyncio.timeout(10):
            while (message := await stream.read()) is not grpc.aio.EOF:
                late = system_clock() - decode_time(message.entry.time)
                assert delay <= late < delay + 2 * SECOND
                numbers.append(message.entry.sequence)
        assert numbers == list(range(2, len(await trial.entries()) + 1))


async def test_a_refusal_of_a_spectator_ahead_tells_the_delayed_head(trial: Trial, served: Replica) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch(served, trial, 2).read()
    refused = from_rpc_error(caught.value)
    assert (refused.reason, refused.metadata) == (Reason.SEQUENCE_AHEAD, {"sequence": "1"})
