"""Whatever is due is done: by a timer, by the sweeper, by another process, and once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from baloot.app.rules import local_rules
from baloot.core.deal import Dealt, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.dealing.local import LocalDealing
from baloot.kit import deadlines
from baloot.table import events as ev
from baloot.table.clocks import Clocks
from baloot.table.events import (
    IDLE_AFTER_DEFAULTS,
    LATE,
    SECOND,
    Entry,
    Micros,
    Settings,
    Status,
    TimeControl,
)
from baloot.table.memory import MemoryStore, system_clock
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore
from baloot.table.state import TableState
from baloot.table.store import Store, Stored, StoreUnavailable
from structlog.testing import capture_logs

from tests.table.served import until
from tests.table.trial import KEY, Clock, Trial

MILLI: Micros = SECOND // 1000
HASTY = Settings(action_timeout=2 * MILLI, round_pause=MILLI, fill_timeout=5 * SECOND)
NEVER = 3600.0
SOON = 0.005


@asynccontextmanager
async def timers(table: Orchestrator) -> AsyncIterator[Clocks]:
    """Clocks without a sweeper."""
    async with Clocks(table, sweep_every=NEVER) as clocks:
        yield clocks


@asynccontextmanager
async def sweeper(table: Orchestrator) -> AsyncIterator[Clocks]:
    """Clocks without timers."""
    async with Clocks(table, sweep_every=SOON, lease=20 * MILLI) as clocks:
        table.on_deadline = lambda _table, _deadline: None
        yield clocks


@asynccontextmanager
async def both(table: Orchestrator) -> AsyncIterator[Clocks]:
    async with Clocks(table, sweep_every=SOON, lease=20 * MILLI) as clocks:
        yield clocks


def hasty(store: Store | None = None, **more: Any) -> Trial:
    """A table at which a seat has two milliseconds."""
    return Trial(seed=4, settings=HASTY, store=store or MemoryStore(system_clock), **more)


async def end(trial: Trial, table: Orchestrator | None = None) -> TableState:
    """The table as it is once it has ended, looked at from the log."""
    store = trial.log
    async with asyncio.timeout(20):
        while not (await store.heads([trial.table_id]))[trial.table_id].status.ended:
            await asyncio.sleep(0.002)
    return await (table or trial.table).state(trial.table_id)


def assert_each_step_once(entries: list[Entry]) -> None:
    """No step of the table's own came before its time, as one done twice would."""
    for before, entry in pairwise(entries):
        if entry.actor is None:
            assert before.deadline is not None
            assert entry.at >= before.deadline, entry
    assert sum(entry.by_default for entry in entries) == IDLE_AFTER_DEFAULTS
    numbers = [
        event.dealt.number for entry in entries for event in entry.events if isinstance(event, ev.RoundDealt)
    ]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("clocks", [timers, sweeper, both])
async def test_a_table_goes_on_by_itself_each_step_once(clocks: Callable[[Orchestrator], Any]) -> None:
    trial = hasty()
    async with clocks(trial.table) as running:
        await trial.fill()
        state = await end(trial)
        await until(lambda: not running._steps)
        assert not running._timers
    assert (state.status, state.abandoned) == (Status.ABANDONED, ev.AbandonReason.IDLE)
    assert_each_step_once(await trial.entries())


async def test_a_table_that_nobody_fills_is_given_up_by_the_clock() -> None:
    trial = Trial(settings=replace(HASTY, fill_timeout=3 * MILLI), store=MemoryStore(system_clock))
    async with timers(trial.table) as running:
        await trial.open()
        state = await end(trial)
        assert not running._timers
    assert state.abandoned is ev.AbandonReason.NEVER_FILLED


class Noting(LocalDealing):
    """A dealing service that notes how long it is given for each deal."""

    def __init__(self) -> None:
        super().__init__(KEY)
        self.given: list[float | None] = []

    async def deal(self, match_id: UUID, number: int, seed: SealedSeed, *more: Any) -> Dealt:
        self.given.append(deadlines.remaining())
        return await super().deal(match_id, number, seed, *more)


async def test_a_timer_forgets_the_deadline_of_the_call_that_set_it() -> None:
    dealing = Noting()
    trial = hasty(rules=replace(local_rules(KEY), dealing=dealing))
    async with timers(trial.table):
        deadlines.set_remaining(0.0)
        await trial.fill()
        await until(lambda: bool(dealing.given))
    assert dealing.given[0] is None


async def test_a_timer_that_is_early_is_set_again() -> None:
    """The store's clock, which counts, is an estimate and may be behind the timer's."""
    clock = Clock()
    trial = Trial(seed=4, settings=HASTY, clock=clock)
    rang = 0
    step = trial.table.step

    async def counted(table_id: UUID) -> None:
        nonlocal rang
        rang += 1
        await step(table_id)

    trial.table.step = counted  # type: ignore[method-assign]
    async with timers(trial.table):
        await trial.fill()
        await until(lambda: rang > 5)
        live = trial.table.tables[trial.table_id]
        assert live.sequence == 6
        clock.pass_(2 * MILLI)
        await until(lambda: live.sequence == 7)


@dataclass
class Process:
    """One of several processes, and the entries that it wrote."""

    table: Orchestrator
    wrote: list[Entry]

    @classmethod
    def over(cls, store: Store) -> Process:
        made = cls(Orchestrator(store, local_rules(KEY)), [])
        made.table.on_entry = made.wrote.append
        return made


@pytest.fixture(params=["memory", "postgres"])
def url(request: pytest.FixtureRequest) -> str | None:
    """Where the log is; None for memory."""
    return str(request.getfixturevalue("migrated_url")) if request.param == "postgres" else None


@pytest.fixture
async def processes(url: str | None) -> AsyncIterator[list[Process]]:
    """Two processes over one log."""
    async with AsyncExitStack() as stack:
        if url is None:
            memory = MemoryStore(system_clock)
            yield [Process.over(memory), Process.over(memory)]
        else:
            stores = [await stack.enter_async_context(PostgresStore(url)) for _ in range(2)]
            yield [Process.over(store) for store in stores]


async def test_two_processes_take_each_step_once(processes: list[Process]) -> None:
    here, there = processes
    trial = hasty(here.table.store)
    trial.table = here.table
    async with both(here.table), both(there.table):
        await trial.fill()
        await there.table.state(trial.table_id)
        state = await end(trial)
    assert state.abandoned is ev.AbandonReason.IDLE
    entries = await trial.entries()
    assert_each_step_once(entries)
    assert sorted(here.wrote + there.wrote, key=lambda entry: entry.sequence) == entries


async def test_what_a_crashed_process_leaves_is_taken_by_the_other(processes: list[Process]) -> None:
    here, there = processes
    trial = hasty(here.table.store)
    trial.table = here.table
    await trial.fill()
    async with asyncio.timeout(10):
        while trial.table_id not in await here.table.store.claim_due(10, 50 * MILLI):
            await asyncio.sleep(0.001)
    async with sweeper(there.table):
        await end(trial, there.table)
    entries = await trial.entries()
    assert_each_step_once(entries)
    assert there.wrote == entries[5:]


async def test_a_bank_that_runs_out_is_taken_once_by_any_of_two_processes(processes: list[Process]) -> None:
    """The first defaults come after the banks, the later ones after the own time alone."""
    here, there = processes
    trial = hasty(here.table.store)
    control = TimeControl(2 * MILLI, 2 * MILLI, bank=30 * MILLI, network_allowance=MILLI)
    trial.settings = replace(HASTY, time_control=control)
    trial.table = here.table
    async with both(here.table), both(there.table):
        await trial.fill()
        await there.table.state(trial.table_id)
        await end(trial)
    entries = await trial.entries()
    assert_each_step_once(entries)
    assert sorted(here.wrote + there.wrote, key=lambda entry: entry.sequence) == entries
    used = [used for entry in entries if entry.by_default for used in entry.time_used]
    for seat in SEATS:
        first, *later = [one for one in used if one.seat is seat]
        assert (first.used, first.bank) == (32 * MILLI, 0)
        assert {(one.used, one.bank) for one in later} == {(2 * MILLI, 0)}


async def test_after_an_outage_the_clocks_of_all_played_tables_are_extended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("baloot.table.clocks.SWEEP_LIMIT", 2)
    clock = Clock()
    store = MemoryStore(clock)
    tables = [Trial(seed=n, clock=clock, store=store) for n in range(3)]
    for trial in tables:
        await trial.deal()
    await Trial(seed=9, clock=clock, store=store).open()
    await store.attend(LATE)
    clock.pass_(10 * SECOND)
    here = Process.over(store)
    async with timers(here.table):
        await until(lambda: len(here.wrote) == len(tables))
        await asyncio.sleep(0.02)
    assert [entry.events for entry in here.wrote] == [(ev.ClockExtended(),)] * len(tables)
    assert {entry.table_id for entry in here.wrote} == {trial.table_id for trial in tables}
    assert {entry.deadline for entry in here.wrote} == {clock.now + tables[0].settings.action_timeout}


async def test_attending_goes_on_after_a_store_that_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baloot.table.clocks.ATTEND_EVERY", SOON)

    class Stumbling(MemoryStore):
        attended = 0

        async def attend(self, gap: Micros) -> Micros:
            self.attended += 1
            if self.attended < 4:
                raise StoreUnavailable("gone") if self.attended % 2 else ValueError("a fault of ours")
            return await super().attend(gap)

    store = Stumbling(system_clock)
    with capture_logs() as logged:
        async with timers(Orchestrator(store, local_rules(KEY))):
            await until(lambda: store.attended > 6)
    assert [entry["event"] for entry in logged] == ["attending stumbled and goes on"]


# A rule service that is down.


class Dealing(LocalDealing):
    """Cannot be reached, or does not answer, until it is told to."""

    def __init__(self, *, hangs: bool = False) -> None:
        super().__init__(KEY)
        self.up = asyncio.Event()
        self.asked = 0
        self._hangs = hangs

    async def choose_dealer(self, *deal: Any) -> Seat:
        self.asked += 1
        if self._hangs:
            await self.up.wait()
        if not self.up.is_set():
            raise Refusal(Reason.UNAVAILABLE, "dealing cannot be reached")
        return await super().choose_dealer(*deal)


async def test_a_step_waits_for_a_rule_service_that_is_down() -> None:
    dealing = Dealing()
    trial = hasty(rules=replace(local_rules(KEY), dealing=dealing))
    with capture_logs() as logged:
        async with both(trial.table):
            await trial.fill()
            await until(lambda: dealing.asked >= 3)
            assert len(await trial.entries()) == 5
            dealing.up.set()
            await until(lambda: trial.table.tables[trial.table_id].sequence > 5)
    dealt = (await trial.entries())[5].events[0]
    assert isinstance(dealt, ev.RoundDealt)
    assert {entry["reason"] for entry in logged if "reason" in entry} == {"UNAVAILABLE"}


async def test_steps_do_not_pile_up_behind_a_rule_service_that_hangs() -> None:
    dealing = Dealing(hangs=True)
    store = Counting(system_clock)
    trial = hasty(store, rules=replace(local_rules(KEY), dealing=dealing))
    async with Clocks(trial.table, sweep_every=0.001, lease=MILLI) as clocks:
        await trial.fill()
        await until(lambda: store.handed_out > 20)
        assert len(clocks._steps) <= 2  # the timer's and the sweeper's
        assert dealing.asked == 1
        dealing.up.set()
        await end(trial)
    assert_each_step_once(await trial.entries())


class Counting(MemoryStore):
    """Counts what it is asked; with `broken` it reads and does not write."""

    swept = 0
    handed_out = 0
    appends = 0
    broken = False

    async def claim_due(self, limit: int, lease: Micros) -> Sequence[UUID]:
        due = await super().claim_due(limit, lease)
        self.swept += 1
        self.handed_out += len(due)
        return due

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        self.appends += 1
        if self.broken:
            raise StoreUnavailable("read only")
        return await super().append(entry, status)


async def test_a_log_that_cannot_be_written_is_not_tried_without_end() -> None:
    clock = Clock()
    store = Counting(clock)
    trial = Trial(seed=4, settings=HASTY, clock=clock, store=store)
    await trial.fill()
    store.broken = True
    before = store.appends
    with capture_logs():
        async with Clocks(trial.table, sweep_every=0.001):
            trial.table.forget(trial.table_id)
            await trial.state()
            await until(lambda: store.swept > 50)
            assert 0 < store.appends - before <= 3
            store.broken = False
            clock.pass_(10 * SECOND)
            await until(lambda: trial.table.tables[trial.table_id].sequence == 6)


async def test_a_fault_in_one_table_does_not_stop_the_clocks() -> None:
    trial = hasty()
    broken = Trial(seed=5, settings=HASTY, store=trial.log)
    broken.table = trial.table
    await broken.fill()
    step = trial.table.step

    async def faulty(table_id: UUID) -> None:
        if table_id == broken.table_id:
            raise ValueError("a fault of ours")
        await step(table_id)

    trial.table.step = faulty  # type: ignore[method-assign]
    with capture_logs() as logged:
        async with both(trial.table):
            await trial.fill()
            await end(trial)
    assert "a due step failed" in {entry["event"] for entry in logged}


async def test_a_sweeper_that_stumbles_goes_on() -> None:
    class Stumbling(Counting):
        async def claim_due(self, limit: int, lease: Micros) -> Sequence[UUID]:
            self.swept += 1
            if self.swept < 4:
                raise StoreUnavailable("gone") if self.swept % 2 else ValueError("a fault of ours")
            return await MemoryStore.claim_due(self, limit, lease)

    trial = hasty(Stumbling(system_clock))
    with capture_logs() as logged:
        async with sweeper(trial.table):
            await trial.fill()
            await end(trial)
    assert [entry["event"] for entry in logged] == ["the sweeper stumbled and goes on"]


# Timers.


async def test_a_table_has_one_timer_until_it_ends() -> None:
    trial = Trial(seed=4)
    async with timers(trial.table) as clocks:
        await trial.fill()
        await until(lambda: trial.table.tables[trial.table_id].sequence == 6)
        for _ in range(60):
            await trial.play(1)
            assert len(clocks._timers) == 1
        await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
        assert not clocks._timers


async def test_a_timer_follows_the_deadline() -> None:
    trial = Trial(seed=4, settings=Settings(action_timeout=30 * SECOND, fill_timeout=900 * SECOND))
    async with timers(trial.table) as clocks:

        def rings_in() -> float:
            timer = clocks._timers.get(trial.table_id)
            return timer.handle.when() - asyncio.get_running_loop().time() if timer else 0.0

        await trial.open()
        assert rings_in() == pytest.approx(900, abs=5)
        trial.clock.pass_(60 * SECOND)
        await trial.deal()
        await until(lambda: rings_in() == pytest.approx(30, abs=5))


async def test_a_deadline_that_is_put_off_is_kept() -> None:
    settings = Settings(action_timeout=100 * MILLI, round_pause=0)
    trial = Trial(seed=4, settings=settings, store=MemoryStore(system_clock))
    async with timers(trial.table):
        await trial.fill()
        live = trial.table.tables[trial.table_id]
        await until(lambda: live.sequence >= 6)
        for _ in range(3):
            await acted_or_too_late(trial)
        await until(lambda: live.sequence >= 20)
    played = (await trial.entries())[6:]
    assert any(entry.by_default for entry in played)
    assert any(entry.actor is not None and not entry.by_default for entry in played)


async def acted_or_too_late(trial: Trial) -> None:
    try:
        await trial.play(1)
    except Refusal as refusal:
        if refusal.reason not in (Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE):
            raise


class Hiccup(MemoryStore):
    """A store that cannot be read while it is in trouble."""

    trouble = False

    async def read(self, *given: Any, **named: Any) -> Sequence[Entry]:
        if self.trouble:
            raise StoreUnavailable("gone")
        return await super().read(*given, **named)


async def test_a_step_that_came_early_and_could_not_look_is_not_forgotten() -> None:
    store = Hiccup(system_clock)
    trial = Trial(seed=4, settings=Settings(action_timeout=SECOND, round_pause=0), store=store)
    async with timers(trial.table) as clocks:
        await trial.fill()
        live = trial.table.tables[trial.table_id]
        await until(lambda: live.sequence >= 6)
        store.trouble = live.stale = True
        with capture_logs() as logged:
            clocks._ring(trial.table_id)
            await until(lambda: bool(logged))
        await until(lambda: trial.table_id in clocks._timers)


async def test_many_overdue_tables_are_all_taken_soon() -> None:
    """More than a sweep takes, in one sweep after the other without a pause."""
    store = MemoryStore(system_clock)
    here = Orchestrator(store, local_rules(KEY))
    tables = []
    for n in range(170):
        trial = Trial(seed=n, settings=replace(HASTY, fill_timeout=0), store=store)
        trial.table = here
        await trial.open()
        tables.append(trial.table_id)
    there = Orchestrator(store, local_rules(KEY))
    async with Clocks(there, sweep_every=NEVER, lease=3600 * SECOND), asyncio.timeout(10):
        while any(not head.status.ended for head in (await store.heads(tables)).values()):
            await asyncio.sleep(0.002)


async def test_clocks_that_stop_leave_nothing_running() -> None:
    dealing = Dealing(hangs=True)
    trial = hasty(rules=replace(local_rules(KEY), dealing=dealing))
    async with both(trial.table) as clocks:
        await trial.fill()
        await until(lambda: dealing.asked == 1)
        steps = list(clocks._steps)
    assert steps
    assert all(step.cancelled() for step in steps)
    await trial.play(0)
    assert [task for task in asyncio.all_tasks() if task is not asyncio.current_task()] == []


async def test_clocks_that_stop_take_their_timers_along() -> None:
    trial = Trial(seed=4)
    async with timers(trial.table) as clocks:
        await trial.open()
        (timed,) = clocks._timers.values()
    assert timed.handle.cancelled()
    await trial.fill()
    assert list(clocks._timers.values()) == [timed]
