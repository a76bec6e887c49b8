"""A table and its match: how they begin and end, and where they stand between."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from baloot.core.seats import Team
from baloot.table.events.settings import Settings
from baloot.table.policy import ForfeitReason


class Status(Enum):
    """Where a table stands."""

    OPEN = 1
    PLAYING = 2
    FINISHED = 3
    ABANDONED = 4

    @property
    def ended(self) -> bool:
        return self in (Status.FINISHED, Status.ABANDONED)


class AbandonReason(Enum):
    """Why a table was given up."""

    LEFT = 1
    NEVER_FILLED = 2
    IDLE = 3
    NO_BEACON = 4


@dataclass(frozen=True, slots=True)
class TableCreated:
    """Opens a table."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All four seats are taken."""


@dataclass(frozen=True, slots=True)
class MatchForfeited:
    """Ends a match that the side `loser` gives up."""

    loser: Team
    reason: ForfeitReason

    @property
    def winner(self) -> Team:
        return self.loser.other


@dataclass(frozen=True, slots=True)
class ClockExtended:
    """Gives the seats that are asked their time once more, since the table itself was away when it ran out."""


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """Ends the match."""

    winner: Team
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableAbandoned:
    """Ends a table without a winner."""

    reason: AbandonReason


MatchEvent = TableCreated | MatchStarted | MatchForfeited | ClockExtended | MatchEnded | TableAbandoned
