"""Players who are away: when a bot plays for them, what it does, and how they come back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from baloot.api.core.v1.cards_pb2 import CARD_7S
from baloot.api.core.v1.play_pb2 import PlayCard
from baloot.api.table.v1 import table_pb2 as pb
from baloot.app.rules import local_rules
from baloot.app.substitute import substitute
from baloot.bidding.local import LocalBidding
from baloot.client.table import submission
from baloot.core.auction import PASS, AuctionRecord, AuctionStep, Call, QuestionKind
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, Cut
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table.absence import THINKS, thinks
from baloot.table.events import LATE, SECOND, Micros, SeatClock
from baloot.table.orchestrator import PROMPT
from baloot.table.policy import AbsencePolicy, LeavePolicy
from baloot.table.state import Phase

from tests.table.absent import (
    ALLOWANCE,
    LENIENT,
    OWN,
    clock,
    kinds,
    leave,
    one_more,
    only_away,
    opened,
    refused,
    replaced,
    settings,
    time_out,
    turn_of,
)
from tests.table.timed import SETTINGS as BANKS
from tests.table.timed import answering, asked, last, step, waiting
from tests.table.trial import KEY, Trial

SOUTH, EAST = Seat.SOUTH, Seat.EAST


# Missed turns.


async def test_missed_turns_in_a_row_are_counted_and_an_action_ends_the_row() -> None:
    trial = await opened()
    for missed in (1, 2, 3):
        await turn_of(trial, SOUTH)
        assert (await time_out(trial)).by_default
        assert (await trial.state()).missed == (missed, 0, 0, 0)
    state = await turn_of(trial, SOUTH)
    await trial.act(SOUTH, waiting(state)[0].question.default)
    assert (await trial.state()).missed == (0, 0, 0, 0)


async def test_who_does_not_cut_in_time_has_missed_a_turn() -> None:
    trial = Trial(settings=settings(STANDARD.with_options(name="cut", cut=Cut.PRIVILEGES), bot_after=1))
    seat = asked(await trial.deal())
    entry = await time_out(trial)
    assert [type(event) for event in entry.events] == [ev.RoundDealt, ev.BotSeated]
    state = await trial.state()
    assert state.missed[seat] == 1
    assert state.bots == (seat,)


@pytest.mark.parametrize("bot_after", [1, 2, 5])
async def test_a_bot_is_seated_with_the_last_default_action(bot_after: int) -> None:
    trial = await opened(bot_after=bot_after)
    state = await only_away(trial, SOUTH)
    entry = await last(trial)
    assert (entry.by_default, entry.events[-1]) == (True, ev.BotSeated(SOUTH))
    assert (state.bots, state.missed[SOUTH]) == ((SOUTH,), bot_after)
    assert sum(one.by_default for one in await trial.entries()) == bot_after


async def test_no_bot_plays_where_none_shall() -> None:
    trial = await opened(bot_after=0)
    for _ in range(30):
        await one_more(trial, await trial.state(), SOUTH)
    assert (await trial.state()).bots == ()


# A bot plays.


async def test_a_bot_acts_once_its_time_to_think_is_over_and_no_time_is_used() -> None:
    trial = Trial(seed=7, settings=replace(BANKS, absence=AbsencePolicy(bot_after=1)))
    await trial.deal()
    await only_away(trial, SOUTH)
    state = await turn_of(trial, SOUTH)
    bank = state.banks[SOUTH]
    due = trial.clock.now + thinks(trial.table_id, state.sequence, SOUTH, OWN)
    assert clock(state, SOUTH) == SeatClock(due, due)
    assert state.deadline == due
    trial.clock.now = due - 1
    assert (await step(trial)).sequence == state.sequence
    entry = await time_out(trial)
    assert (entry.at, entry.actor, entry.by_default, entry.time_used) == (due, None, False, ())
    after = await trial.state()
    assert (after.banks[SOUTH], after.missed[SOUTH]) == (bank, state.missed[SOUTH] + 1)


@pytest.mark.parametrize(("took", "told"), [(1, 0), (PROMPT, 0), (PROMPT + 1, PROMPT + 1)])
async def test_no_entry_tells_how_long_a_bot_took_to_choose(took: Micros, told: Micros) -> None:
    """It takes longer where there is more to choose from."""

    async def slow(view: bytes) -> bytes:
        trial.clock.pass_(took)
        return await substitute(view)

    trial = Trial(seed=7, settings=settings(bot_after=1), bot=slow)
    await trial.deal()
    await only_away(trial, SOUTH)
    state = await turn_of(trial, SOUTH)
    entry = await time_out(trial)
    assert state.deadline is not None
    assert entry.at == state.deadline + told


async def test_no_entry_is_dated_before_the_one_before() -> None:
    """A player's answer that was accepted after a bot's time was over."""
    trial, state = await answering(settings(leaving=LeavePolicy.BOT))
    first, second, _ = [open_.seat for open_ in state.questions]
    await leave(trial, first)
    trial.clock.now = clock(await trial.state(), first)[0] + 1000
    before = await trial.act(second, PASS)
    assert (await step(trial)).at == before.at


def test_a_bot_thinks_a_second_or_two_and_no_longer_than_the_seat_may() -> None:
    trial = Trial()
    drawn = {thinks(trial.table_id, n, seat, 10 * SECOND) for n in range(200) for seat in SEATS}
    assert len(drawn) == 800
    assert min(drawn) >= THINKS
    assert max(drawn) < 2 * THINKS
    assert {thinks(trial.table_id, n, SOUTH, SECOND // 10) for n in range(50)} == {SECOND // 10}


async def failing(_: bytes) -> bytes:
    raise RuntimeError("no idea")


async def unreadable(_: bytes) -> bytes:
    return b"\xff"


async def nothing(_: bytes) -> bytes:
    return b""


async def illegal(_: bytes) -> bytes:
    return submission(PlayCard(card=CARD_7S)).SerializeToString()


async def back(_: bytes) -> bytes:
    return submission(pb.ComeBack()).SerializeToString()


@pytest.mark.parametrize("bot", [failing, unreadable, nothing, illegal, back])
async def test_the_default_action_is_taken_for_a_bot_that_fails(bot: Any) -> None:
    trial = Trial(seed=7, settings=settings(bot_after=1), bot=bot)
    await trial.deal()
    await only_away(trial, SOUTH)
    state = await turn_of(trial, SOUTH)
    assert state.round is not None
    assert state.round.phase is Phase.AUCTION
    entry = await time_out(trial)
    assert entry.events[0] == ev.CallMade(SOUTH, PASS)
    assert entry.by_default is False
    assert (await trial.state()).bots == (SOUTH,)


class Stumbling(LocalBidding):
    """Cannot be reached once."""

    def __init__(self) -> None:
        super().__init__()
        self.stumbles = False

    async def make_call(self, record: AuctionRecord, seat: Seat, call: Call) -> AuctionStep:
        if self.stumbles:
            self.stumbles = False
            raise Refusal(Reason.UNAVAILABLE, "gone")
        return await super().make_call(record, seat, call)


async def test_a_bots_choice_waits_for_a_rule_service_that_is_away() -> None:
    bidding = Stumbling()
    trial = Trial(seed=7, settings=settings(bot_after=1), rules=replace(local_rules(KEY), bidding=bidding))
    await trial.deal()
    await only_away(trial, SOUTH)
    state = await turn_of(trial, SOUTH)
    bidding.stumbles = True
    await refused(time_out(trial), Reason.UNAVAILABLE)
    assert (await trial.state()).sequence == state.sequence
    assert (await time_out(trial)).sequence == state.sequence + 1


async def test_a_bot_that_is_late_acts_all_the_same() -> None:
    trial, state = await replaced()
    assert state.deadline is not None
    trial.clock.now = state.deadline + 10 * LATE
    entry = await step(trial)
    assert not isinstance(entry.events[0], ev.ClockExtended)
    assert (await trial.state()).missed[SOUTH] == state.missed[SOUTH] + 1


async def test_bots_and_players_answer_a_hokum_each_in_its_time() -> None:
    """The bot's answer is sealed and does not move the clocks of the others."""
    trial, state = await answering(settings(leaving=LeavePolicy.BOT))
    first, second, third = [open_.seat for open_ in state.questions]
    before = clock(state, second)
    left = await leave(trial, first)
    assert left.events == (ev.SeatLeft(first), ev.BotSeated(first))
    state = await trial.state()
    assert clock(state, second) == clock(state, third) == before
    entry = await time_out(trial)
    assert entry.at == clock(state, first)[0] < before[0]
    assert isinstance(entry.events[0], ev.AnswerGiven)
    assert entry.events[0].seat is first
    state = await trial.state()
    if kinds(state)[:1] == [QuestionKind.ANSWER]:  # else the bot's Sun has settled it
        assert [clock(state, open_.seat) for open_ in state.questions] == [before] * len(state.questions)
        assert (await time_out(trial)).at == before[1] + ALLOWANCE


async def test_a_players_allowance_is_kept_while_a_bot_thinks_longer() -> None:
    """The bot's time is over between the player's deadline and the end of the allowance."""
    trial, state = await answering(settings(leaving=LeavePolicy.BOT))
    first, second, _ = [open_.seat for open_ in state.questions]
    trial.clock.now = clock(state, second)[1] - THINKS
    await leave(trial, first)
    state = await trial.state()
    assert state.deadline == min(clock(state, first)[1], clock(state, second)[1] + ALLOWANCE)
    entry = await time_out(trial)
    expected = first if clock(state, first)[1] < clock(state, second)[1] + ALLOWANCE else second
    assert isinstance(entry.events[0], ev.AnswerGiven)
    assert entry.events[0].seat is expected


async def test_bots_let_a_round_be_scored_or_claim_what_they_can_prove() -> None:
    trial = Trial(seed=5, settings=settings(LENIENT, leaving=LeavePolicy.BOT))
    state = await trial.deal()
    for seat in (SOUTH, EAST):
        await leave(trial, seat)
    for _ in range(2000):
        state = await trial.state()
        if QuestionKind.QAID in kinds(state):
            break
        await one_more(trial, state)
    assert kinds(state) == [QuestionKind.QAID] * 4
    due = {clock(state, seat) for seat in (SOUTH, EAST)}
    assert all(acts < trial.clock.now + 2 * THINKS for acts, _ in due)
    for _ in range(2):
        entry = await time_out(trial)
        assert isinstance(entry.events[0], ev.RoundAccepted | ev.QaidClaimed)
    assert kinds(await trial.state()) in ([QuestionKind.QAID] * 2, [])


async def offering() -> tuple[Trial, Seat]:
    """A table at which a seat that is not on turn may call Kawesh, and that seat."""
    for seed in range(400):
        trial = await opened(seed, leaving=LeavePolicy.BOT)
        private = [open_.seat for open_ in (await trial.state()).questions if open_.private]
        if private:
            return trial, private[0]
    raise AssertionError("no Kawesh in four hundred deals")


async def test_an_offer_that_nobody_waits_for_is_not_taken_by_a_bot() -> None:
    """So when the table acts next does not tell that there is one."""
    trial, seat = await offering()
    state = await trial.state()
    on_turn = clock(state, asked(state))
    await leave(trial, seat)
    state = await trial.state()
    assert state.deadline == on_turn[1] + ALLOWANCE
    offer = state.question_to(seat)
    assert offer is not None
    assert offer.clock is None
