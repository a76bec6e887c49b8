"""What history sums up of players: over finished matches, and from the side of one of them."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from baloot.core.projects import ProjectKind
from baloot.table.events import Micros


@dataclass(frozen=True, slots=True)
class Record:
    """Finished matches of a player, summed up. The `last` one is that which started last, None if there is none."""

    matches: int = 0
    wins: int = 0
    rounds: int = 0
    points: int = 0
    points_against: int = 0
    kaboots: int = 0
    kaboots_against: int = 0
    last_match: UUID | None = None
    last_started_at: Micros | None = None

    @property
    def average_margin(self) -> float:
        """By how many points the player's side was ahead in the end, on average."""
        return (self.points - self.points_against) / self.matches if self.matches else 0.0


@dataclass(frozen=True, slots=True)
class HeadToHead:
    """How two accounts did, from the side of the first one."""

    as_opponents: Record = Record()
    as_partners: Record = Record()


@dataclass(frozen=True, slots=True)
class Partner:
    """An account that sat opposite another one, its name in their last match, and how they did."""

    player_id: str
    player_name: str
    record: Record


@dataclass(frozen=True, slots=True)
class Partners:
    """Some partners, those with most matches first. `next_token` gets the next ones; it is empty when there are none."""

    partners: tuple[Partner, ...]
    next_token: str = ""


@dataclass(frozen=True, slots=True)
class Statistics:
    """What an account did in its finished matches.

    `bought` are the rounds that it bought, of which its side won `bought_won` and lost `khosara`; `projects` tells how
    many of its own counted, by their kind.
    """

    record: Record = Record()
    bought: int = 0
    bought_won: int = 0
    khosara: int = 0
    bought_sun: int = 0
    bought_hokum: int = 0
    raises: int = 0
    projects: tuple[tuple[ProjectKind, int], ...] = ()
