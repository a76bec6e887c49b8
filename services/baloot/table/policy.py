"""What a table does about players who are away, as it is chosen when the table is opened."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class LeavePolicy(Enum):
    """What happens when a player leaves a match that is on: it is given up, a bot plays on, or the side forfeits."""

    ABANDON = 1
    BOT = 2
    FORFEIT = 3


class ForfeitReason(Enum):
    """Why a side forfeits."""

    LEFT = 1
    AWAY = 2
    NO_SHOW = 3


class AbsencePolicy(NamedTuple):
    """What happens when a player is away: after how many turns in a row that it missed a bot plays for a seat, and after
    how many its side forfeits; 0 is never. `walkover` lets a side win that waited in vain for the other one.
    """

    bot_after: int = 0
    leaving: LeavePolicy = LeavePolicy.ABANDON
    forfeit_after: int = 0
    walkover: bool = False
