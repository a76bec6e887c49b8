"""From a decision to the entry that the log gets: who made it, when, and what is open from then on."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from baloot.core.seats import Seat
from baloot.table.decide import Decision, Question
from baloot.table.events import Entry, MatchStarted, Micros, OpenQuestion, SeatTaken, Status
from baloot.table.state import TableState


@dataclass(frozen=True, slots=True)
class Request:
    """A client's wish to change a table: whose, and how to recognise it when it comes again."""

    actor: bytes
    """The hash of the actor's seat token, or ANYBODY."""
    request_id: UUID
    digest: bytes


def entry_of(
    table_id: UUID,
    state: TableState | None,
    decision: Decision,
    actor: Seat | None,
    request: Request,
    now: Micros,
) -> Entry:
    """The entry after `state`; None is before the first."""
    sequence = state.sequence + 1 if state else 1
    return Entry(
        table_id=table_id,
        sequence=sequence,
        at=now,
        actor=actor,
        request_id=request.request_id,
        request_digest=request.digest,
        events=decision.events,
        questions=opened(state, decision.questions, sequence) if state else (),
        deadline=_deadline(state, decision, now),
        by_default=decision.by_default,
    )


def opened(state: TableState, questions: tuple[Question, ...], sequence: int) -> tuple[OpenQuestion, ...]:
    """The questions with the entries that asked them: one that stands unchanged keeps its number."""
    return tuple(
        next((open_ for open_ in state.questions if open_.question == question), None)
        or OpenQuestion(sequence, question)
        for question in questions
    )


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


def _deadline(state: TableState | None, decision: Decision, now: Micros) -> Micros | None:
    if decision.ends is not None:
        return None
    if decision.wait is not None:
        return now + decision.wait
    return state.deadline if state else None
