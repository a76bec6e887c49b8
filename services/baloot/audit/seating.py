"""Who sits at a table and who is away, followed beside the rules of the game."""

from __future__ import annotations

from uuid import UUID

from baloot.audit.records import Row
from baloot.core.seats import SEATS, Seat
from baloot.table import absence
from baloot.table.absence import Outcome, bots_after
from baloot.table.events import IDLE_AFTER_DEFAULTS, Event, Settings, Status
from baloot.table.state import Player, TableState


class Seating:
    """The seats of one table after some of its entries."""

    def __init__(self, match: UUID, settings: Settings) -> None:
        self._match = match
        self.settings = settings
        self.status = Status.OPEN
        self.holders: list[bytes | None] = [None] * len(SEATS)
        """For each seat what the log keeps of its holder; None where it is free."""
        self.bots: tuple[Seat, ...] = ()
        self._missed = [0] * len(SEATS)
        self._defaults = 0

    @property
    def over(self) -> bool:
        """Whether the table has ended."""
        return self.status is Status.FINISHED or self.status is Status.ABANDONED

    @property
    def all_here(self) -> bool:
        """Whether nothing counts as missed, so that a player who acts changes nothing."""
        return not (self._defaults or any(self._missed))

    @property
    def idle(self) -> bool:
        """Whether the table has to be abandoned, since nobody acts."""
        return self._defaults >= IDLE_AFTER_DEFAULTS

    def acted(self, row: Row) -> None:
        """Counts who acted in an entry, after it."""
        if row.actor is not None:
            self._missed[row.actor] = self._defaults = 0
        elif row.by_default:
            self._defaults += 1

    def missed(self, seat: Seat) -> Outcome:
        """What comes of one turn more that a seat has missed."""
        outcome = absence.after_missing(self._state(), seat)
        self._missed[seat] += 1
        return self._taken(outcome)

    def left(self, seat: Seat) -> Outcome:
        """What comes of it that a player leaves a match."""
        return self._taken(absence.after_leaving(self._state(), seat))

    def never_filled(self) -> tuple[Outcome, ...]:
        """What may come of it that the seats were not taken in time; a walk-over is not given when the table was away."""
        return tuple(absence.never_filled(self._state(), late=late) for late in (False, True))

    def follow(self, events: tuple[Event, ...]) -> None:
        """Bots that sit down, and players that are back."""
        self.bots = bots_after(self.bots, events)

    def _taken(self, outcome: Outcome) -> Outcome:
        self.follow(outcome.events)
        if outcome.ends is not None:
            self.status = outcome.ends
        return outcome

    def _state(self) -> TableState:
        south, east, north, west = [holder and Player("", holder) for holder in self.holders]
        return TableState(
            self._match,
            self.settings,
            status=self.status,
            seats=(south or None, east or None, north or None, west or None),
            missed=tuple(self._missed),
            bots=self.bots,
        )
