"""What holds in any match, whoever is away, leaves and comes back, under any policy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from random import Random

import pytest
from baloot.api.table.v1 import table_pb2
from baloot.client import follow
from baloot.core.ruleset import STANDARD, Cut
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table.codec import encode_entry, encode_table
from baloot.table.decide import ComeBack
from baloot.table.events import SECOND, Entry, Event, Settings, TimeControl
from baloot.table.evolve import evolve, fold
from baloot.table.orchestrator import Orchestrator
from baloot.table.policy import AbsencePolicy, LeavePolicy
from baloot.table.state import TableState
from baloot.table.views import see, see_entry

from tests.table import invariants
from tests.table.absent import LENIENT, leave
from tests.table.timed import waiting
from tests.table.trial import Trial

STEPS = 4000
"""More than any of these matches has."""


def drawn(rng: Random) -> Settings:
    bank = rng.choice([0, rng.randrange(40) * SECOND])
    control = TimeControl(rng.randrange(1, 20) * SECOND, rng.randrange(1, 20) * SECOND, bank, SECOND // 2)
    ruleset = rng.choice([STANDARD, LENIENT, STANDARD.with_options(name="cut", cut=Cut.PRIVILEGES)])
    policy = AbsencePolicy(
        rng.choice([0, 1, 2, 3, 10]),
        rng.choice(list(LeavePolicy)),
        rng.choice([0, 0, 3, 8, 30]),
        rng.random() < 0.5,
    )
    short = ruleset.with_options(name="short", match_target=40)
    return Settings(short, round_pause=0, time_control=control, absence=policy)


@dataclass
class Crowd:
    """Four players who come and go, on two replicas."""

    trial: Trial
    rng: Random
    away: set[Seat] = field(default_factory=set)

    async def play(self) -> TableState:
        """Lets them play until the table ends."""
        trial = self.trial
        replicas = [trial.table, Orchestrator(trial.log, trial.table._rules, trial.bot)]
        state = await trial.deal()
        for _ in range(STEPS):
            if state.status.ended:
                return state
            trial.table = self.rng.choice(replicas)
            await self.one_more(await trial.state())
            state = await trial.state()
        raise AssertionError("the match does not end")

    async def one_more(self, state: TableState) -> None:
        self.come_and_go()
        chance = self.rng.random()
        if chance < 0.002:
            await leave(self.trial, self.rng.choice([seat for seat in SEATS if seat not in state.bots]))
        elif chance < 0.03 and state.bots:
            await self.come_back(self.rng.choice(state.bots))
        else:
            await self.act_or_wait(state)

    def come_and_go(self) -> None:
        if self.rng.random() < 0.05:
            self.away ^= {self.rng.choice(SEATS)}

    async def come_back(self, seat: Seat) -> None:
        self.away.discard(seat)
        await self.trial.act(seat, ComeBack())

    async def act_or_wait(self, state: TableState) -> None:
        """Somebody who is there acts after a while, be it for a bot, if the table does not act before."""
        trial, rng = self.trial, self.rng
        here = [open_ for open_ in waiting(state) if open_.seat not in self.away]
        ready = [open_ for open_ in here if open_.seat not in state.bots or rng.random() < 0.05]
        acts = trial.clock.now + rng.choice([0, rng.randrange(SECOND), rng.randrange(8 * SECOND)])
        assert state.deadline is not None
        if not ready or acts >= state.deadline:
            trial.clock.now = max(trial.clock.now, state.deadline)
            await trial.table.step(trial.table_id)
        else:
            trial.clock.now = acts
            open_ = rng.choice(ready)
            await trial.act(open_.seat, trial.choose(open_))


@pytest.mark.parametrize("seed", range(40))
async def test_any_match_ends_and_keeps_the_laws_of_absence(seed: int) -> None:
    rng = Random(seed)
    trial = Trial(seed=seed, settings=drawn(rng))
    state = await Crowd(trial, rng).play()
    log = await trial.entries()
    assert fold(log) == state
    invariants.check_way(log)
    check_views(log)
    check_turns(log)
    check_leases(log)
    check_policy(log)


def check_views(log: Sequence[Entry]) -> None:
    """Following gives every viewer what asking gives."""
    state = evolve(None, log[0])
    views = {viewer: encode_table(see(state, viewer)) for viewer in (None, *SEATS)}
    for entry in log[1:]:
        state = evolve(state, entry)
        for viewer, view in views.items():
            follow.apply(view, encode_entry(see_entry(entry, viewer)))
            assert view == encode_table(see(state, viewer)), entry
    assert isinstance(views[None], table_pb2.TableView)


PLAYS = (ev.CallMade, ev.AnswerGiven, ev.CardPlayed, ev.SawaClaimed, ev.RoundAccepted)


def plays_of(before: Entry, entry: Entry) -> list[Seat]:
    """The seats whose turns an entry settles."""
    seats = [event.seat for event in entry.events if isinstance(event, PLAYS)]
    if any(isinstance(event, ev.RoundDealt) and event.cut for event in entry.events):
        seats += [open_.seat for open_ in before.questions]
    if not seats:
        seats = [event.qaid.claimer for event in entry.events if isinstance(event, ev.QaidClaimed)]
    return seats


def check_turns(log: Sequence[Entry]) -> None:
    """An entry settles one turn at most, of a seat that was asked; the rows of missed turns are right."""
    missed = [0, 0, 0, 0]
    state = evolve(None, log[0])
    for before, entry in pairwise(log):
        plays = plays_of(before, entry)
        state = evolve(state, entry)
        assert len(plays) <= 1
        if entry.actor is not None:
            assert plays in ([], [entry.actor])
            missed[entry.actor] = 0
        for seat in plays:
            if entry.actor is None:
                assert seat in [open_.seat for open_ in before.questions if not open_.private]
                missed[seat] += 1
        assert state.missed == tuple(missed)


def check_leases(log: Sequence[Entry]) -> None:
    """A bot acts for a seat exactly while it has its lease, at its time, and for nothing."""
    bots: set[Seat] = set()
    for before, entry in pairwise(log):
        own = [seat for seat in plays_of(before, entry) if entry.actor is None]
        assert all((seat in bots) is not entry.by_default for seat in own)
        for seat in bots.intersection(own):
            check_bots_step(before, entry, seat)
        assert not bots & {used.seat for used in entry.time_used}
        if entry.actor in bots:
            follows_leave = isinstance(entry.events[0], ev.SeatLeft)
            assert follows_leave or entry.events[0] == ev.PlayerReturned(entry.actor)
        bots |= {event.seat for event in entry.events if isinstance(event, ev.BotSeated)}
        bots -= {event.seat for event in entry.events if isinstance(event, ev.PlayerReturned)}


def check_bots_step(before: Entry, entry: Entry, seat: Seat) -> None:
    (clock,) = [open_.clock for open_ in before.questions if open_.seat is seat]
    assert clock is not None
    assert clock.own_until == clock.deadline <= entry.at


def check_policy(log: Sequence[Entry]) -> None:
    """Bots and forfeits come when the policy says so, and not otherwise."""
    state = evolve(None, log[0])
    policy = state.settings.policy
    for entry in log[1:]:
        before, state = state, evolve(state, entry)
        left = isinstance(entry.events[0], ev.SeatLeft)
        for event in entry.events:
            if isinstance(event, ev.BotSeated):
                assert (policy.leaving is LeavePolicy.BOT) if left else (policy.bot_after > 0)
                assert left or state.missed[event.seat] == policy.bot_after
        most = max(state.missed)
        forfeited = any(isinstance(event, ev.MatchForfeited) for event in entry.events)
        if policy.forfeit_after and most >= policy.forfeit_after and state.missed != before.missed:
            assert forfeited or ended_by_play(entry.events)
        if policy.bot_after and not state.status.ended:
            assert all(
                count < policy.bot_after or seat in state.bots
                for seat, count in zip(SEATS, state.missed, strict=True)
            )


def ended_by_play(events: Sequence[Event]) -> bool:
    return any(isinstance(event, ev.MatchEnded) for event in events)
