"""What a command brings about."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.auction import Asked
from baloot.core.play import PlayAsked
from baloot.core.seats import Seat
from baloot.table.events import Event, Micros, Status
from baloot.table.state import TableState

Question = Asked | PlayAsked


@dataclass(frozen=True, slots=True)
class Decision:
    """What a command brings about: the facts, who is asked from then on, and when the table goes on by itself.

    `wait` is the time until the table's next own step where nobody is asked: None keeps the deadline that stands.
    `answered` is the seat for which the table answered; `restarts` gives all who are asked their time once more, `stands`
    nobody, not even who acted. `at` is when it was decided, where that decides: the entry has no other moment.
    """

    events: tuple[Event, ...]
    questions: tuple[Question, ...] = ()
    wait: Micros | None = None
    ends: Status | None = None
    by_default: bool = False
    answered: Seat | None = None
    restarts: bool = False
    stands: bool = False
    at: Micros | None = None


def standing(state: TableState) -> tuple[Question, ...]:
    """The open questions as they are."""
    return tuple(open_.question for open_ in state.questions)


def same_again(state: TableState, event: Event) -> Decision:
    """The open questions stand."""
    return Decision((event,), standing(state))
