"""Tables under every rule set that ships: whole matches, and what only they do at a table."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest
from baloot.api.table.v1 import table_pb2
from baloot.client import follow
from baloot.core.auction import HOKUM, PASS, SUN, Asked, Call, CallKind, CutChoice, QuestionKind
from baloot.core.catalogue import NAMES, RULESETS
from baloot.core.deal import DealEnd
from baloot.core.errors import Reason
from baloot.core.play import CardMove, PlayAsked, QaidGround, QaidMove, SawaMove
from baloot.core.ruleset import STANDARD, Cut, DoubleWindow, FirstDealer, IllegalPlay, Ruleset, UnnamedSuit
from baloot.core.score import RoundResult
from baloot.core.seats import SEATS, Position, Seat
from baloot.table import events as ev
from baloot.table.codec import encode_entry, encode_table
from baloot.table.decide import Action
from baloot.table.events import Entry, Settings, Status
from baloot.table.state import Phase, TableState
from baloot.table.views import Viewer, see, see_entry

from tests.table.invariants import check
from tests.table.test_orchestrator import asked, refused
from tests.table.test_views import cards_in, may_know, states
from tests.table.trial import Trial

VIEWERS: tuple[Viewer, ...] = (None, *SEATS)


def under(ruleset: Ruleset, seed: int = 0, **settings: object) -> Trial:
    return Trial(seed=seed, settings=replace(Settings(ruleset, round_pause=0), **settings))  # type: ignore[arg-type]


def claims_are_heard(ruleset: Ruleset) -> bool:
    return ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID


@pytest.fixture(scope="module", params=NAMES)
def log(request: pytest.FixtureRequest) -> list[Entry]:
    """The log of a whole match of random players under one rule set."""

    async def played() -> list[Entry]:
        trial = under(RULESETS[request.param], seed=NAMES.index(request.param))
        await trial.fill()
        state = await trial.play()
        assert state.status is Status.FINISHED
        return await trial.entries()

    return asyncio.run(played())


def test_a_match_under_any_rule_set_is_won_and_every_event_keeps_what_must_hold(log: list[Entry]) -> None:
    check(log)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", [name for name in NAMES if claims_are_heard(RULESETS[name])])
async def test_claims_keep_what_must_hold(name: str, seed: int) -> None:
    claimed = False
    for match in range(50):
        trial = under(RULESETS[name], 50 * seed + match)
        trial.claims = 0.02
        await trial.fill()
        await trial.play()
        log = await trial.entries()
        check(log)
        claimed = any(isinstance(event, ev.QaidClaimed) for entry in log for event in entry.events)
        if claimed:
            break
    assert claimed


@pytest.mark.parametrize("viewer", VIEWERS)
def test_views_neither_drift_nor_leak_under_any_rule_set(log: list[Entry], viewer: Viewer) -> None:
    view = table_pb2.TableView()
    for entry, state in states(log):
        seen = encode_entry(see_entry(entry, viewer))
        wanted = encode_table(see(state, viewer))
        if entry.sequence == 1:
            view.CopyFrom(wanted)
        else:
            follow.apply(view, seen)
        assert view == wanted, f"after entry {entry.sequence}: {entry.events}"
        assert cards_in(seen) | cards_in(wanted) <= may_know(state, viewer)


# The cut.

CUTTING = STANDARD.with_options(name="cutting", cut=Cut.PRIVILEGES)


@pytest.mark.parametrize("choice", CutChoice)
async def test_the_dealers_left_cuts_before_the_deal(choice: CutChoice) -> None:
    trial = under(CUTTING)
    state = await trial.deal()
    pending, question = state.pending, state.questions[0]
    assert pending is not None
    assert (question.kind, question.seat) == (QuestionKind.CUT, Position.S3.seat(pending.dealer))
    entry = await trial.act(question.seat, Call(CallKind.CUT, cut=choice))
    dealt = entry.events[0]
    assert isinstance(dealt, ev.RoundDealt)
    assert dealt.cut is choice
    again = choice is CutChoice.RESHUFFLE
    assert dealt.dealt.number == pending.number + again
    assert (dealt.dealt.commitment == pending.sealed_seed.commitment) is not again
    assert sorted(dealt.deck.cards) == sorted(dealt.dealt.deck.cards)
    assert (await trial.state()).pending is None


async def test_nothing_else_may_be_said_while_the_deck_is_cut() -> None:
    trial = under(CUTTING)
    state = await trial.deal()
    cutter = state.questions[0].seat
    cuts = "cut go_on,cut cut,cut reshuffle,cut top_up,cut bottom_to_partner,cut bottom_kept,cut top_kept"
    go_on = Call(CallKind.CUT, cut=CutChoice.GO_ON)
    cases: list[tuple[Seat, Action, Reason, str]] = [
        (cutter, HOKUM, Reason.WRONG_PHASE, cuts),
        (cutter, Call(CallKind.CUT), Reason.CUT_REQUIRED, cuts),
        (cutter, SawaMove(), Reason.WRONG_PHASE, ""),
        (cutter.next, go_on, Reason.NOT_YOUR_TURN, ""),
    ]
    for seat, action, reason, legal in cases:
        told = await refused(trial.act(seat, action), reason)
        assert (told.rule, told.legal) == ("2.3", legal)
    assert await trial.state() == state


async def test_a_cutter_who_says_nothing_lets_the_deal_go_on() -> None:
    trial = under(CUTTING)
    await trial.deal()
    trial.clock.pass_(trial.settings.action_timeout)
    await trial.table.step(trial.table_id)
    dealt = (await trial.entries())[-1].events[0]
    assert isinstance(dealt, ev.RoundDealt)
    assert dealt.cut is CutChoice.GO_ON


# Doubling with eight cards.


async def bought(ruleset: Ruleset) -> tuple[Trial, TableState]:
    """Matches of random players until a round is bought and its raises are asked; some match may ask none."""
    for seed in range(100):
        trial = under(ruleset, seed)
        state = await trial.deal()
        while not state.status.ended:
            if any(open_.kind is QuestionKind.DOUBLE for open_ in state.questions):
                return trial, state
            state = await trial.play(1)
    raise AssertionError("no raises were asked in 100 matches")


async def test_until_the_first_lead_raises_are_asked_with_eight_cards() -> None:
    trial, state = await bought(
        STANDARD.with_options(name="late", double_window=DoubleWindow.UNTIL_FIRST_LEAD)
    )
    assert state.round is not None
    assert [len(hand) for hand in state.round.hands] == [8, 8, 8, 8]
    hands = state.round.hands
    while any(open_.kind is not QuestionKind.PLAY for open_ in state.questions):
        await trial.act(asked(state), PASS)
        state = await trial.state()
    assert state.round is not None
    assert state.round.hands == hands


async def test_in_standard_raises_are_asked_with_five() -> None:
    _, state = await bought(STANDARD)
    assert state.round is not None
    assert [len(hand) for hand in state.round.hands] == [5, 5, 5, 5]


# The unnamed suit.


async def test_a_buyer_who_names_no_suit_is_asked_once_more() -> None:
    trial = under(STANDARD.with_options(name="again", unnamed_suit=UnnamedSuit.REPROMPT, kawesh=False))
    state = await trial.deal()
    while not names_a_suit(state):
        call = HOKUM if state.questions[0].kind is QuestionKind.SECOND else PASS
        await trial.act(asked(state), call)
        state = await trial.state()
        if not state.questions:
            await trial.table.step(trial.table_id)
            state = await trial.state()
    buyer = asked(state)
    for _ in range(2):
        trial.clock.pass_(trial.settings.action_timeout)
        await trial.table.step(trial.table_id)
    again, named = (await trial.entries())[-2:]
    assert again.events == (ev.AskedAgain(buyer),)
    assert named.by_default
    assert isinstance(named.events[0], ev.CallMade)
    assert named.events[0].call.kind is CallKind.CONFIRM


def names_a_suit(state: TableState) -> bool:
    return any(
        isinstance(open_.question, Asked) and any(call.suit is not None for call in open_.question.legal)
        for open_ in state.questions
    )


# Qaid.

OPEN = STANDARD.with_options(name="open", illegal_play=IllegalPlay.ALLOW_WITH_QAID, kawesh=False)


async def offence(trial: Trial) -> tuple[Seat, CardMove]:
    """Plays on until somebody revokes, and returns who did and with what."""
    state = await trial.state()
    while True:
        open_ = next((open_ for open_ in state.questions), None)
        question = open_.question if open_ else None
        if isinstance(question, PlayAsked):
            revoke = [one.card for one in question.refused if one.reason is Reason.MUST_FOLLOW]
            if revoke:
                move = CardMove(revoke[0])
                await trial.act(question.seat, move)
                return question.seat, move
        state = await trial.play(1)


async def test_an_illegal_card_is_played_and_an_opponent_may_claim_it() -> None:
    trial = under(OPEN, seed=3)
    await trial.deal()
    offender, move = await offence(trial)
    state = await trial.state()
    assert state.round is not None
    led = state.round.trick[0].move.card if state.round.trick else state.round.tricks[-1].cards[0]
    claimer = offender.next
    while True:
        state = await trial.state()
        assert state.round is not None
        played = {
            card
            for trick in state.round.tricks
            for n, card in enumerate(trick.cards)
            if SEATS[(trick.leader + n) % 4] is offender
        }
        proofs = [card for card in played if card.suit is led.suit and card is not move.card]
        if proofs or state.round.phase is not Phase.PLAY:
            break
        await trial.play(1)
    entry = await trial.act(claimer, QaidMove(QaidGround.REVOKE, move.card, proofs[0]))
    claimed = entry.events[0]
    assert isinstance(claimed, ev.QaidClaimed)
    assert claimed.qaid.right
    scored = next(event for event in entry.events if isinstance(event, ev.RoundScored))
    assert scored.score.result is RoundResult.QAID
    assert scored.score.round_winner is claimer.team


async def test_a_wrong_claim_is_decided_against_the_claimer() -> None:
    trial = under(OPEN, seed=4)
    await trial.deal()
    state = await trial.state()
    while state.round is None or not state.round.trick:
        state = await trial.play(1)
    lying = state.round.trick[0]
    entry = await trial.act(lying.seat.next, QaidMove(QaidGround.REVOKE, lying.move.card, lying.move.card))
    claimed = entry.events[0]
    assert isinstance(claimed, ev.QaidClaimed)
    assert not claimed.qaid.right
    assert claimed.qaid.winner is lying.seat.team


async def reviewed(trial: Trial) -> TableState:
    state = await trial.deal()
    while state.round is None or state.round.phase is not Phase.REVIEW:
        state = await trial.play(1)
    return state


async def test_the_round_is_scored_when_nobody_has_anything_to_claim() -> None:
    trial = under(OPEN, seed=5)
    state = await reviewed(trial)
    assert [open_.kind for open_ in state.questions] == [QuestionKind.QAID] * 4
    for seat in SEATS[:3]:
        entry = await trial.act(seat, PASS)
        assert entry.events == (ev.RoundAccepted(seat),)
    again = await refused(trial.act(SEATS[0], PASS), Reason.NOT_YOUR_TURN)
    assert (again.rule, again.legal) == ("2.33", "")
    other = await refused(trial.act(SEATS[3], SUN), Reason.CALL_NOT_OFFERED)
    assert (other.rule, other.legal) == ("2.33", "pass")
    late = await refused(trial.act(SEATS[3], SawaMove()), Reason.WRONG_PHASE)
    assert (late.rule, late.legal) == ("2.36", "")
    entry = await trial.act(SEATS[3], PASS)
    assert any(isinstance(event, ev.RoundScored) for event in entry.events)


async def test_a_review_that_nobody_answers_ends_by_itself() -> None:
    trial = under(OPEN, seed=5)
    await reviewed(trial)
    trial.clock.pass_(trial.settings.action_timeout)
    for _ in SEATS:
        await trial.table.step(trial.table_id)
    state = await trial.state()
    assert state.round is not None
    assert state.round.end is DealEnd.SCORED


# A rematch.


async def test_the_side_that_lost_deals_first_in_the_rematch() -> None:
    trial = under(STANDARD.with_options(name="losers", first_dealer=FirstDealer.LOSING_TEAM, match_target=30))
    await trial.fill()
    won = await trial.play()
    assert won.winner is not None
    again = Trial(seed=9, settings=replace(trial.settings, rematch_of=trial.table_id), store=trial.log)
    again.clock = trial.clock
    state = await again.deal()
    assert state.settings.lost_before is won.winner.other
    assert state.round is not None
    assert state.round.dealer.team is won.winner.other


async def test_a_rematch_follows_a_match_that_was_won() -> None:
    trial = under(STANDARD)
    await trial.fill()
    rematch = replace(trial.settings, rematch_of=trial.table_id)
    await refused(trial.table.create(trial.id(), rematch), Reason.TABLE_NOT_FINISHED)
