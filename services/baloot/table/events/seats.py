"""The seats of a table: who takes and leaves them, who plays for them, and who is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from baloot.core.seats import Seat


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Seats a player. `token_hash` is the SHA-256 of the seat token, or stands for the account `player_id`; a guest has none.

    `seat_seed` is what the player adds to the deals that are committed to: 32 bytes, or empty.
    """

    seat: Seat
    player_name: str
    token_hash: bytes = field(repr=False)
    player_id: str = ""
    seat_seed: bytes = b""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Frees a seat of an open table, or says who left a playing one."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BotSeated:
    """Lets a bot play for a seat from now on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """Says that a player plays for its seat again."""

    seat: Seat


class Presence(Enum):
    """Whether a player is connected: has a stream open, or had one and has had none for some seconds."""

    HERE = 1
    AWAY = 2


@dataclass(frozen=True, slots=True)
class PresenceChanged:
    """Says that a player is connected now, or is not any more. It changes nothing in the game.

    `owner` is the id of the process that tells it: for one who is here, of that which holds the stream. It is shown to
    nobody.
    """

    seat: Seat
    presence: Presence
    owner: bytes = field(repr=False)


SeatEvent = SeatTaken | SeatLeft | BotSeated | PlayerReturned | PresenceChanged
