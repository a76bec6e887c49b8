"""Matches that are always on while something is killed, and the account of them afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

from baloot.client.table import TableClient
from baloot.table.store import Store

from tests.e2e.checks import broken
from tests.e2e.players import PACE, Match, open_match, playing
from tests.faults.reconnecting import eager_channel


@dataclass(slots=True)
class Crowd:
    """Several matches at once, and new ones in the place of those that end, until `finish`."""

    server: TableClient
    rng: Random
    matches: list[Match] = field(default_factory=list)
    closing: bool = False

    async def keep_playing(self) -> None:
        """One match after the other."""
        while not self.closing:
            match = await open_match(lambda: self.server, self.rng, witnessed=1)
            self.matches.append(match)
            async with playing([match]):
                await match.end()

    @property
    def acknowledged(self) -> int:
        """How many actions were acknowledged so far."""
        return sum(len(player.acknowledged) for match in self.matches for player in match.players)

    async def more(self, actions: int, seconds: float = 30.0) -> float:
        """Waits until so many further actions are acknowledged; the seconds that it took."""
        clock = asyncio.get_running_loop().time
        began, goal = clock(), self.acknowledged + actions
        async with asyncio.timeout(seconds):
            while self.acknowledged < goal:
                await asyncio.sleep(0.002)
        return clock() - began

    async def broken(self, store: Store) -> list[str]:
        """Everything that is wrong with the matches, when all are over."""
        return [
            problem
            for match in self.matches
            for problem in await broken(await store.read(UUID(match.table_id)), match)
        ]


@asynccontextmanager
async def crowd_at(address: str, rng: Random, at_once: int) -> AsyncIterator[Crowd]:
    """Lets a crowd play while the block runs, and then all its matches come to their end."""
    async with eager_channel(address) as channel, asyncio.TaskGroup() as group:
        crowd = Crowd(TableClient(channel, pace=PACE), rng)
        for _ in range(at_once):
            group.create_task(crowd.keep_playing())
        yield crowd
        crowd.closing = True
