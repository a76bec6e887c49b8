"""The table service is killed, at any moment and at every point that matters, and comes back on the same database."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random
from uuid import UUID

import pytest
from baloot.client.table import TableClient
from baloot.table.events import Status

from tests.e2e.checks import broken
from tests.e2e.platforms import TABLE, apart
from tests.e2e.players import PACE, Match, open_match, playing, within
from tests.e2e.servers import ServerProcess
from tests.faults.crowd import crowd_at
from tests.faults.doom import POINTS, Doom
from tests.faults.reconnecting import eager_channel

KILLS = 25
MATCHES = 3
PLAYABLE = 10.0
"""Seconds after a kill within which an action must be done; as many replies as there are matches may be on their way."""
ENTRIES = 28
"""Entries after which a doomed table is left: its seats, an auction and some of a round."""
LIVES = 5
"""How often a doomed service is killed at least until then."""


async def test_kills_at_random_moments_lose_and_repeat_nothing(migrated_url: str, rng: Random) -> None:
    """Several matches are on all the time, and nobody of theirs is told anything but what happened."""
    playable = []
    with apart(migrated_url) as platform:
        process = platform.processes[TABLE]
        async with crowd_at(platform.table, rng, MATCHES) as crowd:
            for _ in range(KILLS):
                await crowd.more(rng.randrange(1, 25))
                await asyncio.sleep(rng.uniform(0, 0.01))
                process.kill()
                process.start()
                playable.append(await crowd.more(MATCHES + 1))
        assert max(playable) < PLAYABLE
        async with platform.store() as store:
            assert await crowd.broken(store) == []


@pytest.mark.parametrize(("point", "hits"), POINTS.items(), ids=POINTS)
async def test_a_kill_at_this_point_loses_and_repeats_nothing(
    point: str, hits: range, migrated_url: str, rng: Random
) -> None:
    """From the first request of a table to its last, with hardly more than a request between two kills."""
    with apart(migrated_url) as platform:
        process = platform.processes[TABLE]
        process.kill()
        async with eager_channel(platform.table) as channel, killing(process, point, hits, rng) as lives:
            match = await within(50, play_and_leave(TableClient(channel, pace=PACE), rng))
        assert len(lives) > LIVES
        async with platform.store() as store:
            log = await store.read(UUID(match.table_id))
            assert await broken(log, match, Status.ABANDONED) == []


@asynccontextmanager
async def killing(process: ServerProcess, point: str, hits: range, rng: Random) -> AsyncIterator[list[Doom]]:
    """Starts the service whenever it has died, doomed to die again at this point. Tells its lives."""
    lives: list[Doom] = []

    async def start_again() -> None:
        while True:
            if not process.running:
                lives.append(Doom(point, rng.choice(hits)))
                process.start(lives[-1])
            await asyncio.sleep(0.002)

    async with asyncio.TaskGroup() as group:
        starting = group.create_task(start_again())
        yield lives
        starting.cancel()


async def play_and_leave(client: TableClient, rng: Random) -> Match:
    """A table with all that can be asked of one: seats, calls, cards, and a seat that is left."""
    match = await open_match(lambda: client, rng, witnessed=1)
    async with playing([match]):
        while match.sequence < ENTRIES:
            match.require_going_on()
            await asyncio.sleep(0.002)
        await match.players[0].seat.leave_seat()
        await match.end()
    return match
