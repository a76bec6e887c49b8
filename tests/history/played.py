"""Logs of whole matches, played once for all tests of history."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from random import Random
from typing import Any, TypeVar
from uuid import UUID

from baloot.core.auction import PASS
from baloot.core.ruleset import STANDARD, Cut, ProjectShow
from baloot.core.seats import SEATS
from baloot.history.fold import tell
from baloot.history.records import Match, MatchSummary
from baloot.table.events import SECOND, Entry, Settings, Status
from baloot.table.evolve import evolve
from baloot.table.memory import MemoryStore
from baloot.table.policy import AbsencePolicy, LeavePolicy
from baloot.table.state import TableState

from tests.table.trial import Trial

Logbook = tuple[Entry, ...]
_Log = TypeVar("_Log")
SHORT = Settings(STANDARD.with_options(name="short", match_target=70), round_pause=0)


OWNERS_SHOW = Settings(
    STANDARD.with_options(
        name="owners show", match_target=1000, project_show=ProjectShow.MANUAL_SECOND_TRICK
    ),
    round_pause=0,
)


CUT = Settings(STANDARD.with_options(name="cut", match_target=70, cut=Cut.PRIVILEGES), round_pause=0)


async def _played(seed: int, steps: int | None, settings: Settings = SHORT) -> Logbook:
    trial = Trial(seed, settings)
    await trial.deal()
    await _throw_in(trial)
    await trial.play(steps)
    return tuple(await trial.entries())


async def _throw_in(trial: Trial) -> None:
    """Everybody passes until the round is void."""
    while questions := (await trial.state()).questions:
        asked = next(open_ for open_ in questions if not open_.private)
        await trial.act(asked.seat, PASS)


async def _left() -> Logbook:
    trial = Trial(5, SHORT)
    await trial.fill()
    await trial.play(90)
    await trial.table.leave_seat(trial.table_id, trial.tokens[SEATS[2]], trial.id())
    return tuple(await trial.entries())


async def _forfeited() -> Logbook:
    trial = Trial(8, replace(SHORT, absence=AbsencePolicy(leaving=LeavePolicy.FORFEIT)))
    await trial.fill()
    await trial.play(90)
    await trial.table.leave_seat(trial.table_id, trial.tokens[SEATS[2]], trial.id())
    return tuple(await trial.entries())


async def _walked_over() -> Logbook:
    trial = Trial(9, replace(SHORT, absence=AbsencePolicy(walkover=True)))
    await trial.open()
    for seat in SEATS[::2]:
        await trial.table.take_seat(trial.table_id, trial.id(), seat, "Noura")
    trial.clock.pass_(SHORT.fill_timeout)
    await trial.table.step(trial.table_id)
    return tuple(await trial.entries())


async def _never_filled() -> Logbook:
    trial = Trial(6, SHORT)
    await trial.open()
    trial.clock.pass_(3600 * SECOND)
    await trial.table.step(trial.table_id)
    return tuple(await trial.entries())


async def _all() -> tuple[Logbook, ...]:
    finished = [await _played(seed, None) for seed in (1, 2)]
    return (*finished, await _played(3, 150), await _left(), await _never_filled())


@cache
def logbooks() -> tuple[Logbook, ...]:
    """Two finished matches, one that is on, one that was left, and a table that was never filled."""
    return _apart(_all())


@cache
def owners_show() -> Logbook:
    """A finished match in which owners show their projects, now and then."""
    return _apart(_played(8, None, OWNERS_SHOW))


@cache
def forfeits() -> tuple[Logbook, Logbook]:
    """A match that was forfeited on the way, and one that never began, by a walk-over."""

    async def both() -> tuple[Logbook, Logbook]:
        return await _forfeited(), await _walked_over()

    return _apart(both())


async def _cut() -> Logbook:
    trial = Trial(4, CUT)
    await trial.deal()
    await trial.play()
    return tuple(await trial.entries())


@cache
def with_cuts() -> Logbook:
    """A finished match whose decks are cut."""
    return _apart(_cut())


def _apart(playing: Coroutine[Any, Any, _Log]) -> _Log:
    with ThreadPoolExecutor(1) as thread:  # whoever asks may be in a running loop
        return thread.submit(asyncio.run, playing).result()


def moved(log: Logbook, table_id: UUID) -> Logbook:
    """The same log at another table."""
    return tuple(replace(entry, table_id=table_id) for entry in log)


def states(log: Sequence[Entry]) -> list[TableState]:
    """The table after each entry."""
    state: TableState | None = None
    found = []
    for entry in log:
        state = evolve(state, entry)
        found.append(state)
    return found


async def append_all(
    store: MemoryStore, log: Sequence[Entry], known: Sequence[TableState] | None = None
) -> None:
    """Puts a log, or a part of it that follows what is there, into a store."""
    statuses: Sequence[Status] = [state.status for state in known or states(log)]
    for entry, status in zip(log, statuses, strict=True):
        assert await store.append(entry, status)


async def store_with(*logs: Logbook) -> MemoryStore:
    store = MemoryStore()
    for log in logs:
        await append_all(store, log)
    return store


def crowd(rng: Random, size: int) -> list[Logbook]:
    """That many tables with the logs of those that were played."""
    return [
        moved(logbooks()[n % len(logbooks())], UUID(int=rng.getrandbits(128), version=4)) for n in range(size)
    ]


def expected(log: Logbook) -> Match | None:
    """The match as it must be told after a whole log; None when none began."""
    told = tell(log)
    if told.begun is None:
        return None
    return Match(_summed_up(told.begun, log), told.rounds)


def _summed_up(begun: MatchSummary, log: Logbook) -> MatchSummary:
    told, state = tell(log), states(log)[-1]
    summary = replace(begun, rounds=len(told.rounds), scores=state.scores)
    if told.over is None:
        return summary
    over = told.over
    return replace(
        summary, status=over.status, winner=over.winner, ended_at=over.ended_at, forfeit=over.forfeit
    )
