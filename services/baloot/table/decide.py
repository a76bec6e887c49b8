"""Deciding: what an action, or the passing of time, makes of a table. Asks the rule services; writes nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from baloot.core.auction import (
    PASS,
    Asked,
    AuctionRecord,
    AuctionStep,
    Call,
    KaweshCalled,
    QuestionKind,
    SeatCall,
    ThrownIn,
)
from baloot.core.cards import Hand, Rank
from baloot.core.contract import Contract
from baloot.core.deal import DealEnd, FourHands
from baloot.core.errors import Reason, Refusal, forbidden
from baloot.core.play import CardMove, Move, PlayOutcome, PlayRecord, PlayStep, QaidMove, SawaMove
from baloot.core.projects import Declaration
from baloot.core.ruleset import DoubleWindow, IllegalPlay, KaweshTurn
from baloot.core.score import RoundRecord
from baloot.core.seats import SEATS, Seat, from_dealer, position
from baloot.table import absence, dealing
from baloot.table import events as ev
from baloot.table.dealing import AddSeed
from baloot.table.decision import Decision, Question, same_again, standing
from baloot.table.events import Event, Micros, Status
from baloot.table.rules import Rules
from baloot.table.state import Phase, Round, TableState

MOST_SEATINGS = 100
"""How often seats of one table are taken at most, so that nobody fills its log by coming and going."""


@dataclass(frozen=True, slots=True)
class ComeBack:
    """Takes a seat back from the bot that plays for it, and does nothing else."""


Action = Call | Move | ComeBack | AddSeed


async def act(rules: Rules, state: TableState, seat: Seat, action: Call | Move | ComeBack) -> Decision:
    """What an action of a seat's player brings about, who is back with it. Raises Refusal when it may not be done now."""
    _require_playing(state)
    if isinstance(action, ComeBack):
        return _come_back(state, seat)
    taken = await answer(rules, state, seat, action)
    if seat not in state.bots:
        return taken
    return replace(taken, events=(ev.PlayerReturned(seat), *taken.events))


def _come_back(state: TableState, seat: Seat) -> Decision:
    """The player has a fresh time for what is asked; not twice for the same question, or nobody else might ever play."""
    if seat not in state.bots:
        raise Refusal(Reason.NOT_ABSENT, "you play for your seat yourself")
    again = _has_come_back(state, seat)
    return replace(same_again(state, ev.PlayerReturned(seat)), stands=again)


def _has_come_back(state: TableState, seat: Seat) -> bool:
    """Whether a player has come back since its seat was asked: then no more coming and going moves the clock."""
    open_ = state.question_to(seat)
    return open_ is not None and state.returned[seat] > open_.asked_at


async def answer(rules: Rules, state: TableState, seat: Seat, action: Call | Move) -> Decision:
    """What an action for a seat brings about, whoever chose it. Raises Refusal when it may not be done now."""
    if state.pending is not None:
        return await dealing.cut(rules, state, state.pending, seat, action)
    round_ = _playing_round(state)
    if round_.phase is Phase.REVIEW and isinstance(action, Call):
        return await _accept(rules, state, round_, seat, action)
    if round_.phase is Phase.REVIEW and isinstance(action, QaidMove):
        return await _move(rules, state, round_, seat, action)
    if isinstance(action, Call):
        _require_phase(round_, Phase.AUCTION, "a call belongs to the auction")
        return await _call(rules, state, round_, seat, action)
    _require_phase(round_, Phase.PLAY, f"{_NAMES[type(action)]} belongs to the play")
    return await _move(rules, state, round_, seat, action)


_NAMES: dict[type[Move], str] = {CardMove: "a card", SawaMove: "a Sawa", QaidMove: "a Qaid"}


def take_seat(
    state: TableState,
    seat: Seat | None,
    name: str,
    token_hash: bytes,
    player_id: str = "",
    seed: bytes = b"",
    now: Micros = 0,
) -> Decision:
    """Seats a player, in the first free seat when none is named; the fourth one starts the match.

    A seed is added to the deals that are committed to; a table that is older than commitments has none, and from the
    moment on in which its beacon may be public none is taken.
    """
    if player_id:
        _require_elsewhere(state, token_hash)
    if state.status is not Status.OPEN:
        raise Refusal(Reason.TABLE_NOT_OPEN, "seats are taken only while the table is open")
    if state.seatings >= MOST_SEATINGS:
        raise Refusal(
            Reason.TABLE_NOT_OPEN,
            f"seats of this table were taken {MOST_SEATINGS} times, and are taken no more; open another one",
        )
    free = [Seat(n) for n, player in enumerate(state.seats) if player is None]
    chosen = free[0] if seat is None else seat
    if chosen not in free:
        raise Refusal(Reason.SEAT_TAKEN, f"somebody else sits {chosen}")
    added = seed if state.deals.open and not dealing.beacon_is_out(state, now) else b""
    taken = ev.SeatTaken(chosen, name, token_hash, player_id, added)
    at = None if state.settings.beacon_time is None else now
    if len(free) == 1:
        return Decision((taken, ev.MatchStarted()), wait=dealing.wait_for_beacon(state, now), at=at)
    return Decision((taken,), at=at)


def _require_elsewhere(state: TableState, token_hash: bytes) -> None:
    """Raises Refusal when an account has a seat of the table already."""
    held = None if state.status.ended else state.seat_of(token_hash)
    if held is not None:
        raise Refusal(
            Reason.ALREADY_SEATED, f"you sit at this table already: {held}", metadata={"seat": held.name}
        )


def leave_seat(state: TableState, seat: Seat) -> Decision:
    """Frees a seat of an open table; what leaving a match does is the table's policy."""
    if state.status.ended:
        raise Refusal(Reason.TABLE_ENDED, "the table has ended")
    if state.status is Status.OPEN:
        return Decision((ev.SeatLeft(seat),))
    outcome = absence.after_leaving(state, seat)
    if not outcome.events:
        raise Refusal(Reason.ALREADY_LEFT, "a bot plays for your seat already")
    left = decided(outcome, ev.SeatLeft(seat), questions=standing(state))
    return replace(left, stands=_has_come_back(state, seat))


def decided(outcome: absence.Outcome, *before: Event, questions: tuple[Question, ...] = ()) -> Decision:
    """What an absence brings about, after other facts; the questions stand unless the table ends."""
    return Decision((*before, *outcome.events), () if outcome.ends else questions, ends=outcome.ends)


def _require_playing(state: TableState) -> None:
    if state.status.ended:
        raise Refusal(Reason.TABLE_ENDED, "the table has ended")
    if state.status is Status.OPEN:
        raise Refusal(Reason.TABLE_NOT_PLAYING, "the match has not started: a seat is still free")


def _playing_round(state: TableState) -> Round:
    if state.round is None or state.round.phase in (Phase.SCORED, Phase.VOID):
        raise forbidden(Reason.NOT_YOUR_TURN, "the next round is not dealt yet")
    return state.round


def _require_phase(round_: Round, phase: Phase, sentence: str) -> None:
    if round_.phase is not phase:
        there = round_.phase.name.lower()
        raise forbidden(Reason.WRONG_PHASE, f"{sentence}, and the round is in the {there}")


async def _call(rules: Rules, state: TableState, round_: Round, seat: Seat, call: Call) -> Decision:
    step = await rules.bidding.make_call(round_.auction, seat, call)
    events = _heard(state, round_, seat, call, step)
    if step.contract is not None and round_.contract is None:
        events.append(ev.Bought(replace(step.contract, raises=())))
        if step.outcome is None and _completes_hands_first(state):
            events.append(ev.HandsCompleted(_full_hands(round_, step.contract)))
    if step.outcome is None:
        return Decision(tuple(events), step.asked)
    if isinstance(step.outcome, Contract):
        return await _start_play(rules, state, round_, step.outcome, events)
    events.append(_void(round_, step.outcome))
    return Decision(tuple(events), wait=state.settings.round_pause)


def _heard(state: TableState, round_: Round, seat: Seat, call: Call, step: AuctionStep) -> list[Event]:
    question = state.question_to(seat)
    if question is None or question.kind is not QuestionKind.ANSWER:
        return [ev.CallMade(seat, call)]
    events: list[Event] = [ev.AnswerGiven(seat, call)]
    if not step.sealed:
        answers = (*round_.sealed, SeatCall(seat, call))
        in_order = sorted(answers, key=lambda answer: position(answer.seat, round_.dealer))
        events.append(ev.AnswersOpened(tuple(in_order)))
    return events


def _void(round_: Round, outcome: ThrownIn | KaweshCalled) -> ev.DealVoid:
    if isinstance(outcome, KaweshCalled):
        return ev.DealVoid(DealEnd.KAWESH, outcome.seat, _laid_open(round_.auction, outcome.seat))
    return ev.DealVoid(DealEnd.THROWN_IN)


def _laid_open(auction: AuctionRecord, caller: Seat) -> tuple[Hand, ...]:
    """A claimed Kawesh lays all first hands open; said as a call, only the caller's (2.12)."""
    if auction.ruleset.kawesh_turn is not KaweshTurn.AS_SUN_CALL:
        return auction.hands
    return tuple(hand if seat == caller else Hand() for seat, hand in enumerate(auction.hands))


async def _start_play(
    rules: Rules, state: TableState, round_: Round, contract: Contract, events: list[Event]
) -> Decision:
    hands = _full_hands(round_, contract)
    record = PlayRecord(contract, round_.dealer, hands, (), state.settings.ruleset)
    step = await rules.play.get_play(record)
    leader = step.asked.seat if step.asked else from_dealer(round_.dealer)[0]
    events.append(ev.PlayStarted(contract, leader, hands))
    return Decision(tuple(events), _asked(step))


def _full_hands(round_: Round, contract: Contract) -> FourHands:
    return round_.deck.full_hands(round_.dealer, contract.taker)


def _completes_hands_first(state: TableState) -> bool:
    """Whether the raises are asked with eight cards in hand, up to the first lead (2.14)."""
    return state.settings.ruleset.double_window is DoubleWindow.UNTIL_FIRST_LEAD


async def _move(rules: Rules, state: TableState, round_: Round, seat: Seat, move: Move) -> Decision:
    assert round_.play is not None
    step = await rules.play.make_move(round_.play, seat, move)
    events = _moved(seat, step)
    if step.outcome is None:
        return Decision(tuple(events), _asked(step))
    if _is_reviewed(state, step.outcome):
        return Decision(tuple(events), _REVIEW)
    return await _score(rules, state, round_, step.outcome, events)


_REVIEW = tuple(Asked(seat, QuestionKind.QAID, (PASS,), PASS) for seat in SEATS)
"""The last moment to claim a violation: the round is scored when all four seats have nothing to claim (2.33)."""


def _is_reviewed(state: TableState, outcome: PlayOutcome) -> bool:
    return state.settings.ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID and outcome.qaid is None


async def _accept(rules: Rules, state: TableState, round_: Round, seat: Seat, call: Call) -> Decision:
    if state.question_to(seat) is None:
        raise forbidden(
            Reason.NOT_YOUR_TURN, "you have said already that there is nothing to claim", rule="2.33"
        )
    if call != PASS:
        sentence = "pass, so that the round is scored, or claim a violation"
        raise forbidden(Reason.CALL_NOT_OFFERED, sentence, rule="2.33", legal=str(PASS))
    events: list[Event] = [ev.RoundAccepted(seat)]
    left = tuple(open_.question for open_ in state.questions if open_.seat is not seat)
    if left:
        return Decision(tuple(events), left)
    assert round_.play is not None
    step = await rules.play.get_play(round_.play)
    assert step.outcome is not None
    return await _score(rules, state, round_, step.outcome, events)


def _moved(seat: Seat, step: PlayStep) -> list[Event]:
    move = step.record.moves[-1].move
    events: list[Event] = []
    if isinstance(move, CardMove):
        events.append(ev.CardPlayed(seat, move, step.baloot))
    elif isinstance(move, SawaMove):
        events.append(_claimed(seat, step))
    return events + following(step)


def following(step: PlayStep) -> list[Event]:
    """What follows from a card or a claim, in the order of the log."""
    events: list[Event] = []
    if step.outcome is not None and step.outcome.qaid is not None:
        events.append(ev.QaidClaimed(step.outcome.qaid))
    if step.shown:
        events.append(ev.ProjectsShown(step.shown))
    if step.trick is not None:
        events.append(ev.TrickWon(step.trick))
    if step.projects_team is not None:
        events.append(ev.ProjectsDecided(step.projects_team))
    return events


def _claimed(seat: Seat, step: PlayStep) -> ev.SawaClaimed:
    if not step.sawa:
        return ev.SawaClaimed(seat, held=False)
    credited = step.outcome.baloot[-1] if step.outcome and step.baloot else None
    return ev.SawaClaimed(seat, held=True, cards=step.proof, baloot=credited)


async def _score(
    rules: Rules, state: TableState, round_: Round, outcome: PlayOutcome, events: list[Event]
) -> Decision:
    assert round_.contract is not None
    record = RoundRecord(
        round_.contract,
        outcome,
        state.scores,
        state.settings.ruleset,
        dealer=round_.dealer,
        up_card=round_.auction.up_card,
        buyer_had_ace=_had_ace(round_, round_.contract),
    )
    score = await rules.scoring.score_round(record)
    events.append(ev.RoundScored(score))
    if score.winner is None:
        return Decision(tuple(events), wait=state.settings.round_pause)
    events.append(ev.MatchEnded(score.winner, score.totals))
    return Decision(tuple(events), ends=Status.FINISHED)


def _had_ace(round_: Round, contract: Contract) -> bool:
    assert round_.play is not None
    return any(card.rank is Rank.ACE for card in round_.play.hands[contract.buyer])


def _asked(step: PlayStep) -> tuple[Question, ...]:
    return (step.asked,) if step.asked else ()


def spelled(action: Action) -> tuple[str, ...]:
    """An action in plain words, equal for equal actions: what tells a repeated request from another one."""
    if isinstance(action, Call):
        return ("call", str(action))
    if isinstance(action, CardMove):
        projects, shown = _spelled_projects(action.projects), _spelled_projects(action.shown)
        said = (f"akka={action.akka}", f"baloot={action.baloot}", *projects, "shown", *shown)
        return ("card", str(action.card), *said)
    if isinstance(action, QaidMove):
        return ("qaid", action.ground.name, str(action.card), str(action.proof))
    if isinstance(action, AddSeed):
        return ("add seed", str(action.first_number), action.seed.hex())
    return ("come back",) if isinstance(action, ComeBack) else ("sawa",)


def _spelled_projects(declaration: Declaration) -> list[str]:
    return sorted(" ".join(map(str, project.cards)) for project in declaration)
