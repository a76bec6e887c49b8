"""How fast matches are judged again from Postgres, beside the bare playout of the same run."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from uuid import UUID

from baloot.audit.auditor import audit_matches
from baloot.audit.postgres import RawLogs
from baloot.dealing.local import LocalDealing
from baloot.table.evolve import fold
from baloot.table.postgres import PostgresStore
from baloot.table.state import TableState

from tests.table.trial import KEY, Trial

EVER = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 1, 1, tzinfo=UTC)
AT_ONCE = 100


async def write(url: str, matches: int) -> None:
    """Writes so many matches of random players, sealed and chained as tables write them."""
    room = asyncio.Semaphore(AT_ONCE)
    async with PostgresStore(url, LocalDealing(KEY).match_key) as store:

        async def one(seed: int) -> None:
            trial = Trial(seed=seed)
            await trial.fill()
            await trial.play()
            state: TableState | None = None
            for entry in await trial.entries():
                state = fold([entry], state)
                assert state is not None
                await store.append(entry, state.status)

        async def in_turn(seed: int) -> None:
            async with room:
                await one(seed)

        await asyncio.gather(*map(in_turn, range(matches)))


async def per_second(url: str) -> tuple[float, float]:
    """Rounds judged a second, and a second of this process's CPU time; all must be clean."""
    async with RawLogs(url) as logs:
        matches: list[UUID] = list(await logs.matches(*EVER))
        rounds, began, spent = 0, time.perf_counter(), time.process_time()
        async for audited in audit_matches(logs, matches, KEY):
            assert not audited.findings, audited.findings[0]
            rounds += audited.rounds
        return rounds / (time.perf_counter() - began), rounds / (time.process_time() - spent)
