"""Time controls: what an answer costs, and when the table acts by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.auction import KAWESH, PASS, SUN, QuestionKind
from baloot.core.ruleset import STANDARD, IllegalPlay
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table.entries import spelled
from baloot.table.events import SECOND, Micros, OpenQuestion, SeatClock, Settings, Status, TimeUsed
from baloot.table.state import Phase, TableState
from baloot.table.timing import told_deadline, usual

from tests.table.timed import (
    ALLOWANCE,
    BANK,
    CALL,
    CARD,
    CONTROL,
    SETTINGS,
    answering,
    asked,
    last,
    step,
    waiting,
)
from tests.table.trial import Trial


@pytest.fixture
async def trial() -> Trial:
    """A table with banks whose first round is dealt."""
    made = Trial(seed=7, settings=SETTINGS)
    await made.deal()
    return made


async def in_play(trial: Trial) -> TableState:
    state = await trial.state()
    while state.round is None or state.round.phase is not Phase.PLAY:
        state = await trial.play(1)
    return state


# What an answer costs.


@pytest.mark.parametrize(
    ("after", "used", "bank"),
    [
        (0, 0, BANK),
        (CALL - 1, CALL - 1, BANK),
        (CALL, CALL, BANK),
        (CALL + 1, CALL + 1, BANK - 1),
        (CALL + BANK, CALL + BANK, 0),
        (CALL + BANK + ALLOWANCE, CALL + BANK, 0),
    ],
)
async def test_what_is_beyond_the_own_time_is_taken_from_the_bank(
    trial: Trial, after: Micros, used: Micros, bank: Micros
) -> None:
    seat = asked(await trial.state())
    trial.clock.pass_(after)
    entry = await trial.act(seat, PASS)
    assert entry.time_used == (TimeUsed(seat, used, bank),)
    banks = (await trial.state()).banks
    assert banks == tuple(bank if other is seat else BANK for other in SEATS)


async def test_a_card_has_a_time_of_its_own(trial: Trial) -> None:
    state = await in_play(trial)
    (open_,) = state.questions
    assert open_.clock == SeatClock(trial.clock.now + CARD, trial.clock.now + CARD + state.banks[open_.seat])
    trial.clock.pass_(CARD + SECOND)
    entry = await trial.act(open_.seat, open_.question.default)
    assert entry.time_used == (TimeUsed(open_.seat, CARD + SECOND, BANK - SECOND),)


async def test_every_question_has_its_own_time_anew_and_the_bank_lasts(trial: Trial) -> None:
    state = await in_play(trial)
    spent = dict.fromkeys(SEATS, 0)
    for _ in range(12):
        (open_,) = waiting(state)
        trial.clock.pass_(CARD + SECOND)
        spent[open_.seat] += SECOND
        await trial.act(open_.seat, open_.question.default)
        state = await trial.state()
    assert state.banks == tuple(BANK - spent[seat] for seat in SEATS)


async def test_without_banks_an_entry_tells_when_it_was_received_alone() -> None:
    trial = Trial(seed=7)
    seat = asked(await trial.deal())
    trial.clock.pass_(3 * SECOND)
    entry = await trial.act(seat, PASS)
    assert (entry.received, entry.time_used) == (trial.clock.now, ())


# When the table acts by itself.


async def test_the_default_comes_after_own_time_bank_and_allowance_and_not_before(trial: Trial) -> None:
    state = await trial.state()
    seat = asked(state)
    deadline = trial.clock.now + CALL + BANK
    assert told_deadline(state.questions, state.deadline) == deadline
    assert state.deadline == deadline + ALLOWANCE
    trial.clock.now = deadline + ALLOWANCE - 1
    assert (await step(trial)).sequence == state.sequence
    trial.clock.pass_(1)
    entry = await step(trial)
    assert entry.by_default
    assert entry.time_used == (TimeUsed(seat, CALL + BANK, 0),)
    assert entry.received is None


async def test_an_empty_bank_leaves_the_own_time(trial: Trial) -> None:
    state = await in_play(trial)
    for _ in range(8):
        (open_,) = waiting(state)
        left = state.banks[open_.seat]
        assert told_deadline(state.questions, state.deadline) == trial.clock.now + CARD + left
        trial.clock.pass_(CARD + left + ALLOWANCE)
        assert (await step(trial)).by_default
        state = await trial.state()
    assert state.banks == (0, 0, 0, 0)


async def test_a_time_control_is_no_part_of_a_request_that_names_none() -> None:
    """So a request of before there were any, repeated now, is known as the same."""
    plain = Settings()
    assert spelled(replace(plain, time_control=usual(plain.action_timeout))) == spelled(plain)
    assert spelled(replace(plain, time_control=CONTROL)) != spelled(plain)


# Several seats at once.


async def with_less_for(trial: Trial, state: TableState, seat: Seat, bank: Micros) -> TableState:
    """The table as if one of the seats that answer had used up most of its bank before."""
    used = TimeUsed(seat, 0, bank)
    questions = tuple(
        replace(open_, clock=SeatClock(open_.clock.own_until, open_.clock.own_until + bank))
        if open_.seat is seat and open_.clock
        else open_
        for open_ in state.questions
    )
    deadline = min(open_.clock.deadline for open_ in questions if open_.clock) + ALLOWANCE
    entry = replace(
        await last(trial),
        sequence=state.sequence + 1,
        actor=None,
        events=(ev.AskedAgain(seat),),
        questions=questions,
        deadline=deadline,
        time_used=(used,),
    )
    assert await trial.log.append(entry, Status.PLAYING)
    return await trial.state()


async def test_each_seat_that_is_asked_has_a_clock_of_its_own() -> None:
    trial, state = await answering()
    first, second, third = [open_.seat for open_ in state.questions]
    state = await with_less_for(trial, state, third, 2 * SECOND)
    began = trial.clock.now
    assert told_deadline(state.questions, state.deadline) == began + CALL + 2 * SECOND
    trial.clock.pass_(SECOND)
    assert (await trial.act(first, PASS)).time_used == (TimeUsed(first, SECOND, BANK),)
    assert (await trial.state()).deadline == began + CALL + 2 * SECOND + ALLOWANCE
    trial.clock.now = began + CALL + 2 * SECOND + ALLOWANCE
    entry = await step(trial)
    assert entry.events[0] == ev.AnswerGiven(third, PASS)
    assert entry.time_used == (TimeUsed(third, CALL + 2 * SECOND, 0),)
    assert [open_.seat for open_ in entry.questions] == [second]
    assert entry.deadline == began + CALL + BANK + ALLOWANCE
    trial.clock.now = began + CALL + 5 * SECOND
    assert (await trial.act(second, PASS)).time_used == (
        TimeUsed(second, CALL + 5 * SECOND, BANK - 5 * SECOND),
    )


async def test_a_question_that_falls_away_has_cost_its_time() -> None:
    """Two answers of Sun settle the third; whoever still thought has used its clock."""
    trial, state = await answering()
    seats = [open_.seat for open_ in state.questions]
    trial.clock.pass_(CALL + SECOND)
    entries = [await trial.act(seats[0], SUN)]
    while any(open_.kind is QuestionKind.ANSWER for open_ in entries[-1].questions):
        entries.append(await trial.act(seats[len(entries)], SUN))
    used = [one for entry in entries for one in entry.time_used]
    assert sorted(one.seat for one in used) == sorted(seats)
    assert all(one.bank == BANK - SECOND for one in used)
    assert len(entries) < len(seats)


async def offering() -> tuple[Trial, OpenQuestion]:
    """A table at which a seat that is not on turn may call Kawesh, and that offer."""
    for seed in range(400):
        trial = Trial(seed=seed, settings=SETTINGS)
        private = [open_ for open_ in (await trial.deal()).questions if open_.private]
        if private:
            return trial, private[0]
    raise AssertionError("no Kawesh in four hundred deals")


async def test_an_offer_that_nobody_waits_for_costs_no_time() -> None:
    trial, offer = await offering()
    on_turn = asked(await trial.state())
    assert offer.clock is None
    trial.clock.pass_(CALL + 3 * SECOND)
    entry = await trial.act(offer.seat, KAWESH)
    assert entry.time_used == (TimeUsed(on_turn, CALL + 3 * SECOND, BANK - 3 * SECOND),)
    assert (await trial.state()).banks[offer.seat] == BANK


async def test_all_review_a_round_at_once_each_with_its_clock() -> None:
    ruleset = STANDARD.with_options(name="evening", illegal_play=IllegalPlay.ALLOW_WITH_QAID)
    trial = Trial(seed=5, settings=replace(SETTINGS, ruleset=ruleset))
    state = await trial.deal()
    while not any(open_.kind is QuestionKind.QAID for open_ in state.questions):
        state = await trial.play(1)
    assert {open_.clock for open_ in state.questions} == {
        SeatClock(trial.clock.now + CALL, trial.clock.now + CALL + BANK)
    }
    for n, seat in enumerate(SEATS):
        trial.clock.pass_(4 * SECOND)
        entry = await trial.act(seat, PASS)
        took = 4 * SECOND * (n + 1)
        assert entry.time_used == (TimeUsed(seat, took, BANK - max(0, took - CALL)),)


def test_only_a_card_has_the_time_of_a_card() -> None:
    for kind in QuestionKind:
        assert CONTROL.own_time(kind) == (CARD if kind is QuestionKind.PLAY else CALL)
