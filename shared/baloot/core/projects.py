"""Projects (rules, sections 2.21 to 2.24) and how they are written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from baloot.core.cards import RANK_OF, Card, Hand, Rank, mask_of
from baloot.core.contract import Mode
from baloot.core.seats import Seat, Team


class ProjectKind(IntEnum):
    """The kinds of projects from least to most. HUNDRED is a run of five or four of a kind."""

    SIRA = 1
    FIFTY = 2
    HUNDRED = 3
    FOUR_HUNDRED = 4

    __hash__ = int.__hash__


PROJECT_POINTS: dict[Mode, dict[ProjectKind, int]] = {
    Mode.SUN: {
        ProjectKind.SIRA: 4,
        ProjectKind.FIFTY: 10,
        ProjectKind.HUNDRED: 20,
        ProjectKind.FOUR_HUNDRED: 40,
    },
    Mode.HOKUM: {ProjectKind.SIRA: 2, ProjectKind.FIFTY: 5, ProjectKind.HUNDRED: 10},
}
"""Game points of each kind (section 1)."""

BALOOT_POINTS = 2
"""Game points of K and Q of trumps in one hand; never multiplied."""


@dataclass(frozen=True, slots=True)
class Project:
    """A combination in one hand. `cards` are in order of card numbers. Secret until shown, so it prints its kind only."""

    kind: ProjectKind
    cards: tuple[Card, ...]

    @property
    def mask(self) -> int:
        return mask_of(self.cards)

    @property
    def is_run(self) -> bool:
        return self.cards[0] >> 3 == self.cards[-1] >> 3

    @property
    def top(self) -> Rank:
        """The highest rank of a run, or the rank of a four of a kind."""
        return RANK_OF[self.cards[-1]]

    @property
    def hand(self) -> Hand:
        return Hand(self.mask)

    def __repr__(self) -> str:
        return f"Project({self.kind.name}, ██)"


Declaration = tuple[Project, ...]
"""The projects one seat announces with its first card: none, or disjoint ones up to the rule set's limit."""


@dataclass(frozen=True, slots=True)
class SeatProject:
    """A project and whose it is."""

    seat: Seat
    project: Project

    @property
    def team(self) -> Team:
        return self.seat.team
