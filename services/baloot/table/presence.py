"""Whether the players of a table are connected, as facts of its log."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from baloot.core.seats import Seat


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
