"""The play of a round: eight tricks and what is said with the cards (rules, sections 2.17 to 2.25 and 2.34).

A `PlayRecord` holds the facts. What may follow is the play service's to say.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from baloot.core.cards import Card, Hand
from baloot.core.contract import Contract
from baloot.core.errors import Reason
from baloot.core.projects import Declaration, SeatProject
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import Seat, Team


@dataclass(frozen=True, slots=True)
class CardMove:
    """One card with all that is said with it.

    `projects` are announced with one's first card; `akka` with a lead; `baloot` is only for rule sets in which it
    must be said (in `standard` it is credited by itself).
    """

    card: Card
    projects: Declaration = ()
    akka: bool = False
    baloot: bool = False


@dataclass(frozen=True, slots=True)
class SawaMove:
    """The claim that all remaining tricks are one's own."""


Move = CardMove | SawaMove


@dataclass(frozen=True, slots=True)
class SeatMove:
    """A move and who made it."""

    seat: Seat
    move: Move


@dataclass(frozen=True, slots=True)
class PlayRecord:
    """The facts of the play of one round. `hands` are the eight cards of each seat in order of seats."""

    contract: Contract
    dealer: Seat
    hands: tuple[Hand, Hand, Hand, Hand]
    moves: tuple[SeatMove, ...] = ()
    ruleset: Ruleset = STANDARD

    def after(self, seat: Seat, move: Move) -> PlayRecord:
        """The record with one move more."""
        return replace(self, moves=(*self.moves, SeatMove(seat, move)))


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: its cards in the order played from `leader` on."""

    leader: Seat
    cards: tuple[Card, Card, Card, Card]
    winner: Seat
    points: int
    """Card points of its cards, without the ten of the last trick."""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card that may be played now. `akka` tells whether Akka may be said with it."""

    card: Card
    akka: bool = False


@dataclass(frozen=True, slots=True)
class CardRefused:
    """A card that is held and may not be played now, and why."""

    card: Card
    reason: Reason


@dataclass(frozen=True, slots=True)
class PlayAsked:
    """The question to the seat on turn, with everything it may do.

    `declarations` are the ways to announce projects with this card, the one with most points first; empty when the
    seat has none or its first card is gone. `sawa` tells whether Sawa may be claimed (not whether it would hold).
    """

    seat: Seat
    legal: tuple[CardChoice, ...]
    refused: tuple[CardRefused, ...]
    declarations: tuple[Declaration, ...]
    sawa: bool
    default: CardMove


@dataclass(frozen=True, slots=True)
class PlayOutcome:
    """A finished round of play: the facts that scoring needs.

    `tricks` counts the tricks each team won, those granted to a Sawa included. `card_points` are of the cards each
    team won, the ten of the last trick included (162 in Hokum, 130 in Sun). `projects` are the counted ones.
    """

    tricks: tuple[int, int]
    card_points: tuple[int, int]
    projects: tuple[SeatProject, ...]
    baloot: tuple[Seat, ...]
    sawa: Seat | None = None


@dataclass(frozen=True, slots=True)
class PlayStep:
    """What follows from a record; the fields from `trick` on tell what the last move brought about.

    `trick` is the trick it completed; `projects_team` the side whose projects count, told by the first trick's last
    card when somebody announced one; `shown` are projects laid open with this card (trick 2); `baloot` whether a
    Baloot is credited with it; `sawa` whether a claim held (None when the move was no claim).
    """

    record: PlayRecord
    asked: PlayAsked | None
    outcome: PlayOutcome | None
    trick: Trick | None = None
    projects_team: Team | None = None
    shown: tuple[SeatProject, ...] = ()
    baloot: bool = False
    sawa: bool | None = None
