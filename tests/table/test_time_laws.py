"""What holds of the clocks in any match, whoever takes how long."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest
from baloot.core.ruleset import STANDARD, IllegalPlay
from baloot.core.seats import SEATS
from baloot.table import events as ev
from baloot.table.events import SECOND, Entry, Settings, TimeControl
from baloot.table.state import TableState

from tests.table.timed import waiting
from tests.table.trial import Trial


def drawn(rng: Random) -> Settings:
    call, card = rng.randrange(1, 20) * SECOND, rng.randrange(1, 20) * SECOND
    bank = rng.choice([0, rng.randrange(60) * SECOND])
    control = TimeControl(call, card, bank, rng.choice([0, SECOND // 2]))
    lenient = rng.choice(
        [STANDARD, STANDARD.with_options(name="x", illegal_play=IllegalPlay.ALLOW_WITH_QAID)]
    )
    return Settings(
        ruleset=lenient.with_options(name="short", match_target=50), round_pause=0, time_control=control
    )


@pytest.mark.parametrize("seed", range(12))
async def test_in_any_match_clocks_keep_their_laws(seed: int) -> None:
    """Players take any time, some too long; timers are exact."""
    rng = Random(seed)
    settings = drawn(rng)
    trial = Trial(seed=seed, settings=settings)
    state = await trial.deal()
    for _ in range(300):
        if state.status.ended:
            break
        await one_more(trial, state, rng)
        state = await trial.state()
    check_laws(settings.control, await trial.entries())


async def one_more(trial: Trial, state: TableState, rng: Random) -> None:
    """Somebody acts after a while, or the time of somebody is over first."""
    open_ = rng.choice(waiting(state)) if waiting(state) else None
    assert state.deadline is not None
    longest = 2 * max(trial.settings.control.call_time, trial.settings.control.card_time)
    acts = trial.clock.now + rng.choice([0, rng.randrange(SECOND), rng.randrange(longest)])
    if open_ is None or acts >= state.deadline:
        trial.clock.now = max(trial.clock.now, state.deadline)
        await trial.table.step(trial.table_id)
    else:
        trial.clock.now = acts
        await trial.act(open_.seat, trial.choose(open_))


def check_laws(control: TimeControl, log: list[Entry]) -> None:
    banks = dict.fromkeys(SEATS, control.bank)
    for before, entry in pairwise(log):
        kinds = {open_.seat: open_.kind for open_ in before.questions if not open_.private}
        for used in entry.time_used:
            own = control.own_time(kinds[used.seat])
            assert 0 <= used.used <= own + banks[used.seat]
            left = banks[used.seat] - max(0, used.used - own)
            assert left >= 0
            assert used.bank == left
            banks[used.seat] = left
        if entry.by_default or isinstance(entry.events[0], ev.AskedAgain):
            check_time_was_over(control, before, entry)
        for open_ in entry.questions:
            if open_.clock is not None:
                assert open_.clock.deadline == open_.clock.own_until + banks[open_.seat]
    check_length(control, log)


def check_time_was_over(control: TimeControl, before: Entry, entry: Entry) -> None:
    """The table answers for nobody who still had time, the allowance included."""
    used = {
        used.seat for used in entry.time_used
    }  # nobody's where there are no banks, and then all have the same time
    (deadline,) = {
        open_.clock.deadline
        for open_ in before.questions
        if open_.clock and (not used or open_.seat is getattr(entry.events[0], "seat", min(used)))
    }
    assert entry.at >= deadline + control.network_allowance


def check_length(control: TimeControl, log: list[Entry]) -> None:
    """A match cannot last longer than the own times of all that is asked, all banks, and an allowance for each."""
    asked_ = [
        (open_.asked_at, open_.seat, open_.kind)
        for entry in log
        for open_ in entry.questions
        if not open_.private
    ]
    again = sum(isinstance(entry.events[0], ev.AskedAgain) for entry in log)
    own = sum(control.own_time(kind) for _, _, kind in set(asked_)) + again * control.call_time
    steps = len(log) * control.network_allowance
    assert log[-1].at - log[0].at <= own + 4 * control.bank + steps
