"""The command `audit`: judges matches of a database again, and tells what is wrong with them."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import aclosing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from multiprocessing import get_context
from typing import Self
from uuid import UUID

from baloot.app.counting import counted, counted_matches
from baloot.app.errors import SetupError
from baloot.app.keys import opened_key
from baloot.app.named import match_named
from baloot.app.stored import Logs
from baloot.audit.auditor import audit_matches
from baloot.audit.postgres import RawLogs
from baloot.audit.records import Audited, Depth, Unchecked
from baloot.history.postgres import PostgresHistory
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

CLEAN, FOUND = 0, 1
"""Exit codes: nothing is wrong, something is."""
EVER = datetime(1, 1, 2, tzinfo=UTC), datetime(9999, 1, 2, tzinfo=UTC)
"""Moments before and after all entries."""
CHUNK = 16
"""Matches that a process is given at once."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which matches: those named, or those whose last entry is of a time."""

    matches: tuple[UUID, ...]
    since: datetime
    until: datetime

    @classmethod
    def of(cls, matches: Sequence[str], since: datetime | None, until: datetime | None) -> Self:
        """What was typed; moments without a zone are in UTC. Raises SetupError for an id that is none."""
        first, last = EVER
        return cls(match_ids(matches), _in_utc(since) or first, _in_utc(until) or last)


@dataclass(slots=True)
class Sums:
    """What an audit came to so far."""

    matches: int = 0
    rounds: int = 0
    entries: int = 0
    wrong: list[Audited] = field(default_factory=list)
    unchecked: dict[Unchecked, int] = field(default_factory=dict)

    def add(self, audited: Audited) -> None:
        self.matches += 1
        self.rounds += audited.rounds
        self.entries += audited.entries
        if audited.findings:
            self.wrong.append(audited)
        for what, count in audited.unchecked.items():
            self.unchecked[what] = self.unchecked.get(what, 0) + count


def match_ids(texts: Sequence[str]) -> tuple[UUID, ...]:
    """The ids of the matches that are named. Raises SetupError."""
    return tuple(map(match_named, texts))


def _in_utc(moment: datetime | None) -> datetime | None:
    return moment and moment.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class How:
    """How matches are judged: how deep, and whether what history tells is compared, where the database has one."""

    depth: Depth = Depth.RULES
    history: bool = False

    @classmethod
    def of(cls, *, thorough: bool, history: bool) -> Self:
        """What was asked for; who wants all entries decided anew has history compared, too."""
        return cls(Depth.THOROUGH if thorough else Depth.RULES, thorough or history)


async def audit(logs: Logs, chosen: Chosen, *, jobs: int, how: How, as_json: bool) -> int:
    """Audits the chosen matches and prints what it finds. Returns the exit code. Raises what reading raises.

    One that is cancelled tells what it has found so far, and ends with it if anything is wrong.
    """
    sums = Sums()
    key = None if logs.key_file is None else opened_key(logs.key_file)
    try:
        matches = await _listed(logs.database, chosen)
        await _judge(_judging(logs.database, matches, key, how, jobs), len(matches), sums)
    except asyncio.CancelledError:
        _tell(sums, whole=False, as_json=as_json)
        if sums.wrong:
            return FOUND
        raise
    _tell(sums, whole=True, as_json=as_json)
    return FOUND if sums.wrong else CLEAN


async def _listed(database: str, chosen: Chosen) -> Sequence[UUID]:
    async with RawLogs(database) as logs:
        if not chosen.matches:
            return await logs.matches(chosen.since, chosen.until)
        for match in chosen.matches:
            if not (await logs.read(match)).rows:
                raise SetupError(f"there is no match {match} in this database")
    return chosen.matches


async def _judge(work: AsyncGenerator[Audited], total: int, sums: Sums) -> None:
    """Takes what each match comes to, with a bar."""
    with _bar(total) as advance:
        async with aclosing(work):
            async for audited in work:
                sums.add(audited)
                advance(sums)


@contextmanager
def _bar(total: int) -> Iterator[Callable[[Sums], None]]:
    """A progress bar on standard error, where somebody looks at it."""
    columns = BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[rate]}"), TimeRemainingColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total, rate="")

        def advance(sums: Sums) -> None:
            elapsed = progress.tasks[0].elapsed or 0.0
            rate = f"matches, {sums.rounds / elapsed:,.0f} rounds/s" if elapsed else "matches"
            progress.update(task, completed=sums.matches, rate=rate)

        yield advance


async def _judging(
    database: str, matches: Sequence[UUID], key: bytes | None, how: How, jobs: int
) -> AsyncGenerator[Audited]:
    if jobs > 1 and len(matches) > CHUNK:
        async for audited in _in_processes(database, matches, key, how, jobs):
            yield audited
        return
    async for audited in _one_by_one(database, matches, key, how):
        yield audited


async def _one_by_one(
    database: str, matches: Sequence[UUID], key: bytes | None, how: How
) -> AsyncGenerator[Audited]:
    async with RawLogs(database) as logs, PostgresHistory(database, connections=1) as history:
        compared = history if how.history and await history.exists() else None
        async for audited in audit_matches(logs, matches, key, how.depth, compared):
            yield audited


async def _in_processes(
    database: str, matches: Sequence[UUID], key: bytes | None, how: How, jobs: int
) -> AsyncGenerator[Audited]:
    """The same in several processes, each with a connection of its own."""
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(jobs, get_context("spawn"), _leave_interrupts_to_the_first) as pool:
        chunks = [matches[at : at + CHUNK] for at in range(0, len(matches), CHUNK)]
        waiting = {loop.run_in_executor(pool, _audit_chunk, database, chunk, key, how) for chunk in chunks}
        try:
            for done in asyncio.as_completed(waiting):
                for audited in await done:
                    yield audited
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts_to_the_first() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _audit_chunk(database: str, matches: Sequence[UUID], key: bytes | None, how: How) -> list[Audited]:
    async def audited() -> list[Audited]:
        return [one async for one in _one_by_one(database, matches, key, how)]

    return asyncio.run(audited())


def _tell(sums: Sums, *, whole: bool, as_json: bool) -> None:
    findings = [finding for audited in sums.wrong for finding in audited.findings]
    if as_json:
        told = {
            "complete": whole,
            "matches": sums.matches,
            "rounds": sums.rounds,
            "entries": sums.entries,
            "wrong": len(sums.wrong),
            "findings": [finding.told() for finding in findings],
            "unchecked": {what.name.lower(): count for what, count in sums.unchecked.items()},
        }
        json.dump(told, sys.stdout, indent=1)
        print()
        return
    for finding in findings:
        print(finding)
    for what, count in sums.unchecked.items():
        print(f"not checked: {what.value} ({count})")
    judged = (
        counted_matches(sums.matches),
        counted(sums.rounds, "round"),
        counted(sums.entries, "entry", "entries"),
    )
    print(f"{', '.join(judged)}: {_wrong(sums)}" + ("" if whole else " so far; the audit was stopped"))


def _wrong(sums: Sums) -> str:
    if not sums.wrong:
        return "nothing is wrong"
    return f"{counted_matches(len(sums.wrong))} {'is' if len(sums.wrong) == 1 else 'are'} wrong"
