"""What a client reads before it adds to the deals, what it still knows after a gap, and what it says of refused seeds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_EAST, SEAT_SOUTH
from baloot.api.table.v1.events_pb2 import (
    DealsCommitted,
    Dealt,
    SeedAdded,
    TableCreated,
    TableEntry,
    TableEvent,
)
from baloot.api.table.v1.table_pb2 import (
    GetTableRequest,
    RoundView,
    TableView,
    TakeSeatRequest,
    WatchTableRequest,
)
from baloot.client import follow
from baloot.client.deals import DealChecker, Fault, Misfit
from baloot.client.pinning import Pin
from baloot.codec.enums import SEAT
from baloot.core.catalogue import NAMES
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.table.codec import encode_entry
from baloot.table.views import see_entry
from baloot.verifier import verify

from tests.client.conftest import Connected
from tests.client.script import TABLE, in_turn
from tests.client.test_deals import match
from tests.table.test_deals import Adding, seed_of

OPENED = TableEntry(
    sequence=1,
    events=[
        TableEvent(table_created=TableCreated()),
        TableEvent(deals_committed=DealsCommitted(first_number=1, commitments=[bytes(32)] * 64)),
    ],
)
TOLD = TableView(table_id=TABLE, sequence=1, committed=64)


def seen(trial_log: list[Any], seat: Seat) -> list[TableEntry]:
    return [
        TableEntry.FromString(encode_entry(see_entry(entry, seat)).SerializeToString()) for entry in trial_log
    ]


class Follower:
    """A seat that follows a match from some entry on, with gaps that a whole view closes."""

    def __init__(self, trial: Adding, told: list[TableEntry], opened: TableEntry | None) -> None:
        self.told = told
        self.view = follow.fresh(str(trial.table_id), SEAT.encode(Seat.SOUTH))
        self.checker = DealChecker(self.view.table_id, {1: seed_of(Seat.SOUTH)})
        self.faults: list[Fault] = []
        if opened is not None:
            self.checker.note_commitments(opened)

    def run(self, first: int, gap: Callable[[int], bool]) -> None:
        """Begins with the view after `first` entries, and gets a view in place of the entries for which `gap` says so."""
        missed = True
        for number, entry in enumerate(self.told, 1):
            follow.apply(self.view, entry)
            if number < first or (gap(number) and number < len(self.told)):
                missed = True
            elif missed:
                self.faults += self.checker.follow(self.view, None)
                missed = False
            else:
                self.faults += self.checker.follow(self.view, entry)


def never(_number: int) -> bool:
    return False


def others(told: list[TableEntry]) -> TableEntry:
    """What a table committed to that draws its seeds anew once it has seen those of the seats."""
    opened = TableEntry.FromString(told[0].SerializeToString())
    opened.events[1].deals_committed.commitments[:] = [bytes(32)] * 64
    return opened


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("after", [1, 5, 6])
async def test_a_seat_that_read_the_commitments_first_checks_every_deal(name: str, after: int) -> None:
    trial = await match(name)
    told = seen(await trial.entries(), Seat.SOUTH)
    follower = Follower(trial, told, told[0])
    follower.run(after, never)
    assert (follower.faults, follower.checker.unchecked) == ([], [])


@pytest.mark.parametrize("after", [1, 2, 5, 6])
async def test_seeds_that_were_drawn_after_the_seats_told_theirs_are_found(after: int) -> None:
    trial = await match("standard")
    told = seen(await trial.entries(), Seat.SOUTH)
    follower = Follower(trial, told, others(told))
    follower.run(after, never)
    deals = range(1, (await trial.state()).deals.told + 1)
    assert follower.faults == [Fault(number, Misfit.COMMITMENT) for number in deals]


async def test_what_was_committed_to_first_stands() -> None:
    """The entry that opens the table is told again, and differs from what was read before the seat was taken."""
    trial = await match("standard")
    told = seen(await trial.entries(), Seat.SOUTH)
    follower = Follower(trial, told, others(told))
    for entry in told:
        follow.apply(follower.view, entry)
        follower.faults += follower.checker.follow(follower.view, entry)
    assert {fault.misfit for fault in follower.faults} == {Misfit.COMMITMENT}


async def test_deals_whose_commitments_were_not_seen_count_as_unchecked() -> None:
    trial = await match("standard")
    follower = Follower(trial, seen(await trial.entries(), Seat.SOUTH), None)
    follower.run(5, never)
    assert not follower.faults
    assert follower.checker.unchecked == list(range(1, (await trial.state()).deals.told + 1))


def test_a_deal_that_nobody_committed_to_is_unchecked_at_once() -> None:
    checker = DealChecker(TABLE)
    view = TableView(table_id=TABLE, viewer=SEAT_SOUTH)
    checker.follow(view, TableEntry(sequence=2, events=[TableEvent(dealt=Dealt(number=1))]))
    assert checker.unchecked == [1]


@pytest.mark.parametrize("seed", range(12))
async def test_gaps_accuse_nobody_and_forget_nothing(seed: int) -> None:
    trial, rng = await match(NAMES[seed % len(NAMES)]), Random(seed)
    told = seen(await trial.entries(), Seat.SOUTH)
    gaps = {number for number in range(len(told) + 1) if rng.random() < 0.2}
    follower = Follower(trial, told, told[0])
    follower.run(rng.randrange(1, 9), gaps.__contains__)
    deals = range(1, (await trial.state()).deals.told + 1)
    assert not follower.faults
    assert set(follower.checker.unchecked) <= set(deals)
    cheated = Follower(trial, told, others(told))
    cheated.run(1, gaps.__contains__)
    found = {fault.number for fault in cheated.faults}
    assert found | set(cheated.checker.unchecked) == set(deals)
    assert found


async def test_a_view_in_the_middle_of_a_round_changes_nothing() -> None:
    """Every entry is followed by the view that it leads to, as after a broken connection."""
    trial = await match("standard")
    told = seen(await trial.entries(), Seat.SOUTH)
    follower = Follower(trial, told, told[0])
    for entry in told:
        follow.apply(follower.view, entry)
        follower.faults += follower.checker.follow(follower.view, entry)
        follower.faults += follower.checker.follow(follower.view, None)
    assert (follower.faults, follower.checker.unchecked) == ([], [])


def told_late(told: list[TableEntry]) -> list[TableEntry]:
    """A seed that another seat adds when the first deal has begun, which the table then says was there all along."""
    late = [TableEntry.FromString(entry.SerializeToString()) for entry in told]
    (east,) = (
        event.seat_taken
        for entry in late
        for event in entry.events
        if event.HasField("seat_taken") and event.seat_taken.seat == SEAT_EAST
    )
    added = SeedAdded(seat=SEAT_EAST, first_number=1, seed=east.seed)
    east.seed = b""
    begun = next(entry for entry in late if any(event.HasField("dealt") for event in entry.events))
    begun.events.append(TableEvent(seed_added=added))
    return late


async def test_a_seed_that_is_added_to_deals_that_have_begun_does_not_count() -> None:
    trial = await match("standard")
    told = seen(await trial.entries(), Seat.SOUTH)
    follower = Follower(trial, told_late(told), told[0])
    follower.run(1, never)
    assert {fault.misfit for fault in follower.faults} == {Misfit.DECK}


# Before the seat is taken.


async def test_the_table_is_read_before_a_seed_is_sent(connected: Connected) -> None:
    service = connected.service
    service.script, service.view, service.chain = in_turn([OPENED]), TOLD, b"c" * 32
    seat = await connected.table.take_seat("Noura")
    asked = [type(request) for request in service.requests]
    assert asked == [GetTableRequest, WatchTableRequest, TakeSeatRequest]
    assert service.requests[1].after_sequence == 0
    assert service.requests[1].HasField("after_sequence")
    assert seat.pins == [Pin(1, b"c" * 32)]
    assert verify.pin_of(str(seat.pins[0])) == (1, (b"c" * 32).hex())
    assert seat.deals.own == {1: service.requests[2].seed}
    wrong = SEEDS_OF_ZEROS
    view = TableView(table_id=TABLE, sequence=9, committed=64, viewer=SEAT_SOUTH)
    view.seats.add(seed=seat.deals.own[1])
    view.seats.add(), view.seats.add(), view.seats.add()
    seat.deals.follow(view, None)
    assert seat.deals.follow(view, wrong) == (Fault(1, Misfit.COMMITMENT),)


SEEDS_OF_ZEROS = TableEntry(sequence=10)
SEEDS_OF_ZEROS.events.add().seeds_revealed.first_number = 1
SEEDS_OF_ZEROS.events[0].seeds_revealed.seeds.append(bytes(32))


async def test_a_table_that_does_not_tell_how_it_began_is_unchecked(connected: Connected) -> None:
    """The server says nothing on the stream: the seat is taken all the same."""
    connected.service.view = TOLD
    seat = await connected.table.take_seat("Noura")
    view = TableView(table_id=TABLE, sequence=9, committed=64, viewer=SEAT_SOUTH)
    view.seats.add(seed=seat.deals.own[1])
    view.seats.add(), view.seats.add(), view.seats.add()
    seat.deals.follow(view, None)
    assert not seat.deals.follow(view, SEEDS_OF_ZEROS)
    assert (seat.pins, seat.deals.unchecked) == ([], [1])


@pytest.mark.parametrize("late", [False, True])
async def test_a_seed_that_came_after_the_beacon_is_not_missed(connected: Connected, late: bool) -> None:
    view = TableView.FromString(TOLD.SerializeToString())
    view.settings.beacon_time.seconds = 0 if late else 100  # the scripted seat is taken at second 0
    connected.service.script, connected.service.view = in_turn([OPENED]), view
    seat = await connected.table.take_seat("Noura")
    assert (1 in seat.deals.own) is not late


async def test_who_sits_there_already_opens_no_second_stream(connected: Connected) -> None:
    connected.service.view = TableView(table_id=TABLE, sequence=1, committed=64, viewer=SEAT_SOUTH)
    await connected.table.take_seat("Noura")
    assert [type(request) for request in connected.service.requests] == [GetTableRequest, TakeSeatRequest]


# Seeds for the next deals.


async def adding(connected: Connected, *refusals: Reason, begun: int = 57) -> tuple[Fault, ...]:
    """What the client says after it has added to the deals from 65 on."""
    table = connected.table
    connected.service.refusals = [Refusal(reason, "no") for reason in refusals]
    connected.service.view = TableView(table_id=TABLE, round=RoundView(number=begun))
    await table._add_seed(65)
    return table.deals.follow(TableView(viewer=SEAT_SOUTH), TableEntry(sequence=3))


async def test_a_seed_that_is_refused_without_a_reason_is_told(connected: Connected) -> None:
    for reason in (Reason.SEED_WINDOW, Reason.FIELD_INVALID, Reason.WRONG_PHASE):
        assert await adding(connected, reason) == (Fault(65, Misfit.SEED_REFUSED),)
        assert not connected.table.deals.own


@pytest.mark.parametrize(
    ("reason", "begun"),
    [(Reason.SEED_REPEATED, 57), (Reason.SEED_WINDOW, 65), (Reason.TABLE_ENDED, 57)],
    ids=["another device was first", "they have begun", "it is over"],
)
async def test_a_seed_that_is_refused_for_a_reason_is_not(
    connected: Connected, reason: Reason, begun: int
) -> None:
    assert await adding(connected, reason, begun=begun) == ()
    assert not connected.table.deals.own


async def test_a_seed_is_sent_until_its_fate_is_known(connected: Connected) -> None:
    assert await adding(connected, Reason.UNAVAILABLE, Reason.UNAVAILABLE) == ()
    requests = connected.service.requests
    assert len({request.request_id for request in requests}) == 1
    assert len({request.add_seed.seed for request in requests}) == 1
    assert connected.table.deals.own == {65: requests[0].add_seed.seed}
    assert not connected.table.deals.sending


async def test_a_seed_counts_as_sent_before_it_is_answered(connected: Connected) -> None:
    connected.service.refusals = [Refusal(Reason.UNAVAILABLE, "gone")] * 100_000
    task = asyncio.create_task(connected.table._add_seed(65))
    async with asyncio.timeout(10):
        while not connected.service.requests:
            await asyncio.sleep(0.001)
    task.cancel()
    assert set(connected.table.deals.own) == connected.table.deals.sending == {65}


@pytest.mark.parametrize(("stored", "faults"), [("own", 0), ("none", 0), ("another", 1)])
async def test_a_seed_whose_answer_is_lost_is_checked(stored: str, faults: int) -> None:
    trial = await match("standard")
    told = seen(await trial.entries(), Seat.SOUTH)
    if stored == "none":
        trial = Adding(seed=3, settings=trial.settings)
        await trial.open()
        for seat in Seat:
            await trial.sit(seat, b"" if seat is Seat.SOUTH else seed_of(seat))
        await trial.play()
        told = seen(await trial.entries(), Seat.SOUTH)
    follower = Follower(trial, told, told[0])
    follower.checker.sending.add(1)
    if stored == "another":
        follower.checker.own[1] = b"x" * 32
    follower.run(1, never)
    assert {fault.misfit for fault in follower.faults} == ({Misfit.OWN_SEED} if faults else set())
