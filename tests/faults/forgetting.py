"""A database whose answers are lost: it has done what it was told, or not, and does not say which."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any
from uuid import UUID


@dataclass(frozen=True, slots=True)
class Forgetting:
    """Loses the answer to so many of a hundred writes; half of those are done. Call it to arm it in a process."""

    percent: int
    seed: int

    def __call__(self) -> None:
        from baloot.table.postgres import PostgresStore
        from baloot.table.store import StoreUnavailable

        write = PostgresStore._write
        rng = Random(self.seed)

        async def forgetful(store: PostgresStore, batch: Sequence[Any]) -> Collection[UUID]:
            lost = rng.randrange(100) < self.percent
            written = set() if lost and rng.random() < 0.5 else await write(store, batch)
            if lost:
                raise StoreUnavailable("the answer was lost")
            return written

        PostgresStore._write = forgetful  # type: ignore[method-assign, assignment] # that is the fault
