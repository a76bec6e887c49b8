"""History of a table with a delay: nothing of it is told before everybody may know it, and all of it after."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from baloot.core.errors import Refusal
from baloot.core.seats import SEATS
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.table.events import SECOND, Entry

from tests.history.played import SHORT, expected
from tests.table.trial import Trial

DELAY = 60 * SECOND
LATE = replace(SHORT, spectator_delay=DELAY, action_timeout=600 * SECOND)


@pytest.fixture
async def history(migrated_url: str) -> AsyncIterator[PostgresHistory]:
    async with PostgresHistory(migrated_url) as history:
        yield history


def told(entries: list[Entry], now: int) -> tuple[Entry, ...]:
    return tuple(entry for entry in entries if entry.at + DELAY <= now or entry.sequence == 1)


async def assert_told(history: PostgresHistory, entries: tuple[Entry, ...]) -> bool:
    """That history tells what these entries tell; whether that is anything."""
    match = expected(entries)
    if match is None:
        with pytest.raises(Refusal):
            await history.get_match(entries[0].table_id)
    else:
        assert await history.get_match(entries[0].table_id) == match
    return match is not None


async def test_it_tells_at_every_moment_what_was_known_a_delay_ago(history: PostgresHistory) -> None:
    trial = Trial(3, LATE)
    await trial.open()
    projection = Projection(PublicLog(trial.log), history)
    trial.table.on_entry = projection.hint
    for seat in SEATS:
        _, trial.tokens[seat] = await trial.table.take_seat(trial.table_id, trial.id(), seat, "Omar")
    tellings = 0
    while not (await trial.play(9)).status.ended:
        trial.clock.pass_(20 * SECOND)
        await projection.catch_up()
        tellings += await assert_told(history, told(await trial.entries(), trial.clock.now))
    assert tellings > 3
    trial.clock.pass_(DELAY - 1)
    await projection.rebuild()
    await assert_told(history, told(await trial.entries(), trial.clock.now))
    trial.clock.pass_(1)
    await projection.catch_up()
    await assert_told(history, tuple(await trial.entries()))


async def test_a_table_is_told_by_a_projection_that_never_saw_it_begin(history: PostgresHistory) -> None:
    trial = Trial(3, LATE)
    await trial.deal()
    await trial.play(60)
    trial.clock.pass_(DELAY)
    await Projection(PublicLog(trial.log), history).catch_up()
    await trial.play()
    await Projection(PublicLog(trial.log), history).catch_up()
    await assert_told(history, told(await trial.entries(), trial.clock.now))
    trial.clock.pass_(DELAY)
    await Projection(PublicLog(trial.log), history).catch_up()
    await assert_told(history, tuple(await trial.entries()))
