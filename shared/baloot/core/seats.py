"""Seats, the two teams, and the places relative to the dealer (rules, section 0.2)."""

from __future__ import annotations

from enum import IntEnum


class Seat(IntEnum):
    """A seat, in order of play: each is the right-hand neighbour of the one before."""

    SOUTH = 0
    EAST = 1
    NORTH = 2
    WEST = 3

    __hash__ = int.__hash__

    @property
    def next(self) -> Seat:
        """The seat that plays after this one."""
        return SEATS[(self + 1) & 3]

    @property
    def partner(self) -> Seat:
        return SEATS[(self + 2) & 3]

    @property
    def team(self) -> Team:
        return TEAMS[self & 1]

    def __str__(self) -> str:
        return self.name.lower()


class Team(IntEnum):
    """A partnership. Every score pair in this product is written in this order."""

    SOUTH_NORTH = 0
    EAST_WEST = 1

    __hash__ = int.__hash__

    @property
    def other(self) -> Team:
        return TEAMS[1 - self]

    @property
    def seats(self) -> tuple[Seat, Seat]:
        return SEATS[self], SEATS[self + 2]

    def __str__(self) -> str:
        return self.name.lower().replace("_", "-")


class Position(IntEnum):
    """A place relative to the dealer: S1 on his right speaks and leads first, S4 is the dealer."""

    S1 = 1
    S2 = 2
    S3 = 3
    S4 = 4

    __hash__ = int.__hash__

    def seat(self, dealer: Seat) -> Seat:
        return SEATS[(dealer + self) & 3]


SEATS: tuple[Seat, ...] = tuple(Seat)
TEAMS: tuple[Team, ...] = tuple(Team)
POSITIONS: tuple[Position, ...] = tuple(Position)


def position(seat: Seat, dealer: Seat) -> Position:
    """Where a seat sits relative to the dealer."""
    return POSITIONS[(seat - dealer - 1) & 3]


def from_dealer(dealer: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four seats from S1 to S4."""
    return tuple(SEATS[(dealer + n) & 3] for n in (1, 2, 3, 4))  # type: ignore[return-value]


def from_seat(first: Seat) -> tuple[Seat, Seat, Seat, Seat]:
    """The four seats in order of play, beginning with `first`."""
    return tuple(SEATS[(first + n) & 3] for n in range(4))  # type: ignore[return-value]
