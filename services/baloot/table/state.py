"""The state of a table: everything that follows from its entries so far."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from baloot.core.auction import AuctionRecord, CutChoice, SeatCall
from baloot.core.cards import Hand
from baloot.core.contract import Contract
from baloot.core.deal import DealEnd, Dealt, Deck, SealedSeed
from baloot.core.play import CardMove, PlayRecord, Qaid, Trick
from baloot.core.projects import Declaration, SeatProject
from baloot.core.score import RoundScore
from baloot.core.seats import SEATS, Seat, Team
from baloot.table.deals import DealInputs, Deals
from baloot.table.events import (
    AbandonReason,
    Micros,
    OpenQuestion,
    Presence,
    SawaClaimed,
    Settings,
    Status,
    cut_deck,
)
from baloot.table.policy import ForfeitReason


class Phase(Enum):
    """Where a round stands."""

    AUCTION = 1
    PLAY = 2
    SCORED = 3
    VOID = 4
    CUT = 5
    REVIEW = 6


@dataclass(frozen=True, slots=True)
class Player:
    """Who has a seat. `token_hash` is the SHA-256 of the token that acts for it, or stands for the account `player_id`."""

    name: str
    token_hash: bytes = field(repr=False)
    player_id: str = ""


class Connection(NamedTuple):
    """What was told last of a seat's connection: by the process `owner`, in the entry `sequence`, and when."""

    presence: Presence
    owner: bytes
    sequence: int
    at: Micros

    def __repr__(self) -> str:
        return f"Connection({self.presence.name}, {self.sequence})"


@dataclass(frozen=True, slots=True)
class OnTable:
    """A card that lies on the table."""

    seat: Seat
    move: CardMove


class Round(NamedTuple):
    """One deal, from shuffle to score. `auction` and `play` are the records that the rule services are asked with.

    `calls` are the public calls; `sealed` the answers to a Hokum that are not open yet. `hands` are what the seats
    hold now, in order of seats.
    """

    dealer: Seat
    dealt: Dealt
    inputs: DealInputs
    hands: tuple[Hand, ...]
    auction: AuctionRecord
    phase: Phase = Phase.AUCTION
    calls: tuple[SeatCall, ...] = ()
    sealed: tuple[SeatCall, ...] = ()
    contract: Contract | None = None
    play: PlayRecord | None = None
    tricks: tuple[Trick, ...] = ()
    trick: tuple[OnTable, ...] = ()
    announced: tuple[tuple[Seat, Declaration], ...] = ()
    projects_team: Team | None = None
    shown: tuple[SeatProject, ...] = ()
    baloot: tuple[Seat, ...] = ()
    sawa: tuple[SawaClaimed, ...] = ()
    score: RoundScore | None = None
    end: DealEnd | None = None
    kawesh: Seat | None = None
    open_hands: tuple[Hand, ...] = ()
    cut: CutChoice | None = None
    asked_again: bool = False
    accepted: tuple[Seat, ...] = ()
    qaid: Qaid | None = None

    def __repr__(self) -> str:
        return f"Round({self.dealt.number}, {self.phase.name}, ██)"

    @property
    def deck(self) -> Deck:
        """The deck in the order in which it is dealt."""
        return cut_deck(self.dealt, self.cut)


@dataclass(frozen=True, slots=True)
class Pending:
    """A round that is opened and not dealt yet: its deck may be cut."""

    number: int
    dealer: Seat
    sealed_seed: SealedSeed


class TableState(NamedTuple):
    """A table after its entry number `sequence`. `round` is the current or last round, `pending` the next one while its
    deck is cut. `defaults_in_row` counts the default actions since a seat acted. `banks` are what the seats have left in
    their banks, without what a running clock may have used. `missed` counts for each seat the turns in a row that it
    missed, those that a bot played for it included; `bots` are the seats for which a bot plays. `connections` are what is
    known of the players' streams. `seatings` counts how often a seat was taken.
    """

    table_id: UUID
    settings: Settings
    sequence: int = 0
    status: Status = Status.OPEN
    seats: tuple[Player | None, Player | None, Player | None, Player | None] = (None, None, None, None)
    scores: tuple[int, int] = (0, 0)
    round: Round | None = None
    pending: Pending | None = None
    questions: tuple[OpenQuestion, ...] = ()
    deadline: Micros | None = None
    defaults_in_row: int = 0
    extended: bool = False
    """Whether the last entry extended the clock: it is never extended twice in a row."""
    winner: Team | None = None
    abandoned: AbandonReason | None = None
    banks: tuple[Micros, ...] = (0, 0, 0, 0)
    missed: tuple[int, ...] = (0, 0, 0, 0)
    bots: tuple[Seat, ...] = ()
    returned: tuple[int, ...] = (0, 0, 0, 0)
    """For each seat the entry in which its player came back last."""
    forfeited: ForfeitReason | None = None
    connections: tuple[Connection | None, ...] = (None, None, None, None)
    deals: Deals = Deals()
    seatings: int = 0

    def question_to(self, seat: Seat) -> OpenQuestion | None:
        """The open question to a seat, if it is asked anything."""
        return next((open_ for open_ in self.questions if open_.seat == seat), None)

    def seat_of(self, token_hash: bytes) -> Seat | None:
        """The seat that a token, or an account, acts for."""
        for seat, player in zip(SEATS, self.seats, strict=True):
            if player is not None and player.token_hash == token_hash:
                return seat
        return None
