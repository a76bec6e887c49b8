"""What comes of it that players leave, miss too many turns or do not come at all, by each policy."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.core.seats import SEATS, Seat, Team
from baloot.table import events as ev
from baloot.table.absence import USUAL
from baloot.table.decide import ComeBack
from baloot.table.entries import spelled
from baloot.table.events import LATE, SECOND, Settings, Status
from baloot.table.policy import AbsencePolicy, ForfeitReason, LeavePolicy

from tests.table.absent import (
    CONTROL,
    leave,
    one_more,
    opened,
    others,
    replaced,
    settings,
    time_out,
    turn_of,
)
from tests.table.deal_laws import facts
from tests.table.timed import BANK, asked, last, step, waiting
from tests.table.timed import SETTINGS as BANKS
from tests.table.trial import Trial

SOUTH, EAST = Seat.SOUTH, Seat.EAST


# Leaving.


@pytest.mark.parametrize(
    ("policy", "expected", "status", "winner"),
    [
        (
            LeavePolicy.ABANDON,
            (ev.TableAbandoned(ev.AbandonReason.LEFT),),
            Status.ABANDONED,
            None,
        ),
        (LeavePolicy.BOT, (ev.BotSeated(EAST),), Status.PLAYING, None),
        (
            LeavePolicy.FORFEIT,
            (ev.MatchForfeited(Team.EAST_WEST, ForfeitReason.LEFT),),
            Status.FINISHED,
            Team.SOUTH_NORTH,
        ),
    ],
)
async def test_leaving_a_match_does_what_the_policy_says(
    policy: LeavePolicy, expected: tuple[ev.Event, ...], status: Status, winner: Team | None
) -> None:
    trial = await opened(leaving=policy)
    entry = await leave(trial, EAST)
    assert facts(entry) == (ev.SeatLeft(EAST), *expected)
    state = await trial.state()
    assert (state.status, state.winner) == (status, winner)
    assert state.forfeited is (ForfeitReason.LEFT if winner is not None else None)
    assert (state.questions == (), state.deadline is None) == (status.ended, status.ended)


async def test_who_left_to_a_bot_may_come_back() -> None:
    trial = await opened(leaving=LeavePolicy.BOT)
    await leave(trial, EAST)
    state = await turn_of(trial, EAST, EAST)
    entry = await trial.act(EAST, waiting(state)[0].question.default)
    assert entry.events[0] == ev.PlayerReturned(EAST)


async def test_who_leaves_while_a_bot_plays_changes_nothing() -> None:
    trial, _ = await replaced(leaving=LeavePolicy.BOT)
    before = await trial.state()
    with pytest.raises(Refusal) as refused:
        await leave(trial, SOUTH)
    assert refused.value.reason is Reason.ALREADY_LEFT
    assert await trial.state() == before


async def test_coming_and_going_does_not_hold_the_table_up() -> None:
    trial, _ = await replaced(leaving=LeavePolicy.BOT)
    for _ in range(2):
        await trial.act(SOUTH, ComeBack())
        trial.clock.pass_(SECOND // 2)
        await leave(trial, SOUTH)
    deadline = (await trial.state()).deadline
    for _ in range(5):
        await trial.act(SOUTH, ComeBack())
        await leave(trial, SOUTH)
        trial.clock.pass_(SECOND // 10)
        assert (await trial.state()).deadline == deadline


async def test_leaving_with_a_question_open_costs_the_time_that_it_took() -> None:
    policy = AbsencePolicy(leaving=LeavePolicy.BOT)
    trial = Trial(seed=7, settings=replace(BANKS, absence=policy))
    seat = asked(await trial.deal())
    trial.clock.pass_(BANKS.control.call_time + 3 * SECOND)
    await leave(trial, seat)
    assert (await trial.state()).banks[seat] == BANK - 3 * SECOND


async def test_a_seat_of_an_open_table_is_free_again_whatever_the_policy() -> None:
    for policy in LeavePolicy:
        trial = Trial(settings=settings(leaving=policy))
        await trial.open()
        _, trial.tokens[SOUTH] = await trial.table.take_seat(trial.table_id, trial.id(), SOUTH, "Noura")
        assert (await leave(trial, SOUTH)).events == (ev.SeatLeft(SOUTH),)


# Forfeits and walk-overs.


@pytest.mark.parametrize(("bot_after", "forfeit_after"), [(0, 1), (0, 3), (2, 4), (3, 3), (5, 2)])
async def test_who_misses_too_many_turns_forfeits(bot_after: int, forfeit_after: int) -> None:
    trial = await opened(bot_after=bot_after, forfeit_after=forfeit_after)
    state = await trial.state()
    while not state.status.ended:
        await one_more(trial, state, SOUTH)
        state = await trial.state()
    entry = await last(trial)
    assert facts(entry)[-1] == ev.MatchForfeited(Team.SOUTH_NORTH, ForfeitReason.AWAY)
    assert (state.status, state.winner, state.forfeited) == (
        Status.FINISHED,
        Team.EAST_WEST,
        ForfeitReason.AWAY,
    )
    assert (state.missed[SOUTH], entry.deadline, entry.questions) == (forfeit_after, None, ())
    seated = any(ev.BotSeated(SOUTH) in one.events for one in await trial.entries())
    assert seated is (0 < bot_after < forfeit_after)


SEATED: list[tuple[bool, tuple[Seat, ...], Team | None]] = [
    (True, (Seat.SOUTH, Seat.NORTH), Team.SOUTH_NORTH),
    (True, (Seat.SOUTH, Seat.NORTH, Seat.WEST), Team.SOUTH_NORTH),
    (True, (Seat.EAST, Seat.WEST), Team.EAST_WEST),
    (True, (Seat.SOUTH, Seat.EAST), None),
    (True, (Seat.SOUTH,), None),
    (True, (), None),
    (False, (Seat.SOUTH, Seat.NORTH), None),
]


@pytest.mark.parametrize(("walkover", "seats", "winner"), SEATED)
async def test_a_side_that_waits_in_vain_wins_where_the_policy_says_so(
    walkover: bool, seats: tuple[Seat, ...], winner: Team | None
) -> None:
    trial = Trial(settings=settings(walkover=walkover))
    await trial.open()
    for seat in seats:
        await trial.table.take_seat(trial.table_id, trial.id(), seat, "Noura")
    entry = await time_out(trial)
    state = await trial.state()
    if winner is None:
        assert entry.events == (ev.TableAbandoned(ev.AbandonReason.NEVER_FILLED),)
    else:
        assert entry.events == (ev.MatchForfeited(winner.other, ForfeitReason.NO_SHOW),)
    assert (state.winner, state.status is Status.FINISHED) == (winner, winner is not None)


async def test_nobody_wins_by_our_being_away() -> None:
    trial = Trial(settings=settings(walkover=True))
    await trial.open()
    for seat in (Seat.SOUTH, Seat.NORTH):
        await trial.table.take_seat(trial.table_id, trial.id(), seat, "Noura")
    trial.clock.pass_(trial.settings.fill_timeout + LATE + 1)
    assert (await step(trial)).events == (ev.TableAbandoned(ev.AbandonReason.NEVER_FILLED),)


# Nobody is there.


async def test_a_table_is_given_up_once_bots_play_for_all() -> None:
    trial = await opened(bot_after=2)
    state = await trial.state()
    while not state.status.ended:
        await time_out(trial)
        state = await trial.state()
    entry = await last(trial)
    assert entry.by_default
    assert facts(entry)[-1] == ev.TableAbandoned(ev.AbandonReason.IDLE)
    assert isinstance(facts(entry)[-2], ev.BotSeated)
    assert sorted(state.bots) == list(SEATS)


async def test_a_table_is_given_up_once_all_have_left() -> None:
    trial = await opened(leaving=LeavePolicy.BOT)
    for seat in others(SOUTH):
        assert (await leave(trial, seat)).events[-1] == ev.BotSeated(seat)
    entry = await leave(trial, SOUTH)
    idle = ev.TableAbandoned(ev.AbandonReason.IDLE)
    assert facts(entry) == (ev.SeatLeft(SOUTH), ev.BotSeated(SOUTH), idle)
    assert (await trial.state()).status is Status.ABANDONED


async def test_one_player_may_play_on_with_three_bots() -> None:
    short = STANDARD.with_options(name="short", match_target=30)
    trial = Trial(seed=3, settings=settings(short, leaving=LeavePolicy.BOT))
    await trial.deal()
    for seat in others(SOUTH):
        await leave(trial, seat)
    state = await trial.state()
    for _ in range(2000):
        if state.status.ended:
            break
        await one_more(trial, state)
        state = await trial.state()
    assert state.status is Status.FINISHED
    assert state.forfeited is None


# Settings.


def test_a_policy_is_no_part_of_a_request_that_names_none() -> None:
    """So a request of before there was any, repeated now, is known as the same."""
    plain = Settings()
    assert spelled(replace(plain, absence=USUAL)) == spelled(plain)


POLICIES = [
    AbsencePolicy(),
    USUAL._replace(bot_after=3),
    USUAL._replace(leaving=LeavePolicy.BOT),
    USUAL._replace(forfeit_after=2),
    USUAL._replace(walkover=True),
]


@pytest.mark.parametrize("policy", POLICIES)
def test_another_policy_is_another_request(policy: AbsencePolicy) -> None:
    for control in (None, CONTROL):
        plain = Settings(time_control=control)
        rest = [USUAL, *(other for other in POLICIES if other != policy)]
        known = [spelled(replace(plain, absence=other)) for other in rest]
        assert spelled(replace(plain, absence=policy)) not in known
