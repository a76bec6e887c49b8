"""Tables at which players are away, for tests that move the clock."""

from __future__ import annotations

from typing import Any

import pytest
from baloot.core.auction import QuestionKind
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, IllegalPlay, Ruleset
from baloot.core.seats import SEATS, Seat
from baloot.table.events import SECOND, Entry, Settings, TimeControl
from baloot.table.policy import AbsencePolicy
from baloot.table.state import TableState

from tests.table.timed import step, waiting
from tests.table.trial import Trial

OWN, ALLOWANCE = 10 * SECOND, SECOND // 2
CONTROL = TimeControl(OWN, OWN, 0, ALLOWANCE)
LENIENT = STANDARD.with_options(name="evening", illegal_play=IllegalPlay.ALLOW_WITH_QAID)


def settings(ruleset: Ruleset = STANDARD, control: TimeControl = CONTROL, **policy: Any) -> Settings:
    """Settings with this policy for absent players."""
    return Settings(ruleset, round_pause=0, time_control=control, absence=AbsencePolicy(**policy))


async def opened(seed: int = 7, **policy: Any) -> Trial:
    """A table with such a policy whose first round is dealt."""
    trial = Trial(seed=seed, settings=settings(**policy))
    await trial.deal()
    return trial


async def time_out(trial: Trial) -> Entry:
    """Lets the time pass until the table acts by itself, at the moment at which it does; the entry."""
    state = await trial.state()
    assert state.deadline is not None
    trial.clock.now = max(trial.clock.now, state.deadline)
    return await step(trial)


async def only_away(trial: Trial, *away: Seat, until: int = 400) -> TableState:
    """Everybody plays at once but those who are away, until somebody of them is replaced or the table ends."""
    state = await trial.state()
    for _ in range(until):
        if state.status.ended or any(seat in state.bots for seat in away):
            return state
        await one_more(trial, state, *away)
        state = await trial.state()
    raise AssertionError("nothing came of it")


async def one_more(trial: Trial, state: TableState, *away: Seat) -> Entry:
    """One action of somebody who is there, or what the table does by itself."""
    here = [open_ for open_ in waiting(state) if open_.seat not in (*away, *state.bots)]
    if here:
        return await trial.act(here[0].seat, here[0].question.default)
    return await time_out(trial)


async def turn_of(trial: Trial, seat: Seat, *away: Seat) -> TableState:
    """The table as it is when a seat is to act next."""
    state = await trial.state()
    while [open_.seat for open_ in waiting(state)] != [seat]:
        await one_more(trial, state, *(away or (seat,)))
        state = await trial.state()
    return state


async def replaced(seat: Seat = Seat.SOUTH, seed: int = 7, **policy: Any) -> tuple[Trial, TableState]:
    """A table at which a bot plays for a seat and is to act next."""
    trial = await opened(seed, **{"bot_after": 1, **policy})
    await only_away(trial, seat)
    return trial, await turn_of(trial, seat)


async def leave(trial: Trial, seat: Seat) -> Entry:
    """Leaves a seat; the entry."""
    return await trial.table.leave_seat(trial.table_id, trial.tokens[seat], trial.id())


def clock(state: TableState, seat: Seat) -> tuple[int, int]:
    """The clock of a seat that is asked."""
    open_ = state.question_to(seat)
    assert open_ is not None
    assert open_.clock is not None
    return open_.clock


def others(seat: Seat) -> list[Seat]:
    return [other for other in SEATS if other is not seat]


def kinds(state: TableState) -> list[QuestionKind]:
    return [open_.kind for open_ in waiting(state)]


async def refused(doing: Any, reason: Reason) -> None:
    """Awaits what is refused for a reason."""
    with pytest.raises(Refusal) as error:
        await doing
    assert error.value.reason is reason
