"""From a decision to the entry that the log gets: who made it, when, and what is open from then on."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from baloot.core.seats import Seat
from baloot.table import absence, timing
from baloot.table.decision import Decision
from baloot.table.events import (
    Entry,
    MatchStarted,
    Micros,
    OpenQuestion,
    Presence,
    PresenceChanged,
    SeatTaken,
    Settings,
    Status,
    TimeUsed,
)
from baloot.table.state import TableState
from baloot.table.timing import Moment


@dataclass(frozen=True, slots=True)
class Request:
    """A client's wish to change a table: whose, how to recognise it when it comes again, and when it came.

    `received` is set for the action of a seat, whose time counts.
    """

    actor: bytes
    """The hash of the actor's seat token or account, or ANYBODY."""
    request_id: UUID
    digest: bytes
    received: Micros | None = None


def entry_of(
    table_id: UUID,
    state: TableState | None,
    decision: Decision,
    actor: Seat | None,
    request: Request,
    moment: Moment,
) -> Entry:
    """The entry after `state`; None is before the first."""
    sequence = state.sequence + 1 if state else 1
    used: tuple[TimeUsed, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    if state is not None:
        answered = None if decision.stands else actor if decision.answered is None else decision.answered
        used = timing.time_used(state, decision.questions, answered, moment)
        questions = _opened(state, decision, answered, used, moment.now)
    return Entry(
        table_id=table_id,
        sequence=sequence,
        at=moment.now,
        actor=actor,
        request_id=request.request_id,
        request_digest=request.digest,
        events=decision.events,
        questions=questions,
        deadline=_deadline(state, decision, questions, moment.now),
        by_default=decision.by_default,
        received=moment.received,
        time_used=used,
    )


def spelled(settings: Settings) -> tuple[object, ...]:
    """Settings in plain values, equal for equal settings in every version: what came later only where it was chosen."""
    rules, control = settings.ruleset, settings.time_control
    times = settings.action_timeout, settings.round_pause, settings.fill_timeout
    words: tuple[object, ...] = (rules.name, rules.hash, *times, settings.rematch_of)
    if control is not None and control != timing.usual(settings.action_timeout):
        words = (*words, *control)
    if settings.absence not in (None, absence.USUAL):
        bot_after, leaving, *others = settings.policy
        words = (*words, "absence", bot_after, leaving.name, *others)
    if settings.spectator_delay:
        words = (*words, "delay", settings.spectator_delay)
    if settings.event_id:
        words = (*words, "event", settings.event_id)
    if settings.beacon:
        words = (*words, "beacon", settings.beacon)
    return words if settings.beacon_time is None else (*words, settings.beacon_time)


def status_after(state: TableState | None, decision: Decision) -> Status:
    """Where the table stands after a decision."""
    if decision.ends is not None:
        return decision.ends
    if any(isinstance(event, MatchStarted) for event in decision.events):
        return Status.PLAYING
    return state.status if state else Status.OPEN


def seat_taken(decision: Decision) -> Seat | None:
    """The seat that a decision fills, if it does."""
    first = decision.events[0]
    return first.seat if isinstance(first, SeatTaken) else None


def holder_of(entry: Entry) -> bytes | None:
    """By what an entry is found again: the hash of whoever it seats, or the process that has a player's stream."""
    first = entry.events[0]
    if isinstance(first, PresenceChanged):
        return first.owner if first.presence is Presence.HERE else None
    return first.token_hash if isinstance(first, SeatTaken) else None


def _opened(
    state: TableState, decision: Decision, answered: Seat | None, used: tuple[TimeUsed, ...], now: Micros
) -> tuple[OpenQuestion, ...]:
    """The questions with the entries that asked them: one that stands unchanged keeps its number."""
    banks = timing.banks_after(state.banks, used)
    before = state._replace(questions=()) if decision.restarts else state
    bots = absence.bots_after(state.bots, decision.events)
    opened = []
    for question in decision.questions:
        standing = next((open_ for open_ in state.questions if open_.question == question), None)
        asked_at = standing.asked_at if standing else state.sequence + 1
        clock = timing.clock_of(before, question, answered, banks, bots, now)
        opened.append(OpenQuestion(asked_at, question, clock))
    return tuple(opened)


def _deadline(
    state: TableState | None, decision: Decision, questions: tuple[OpenQuestion, ...], now: Micros
) -> Micros | None:
    if decision.ends is not None:
        return None
    if decision.wait is not None:
        return now + decision.wait
    if state is None:
        return None
    asked = timing.acts_at(state, questions, absence.bots_after(state.bots, decision.events))
    return state.deadline if asked is None else asked
