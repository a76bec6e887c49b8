"""Absent players as clients see them, and the steps of bots with real clocks and two processes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest
from baloot.api.table.v1.events_pb2 import (
    LEAVE_POLICY_ABANDON,
    LEAVE_POLICY_BOT,
    LEAVE_POLICY_FORFEIT,
    AbsencePolicy,
)
from baloot.api.table.v1.table_pb2 import TABLE_STATUS_PLAYING
from baloot.app.parts import table_part
from baloot.app.rules import local_rules
from baloot.app.substitute import substitute
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table import policy
from baloot.table.clocks import Clocks
from baloot.table.events import SECOND, Settings
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore

from tests.table.absent import leave, replaced, settings
from tests.table.deal_laws import facts
from tests.table.served import bearer, replica, watching
from tests.table.test_absence_laws import check_leases, check_turns, check_views
from tests.table.trial import KEY, Trial

USUAL = AbsencePolicy(bot_after=2, leaving=LEAVE_POLICY_ABANDON)
POLICIES: list[tuple[AbsencePolicy | None, AbsencePolicy]] = [
    (None, USUAL),
    (AbsencePolicy(), AbsencePolicy(leaving=LEAVE_POLICY_ABANDON)),
    (AbsencePolicy(bot_after=40), AbsencePolicy(bot_after=40, leaving=LEAVE_POLICY_ABANDON)),
    *[
        (chosen, chosen)
        for chosen in (
            AbsencePolicy(bot_after=1, leaving=LEAVE_POLICY_BOT, forfeit_after=1000, walkover=True),
            AbsencePolicy(leaving=LEAVE_POLICY_FORFEIT, forfeit_after=1),
        )
    ],
]


@pytest.mark.parametrize(("asked", "given"), POLICIES)
async def test_a_table_tells_its_policy_in_full(asked: AbsencePolicy | None, given: AbsencePolicy) -> None:
    async with replica(Trial().table) as served:
        table = await TableClient(served.channel).create_table(absence=asked)
        assert (await table.view()).settings.absence == given


async def test_who_is_away_is_seen_by_all_and_may_come_back_over_the_wire() -> None:
    trial, _ = await replaced()
    async with replica(trial.table) as served:
        seat = TableClient(served.channel, str(trial.table_id), trial.tokens[Seat.SOUTH])
        public = TableClient(served.channel, str(trial.table_id))
        south, *others = (await public.view()).seats
        assert (south.bot_plays, south.missed) == (True, (await trial.state()).missed[Seat.SOUTH])
        assert not any(other.bot_plays or other.missed for other in others)
        entry = await seat.come_back()
        assert entry.events[0].player_returned.seat == Seat.SOUTH + 1
        south = (await public.view()).seats[0]
        assert (south.bot_plays, south.missed) == (False, 0)
        with pytest.raises(Refusal) as refused:
            await seat.come_back()
        assert refused.value.reason is Reason.NOT_ABSENT


async def test_the_token_of_who_left_to_a_bot_is_good() -> None:
    trial = Trial(seed=7, settings=settings(leaving=policy.LeavePolicy.BOT))
    await trial.deal()
    async with replica(trial.table) as served:
        seat = TableClient(served.channel, str(trial.table_id), trial.tokens[Seat.EAST])
        await seat.leave_seat()
        view = await seat.view()
        assert (view.viewer, view.status) == (Seat.EAST + 1, TABLE_STATUS_PLAYING)
        assert view.seats[1].bot_plays
        await seat.come_back()


async def test_a_broken_connection_changes_nothing() -> None:
    trial = Trial(seed=7, settings=settings(bot_after=1, leaving=policy.LeavePolicy.FORFEIT, forfeit_after=1))
    state = await trial.deal()
    async with replica(trial.table) as served:
        call = served.stub.WatchTable(watching(trial), metadata=bearer(trial.tokens[Seat.SOUTH]))
        await call.read()
        call.cancel()
    assert await trial.state() == state


MILLI = SECOND // 1000
HASTY = Settings(
    action_timeout=2 * MILLI,
    round_pause=MILLI,
    absence=policy.AbsencePolicy(leaving=policy.LeavePolicy.BOT),
)


async def test_two_processes_make_each_step_of_the_bots_once(migrated_url: str) -> None:
    """Three have left, and the fourth never answers. One of the processes dies on the way."""
    async with PostgresStore(migrated_url) as one, PostgresStore(migrated_url) as other:
        trial = Trial(seed=4, settings=HASTY, store=one)
        there = Orchestrator(other, local_rules(KEY), substitute)
        await trial.fill()
        await trial.table.step(trial.table_id)
        for seat in (Seat.EAST, Seat.NORTH, Seat.WEST):
            await leave(trial, seat)
        async with Clocks(there, sweep_every=0.005, lease=20 * MILLI), asyncio.timeout(30):
            async with Clocks(trial.table, sweep_every=0.005, lease=20 * MILLI):
                while (await trial.state()).sequence < 60:
                    await asyncio.sleep(0.002)
            while not (await there.state(trial.table_id)).status.ended:
                await asyncio.sleep(0.002)
        log = list(await one.read(trial.table_id))
    check_turns(log)
    check_leases(log)
    check_views(log)
    for before, entry in pairwise(log):
        assert entry.actor is not None or before.deadline is None or entry.at >= before.deadline
    assert facts(log[-1]) == (ev.TableAbandoned(ev.AbandonReason.IDLE),)


async def test_a_process_that_reads_the_log_sees_who_is_away(migrated_url: str) -> None:
    async with PostgresStore(migrated_url) as store:
        trial = Trial(seed=7, settings=replace(HASTY, action_timeout=60 * SECOND), store=store)
        await trial.fill()
        await trial.table.step(trial.table_id)
        await leave(trial, Seat.WEST)
        state = await Orchestrator(store, local_rules(KEY)).state(trial.table_id)
        assert state == await trial.state()
        assert state.bots == (Seat.WEST,)


async def test_every_table_service_has_bots_for_absent_players(migrated_url: str) -> None:
    store = PostgresStore(migrated_url)
    async with table_part(store, migrated_url, local_rules(KEY), 0, accounts=False) as (_, orchestrator):
        assert orchestrator._substitute is substitute
