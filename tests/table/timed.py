"""Tables with a time control, for tests that move the clock."""

from __future__ import annotations

from baloot.core.auction import HOKUM, QuestionKind
from baloot.core.seats import Seat
from baloot.table.events import SECOND, Entry, OpenQuestion, Settings, TimeControl
from baloot.table.state import TableState

from tests.table.trial import Trial

CALL, CARD, BANK, ALLOWANCE = 10 * SECOND, 4 * SECOND, 20 * SECOND, SECOND // 2
CONTROL = TimeControl(CALL, CARD, BANK, ALLOWANCE)
SETTINGS = Settings(round_pause=0, time_control=CONTROL)


def waiting(state: TableState) -> list[OpenQuestion]:
    """The questions that somebody has to answer."""
    return [open_ for open_ in state.questions if not open_.private]


def asked(state: TableState) -> Seat:
    return waiting(state)[0].seat


async def last(trial: Trial) -> Entry:
    return (await trial.entries())[-1]


async def step(trial: Trial) -> Entry:
    """Lets the table do what is due; the last entry then."""
    await trial.table.step(trial.table_id)
    return await last(trial)


async def answering(settings: Settings = SETTINGS) -> tuple[Trial, TableState]:
    """A table at which a Hokum is being answered by the three others."""
    for seed in range(100):
        trial = Trial(seed=seed, settings=settings)
        state = await trial.deal()
        await trial.act(asked(state), HOKUM)
        state = await trial.state()
        if [open_.kind for open_ in state.questions] == [QuestionKind.ANSWER] * 3:
            return trial, state
    raise AssertionError("no deal without Kawesh in a hundred")
