"""Processes that die: their players are told to be away by others, once, and only where they are not back."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from baloot.app.rules import local_rules
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Seat
from baloot.table.departed import Departed, Roll
from baloot.table.events import SECOND, Entry, Presence, PresenceChanged, Settings, Status
from baloot.table.memory import MemoryStore, system_clock
from baloot.table.orchestrator import Orchestrator
from baloot.table.seat_streams import Patience, SeatStreams
from baloot.table.store import Stored, StoreUnavailable

from tests.table.served import QUICK, bearer, read, replica, until, watching
from tests.table.trial import KEY, Trial

LONG = Settings(round_pause=0, ruleset=STANDARD.with_options(match_target=1000))
HERE, AWAY = Presence.HERE, Presence.AWAY
ROLL = Roll()


class Process:
    """One process over a trial's log: its streams, and how it misses others."""

    def __init__(self, trial: Trial) -> None:
        self.table = Orchestrator(trial.log, local_rules(KEY))
        self.streams = SeatStreams(self.table, Patience())
        self.departed = Departed(self.table, self.streams.owner)
        self.trial = trial

    async def opens(self, *seats: Seat) -> None:
        for seat in seats:
            live = await self.table.current(self.trial.table_id)
            hold = self.streams.open(live, seat, lambda: None)
            await self.streams._tell(hold.place, HERE)

    async def looks(self) -> None:
        """Notes that it is at work, and tells all that it has to."""
        await self.table.attend()
        await self.departed._note()
        await asyncio.gather(*self.departed._telling.values())


@pytest.fixture
async def trial() -> Trial:
    made = Trial(seed=5, settings=LONG)
    await made.deal()
    return made


def told(entries: Sequence[Entry]) -> list[tuple[Seat, Presence]]:
    events = [event for entry in entries for event in entry.events]
    return [(event.seat, event.presence) for event in events if isinstance(event, PresenceChanged)]


async def silent(trial: Trial, *others: Process) -> None:
    """Lets so much time pass that a process is missed that did not note anything; the others do."""
    for _ in range(ROLL.silence // SECOND + 2):
        trial.clock.pass_(SECOND)
        for other in others:
            await other.looks()


async def test_the_players_of_a_process_that_died_are_away(trial: Trial) -> None:
    dead, other = Process(trial), Process(trial)
    for process in (dead, other):
        await process.looks()
        await process.table.current(trial.table_id)  # a copy that does not know what comes
    await dead.opens(Seat.EAST, Seat.WEST)
    before = (await trial.state()).questions
    await silent(trial, other)
    changes = [(Seat.EAST, HERE), (Seat.WEST, HERE), (Seat.EAST, AWAY), (Seat.WEST, AWAY)]
    assert sorted(told(await trial.entries()), key=str) == sorted(changes, key=str)
    assert (await trial.state()).questions == before
    assert isinstance(trial.log, MemoryStore)
    assert set(trial.log._processes) == {other.streams.owner}


async def test_while_it_is_at_work_nobody_is_told_to_be_away(trial: Trial) -> None:
    one, other = Process(trial), Process(trial)
    await one.looks()
    await one.opens(Seat.EAST)
    await silent(trial, one, other)
    assert told(await trial.entries()) == [(Seat.EAST, HERE)]


async def test_whoever_is_back_at_another_process_is_left_alone(trial: Trial) -> None:
    dead, other = Process(trial), Process(trial)
    await dead.looks()
    await dead.opens(Seat.EAST, Seat.WEST)
    await other.opens(Seat.EAST)
    await silent(trial, other)
    assert told(await trial.entries())[3:] == [(Seat.WEST, AWAY)]


async def test_of_many_that_miss_it_one_tells(trial: Trial) -> None:
    """None of them knows what the others do: each has been handed the dead process."""
    dead, *others = (Process(trial) for _ in range(6))
    await dead.opens(Seat.EAST, Seat.SOUTH)
    await asyncio.gather(*(other.departed._tell(dead.streams.owner) for other in others))
    assert sorted(told(await trial.entries())[2:]) == sorted([(Seat.EAST, AWAY), (Seat.SOUTH, AWAY)])


async def test_a_table_that_has_ended_is_left_as_it_is(trial: Trial) -> None:
    dead, other = Process(trial), Process(trial)
    await dead.looks()
    await dead.opens(Seat.EAST)
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.WEST], trial.id())
    assert (await trial.state()).status is Status.ABANDONED
    await silent(trial, other)
    assert await other.departed._told_at(trial.table_id, dead.streams.owner)  # it ended as it was looked at
    assert told(await trial.entries()) == [(Seat.EAST, HERE)]


async def test_after_an_outage_of_the_log_everybody_has_time_to_say_that_he_is_there(trial: Trial) -> None:
    one, other = Process(trial), Process(trial)
    await one.looks()
    await one.opens(Seat.EAST)
    trial.clock.pass_(100 * ROLL.silence)
    for _ in range(5):
        await other.looks()
        trial.clock.pass_(SECOND)
    await one.looks()
    await silent(trial, other, one)
    assert told(await trial.entries()) == [(Seat.EAST, HERE)]


class Fragile(MemoryStore):
    """A store that can refuse to store."""

    away = False

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        if self.away:
            raise StoreUnavailable("away")
        return await super().append(entry, status)


async def test_what_cannot_be_told_is_told_later() -> None:
    trial = Trial(seed=5, settings=LONG)
    trial.log = store = Fragile(trial.clock)
    trial.table = Orchestrator(store, local_rules(KEY))
    await trial.deal()
    dead, other = Process(trial), Process(trial)
    await dead.looks()
    await dead.opens(Seat.EAST)
    store.away = True
    await silent(trial, other)
    assert told(await trial.entries()) == [(Seat.EAST, HERE)]
    store.away = False
    trial.clock.pass_(SECOND)
    await other.looks()
    trial.clock.pass_(ROLL.lease)
    await silent(trial, other)
    assert told(await trial.entries()) == [(Seat.EAST, HERE), (Seat.EAST, AWAY)]


async def test_a_process_that_was_only_quiet_puts_it_right() -> None:
    """Its player has a stream all the time."""
    trial = Trial(seed=5, settings=LONG, store=MemoryStore(system_clock))
    await trial.deal()
    async with replica(trial.table, QUICK, patience=Patience(away=0.05, between=0.01)) as served:
        stream = served.stub.WatchTable(watching(trial), metadata=bearer(trial.tokens[Seat.EAST]))
        await read(stream, 1)
        await told_so_often(trial, 1)
        await Process(trial).departed._tell(served.feed.owner)
        await told_so_often(trial, 3)
        changes = [(Seat.EAST, HERE), (Seat.EAST, AWAY), (Seat.EAST, HERE)]
        assert told(await trial.entries()) == changes
        stream.cancel()
        await until(lambda: not served.feed._watchers)
        await told_so_often(trial, 4)


async def told_so_often(trial: Trial, count: int) -> None:
    async with asyncio.timeout(10):
        while len(told(await trial.entries())) < count:
            await asyncio.sleep(0.002)
