"""How players come back to their seats from the bots that played for them."""

from __future__ import annotations

import asyncio

import pytest
from baloot.core.auction import PASS, Call
from baloot.core.errors import Reason
from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table.decide import ComeBack
from baloot.table.events import SECOND, SeatClock
from baloot.table.orchestrator import Orchestrator
from baloot.table.policy import LeavePolicy

from tests.table.absent import (
    ALLOWANCE,
    OWN,
    clock,
    leave,
    opened,
    refused,
    replaced,
    time_out,
    turn_of,
)
from tests.table.test_absence_laws import PLAYS
from tests.table.timed import step, waiting

SOUTH, EAST = Seat.SOUTH, Seat.EAST


async def test_any_action_brings_a_player_back_and_its_facts_follow() -> None:
    trial, state = await replaced()
    action = waiting(state)[0].question.default
    entry = await trial.act(SOUTH, action)
    assert entry.events[0] == ev.PlayerReturned(SOUTH)
    assert isinstance(entry.events[1], ev.CallMade | ev.CardPlayed)
    assert (entry.actor, entry.time_used) == (SOUTH, ())
    state = await trial.state()
    assert (state.bots, state.missed[SOUTH]) == ((), 0)
    state = await turn_of(trial, SOUTH)
    assert clock(state, SOUTH) == SeatClock(trial.clock.now + OWN, trial.clock.now + OWN)


async def test_what_is_refused_brings_nobody_back() -> None:
    trial, state = await replaced()
    before = state.sequence
    await refused(trial.act(SOUTH, Call(PASS.kind, locked=True)), Reason.LOCK_NOT_ALLOWED)
    state = await trial.state()
    assert (state.sequence, state.bots) == (before, (SOUTH,))


async def test_a_player_comes_back_with_a_fresh_time() -> None:
    trial, state = await replaced()
    trial.clock.pass_(SECOND // 2)
    entry = await trial.act(SOUTH, ComeBack())
    assert entry.events == (ev.PlayerReturned(SOUTH),)
    now = await trial.state()
    assert clock(now, SOUTH) == SeatClock(trial.clock.now + OWN, trial.clock.now + OWN)
    assert now.deadline == trial.clock.now + OWN + ALLOWANCE
    assert waiting(now)[0].asked_at == waiting(state)[0].asked_at
    assert (now.missed[SOUTH], now.bots) == (0, ())
    assert (await time_out(trial)).by_default


async def test_a_player_comes_back_while_another_one_is_asked_whose_clock_runs_on() -> None:
    trial, _ = await replaced()
    state = await turn_of(trial, EAST, SOUTH)
    trial.clock.pass_(SECOND)
    entry = await trial.act(SOUTH, ComeBack())
    assert entry.events == (ev.PlayerReturned(SOUTH),)
    now = await trial.state()
    assert (now.questions, now.deadline) == (state.questions, state.deadline)


async def test_nobody_comes_back_who_is_not_away() -> None:
    trial = await opened(bot_after=1)
    await refused(trial.act(SOUTH, ComeBack()), Reason.NOT_ABSENT)


async def test_a_repeated_return_is_one() -> None:
    trial, _ = await replaced()
    request_id = trial.id()
    entry = await trial.act(SOUTH, ComeBack(), request_id)
    assert await trial.act(SOUTH, ComeBack(), request_id) == entry
    await refused(trial.act(SOUTH, PASS, request_id), Reason.REQUEST_ID_REUSED)
    await refused(trial.act(SOUTH, ComeBack()), Reason.NOT_ABSENT)


async def test_who_comes_and_goes_does_not_stop_the_table() -> None:
    """A question has one fresh time for a player who is back, however often it leaves again."""
    trial, _ = await replaced(leaving=LeavePolicy.BOT)
    await trial.act(SOUTH, ComeBack())
    trial.clock.pass_(OWN)
    await leave(trial, SOUTH)
    due = clock(await trial.state(), SOUTH)
    await trial.act(SOUTH, ComeBack())
    assert clock(await trial.state(), SOUTH) == due
    assert (await time_out(trial)).by_default
    assert (await trial.state()).bots == (SOUTH,)
    await turn_of(trial, SOUTH)
    await trial.act(SOUTH, ComeBack())
    assert clock(await trial.state(), SOUTH)[0] == trial.clock.now + OWN


@pytest.mark.parametrize("bot_first", [True, False])
async def test_a_player_and_the_bot_race_and_one_of_them_plays(bot_first: bool) -> None:
    trial, state = await replaced()
    other = Orchestrator(trial.log, trial.table._rules, trial.bot)
    await other.state(trial.table_id)
    assert state.deadline is not None
    trial.clock.now = state.deadline
    acting = trial.act(SOUTH, waiting(state)[0].question.default, expected=state.sequence)
    stepping = other.step(trial.table_id)
    both = [stepping, acting] if bot_first else [acting, stepping]
    await asyncio.gather(*both, return_exceptions=True)
    played, *rest = (await trial.entries())[state.sequence :]
    assert isinstance(played.events[0], ev.PlayerReturned if played.actor is SOUTH else PLAYS)
    assert [type(one.events[0]) for one in rest] in ([], [ev.RoundDealt])  # where the turn ended a round


async def test_either_of_two_replicas_makes_the_step_of_a_bot_once() -> None:
    trial, state = await replaced()
    other = Orchestrator(trial.log, trial.table._rules, trial.bot)
    for _ in range(12):
        missed = state.missed[SOUTH]
        await other.state(trial.table_id)
        assert state.deadline is not None
        trial.clock.now = state.deadline
        await asyncio.gather(trial.table.step(trial.table_id), other.step(trial.table_id))
        assert (await trial.state()).missed[SOUTH] == missed + 1
        state = await turn_of(trial, SOUTH)


async def test_another_replica_takes_over_a_bot_whose_process_died() -> None:
    trial, state = await replaced()
    assert state.deadline is not None
    trial.clock.now = state.deadline
    trial.table = Orchestrator(trial.log, trial.table._rules, trial.bot)
    entry = await step(trial)
    assert (entry.sequence, entry.actor) == (state.sequence + 1, None)
