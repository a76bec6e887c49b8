"""What is bought: the contract, its raises and what they mean (rules, sections 2.5 to 2.16)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum

from baloot.core.cards import Suit
from baloot.core.seats import Seat, Team


class Mode(Enum):
    """HOKUM is played with a trump suit, SUN without."""

    HOKUM = 1
    SUN = 2

    __hash__ = object.__hash__


class Bidding(IntEnum):
    """The two times round the table: first (awwal) and second (thani)."""

    FIRST = 1
    SECOND = 2

    __hash__ = int.__hash__


class Level(IntEnum):
    """How far a round is raised. Up to FOUR the number is the multiplier; GAHWA decides the match."""

    SINGLE = 1
    DOUBLE = 2
    THREE = 3
    FOUR = 4
    GAHWA = 5

    __hash__ = int.__hash__


@dataclass(frozen=True, slots=True)
class Raise:
    """One step of the doubling ladder. `locked` forbids leading trumps (2.15)."""

    seat: Seat
    level: Level
    locked: bool = False


@dataclass(frozen=True, slots=True)
class Contract:
    """Who bought what. `taker` gets the up card: the buyer, or in Ashkal the buyer's partner."""

    mode: Mode
    trump: Suit | None
    buyer: Seat
    taker: Seat
    bidding: Bidding
    raises: tuple[Raise, ...] = ()

    @property
    def ashkal(self) -> bool:
        return self.taker != self.buyer

    @property
    def level(self) -> Level:
        return self.raises[-1].level if self.raises else Level.SINGLE

    @property
    def locked(self) -> bool:
        """Whether trumps may not be led; each raise lifts the lock of the one before."""
        return bool(self.raises) and self.raises[-1].locked

    @property
    def buying_team(self) -> Team:
        return self.buyer.team

    def __str__(self) -> str:
        suit = f" {self.trump}" if self.trump is not None else ""
        level = f" {self.level.name.lower()}" if self.raises else ""
        return f"{self.mode.name.lower()}{suit} by {self.buyer}{level}{' locked' if self.locked else ''}"
