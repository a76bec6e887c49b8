"""The play of a round: its cards and tricks, what is shown and claimed, and the score."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.cards import Card
from baloot.core.contract import Contract
from baloot.core.deal import FourHands
from baloot.core.play import CardMove, Qaid, Trick
from baloot.core.projects import SeatProject
from baloot.core.score import RoundScore
from baloot.core.seats import Seat, Team


@dataclass(frozen=True, slots=True)
class PlayStarted:
    """Deals the last cards after the last raise."""

    contract: Contract
    leader: Seat
    hands: FourHands


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """One card with what was said with it; `baloot` says that a Baloot is credited with it."""

    seat: Seat
    move: CardMove
    baloot: bool


@dataclass(frozen=True, slots=True)
class TrickWon:
    """Ends a trick."""

    trick: Trick


@dataclass(frozen=True, slots=True)
class ProjectsDecided:
    """Tells after the first trick whose projects count."""

    team: Team


@dataclass(frozen=True, slots=True)
class ProjectsShown:
    """Lays projects open."""

    projects: tuple[SeatProject, ...]


@dataclass(frozen=True, slots=True)
class SawaClaimed:
    """A claim of all remaining tricks.

    `cards` are the claimer's, laid open if it holds in an order that proves it; `baloot` is who gets a Baloot credited with it.
    """

    seat: Seat
    held: bool
    cards: tuple[Card, ...] = ()
    baloot: Seat | None = None


@dataclass(frozen=True, slots=True)
class RoundAccepted:
    """A seat lets the round be scored, where a violation could still be claimed (2.33)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class QaidClaimed:
    """Ends the play of a round with a claim that was judged (2.33)."""

    qaid: Qaid


@dataclass(frozen=True, slots=True)
class RoundScored:
    """Ends a round with its sheet."""

    score: RoundScore


PlayEvent = (
    PlayStarted
    | CardPlayed
    | TrickWon
    | ProjectsDecided
    | ProjectsShown
    | SawaClaimed
    | RoundAccepted
    | QaidClaimed
    | RoundScored
)
