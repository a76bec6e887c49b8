"""What history tells: matches, and the rounds of theirs that are over."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from baloot.core.contract import Contract
from baloot.core.deal import DealEnd
from baloot.core.projects import SeatProject
from baloot.core.score import RoundScore
from baloot.core.seats import Seat, Team
from baloot.table.events import Micros
from baloot.table.policy import ForfeitReason


class MatchStatus(Enum):
    """Where a match stands."""

    PLAYING = 1
    FINISHED = 2
    ABANDONED = 3


class Outcome(Enum):
    """How a match ended for a player."""

    WON = 1
    LOST = 2


GUESTS = ("", "", "", "")
"""The accounts of four players who have none."""


@dataclass(frozen=True, slots=True)
class MatchSummary:
    """A match in one line. `players` are the names in order of seats, `rounds` counts the deals that are over.

    `match_id` is its table's. `winner` is None unless FINISHED, `ended_at` while it is on; `forfeit` is why the other
    side forfeited, if it did. `player_ids` are the accounts in order of seats, empty for guests; `rematch_of` is the
    match that it follows. An `imported` one was not played here, and has no log.
    """

    match_id: UUID
    status: MatchStatus
    ruleset_name: str
    ruleset_hash: str
    players: tuple[str, str, str, str]
    started_at: Micros
    scores: tuple[int, int] = (0, 0)
    rounds: int = 0
    winner: Team | None = None
    ended_at: Micros | None = None
    forfeit: ForfeitReason | None = None
    player_ids: tuple[str, str, str, str] = GUESTS
    event_id: str = ""
    rematch_of: UUID | None = None
    imported: bool = False


class Span(NamedTuple):
    """The numbers of the first and the last entry of a round."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class RoundHistory:
    """A round that is over. A void one has no contract and no score; `projects` are the counted ones."""

    number: int
    dealer: Seat
    end: DealEnd
    ended_at: Micros
    contract: Contract | None = None
    projects: tuple[SeatProject, ...] = ()
    score: RoundScore | None = None
    kawesh: Seat | None = None
    span: Span | None = field(default=None, compare=False)
    """Where it stands in the log, as far as that is known. It is no part of what is told."""


class RoundEnd(NamedTuple):
    """How a round ended, and where it stands in the log; None where that is not stored."""

    end: DealEnd
    span: Span | None


@dataclass(frozen=True, slots=True)
class Match:
    """A match with its finished rounds, in order."""

    summary: MatchSummary
    rounds: tuple[RoundHistory, ...]


@dataclass(frozen=True, slots=True)
class MatchFilter:
    """Which matches are listed: those to which all that is set applies.

    `player_name` is exactly the name of a player, `player_id` an account, to which the partner, the opponent and the
    outcome belong. `started_after` is the first moment at which they started, `started_before` the first one too late.
    """

    status: MatchStatus | None = None
    player_name: str = ""
    player_id: str = ""
    partner_id: str = ""
    opponent_id: str = ""
    outcome: Outcome | None = None
    ruleset_name: str = ""
    event_id: str = ""
    started_after: Micros | None = None
    started_before: Micros | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Some matches, the latest started first. `next_token` gets the next ones; it is empty when there are none."""

    matches: tuple[MatchSummary, ...]
    next_token: str = ""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """How far history is told anew for the so-many-th time: the last table, and how many entries the logs had so far."""

    generation: int
    after: UUID | None = None
    entries: int = 0


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a table's log is told: everything up to `sequence`. `seen` is the last entry that was looked at.

    `done` says that nothing will follow.
    """

    table_id: UUID
    sequence: int
    seen: int
    done: bool
