"""What is chosen when a table is created, and the times that are the same for all tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple
from uuid import UUID

from baloot.core.auction import QuestionKind
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import Team
from baloot.table.policy import AbsencePolicy

Micros = int
"""A moment as microseconds since 1970 by the store's clock, or a length of time in microseconds."""

SECOND: Micros = 1_000_000

LATE: Micros = 2 * SECOND
"""A default action that comes later than this after its deadline is late by our fault: the clock is extended instead."""

IDLE_AFTER_DEFAULTS = 40
"""A match in which this many actions in a row were taken by default is abandoned."""


class TimeControl(NamedTuple):
    """How much time a seat has: of its own for each call and each card, and in a bank for the whole match.

    `network_allowance` is how much later than the deadline an action may be received; the table waits for it.
    """

    call_time: Micros
    card_time: Micros
    bank: Micros = 0
    network_allowance: Micros = 0

    def own_time(self, kind: QuestionKind) -> Micros:
        """The time of its own that a question has."""
        return self.card_time if kind is QuestionKind.PLAY else self.call_time


@dataclass(frozen=True, slots=True)
class Settings:
    """What is chosen when a table is created. Without a `time_control` every answer has `action_timeout`, to the moment;
    without an `absence` no bot plays for anybody, and whoever leaves abandons the table.
    """

    ruleset: Ruleset = STANDARD
    action_timeout: Micros = 30 * SECOND
    round_pause: Micros = 5 * SECOND
    fill_timeout: Micros = 900 * SECOND
    rematch_of: UUID | None = None
    lost_before: Team | None = None
    """The side that lost the match which this one follows."""
    time_control: TimeControl | None = None
    absence: AbsencePolicy | None = None
    spectator_delay: Micros = 0
    """How much later everybody without a seat sees what happens."""
    event_id: str = ""
    """The event that the table belongs to."""
    beacon: str = ""
    """The name of the public random value that is mixed into every deal; empty for none."""
    beacon_time: Micros | None = None
    """The moment from which that value may be public; None without one, and at tables that are older than this."""

    @property
    def control(self) -> TimeControl:
        """How much time a seat has, at every table."""
        return self.time_control or TimeControl(self.action_timeout, self.action_timeout)

    @property
    def policy(self) -> AbsencePolicy:
        """What happens when a player is away, at every table."""
        return self.absence or AbsencePolicy()
