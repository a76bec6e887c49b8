"""What a refresh token that comes back means for its sign-in."""

from __future__ import annotations

from enum import Enum

from baloot.identity.records import DAY, SECOND, Ended, Family, Micros

IDLE: Micros = 30 * DAY
"""How long a refresh token is good."""
REPEATED: Micros = 60 * SECOND
"""How long a refresh whose answer was lost may be repeated: as long as a client goes on repeating a request."""


class Verdict(Enum):
    """What is done with a refresh token that this service gave."""

    ROTATE = 1
    """It is the last one: the next one takes its place."""
    REPEAT = 2
    """Its answer was lost: the same one is given again."""
    REUSED = 3
    """It was used before, so it has two holders, and the sign-in is over."""
    OVER = 4
    """The sign-in has ended or expired."""


def judge(family: Family, presented: bytes, successor: bytes, now: Micros) -> Verdict:
    """What to do with a token by its hash, and that of the one that this very request would get."""
    if family.ended is not None:
        return Verdict.REUSED if family.ended is Ended.REUSED else Verdict.OVER
    if now - family.used_at > IDLE:
        return Verdict.OVER
    if presented == family.current:
        return Verdict.ROTATE
    answered = presented == family.previous and successor == family.current
    return Verdict.REPEAT if answered and now - family.used_at <= REPEATED else Verdict.REUSED
