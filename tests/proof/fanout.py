"""From commit to watcher: how long an entry takes from the log to everybody who watches its table."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from dataclasses import dataclass, field

from baloot.api.table.v1.events_pb2 import TableEntry

from tests.bench.load import LoadTable, Samples, at_rate, tables
from tests.bench.process import server
from tests.proof.report import Figure, Tell, at_least, at_most, percentile

TABLES, QUICK_TABLES = 256, 16
SECONDS, QUICK_SECONDS = 30.0, 3.0
EVERY = 1.0
"""Seconds between two actions of a table."""
WARM_UP = 3.0
P99 = 25.0
"""Milliseconds from commit to watcher, at most."""


@dataclass(slots=True)
class Watched(LoadTable):
    """A table whose watchers note when each entry has come, decoded, by the clock that the server notes commits by."""

    arrived: list[tuple[str, float]] = field(default_factory=list)

    def _seen(self, seat: int, entry: TableEntry) -> None:
        self.arrived.append((f"{self.table_id} {entry.sequence}", time.monotonic()))
        LoadTable._seen(self, seat, entry)


@dataclass(frozen=True, slots=True)
class FanOut:
    """Seconds from commit to each watcher, and from sending an action to its answer; and how many actions there were."""

    to_watcher: list[float]
    to_answer: list[float]


async def measured(count: int, seconds: float) -> FanOut:
    """So many tables at one action per second each, four seats watching each; the first moments are not counted."""
    samples = Samples()
    with tempfile.NamedTemporaryFile("r", suffix=".json") as file:
        async with (
            server("noting", file.name, package="tests.proof") as running,
            tables(running.address, count, samples, Watched) as opened,
        ):
            began = time.monotonic() + WARM_UP
            until = time.perf_counter() + WARM_UP + seconds
            await asyncio.gather(*(at_rate(table, until, EVERY) for table in opened))
            await asyncio.sleep(0.5)
        committed: dict[str, float] = json.load(file)
    arrived = [one for table in opened if isinstance(table, Watched) for one in table.arrived]
    late = [at - committed[name] for name, at in arrived if committed[name] >= began]
    return FanOut(late, samples.acknowledged)


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    count, seconds = (QUICK_TABLES, QUICK_SECONDS) if quick else (TABLES, SECONDS)
    tell(f"{count} tables at one action per second each, {seconds:g} s …")
    found = await measured(count, seconds)
    late = [1000 * one for one in found.to_watcher]
    return [
        Figure(
            "measured from the store's answer in the server to the decoded entry at a watcher",
            "two processes",
        ),
        at_least("entries at watchers (tables x 4 a second)", len(late), 0.8 * count * 4 * seconds / EVERY),
        Figure("commit to watcher, p50", f"{percentile(late, 50):.1f} ms"),
        at_most("commit to watcher, p99", percentile(late, 99), P99, " ms"),
        Figure("action to its answer, p99", f"{1000 * percentile(found.to_answer, 99):.1f} ms"),
    ]
