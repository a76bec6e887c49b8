"""The only table service is killed while a seat thinks, and comes back: the seat has its time again, and its whole bank."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from uuid import UUID

import pytest
from baloot.api.table.v1.table_pb2 import TableView
from baloot.client.table import TableClient, time_control
from baloot.table import events as ev
from baloot.table.events import LATE, SECOND, Entry, Micros

from tests.e2e.platforms import TABLE, apart
from tests.e2e.players import PACE, within
from tests.faults.reconnecting import eager_channel

OWN = 1.0
AWAY = LATE / SECOND + 1.5
"""Seconds for which nobody is at work: more than what counts as an outage."""


@pytest.mark.parametrize("bank", [0.5, 60.0], ids=["over meanwhile", "not over yet"])
async def test_a_seat_loses_no_time_to_a_kill(bank: float, migrated_url: str) -> None:
    control = time_control(OWN, OWN, bank, 0.5)
    with apart(migrated_url) as platform:
        process = platform.processes[TABLE]
        async with eager_channel(platform.table) as channel:
            tables = TableClient(channel, pace=PACE)
            table = await tables.create_table(time_control=control, round_pause=0)
            seats = [await table.take_seat(f"player {n}") for n in range(4)]
            seat = await within(20, on_turn(seats))
            asked = (await seat.view()).sequence
            process.kill()
            await asyncio.sleep(AWAY)
            process.start()
            extended = await within(20, moved_on(seat, asked))
            await seat.submit(extended.question.call.default_call)
    async with platform.store() as store:
        log = await store.read(UUID(table.table_id))
    check(log[asked - 1 : asked + 2], round(bank * SECOND))


async def on_turn(seats: list[TableClient]) -> TableClient:
    """The first seat that is asked to buy."""
    while True:
        for seat in seats:
            if (await seat.view()).HasField("question"):
                return seat
        await asyncio.sleep(0.01)


async def moved_on(seat: TableClient, sequence: int) -> TableView:
    """The table as soon as it has a further entry, which nobody at the table has made."""
    while (view := await seat.view()).sequence <= sequence:
        await asyncio.sleep(0.01)
    return view


def check(log: Sequence[Entry], bank: Micros) -> None:
    """What was asked, the extension, and the answer, whose time counts from the extension."""
    asked, extended, answered = log
    assert extended.events == (ev.ClockExtended(),)
    assert extended.questions[0].question == asked.questions[0].question
    assert extended.time_used == ()
    assert not answered.by_default
    assert answered.received is not None
    (used,) = answered.time_used
    assert (used.used, used.bank) == (answered.received - extended.at, bank)
