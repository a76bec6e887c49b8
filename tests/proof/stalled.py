"""A thousand readers that read nothing, beside tables that are played on: what they cost, and that they are cut.

Each opens a stream and takes nothing but the start of it, so the server waits for it. The readers have a process of
their own, so that whoever measures does nothing but play. Phases with and without them alternate, so that whatever
slows the machine slows both. They are read on only when the server says that it has cut all of them, and matches last
far longer than the proof, so how they end does not depend on time.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from baloot.api.core.v1 import auction_pb2
from baloot.api.core.v1.auction_pb2 import Call
from baloot.api.table.v1.events_pb2 import Question
from baloot.api.table.v1.table_pb2 import CreateTableRequest
from baloot.codec.ruleset import encode_ruleset
from baloot.core.errors import Reason
from baloot.core.ruleset import STANDARD

from tests.bench.load import LoadTable, Samples, at_rate, tables
from tests.bench.process import Child, Measured, child, server
from tests.proof.readers import Place
from tests.proof.report import Figure, Tell, at_least, at_most, percentile

EVERY = 0.25
"""Seconds between two actions of a table."""
WARM_UP = 4.0
"""Seconds in which every table comes to have more entries than a window holds."""
BEHIND = 60
"""Entries that those who resume are behind, at most: more than the window holds, and more than the server reads at once."""
CUT_WITHIN = 300.0
"""Seconds after a phase in which the server has to cut the last reader: one may need more entries than others to stall."""
GROWTH = 64.0
"""MiB that the server may grow by, at most."""
SLOWER = 1.2
"""How much of the p99 without readers the p99 beside them may be, at most."""
MEBIBYTE = 1 << 20


LONG = encode_ruleset(STANDARD.with_options(name="long", match_target=1000))
"""Matches of many rounds."""
RAISES = {
    auction_pb2.CALL_KIND_DOUBLE,
    auction_pb2.CALL_KIND_THREE,
    auction_pb2.CALL_KIND_FOUR,
    auction_pb2.CALL_KIND_GAHWA,
}
"""Calls that nobody makes: they could end a match at once."""


@dataclass(slots=True)
class LastingTable(LoadTable):
    """A table whose match lasts longer than the proof."""

    def _wanted(self) -> CreateTableRequest:
        wanted = LoadTable._wanted(self)
        wanted.ruleset.CopyFrom(LONG)
        return wanted

    def _choose(self, question: Question) -> Call:
        calm = Question()
        calm.call.legal.extend(call for call in question.call.legal if call.kind not in RAISES)
        return LoadTable._choose(self, calm)


@dataclass(frozen=True, slots=True)
class Size:
    """How many tables and readers, how often, and in seconds: how long the server waits for a reader, how long after all
    are open, or closed, measuring begins, and how long it lasts.
    """

    tables: int
    readers: int
    phases: int
    patience: float
    settle: float
    phase: float


FULL = Size(64, 1000, 6, patience=15.0, settle=3.0, phase=15.0)
QUICK = Size(8, 100, 1, patience=2.0, settle=0.5, phase=3.5)


@dataclass(slots=True)
class Found:
    """What the phases showed: seconds to an answer in each, bytes of the server, and how streams ended."""

    quiet: list[list[float]] = field(default_factory=list)
    beside: list[list[float]] = field(default_factory=list)
    before: int = 0
    most: int = 0
    ends: Counter[str] = field(default_factory=Counter)

    async def look(self, running: Measured) -> None:
        """Notes the server's memory, and lets a moment pass."""
        self.most = max(self.most, running.resident_bytes())
        await asyncio.sleep(0.2)

    @property
    def growth(self) -> float:
        return (self.most - self.before) / MEBIBYTE


async def measured(size: Size) -> Found:
    """Phases in turn, while the tables are played on at the same rate all the time."""
    found, samples = Found(), Samples()
    async with (
        server("patient", str(size.patience), package="tests.proof") as running,
        child("tests.proof.readers", running.address) as readers,
        tables(running.address, size.tables, samples, LastingTable) as opened,
    ):
        until = time.perf_counter() + 3600
        playing = [asyncio.create_task(at_rate(table, until, EVERY)) for table in opened]
        await asyncio.sleep(WARM_UP)
        for number in range(1, size.phases + 1):
            await asyncio.sleep(size.settle)
            found.quiet.append(await phase(running, samples, found, size.phase))
            found.before = found.before or running.resident_bytes()
            await readers.ask(json.dumps(places(opened, size.readers)))
            await asyncio.sleep(size.settle)
            found.beside.append(await phase(running, samples, found, size.phase))
            await all_cut(running, found, number * size.readers)
            found.ends.update(await ends(readers))
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
    return found


def places(opened: Sequence[LoadTable], readers: int) -> list[Place]:
    """What is read: half begin with the view, half some entries behind."""
    tables = [opened[number % len(opened)] for number in range(readers)]
    return [
        (table.table_id, max(0, max(table.last.values(), default=0) - BEHIND) if number % 2 else None)
        for number, table in enumerate(tables)
    ]


async def all_cut(running: Measured, found: Found, count: int) -> None:
    """Waits until the server has cut so many readers, as the tables go on; no longer than it may take."""
    give_up_at = time.monotonic() + CUT_WITHIN
    while int(await running.child.ask()) < count and time.monotonic() < give_up_at:
        await found.look(running)


async def ends(readers: Child) -> Counter[str]:
    """How many streams ended in which way, once all are read on and closed."""
    return Counter(json.loads(await readers.ask()))


async def phase(running: Measured, samples: Samples, found: Found, seconds: float) -> list[float]:
    """The seconds that the answers of one phase took."""
    first = len(samples.acknowledged)
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        await found.look(running)
    return samples.acknowledged[first:]


def figures(found: Found, size: Size) -> list[Figure]:
    """What the phases show."""
    quiet, beside = (
        percentile([one for part in parts for one in part], 99) for parts in (found.quiet, found.beside)
    )
    parts = [percentile(b, 99) / percentile(q, 99) for q, b in zip(found.quiet, found.beside, strict=True)]
    others = {reason: count for reason, count in found.ends.items() if reason != Reason.READER_SLOW.value}
    return [
        at_least(
            "stalled readers, cut with READER_SLOW",
            found.ends[Reason.READER_SLOW.value],
            size.readers * size.phases,
        ),
        Figure("readers that ended otherwise", f"{others or 'none'}"),
        at_most("growth of the server's memory", found.growth, GROWTH, " MiB"),
        Figure(
            "p99 of SubmitAction without and beside them", f"{1000 * quiet:.1f} and {1000 * beside:.1f} ms"
        ),
        Figure("ratio of p99, phase by phase", " ".join(f"{part:.2f}" for part in sorted(parts))),
        at_most("ratio of p99 over all phases", beside / quiet, SLOWER),
    ]


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    size = QUICK if quick else FULL
    tell(f"{size.readers:,} readers, {size.phases} times with and without them for {size.phase:g} s each …")
    return figures(await measured(size), size)
