"""Actions reach the log once, in turn, by whom they should; the table's own steps happen once; tables end by rule."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from baloot.core.auction import HOKUM, PASS, SUN, Call, CallKind, QuestionKind
from baloot.core.cards import CARDS
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, PlayAsked, QaidGround, QaidMove, SawaMove
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table.events import IDLE_AFTER_DEFAULTS, LATE, SECOND, Entry, Settings, Status
from baloot.table.evolve import fold
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.state import Phase, TableState
from baloot.table.store import Stored, StoreUnavailable

from tests.table.trial import Clock, Trial


@pytest.fixture
async def trial() -> Trial:
    """A table whose first round is dealt."""
    made = Trial(seed=7)
    await made.deal()
    return made


def asked(state: TableState) -> Seat:
    return next(open_.seat for open_ in state.questions if not open_.private)


async def refused(doing: object, reason: Reason) -> Refusal:
    with pytest.raises(Refusal) as caught:
        await doing  # type: ignore[misc]
    assert caught.value.reason is reason, caught.value
    return caught.value


# The same request again.


async def test_a_repeated_action_gives_the_first_answer_and_no_second_entry(trial: Trial) -> None:
    seat, request = asked(await trial.state()), trial.id()
    first = await trial.act(seat, PASS, request)
    await trial.play(3)
    before = await trial.entries()
    assert await trial.act(seat, PASS, request) == first
    assert await trial.entries() == before


async def test_an_id_used_for_another_action_is_refused_and_changes_nothing(trial: Trial) -> None:
    seat, request = asked(await trial.state()), trial.id()
    await trial.act(seat, PASS, request)
    before = await trial.entries()
    await refused(trial.act(seat, SUN, request), Reason.REQUEST_ID_REUSED)
    assert await trial.entries() == before


async def test_another_seat_may_use_the_same_id(trial: Trial) -> None:
    request = trial.id()
    first = await trial.act(asked(await trial.state()), PASS, request)
    second = await trial.act(asked(await trial.state()), PASS, request)
    assert second.sequence == first.sequence + 1


async def test_a_refused_request_is_not_recorded(trial: Trial) -> None:
    state = await trial.state()
    other, request = asked(state).next, trial.id()
    await refused(trial.act(other, PASS, request), Reason.NOT_YOUR_TURN)
    await trial.act(asked(state), PASS)
    assert (await trial.act(other, PASS, request)).actor is other


async def test_a_repeat_is_known_after_everything_in_memory_is_lost(trial: Trial) -> None:
    seat, request = asked(await trial.state()), trial.id()
    first = await trial.act(seat, PASS, request)
    trial.table.forget(trial.table_id)
    assert await trial.act(seat, PASS, request) == first
    trial.table = Orchestrator(trial.log, trial.table._rules)
    assert await trial.act(seat, PASS, request) == first


async def test_creating_again_gives_the_same_table() -> None:
    trial = Trial()
    await trial.log.key("table", bytes(32))
    request = trial.id()
    first = await trial.table.create(request, trial.settings)
    assert await trial.table.create(request, trial.settings) == first
    for changed in ({"round_pause": SECOND}, {"spectator_delay": SECOND}, {"event_id": "cup"}):
        other = replace(trial.settings, **changed)
        await refused(trial.table.create(request, other), Reason.REQUEST_ID_REUSED)


async def test_taking_a_seat_again_gives_the_same_seat_and_token() -> None:
    trial = Trial()
    await trial.open()
    request = trial.id()
    first = await trial.table.take_seat(trial.table_id, request, None, "Sarah")
    assert await trial.table.take_seat(trial.table_id, request, None, "Sarah") == first
    await refused(
        trial.table.take_seat(trial.table_id, request, Seat.WEST, "Sarah"), Reason.REQUEST_ID_REUSED
    )
    second, token = await trial.table.take_seat(trial.table_id, trial.id(), None, "Sarah")
    assert second.actor is Seat.EAST
    assert token != first[1]


async def test_leaving_again_is_answered_although_the_token_is_void() -> None:
    trial = Trial()
    await trial.open()
    _, token = await trial.table.take_seat(trial.table_id, trial.id(), None, "Sarah")
    request = trial.id()
    first = await trial.table.leave_seat(trial.table_id, token, request)
    assert await trial.table.leave_seat(trial.table_id, token, request) == first
    await refused(trial.table.leave_seat(trial.table_id, token, trial.id()), Reason.TOKEN_INVALID)


# Who, when and what.


async def test_a_token_of_nobody_is_refused(trial: Trial) -> None:
    trial.tokens[Seat.SOUTH] = "x" * 43
    await refused(trial.act(Seat.SOUTH, PASS), Reason.TOKEN_INVALID)


async def test_only_the_seat_that_is_asked_may_act(trial: Trial) -> None:
    state = await trial.state()
    for seat in SEATS:
        if seat is not asked(state):
            await refused(trial.act(seat, PASS), Reason.NOT_YOUR_TURN)
    assert await trial.state() == state


async def test_a_card_in_the_auction_and_a_call_in_the_play_are_refused(trial: Trial) -> None:
    state = await trial.state()
    assert state.round is not None
    card = next(iter(state.round.hands[asked(state)]))
    claim = QaidMove(QaidGround.REVOKE, card, card)
    for action, name in ((CardMove(card), "a card"), (SawaMove(), "a Sawa"), (claim, "a Qaid")):
        refusal = await refused(trial.act(asked(state), action), Reason.WRONG_PHASE)
        assert refusal.message.startswith(f"{name} belongs to the play")
    state = await in_play(trial)
    await refused(trial.act(asked(state), PASS), Reason.WRONG_PHASE)


async def in_play(trial: Trial) -> TableState:
    state = await trial.state()
    while state.round is None or state.round.phase is not Phase.PLAY:
        state = await trial.play(1)
    return state


async def test_every_card_that_may_not_be_played_is_refused_with_the_reason_told(trial: Trial) -> None:
    seen = set()
    state = await in_play(trial)
    for _ in range(60):
        question = next((open_.question for open_ in state.questions), None)
        if isinstance(question, PlayAsked):
            told = {card.card: card.reason for card in question.refused}
            legal = {choice.card for choice in question.legal}
            for card in CARDS:
                if card not in legal:
                    reason = told.get(card, Reason.CARD_NOT_HELD)
                    await refused(trial.act(question.seat, CardMove(card)), reason)
                    seen.add(reason)
        state = await trial.play(1)
    assert {Reason.CARD_NOT_HELD, Reason.MUST_FOLLOW} <= seen


async def test_a_stale_action_is_refused_and_a_fresh_one_is_not(trial: Trial) -> None:
    state = await trial.state()
    seat = asked(state)
    stale = await refused(trial.act(seat, PASS, expected=state.sequence - 1), Reason.SEQUENCE_STALE)
    assert stale.metadata == {"asked_at": str(state.sequence)}
    await refused(trial.act(seat, PASS, expected=state.sequence + 1), Reason.SEQUENCE_AHEAD)
    assert (await trial.act(seat, PASS, expected=state.sequence)).sequence == state.sequence + 1


async def test_entries_that_do_not_concern_the_question_do_not_make_it_stale() -> None:
    trial, state = await answering()
    before = state.sequence
    first, second, third = [open_.seat for open_ in state.questions if not open_.private]
    await trial.act(first, PASS, expected=before)
    await trial.act(third, PASS, expected=before)
    await trial.act(second, PASS, expected=before)


async def answering() -> tuple[Trial, TableState]:
    """A table at which a Hokum is being answered by the three others."""
    for seed in range(100):
        trial = Trial(seed=seed)
        state = await trial.deal()
        await trial.act(asked(state), HOKUM)
        state = await trial.state()
        if [open_.kind for open_ in state.questions] == [QuestionKind.ANSWER] * 3:
            return trial, state
    raise AssertionError("no deal without Kawesh in a hundred")


async def test_answers_are_sealed_until_they_are_settled() -> None:
    trial, state = await answering()
    first, second, third = [open_.seat for open_ in state.questions]
    entry = await trial.act(third, SUN)
    assert entry.events == (ev.AnswerGiven(third, SUN),)
    assert [open_.seat for open_ in entry.questions] == [first, second]
    await trial.act(first, PASS)
    entry = await trial.act(second, PASS)
    kinds = [type(event) for event in entry.events]
    assert kinds[:2] == [ev.AnswerGiven, ev.AnswersOpened]
    opened = entry.events[1]
    assert isinstance(opened, ev.AnswersOpened)
    assert [answer.call for answer in opened.answers] == [PASS, PASS, SUN]


# Lifecycle.


async def test_the_fourth_seat_starts_the_match() -> None:
    trial = Trial()
    await trial.fill()
    state = await trial.state()
    assert state.status is Status.PLAYING
    await refused(trial.table.take_seat(trial.table_id, trial.id(), None, "late"), Reason.TABLE_NOT_OPEN)


async def test_a_taken_seat_is_refused_and_a_left_one_is_free_again() -> None:
    trial = Trial()
    await trial.open()
    _, token = await trial.table.take_seat(trial.table_id, trial.id(), Seat.NORTH, "Sarah")
    await refused(trial.table.take_seat(trial.table_id, trial.id(), Seat.NORTH, "Omar"), Reason.SEAT_TAKEN)
    await trial.table.leave_seat(trial.table_id, token, trial.id())
    entry, _ = await trial.table.take_seat(trial.table_id, trial.id(), Seat.NORTH, "Omar")
    assert entry.actor is Seat.NORTH


async def test_actions_before_the_match_are_refused() -> None:
    trial = Trial()
    await trial.open()
    _, token = await trial.table.take_seat(trial.table_id, trial.id(), Seat.NORTH, "Sarah")
    trial.tokens[Seat.NORTH] = token
    await refused(trial.act(Seat.NORTH, PASS), Reason.TABLE_NOT_PLAYING)


async def test_an_unknown_table_is_refused_and_leaves_nothing_in_memory() -> None:
    trial = Trial()
    unknown = UUID(int=5)
    await refused(trial.table.state(unknown), Reason.TABLE_UNKNOWN)
    assert unknown not in trial.table.tables


async def test_a_table_that_is_never_filled_is_abandoned_at_its_time_and_not_before() -> None:
    trial = Trial(settings=Settings(fill_timeout=60 * SECOND))
    await trial.open()
    trial.clock.pass_(60 * SECOND - 1)
    await trial.table.step(trial.table_id)
    assert (await trial.state()).status is Status.OPEN
    trial.clock.pass_(1)
    await trial.table.step(trial.table_id)
    state = await trial.state()
    assert (state.status, state.abandoned) == (Status.ABANDONED, ev.AbandonReason.NEVER_FILLED)


async def test_leaving_a_match_abandons_it(trial: Trial) -> None:
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    state = await trial.state()
    assert (state.status, state.abandoned, state.deadline) == (Status.ABANDONED, ev.AbandonReason.LEFT, None)
    assert not state.questions
    await refused(trial.act(Seat.SOUTH, PASS), Reason.TABLE_ENDED)
    await refused(
        trial.table.leave_seat(trial.table_id, trial.tokens[Seat.WEST], trial.id()), Reason.TABLE_ENDED
    )


async def test_a_match_that_nobody_plays_is_abandoned_as_idle(trial: Trial) -> None:
    state = await trial.state()
    while not state.status.ended:
        trial.clock.pass_(trial.settings.action_timeout)
        await trial.table.step(trial.table_id)
        state = await trial.state()
    assert state.abandoned is ev.AbandonReason.IDLE
    assert sum(entry.by_default for entry in await trial.entries()) == IDLE_AFTER_DEFAULTS


async def test_one_action_of_a_seat_keeps_the_match_from_being_idle(trial: Trial) -> None:
    for _ in range(IDLE_AFTER_DEFAULTS - 1):
        trial.clock.pass_(trial.settings.action_timeout)
        await trial.table.step(trial.table_id)
    state = await trial.state()
    waiting = [open_ for open_ in state.questions if not open_.private]
    if waiting:
        await trial.act(waiting[0].seat, waiting[0].question.default)
    assert (await trial.state()).defaults_in_row == 0 or not waiting


async def test_a_match_ends_at_its_target_and_its_table_stays_as_it_is() -> None:
    trial = Trial(seed=3)
    await trial.fill()
    state = await trial.play()
    assert state.status is Status.FINISHED
    assert state.winner is not None
    assert max(state.scores) >= state.settings.ruleset.match_target
    trial.clock.pass_(3600 * SECOND)
    await trial.table.step(trial.table_id)
    assert await trial.state() == state


# Time.


async def test_a_seat_that_does_not_answer_gets_the_default_at_its_time_once(trial: Trial) -> None:
    state = await trial.state()
    assert state.deadline == trial.clock.now + trial.settings.action_timeout
    trial.clock.pass_(trial.settings.action_timeout - 1)
    await trial.table.step(trial.table_id)
    assert (await trial.state()).sequence == state.sequence
    trial.clock.pass_(1)
    await asyncio.gather(*(trial.table.step(trial.table_id) for _ in range(5)))
    entries = await trial.entries()
    assert len(entries) == state.sequence + 1
    assert entries[-1].by_default
    assert entries[-1].actor is None
    question = next(open_.question for open_ in state.questions if not open_.private)
    assert entries[-1].events[0] == ev.CallMade(question.seat, question.default)  # type: ignore[arg-type]


async def test_whole_matches_can_be_played_by_nobody_but_the_clock() -> None:
    """Every default action is legal, in every phase."""
    for seed in range(3):
        trial = Trial(seed=seed)
        state = await trial.deal()
        for _ in range(400):
            if state.status.ended:
                break
            if trial.random.random() < 0.05:
                await trial.one_more(state)
            trial.clock.pass_(trial.settings.action_timeout)
            await trial.table.step(trial.table_id)
            state = await trial.state()


async def test_the_next_deal_waits_for_the_pause() -> None:
    trial = Trial(seed=1, settings=Settings(round_pause=5 * SECOND))
    state = await trial.deal()
    while state.round is not None and state.round.phase in (Phase.AUCTION, Phase.PLAY):
        state = await trial.play(1)
    assert state.deadline == trial.clock.now + 5 * SECOND
    await trial.table.step(trial.table_id)
    assert (await trial.state()).sequence == state.sequence
    trial.clock.pass_(5 * SECOND)
    await trial.table.step(trial.table_id)
    dealt = (await trial.entries())[-1].events[0]
    assert isinstance(dealt, ev.RoundDealt)
    assert dealt.dealt.number == 2


async def test_several_seats_asked_at_once_share_one_deadline() -> None:
    trial, state = await answering()
    deadline = state.deadline
    trial.clock.pass_(SECOND)
    await trial.act(state.questions[0].seat, PASS)
    assert (await trial.state()).deadline == deadline
    assert deadline is not None
    trial.clock.now = deadline
    await trial.table.step(trial.table_id)
    await trial.table.step(trial.table_id)
    entries = await trial.entries()
    assert [entry.by_default for entry in entries[-2:]] == [True, True]
    state = await trial.state()
    assert all(open_.kind is not QuestionKind.ANSWER for open_ in state.questions)


# Several writers.


async def test_of_many_who_race_for_one_turn_one_plays(trial: Trial) -> None:
    state = await trial.state()
    seat = asked(state)
    tries = [trial.act(seat, PASS) for _ in range(50)]
    done = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(result, Entry) for result in done) == 1
    assert all(
        isinstance(result, Entry) or (isinstance(result, Refusal) and result.reason is Reason.NOT_YOUR_TURN)
        for result in done
    )
    assert len(await trial.entries()) == state.sequence + 1


async def test_two_replicas_share_one_table(trial: Trial) -> None:
    replicas = [trial.table, Orchestrator(trial.log, trial.table._rules)]
    state = await trial.state()
    while not state.status.ended:
        trial.table = trial.random.choice(replicas)
        await trial.one_more(state)
        state = await trial.random.choice(replicas).state(trial.table_id)
    entries = await trial.entries()
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1))
    assert fold(entries) == state


async def test_two_replicas_that_race_let_one_action_through(trial: Trial) -> None:
    other = Orchestrator(trial.log, trial.table._rules)
    for _ in range(30):
        state = await trial.state()
        await other.state(trial.table_id)
        waiting = [open_ for open_ in state.questions if not open_.private]
        if not waiting:
            await asyncio.gather(trial.table.step(trial.table_id), other.step(trial.table_id))
        else:
            seat, action = waiting[0].seat, waiting[0].question.default
            racing = [
                replica.submit(trial.table_id, trial.tokens[seat], trial.id(), state.sequence, action)
                for replica in (trial.table, other)
            ]
            done = await asyncio.gather(*racing, return_exceptions=True)
            assert sum(isinstance(result, Entry) for result in done) == 1, done
        assert len(await trial.entries()) == state.sequence + 1


# A store that fails.


class Failing(MemoryStore):
    """Fails when told to: before it stores, or after."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.before = False
        self.after = False

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        if self.before:
            raise StoreUnavailable("gone")
        stored = await super().append(entry, status)
        if self.after:
            raise StoreUnavailable("gone after the commit")
        return stored

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        if self.before:
            raise StoreUnavailable("gone")
        return await super().read(table_id, after, limit, secrets=secrets)


async def failing() -> tuple[Trial, Failing]:
    clock = Clock()
    store = Failing(clock)
    trial = Trial(seed=7, clock=clock, store=store)
    await trial.deal()
    return trial, store


async def test_an_action_that_the_store_did_not_take_can_be_repeated() -> None:
    trial, store = await failing()
    state, request = await trial.state(), trial.id()
    store.before = True
    await refused(trial.act(asked(state), PASS, request), Reason.UNAVAILABLE)
    store.before = False
    assert (await trial.act(asked(state), PASS, request)).sequence == state.sequence + 1


async def test_an_action_whose_answer_was_lost_is_not_done_twice() -> None:
    trial, store = await failing()
    state, request = await trial.state(), trial.id()
    store.after = True
    await refused(trial.act(asked(state), PASS, request), Reason.UNAVAILABLE)
    store.after = False
    assert (await trial.act(asked(state), PASS, request)).sequence == state.sequence + 1
    assert len(await trial.entries()) == state.sequence + 1


async def test_cancelling_at_any_moment_leaves_the_action_done_once_or_not_at_all(trial: Trial) -> None:
    for patience in range(40):
        state = await trial.state()
        waiting = [open_ for open_ in state.questions if not open_.private]
        if not waiting:
            await trial.table.step(trial.table_id)
            continue
        seat, action, request = waiting[0].seat, waiting[0].question.default, trial.id()
        task = asyncio.create_task(trial.act(seat, action, request))
        for _ in range(patience % 8):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        entry = await trial.act(seat, action, request)
        assert entry.sequence == state.sequence + 1
        assert len(await trial.entries()) == state.sequence + 1


def test_the_words_of_an_action_tell_it_from_any_other() -> None:
    from baloot.table.decide import Action, spelled

    calls = [Call(kind) for kind in CallKind] + [Call(CallKind.DOUBLE, locked=True)]
    actions: list[Action] = [
        *calls,
        SawaMove(),
        *(CardMove(card) for card in CARDS),
        CardMove(CARDS[0], akka=True),
    ]
    assert len({spelled(action) for action in actions}) == len(actions)


# Away.


async def test_a_seat_loses_no_turn_while_the_table_is_away(trial: Trial) -> None:
    state = await trial.state()
    trial.clock.pass_(trial.settings.action_timeout + LATE + 1)
    await trial.table.step(trial.table_id)
    extended = (await trial.entries())[-1]
    assert extended.events == (ev.ClockExtended(),)
    assert [replace(open_, clock=None) for open_ in extended.questions] == [
        replace(open_, clock=None) for open_ in state.questions
    ]
    assert extended.deadline == trial.clock.now + trial.settings.action_timeout
    assert (await trial.act(asked(state), PASS)).sequence == extended.sequence + 1


async def test_the_clock_is_not_extended_twice_in_a_row(trial: Trial) -> None:
    for _ in range(2):
        trial.clock.pass_(trial.settings.action_timeout + LATE + 1)
        await trial.table.step(trial.table_id)
    first, second = (await trial.entries())[-2:]
    assert first.events == (ev.ClockExtended(),)
    assert second.by_default


async def test_a_step_that_is_hardly_late_extends_nothing(trial: Trial) -> None:
    trial.clock.pass_(trial.settings.action_timeout + LATE)
    await trial.table.step(trial.table_id)
    assert (await trial.entries())[-1].by_default
