"""A random program gives the same answers on both stores."""

from __future__ import annotations

from random import Random
from uuid import UUID

import pytest
from baloot.table.events import SECOND, Entry, Micros, Status
from baloot.table.memory import MemoryStore
from baloot.table.postgres import PostgresStore
from baloot.table.store import Store

from tests.strategies.entries import plain_entry, table_id

HOUR = 3600 * SECOND


class Program:
    """Steps of one seed: the same for every store that it runs on."""

    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)
        self._tables = sorted(table_id(self._rng) for _ in range(6))
        self._last: dict[UUID, int] = dict.fromkeys(self._tables, 0)

    async def step(self, store: Store) -> object:
        run = self._rng.choices(
            [self._append, self._read, self._heads, self._walk, self._claim, self._key],
            [10, 3, 1, 1, 2, 1],
        )[0]
        return run.__name__, await run(store)

    async def _append(self, store: Store) -> object:
        table = self._rng.choice(self._tables)
        sequence = max(1, self._last[table] + self._rng.choice([-1, 0, 1, 1, 1, 1, 1, 2]))
        status = self._rng.choice(list(Status))
        appended = await store.append(self._entry(table, sequence), status)
        self._last[table] += appended is not None
        return sequence, appended

    def _entry(self, table: UUID, sequence: int) -> Entry:
        passed: Micros = self._rng.randrange(1, 10**15)
        return plain_entry(
            table, sequence, self._rng, self._rng.choice([None, passed, passed, 2**52 + passed])
        )

    async def _read(self, store: Store) -> object:
        table = self._rng.choice(self._tables)
        return list(await store.read(table, self._rng.randrange(9), self._rng.choice([None, 1, 3])))

    async def _heads(self, store: Store) -> object:
        return await store.heads(self._rng.sample(self._tables, 3))

    async def _walk(self, store: Store) -> object:
        after = self._rng.choice([None, *self._tables])
        return list(await store.heads_after(after, self._rng.randrange(1, 5), live=self._rng.random() < 0.5))

    async def _claim(self, store: Store) -> object:
        return list(await store.claim_due(self._rng.randrange(1, 4), HOUR))

    async def _key(self, store: Store) -> object:
        return await store.key(self._rng.choice("abc"), self._rng.randbytes(4))


async def run(store: Store, seed: int, steps: int) -> list[object]:
    program = Program(seed)
    return [await program.step(store) for _ in range(steps)]


@pytest.mark.parametrize("seed", range(5))
async def test_both_stores_answer_alike(migrated_url: str, seed: int) -> None:
    async with PostgresStore(migrated_url) as postgres:
        told = await run(postgres, seed, 150)
    assert told == await run(MemoryStore(), seed, 150)


async def test_the_programs_reach_every_answer() -> None:
    """Otherwise that they are alike would say little."""
    answers = [answer for seed in range(5) for answer in await run(MemoryStore(), seed, 150)]
    seen = repr(answers)
    for what in (
        "('_append', (1, Stored(",
        "None))",
        "('_claim', [UUID",
        "('_claim', [])",
    ):
        assert what in seen
