"""Which projects count and who may show them (rules 2.22 and 2.23).

As a rule the side with the best project has all of its own shown by the table, and all count. Where owners show them
(`project_show: manual_trick2`) only what is shown counts: that side shows with its second cards, and only if nothing is
or may be shown by it, the other side's owners may show until they have played their third.
"""

from __future__ import annotations

from baloot.core.projects import Declaration, SeatProject
from baloot.core.seats import Seat
from baloot.play.state import Hands, Said, Start, played_by

_OWN_CARD = 2
"""The card of its owner that a project of the best side is shown with."""
_LAST_CARD = 3
"""The last card of its owner that another project may be shown with."""


def counted(start: Start, said: Said, hands: Hands) -> tuple[SeatProject, ...]:
    """The projects that count if the round ends now; those that could still have been shown are among them."""
    team = said.counting
    best = tuple([one for one in said.announced if one.team is team])
    if not start.owners_show:
        return best
    return _open(start, said, hands, best) or _open(start, said, hands, said.announced)


def may_count(start: Start, said: Said, hands: Hands, one: SeatProject) -> bool:
    """Whether an announced project counts, or may still come to count."""
    best = one.team is said.counting
    if not start.owners_show:
        return best
    if one in said.shown:
        return True
    if best:
        return played_by(hands, one.seat) < _OWN_CARD
    beaten = any(shown.team is said.counting for shown in said.shown)
    return not beaten and played_by(hands, one.seat) < _LAST_CARD


def _open(
    start: Start, said: Said, hands: Hands, projects: tuple[SeatProject, ...]
) -> tuple[SeatProject, ...]:
    return tuple(one for one in projects if may_count(start, said, hands, one))


def showable(start: Start, said: Said, hands: Hands, seat: Seat) -> Declaration:
    """What a seat on turn may show with its card; nothing where the table shows."""
    if not start.owners_show or said.counting is None:
        return ()
    if any(one.team is not seat.team for one in counted(start, said, hands)):
        return ()
    own = tuple(one for one in said.announced if one.seat is seat and one not in said.shown)
    return tuple(one.project for one in _open(start, said, hands, own))


def laid_open(start: Start, said: Said, hands: Hands) -> tuple[SeatProject, ...]:
    """The projects whose cards everybody has seen."""
    if start.owners_show:
        return said.shown
    return tuple(one for one in counted(start, said, hands) if played_by(hands, one.seat) >= _OWN_CARD)
