"""The play of a round: eight tricks and what is said with the cards (rules, sections 2.17 to 2.25 and 2.34).

A `PlayRecord` holds the facts. What may follow is the play service's to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

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
    must be said (in `standard` it is credited by itself), `shown` only for those in which owners show their projects.
    """

    card: Card
    projects: Declaration = ()
    akka: bool = False
    baloot: bool = False
    shown: Declaration = ()


@dataclass(frozen=True, slots=True)
class SawaMove:
    """The claim that all remaining tricks are one's own."""


class QaidGround(Enum):
    """A duty that a claim says was broken (2.33)."""

    REVOKE = 1
    NO_TRUMP = 2
    NO_OVER_TRUMP = 3
    LOCKED_LEAD = 4
    FALSE_AKKA = 5
    WRONG_SAWA = 6

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class QaidMove:
    """The claim that an opponent broke a duty with `card`; `proof` is a card that he held then and has played since.

    Only a wrong Sawa, which nobody but the server claims, has no cards.
    """

    ground: QaidGround
    card: Card | None = None
    proof: Card | None = None


@dataclass(frozen=True, slots=True)
class Qaid:
    """A claim that was judged; it ends the round. A wrong one is decided against the claimer's side."""

    claimer: Seat
    claim: QaidMove
    right: bool

    @property
    def winner(self) -> Team:
        return self.claimer.team if self.right else self.claimer.team.other


Move = CardMove | SawaMove | QaidMove


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

    def __hash__(self) -> int:
        # Records are keys of dictionaries, and all moves would be hashed for each further one.
        return hash((self.hands[0].mask, self.hands[1].mask, len(self.moves)))

    def after(self, seat: Seat, move: Move) -> PlayRecord:
        """The record with one move more."""
        moves = (*self.moves, SeatMove(seat, move))
        return PlayRecord(self.contract, self.dealer, self.hands, moves, self.ruleset)


class Trick(NamedTuple):
    """A finished trick: its cards in the order played from `leader` on."""

    leader: Seat
    cards: tuple[Card, Card, Card, Card]
    winner: Seat
    points: int
    """Card points of its cards, without the ten of the last trick."""


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A card that may be played now. `akka` and `baloot` tell whether these may be said with it."""

    card: Card
    akka: bool = False
    baloot: bool = False


@dataclass(frozen=True, slots=True)
class CardRefused:
    """A card that is held and may not be played now, and why. Where illegal cards are accepted it may, at one's risk."""

    card: Card
    reason: Reason


@dataclass(frozen=True, slots=True)
class PlayAsked:
    """The question to the seat on turn, with everything it may do.

    `declarations` are the ways to announce projects with this card, the one with most points first; empty when the
    seat has none or its first card is gone. `sawa` tells whether Sawa may be claimed (not whether it would hold).
    `showable` are announced projects that may be shown with this card, where their owner shows them.
    """

    seat: Seat
    legal: tuple[CardChoice, ...] = field(repr=False)
    refused: tuple[CardRefused, ...] = field(repr=False)
    declarations: tuple[Declaration, ...] = field(repr=False)
    sawa: bool
    default: CardMove = field(repr=False)
    showable: Declaration = field(default=(), repr=False)

    def __hash__(self) -> int:
        # Questions are looked up at every action, and most of one is long lists.
        return hash((self.seat, self.default.card, len(self.legal), len(self.refused)))


@dataclass(frozen=True, slots=True)
class PlayOutcome:
    """A finished round of play: the facts that scoring needs.

    `tricks` counts the tricks each team won, those granted to a Sawa included. `card_points` are of the cards each
    team won, the ten of the last trick included (162 in Hokum, 130 in Sun). `projects` are the counted ones.
    With a `qaid` the round ended early, and tricks and card points need not be complete. Who keeps the score of real
    cards may leave out the tricks (0, 0) when nobody won all, the card points of a kaboot, and the cards of projects.
    """

    tricks: tuple[int, int]
    card_points: tuple[int, int]
    projects: tuple[SeatProject, ...]
    baloot: tuple[Seat, ...]
    sawa: Seat | None = None
    qaid: Qaid | None = None


@dataclass(frozen=True, slots=True)
class PlayStep:
    """What follows from a record; the fields from `trick` on tell what the last move brought about.

    The record's last move is the one that was made, with all that the rule set says for the player (an automatic Akka or
    announcement).

    `trick` is the trick it completed; `projects_team` the side with the best project, told by the first trick's last
    card when somebody announced one; `shown` are projects laid open with this move: with a card, or with a claim that
    ends the round before they were; `baloot` whether a Baloot is credited with it; `sawa` whether a claim of the rest
    held (None when the move was none), and `proof` the claimer's cards, if it did, in an order that wins every remaining
    trick whatever legal cards the others play.
    """

    record: PlayRecord
    asked: PlayAsked | None
    outcome: PlayOutcome | None
    trick: Trick | None = None
    projects_team: Team | None = None
    shown: tuple[SeatProject, ...] = ()
    baloot: bool = False
    sawa: bool | None = None
    proof: tuple[Card, ...] = ()
