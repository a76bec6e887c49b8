"""What a match must be to be taken in, beside being right by the rules, and where its text fails.

The notation itself holds more: any name, and a match that is on.
"""

from __future__ import annotations

from baloot.core.printing import unshowable
from baloot.core.transcript import Transcript
from baloot.notation import Located, NotationError

_OTHERWISE = 'one that ended without it says why: [Abandoned "left"], or [Forfeit "left"] and its winner'


def hidden_name(one: Located) -> NotationError | None:
    """The first name that cannot be shown as it is, by the rule for names at tables; None if there is none."""
    for tag, value in one.chosen():
        if (why := unshowable(value)) is not None:
            return one.error_in(tag, f"the value of {tag} {why}")
    return None


def cut_short(one: Located) -> NotationError | None:
    """Why the text cannot be told from one that broke off; None where its last deal has its end, or the match says why not."""
    match = one.transcript
    if match.abandoned or match.forfeit:
        return None
    missing = _missing(match)
    return None if missing is None else one.error_at_end(f"{missing}; {_OTHERWISE}")


def _missing(match: Transcript) -> str | None:
    if not match.deals:
        return "this match has no deal"
    last = match.deals[-1]
    return f"deal {last.number} has no end" if last.end is None else None
