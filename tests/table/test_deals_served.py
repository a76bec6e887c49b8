"""Seats add to the shuffles and check deals over gRPC, by nothing but the client."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from datetime import UTC, datetime, timedelta

import pytest
from baloot.bots.choosing import choose
from baloot.client.deals import Fault, proves
from baloot.client.pinning import Pin
from baloot.client.table import TableClient
from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.kit.access import AccessSettings
from baloot.table import events as ev
from baloot.table.clocks import Clocks
from baloot.table.events import SECOND, SeedAdded
from baloot.table.memory import MemoryStore, system_clock

from tests.table.deal_laws import check_decks
from tests.table.served import replica
from tests.table.test_deals import events_of
from tests.table.trial import Trial

ALL = AccessSettings(guests=frozenset(Role))


async def played(seat: TableClient, faults: list[Fault]) -> None:
    """Plays to the end of the table, and proves the seat's cards now and then."""
    answered = 0
    async with aclosing(seat.watch()) as updates:
        async for update in updates:
            faults += update.faults
            question = update.view.question
            if question.asked_at <= answered:
                continue
            answered = question.asked_at
            if update.view.round.deck_root and answered % 7 == 0:
                await proved(seat)
            with suppress(Refusal):
                await seat.submit(choose(update.view))


async def proved(seat: TableClient) -> None:
    told = await seat.openings()
    round_ = (await seat.view()).round
    if round_.number == told.number and round_.deck_root:
        assert len(told.openings) in (6, 8, 9)
        assert all(proves(one, seat.table_id, told.number, round_.deck_root) for one in told.openings)


def soon(beacon: str) -> datetime | None:
    return datetime.now(UTC) + timedelta(seconds=20) if beacon else None


@pytest.mark.parametrize("beacon", ["", "a drawing"])
async def test_four_clients_play_a_match_that_all_of_them_have_checked(beacon: str) -> None:
    ahead = [0]
    trial = Trial(store=MemoryStore(lambda: system_clock() + ahead[0]))
    async with replica(trial.table, access=ALL) as served, Clocks(trial.table):
        tables = TableClient(served.server.address)
        async with tables:
            table = await tables.create_table(round_pause=0.0, beacon=beacon, beacon_time=soon(beacon))
            seats = [await table.take_seat(name) for name in ("Noura", "Fahad", "Salem", "Huda")]
            if beacon:
                with pytest.raises(Refusal) as early:
                    await seats[0].openings()
                assert early.value.reason is Reason.ROUND_UNKNOWN
                ahead[0] = 30 * SECOND
                await table.give_beacon(bytes(range(32)))
            faults: list[Fault] = []
            await asyncio.gather(*(played(seat, faults) for seat in seats))
        (live,) = trial.table.tables.values()
        log = list(await trial.log.read(live.table_id))
    assert not faults
    # Whoever begins to watch when the last cards of the first deal are out cannot tell the first five from the others.
    assert {number for seat in seats for number in seat.deals.unchecked} <= {1}
    for place, seat in enumerate(seats, 1):
        assert seat.pins == [Pin(place, log[place - 1].chain)]
    check_decks(log)
    seeds = [taken.seat_seed for taken in events_of(log, ev.SeatTaken)]
    assert len(set(seeds)) == 4
    assert all(len(seed) == 32 for seed in seeds)
    assert not events_of(log, SeedAdded)
