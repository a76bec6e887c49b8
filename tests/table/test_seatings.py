"""Whoever comes and goes at an open table cannot fill its log."""

from __future__ import annotations

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.table import decide
from baloot.table.events import Status

from tests.table.trial import Trial

MOST = 8


async def come_and_go(trial: Trial, times: int) -> None:
    for _ in range(times):
        _, token = await trial.table.take_seat(trial.table_id, trial.id(), Seat.EAST, "Noura")
        await trial.table.leave_seat(trial.table_id, token, trial.id())


async def test_seats_of_one_table_are_taken_so_many_times(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "MOST_SEATINGS", MOST)
    trial = Trial()
    await trial.open()
    again = trial.id()
    first = await trial.table.take_seat(trial.table_id, again, Seat.SOUTH, "Fahad")
    await come_and_go(trial, MOST - 1)
    before = len(await trial.entries())
    for seat in (None, Seat.WEST):
        with pytest.raises(Refusal, match="taken 8 times") as refused:
            await trial.table.take_seat(trial.table_id, trial.id(), seat, "Huda")
        assert refused.value.reason is Reason.TABLE_NOT_OPEN
    assert await trial.table.take_seat(trial.table_id, again, Seat.SOUTH, "Fahad") == first, (
        "the same request"
    )
    assert len(await trial.entries()) == before
    await trial.table.leave_seat(trial.table_id, first[1], trial.id())


async def test_the_match_begins_with_the_last_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decide, "MOST_SEATINGS", MOST)
    trial = Trial()
    await trial.open()
    await come_and_go(trial, MOST - len(SEATS))
    for seat in SEATS:
        await trial.table.take_seat(trial.table_id, trial.id(), seat, "Noura")
    assert (await trial.state()).status is Status.PLAYING


def test_it_is_far_from_what_honest_players_do() -> None:
    assert 25 * len(SEATS) == decide.MOST_SEATINGS
