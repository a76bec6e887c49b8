"""No fault of ours costs a seat its time: not a queue, not a database that is away, not a process that died."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from baloot.app.rules import local_rules
from baloot.bidding.local import LocalBidding
from baloot.core.auction import PASS, AuctionRecord, AuctionStep, Call
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table.events import LATE, SECOND, Entry, Micros, SeatClock, Settings, Status, TimeUsed
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.store import Stored, StoreUnavailable
from baloot.table.timing import told_deadline

from tests.table.timed import ALLOWANCE, BANK, CALL, SETTINGS, answering, asked, last, step, waiting
from tests.table.trial import KEY, Clock, Trial


@pytest.fixture
async def trial() -> Trial:
    """A table with banks whose first round is dealt."""
    made = Trial(seed=7, settings=SETTINGS)
    await made.deal()
    return made


# What waits, counts from when it came.


async def test_an_action_counts_by_when_it_was_received_however_long_it_waits(trial: Trial) -> None:
    state = await trial.state()
    seat = asked(state)
    trial.clock.pass_(CALL + BANK + ALLOWANCE - 1)
    received = trial.clock.now
    async with trial.table.tables[trial.table_id].lock:
        doing = asyncio.create_task(trial.act(seat, PASS))
        stepping = asyncio.create_task(trial.table.step(trial.table_id))
        await asyncio.sleep(0)
        trial.clock.pass_(SECOND)
    entry = await doing
    await stepping
    assert (entry.received, entry.at) == (received, received + SECOND)
    assert not entry.by_default
    assert entry.time_used == (TimeUsed(seat, CALL + BANK, 0),)


async def test_time_in_our_queues_is_not_taken_from_the_bank(trial: Trial) -> None:
    seat = asked(await trial.state())
    trial.clock.pass_(SECOND)
    async with trial.table.tables[trial.table_id].lock:
        doing = asyncio.create_task(trial.act(seat, PASS))
        await asyncio.sleep(0)
        trial.clock.pass_(CALL + 5 * SECOND)
    assert (await doing).time_used == (TimeUsed(seat, SECOND, BANK),)


class Away(MemoryStore):
    """Cannot be reached while `away`."""

    away = False

    def _require(self) -> None:
        if self.away:
            raise StoreUnavailable("gone")

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        self._require()
        return await super().append(entry, status)

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        self._require()
        return await super().read(table_id, after, limit, secrets=secrets)

    async def attend(self, gap: Micros) -> Micros:
        self._require()
        return await super().attend(gap)


async def at_a_store_that_can_go() -> tuple[Trial, Away]:
    clock = Clock()
    store = Away(clock)
    trial = Trial(seed=7, clock=clock, settings=SETTINGS, store=store)
    await trial.deal()
    return trial, store


async def refused(trial: Trial, seat: Seat, request: UUID, reason: Reason) -> None:
    with pytest.raises(Refusal) as caught:
        await trial.act(seat, PASS, request)
    assert caught.value.reason is reason


async def attending(trial: Trial, seconds: int) -> None:
    """Time passes, and a process is at work all along."""
    for _ in range(seconds):
        trial.clock.pass_(SECOND)
        await trial.table.attend()


async def test_a_request_that_we_sent_away_counts_from_its_first_receipt() -> None:
    trial, store = await at_a_store_that_can_go()
    seat, request = asked(await trial.state()), trial.id()
    await attending(trial, 3)
    store.away = True
    received = trial.clock.now
    await refused(trial, seat, request, Reason.UNAVAILABLE)
    trial.clock.pass_(SECOND)
    await refused(trial, seat, request, Reason.UNAVAILABLE)
    store.away = False
    await attending(trial, 15)
    entry = await trial.act(seat, PASS, request)
    assert entry.received == received
    assert entry.time_used == (TimeUsed(seat, 3 * SECOND, BANK),)


class Slow(LocalBidding):
    """Answers too late, `takes` after it was asked."""

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self.takes: Micros = 0

    async def make_call(self, record: AuctionRecord, seat: Seat, call: Call) -> AuctionStep:
        if self.takes:
            self._clock.pass_(self.takes)
            raise Refusal(Reason.DEADLINE_EXCEEDED, "the service did not answer in time")
        return await super().make_call(record, seat, call)


async def at_slow_rules() -> tuple[Trial, Slow]:
    clock = Clock()
    bidding = Slow(clock)
    trial = Trial(seed=7, clock=clock, settings=SETTINGS, rules=replace(local_rules(KEY), bidding=bidding))
    await trial.deal()
    return trial, bidding


async def test_a_request_that_we_answered_too_late_counts_from_its_first_receipt() -> None:
    trial, bidding = await at_slow_rules()
    seat, request = asked(await trial.state()), trial.id()
    await attending(trial, 3)
    received, bidding.takes = trial.clock.now, SECOND
    await refused(trial, seat, request, Reason.DEADLINE_EXCEEDED)
    bidding.takes = 0
    await attending(trial, 15)
    entry = await trial.act(seat, PASS, request)
    assert entry.received == received
    assert entry.time_used == (TimeUsed(seat, 3 * SECOND, BANK),)


async def test_a_caller_who_waits_for_no_answer_gains_no_time() -> None:
    """Nobody sends all that he may do, each with no time to be done, and thinks for nothing about which to send again."""
    trial, bidding = await at_slow_rules()
    seat, request = asked(await trial.state()), trial.id()
    await attending(trial, 3)
    bidding.takes = SECOND - 1
    await refused(trial, seat, request, Reason.DEADLINE_EXCEEDED)
    bidding.takes = 0
    trial.clock.pass_(1)
    await attending(trial, 14)
    assert (await trial.act(seat, PASS, request)).time_used == (
        TimeUsed(seat, 18 * SECOND, BANK - 8 * SECOND),
    )


async def test_another_request_counts_from_when_it_came_itself() -> None:
    trial, store = await at_a_store_that_can_go()
    seat = asked(await trial.state())
    await attending(trial, 3)
    store.away = True
    await refused(trial, seat, trial.id(), Reason.UNAVAILABLE)
    store.away = False
    await attending(trial, 15)
    assert (await trial.act(seat, PASS)).time_used == (TimeUsed(seat, 18 * SECOND, BANK - 8 * SECOND),)


async def test_a_request_that_was_refused_by_rule_counts_from_when_it_comes_again(trial: Trial) -> None:
    """Nobody thinks for nothing by sending an action first so that it must be refused."""
    state = await trial.state()
    seat, request = asked(state), trial.id()
    with pytest.raises(Refusal):
        await trial.act(seat, PASS, request, expected=state.sequence + 1)
    trial.clock.pass_(CALL + 2 * SECOND)
    entry = await trial.act(seat, PASS, request)
    assert entry.time_used == (TimeUsed(seat, CALL + 2 * SECOND, BANK - 2 * SECOND),)


async def test_a_first_receipt_counts_for_the_clock_that_ran_then_and_no_later_one() -> None:
    trial, store = await at_a_store_that_can_go()
    seat, request = asked(await trial.state()), trial.id()
    store.away = True
    await refused(trial, seat, request, Reason.UNAVAILABLE)
    trial.clock.pass_(LATE + 1)
    store.away = False
    assert (await step(trial)).events == (ev.ClockExtended(),)
    await attending(trial, 12)
    entry = await trial.act(seat, PASS, request)
    assert entry.time_used == (TimeUsed(seat, 12 * SECOND, BANK - 2 * SECOND),)


async def test_a_repeated_request_gets_the_times_of_its_entry(trial: Trial) -> None:
    seat, request = asked(await trial.state()), trial.id()
    trial.clock.pass_(2 * SECOND)
    first = await trial.act(seat, PASS, request)
    trial.clock.pass_(4 * SECOND)
    assert await trial.act(seat, PASS, request) == first


# Outages.


async def test_an_extended_clock_costs_no_bank(trial: Trial) -> None:
    state = await trial.state()
    trial.clock.pass_(CALL + BANK + ALLOWANCE + LATE + 1)
    entry = await step(trial)
    assert (entry.events, entry.time_used) == ((ev.ClockExtended(),), ())
    now = trial.clock.now
    assert [open_.clock for open_ in waiting(await trial.state())] == [
        SeatClock(now + CALL, now + CALL + BANK)
    ]
    assert (await trial.state()).banks == state.banks


async def test_an_outage_takes_nothing_from_a_bank(trial: Trial) -> None:
    """However it ends: all are given their time again before anything else, or whoever acts first is."""
    await trial.table.attend()
    seat = asked(await trial.state())
    trial.clock.pass_(CALL + 15 * SECOND)  # into the bank, and well before the deadline
    back = Orchestrator(trial.log, trial.table._rules)
    resumed = trial.clock.now
    assert await back.attend() == resumed
    trial.table = back
    trial.clock.pass_(SECOND)
    entry = await trial.act(seat, PASS)
    assert entry.time_used == (TimeUsed(seat, trial.clock.now - resumed, BANK),)


async def test_after_an_outage_the_clocks_are_extended_once_by_any_process(trial: Trial) -> None:
    await trial.table.attend()
    before = await trial.state()
    trial.clock.pass_(CALL + 15 * SECOND)
    back = [Orchestrator(trial.log, trial.table._rules) for _ in range(2)]
    await asyncio.gather(*(process.attend() for process in back))
    await asyncio.gather(*(process.step(trial.table_id) for process in back for _ in range(3)))
    entries = await trial.entries()
    assert [entry.events for entry in entries[before.sequence :]] == [(ev.ClockExtended(),)]
    assert entries[-1].deadline == trial.clock.now + CALL + BANK + ALLOWANCE
    assert (await trial.state()).banks == before.banks


async def test_a_default_that_is_due_after_an_outage_does_not_come(trial: Trial) -> None:
    """Not even when the deadline passed a moment ago, since the outage took the time before it."""
    await trial.table.attend()
    trial.clock.pass_(CALL + BANK + ALLOWANCE + SECOND)
    back = Orchestrator(trial.log, trial.table._rules)
    await back.step(trial.table_id)
    assert (await last(trial)).events == (ev.ClockExtended(),)


async def test_a_process_that_goes_while_others_work_changes_nothing(trial: Trial) -> None:
    other = Orchestrator(trial.log, trial.table._rules)
    for _ in range(15):
        trial.clock.pass_(SECOND)
        assert await other.attend() is None
    trial.table = Orchestrator(trial.log, trial.table._rules)
    assert (await step(trial)).events != (ev.ClockExtended(),)
    seat = asked(await trial.state())
    assert (await trial.act(seat, PASS)).time_used == (TimeUsed(seat, 15 * SECOND, BANK - 5 * SECOND),)


# Logs that are older than time controls.


async def test_a_table_of_before_goes_on_as_it_was() -> None:
    """Its questions have no clocks; each answer has the time of the table, to the moment."""
    trial = Trial(seed=7)
    state = await trial.deal()
    old = [
        replace(entry, received=None, questions=tuple(replace(one, clock=None) for one in entry.questions))
        for entry in await trial.entries()
    ]
    store = MemoryStore(trial.clock)
    for entry in old:
        assert await store.append(entry, Status.PLAYING)
    trial.log, trial.table = store, Orchestrator(store, trial.table._rules)
    state = await trial.state()
    assert told_deadline(state.questions, state.deadline) == state.deadline
    trial.clock.pass_(trial.settings.action_timeout - 1)
    assert (await step(trial)).sequence == state.sequence
    trial.clock.pass_(1)
    entry = await step(trial)
    assert (entry.by_default, entry.time_used) == (True, ())
    assert entry.deadline == trial.clock.now + trial.settings.action_timeout


async def test_sealed_answers_of_before_keep_their_deadline() -> None:
    trial, state = await answering(Settings())
    entry = replace(
        await last(trial), questions=tuple(replace(open_, clock=None) for open_ in state.questions)
    )
    store = MemoryStore(trial.clock)
    for one in [*(await trial.entries())[:-1], entry]:
        assert await store.append(one, Status.PLAYING)
    trial.log, trial.table = store, Orchestrator(store, trial.table._rules)
    trial.clock.pass_(SECOND)
    given = await trial.act(state.questions[0].seat, PASS)
    assert given.deadline == state.deadline
    assert given.time_used == ()
