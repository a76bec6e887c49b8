"""An entry of the log: one accepted command, with its facts and the questions that are open from then on."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple
from uuid import UUID

from baloot.core.auction import Asked, QuestionKind
from baloot.core.play import PlayAsked
from baloot.core.seats import Seat
from baloot.table.events.bidding import BiddingEvent
from baloot.table.events.deals import DealEvent
from baloot.table.events.match import MatchEvent
from baloot.table.events.play import PlayEvent
from baloot.table.events.seats import SeatEvent
from baloot.table.events.settings import Micros

Event = SeatEvent | MatchEvent | DealEvent | BiddingEvent | PlayEvent


class SeatClock(NamedTuple):
    """The clock of a seat that is asked: until when the question's own time lasts, and until when the bank does."""

    own_until: Micros
    deadline: Micros


class TimeUsed(NamedTuple):
    """What a seat took for a question that is settled, and what is left in its bank."""

    seat: Seat
    used: Micros
    bank: Micros


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for its seat. `asked_at` is the sequence number of the entry that asked it.

    A private one has no `clock`, since nobody waits for it; nor has one that is older than time controls.
    """

    asked_at: int
    question: Asked | PlayAsked
    clock: SeatClock | None = None

    @property
    def seat(self) -> Seat:
        return self.question.seat

    @property
    def kind(self) -> QuestionKind:
        return self.question.kind if isinstance(self.question, Asked) else QuestionKind.PLAY

    @property
    def private(self) -> bool:
        """Whether nobody but its seat may know that it is open."""
        return isinstance(self.question, Asked) and self.question.optional


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command: who did what when, the facts, and who is asked from then on.

    `request_id` is the client's, or derived for the table's own steps; `request_digest` tells a repeated request from
    another one with the same id, and does not give a sealed answer away to who lacks the token. `actor` is None for
    the table itself. `deadline` is when the table acts by itself, the network allowance included. `at` is when it was
    accepted, `received` when the server got the action of a seat, `time_used` what the settled questions took where
    there are banks. `chain` is the link of the log's hash chain, once it is stored; empty in logs that have none.
    """

    table_id: UUID
    sequence: int
    at: Micros
    actor: Seat | None
    request_id: UUID
    request_digest: bytes
    events: tuple[Event, ...]
    questions: tuple[OpenQuestion, ...] = ()
    deadline: Micros | None = None
    by_default: bool = False
    received: Micros | None = None
    time_used: tuple[TimeUsed, ...] = ()
    chain: bytes = field(default=b"", compare=False, repr=False)

    def linked(self, chain: bytes) -> None:
        """Notes the link that the log gave it: once, before anybody else has the entry. A copy would cost more than sealing it."""
        object.__setattr__(self, "chain", chain)

    def told_at(self, delay: Micros) -> Micros:
        """When everybody may know of it, at a table with a delay: of its opening at once, of all else after the delay."""
        return self.at + delay if self.sequence > 1 else self.at

    def __hash__(self) -> int:
        # What is encoded of an entry is remembered by it; moment and number tell entries apart well enough.
        return hash((self.at, self.sequence))
