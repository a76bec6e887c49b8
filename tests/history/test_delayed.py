"""History of a table with a delay: nothing of it is told before everybody may know it, and all of it after."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from baloot.core.errors import Refusal
from baloot.core.seats import SEATS
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.history.rebuilding import Rebuild
from baloot.table.events import SECOND, Entry
from baloot.table.memory import MemoryStore

from tests.history.played import SHORT, expected
from tests.table.trial import Clock, Trial

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
    await Rebuild(PublicLog(trial.log), history).run()
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


class Counting(MemoryStore):
    """Counts how many entries are read."""

    read_entries = 0

    async def read(self, *args: Any, **options: Any) -> Sequence[Entry]:
        entries = await super().read(*args, **options)
        self.read_entries += len(entries)
        return entries


async def test_a_table_is_not_read_again_before_it_has_news_for_everybody(history: PostgresHistory) -> None:
    clock = Clock()
    store = Counting(clock)
    trial = Trial(3, LATE, clock, store)
    await trial.deal()
    projection = Projection(PublicLog(store), history)
    while (await trial.play(1)).scores == (0, 0):
        clock.pass_(SECOND)
    scored = clock.now
    await projection.catch_up()
    before = store.read_entries
    while clock.now < scored + DELAY - SECOND:
        clock.pass_(SECOND)
        await projection.catch_up()
        await assert_told(history, told(list(await MemoryStore.read(store, trial.table_id)), clock.now))
    # Once more when the beginning of the match was told, and once at most for what came since.
    assert store.read_entries <= before + 3 * (await trial.state()).sequence
    clock.pass_(SECOND)
    await projection.catch_up()
    match = await history.get_match(trial.table_id)
    assert len(match.rounds) >= 1


async def test_what_is_no_news_is_read_once_in_a_delay(history: PostgresHistory) -> None:
    clock = Clock()
    store = Counting(clock)
    trial = Trial(3, LATE, clock, store)
    state = await trial.deal()
    clock.pass_(DELAY)
    for _ in range(4):  # nobody bids yet
        open_ = next(open_ for open_ in state.questions if not open_.private)
        await trial.act(open_.seat, open_.question.default)
        state = await trial.state()
    projection = Projection(PublicLog(store), history)
    await projection.catch_up()
    before = store.read_entries
    for _ in range(9):
        clock.pass_(DELAY // 10)
        await projection.catch_up()
    assert store.read_entries == before
    clock.pass_(DELAY // 10)
    await projection.catch_up()
    assert store.read_entries > before
