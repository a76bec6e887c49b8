"""Baloot: king and queen of trumps from one hand, when it is said and what takes it away (rules 2.25)."""

from __future__ import annotations

from collections.abc import Callable

from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import BalootBlock, BalootSaying
from baloot.core.seats import SEATS, Seat
from baloot.play.showing import laid_open, may_count
from baloot.play.state import Hands, Said, Start

_TAKES: dict[BalootBlock, Callable[[Project, bool], bool]] = {
    BalootBlock.DECLARED_HUNDRED: lambda project, _both: project.kind is ProjectKind.HUNDRED,
    BalootBlock.SCORED_HUNDRED: lambda project, _both: project.kind is ProjectKind.HUNDRED,
    BalootBlock.FOUR_KIND_ONLY: lambda project, _both: not project.is_run,
    BalootBlock.HUNDRED_OR_SPLIT: lambda project, both: not both or project.kind is ProjectKind.HUNDRED,
    BalootBlock.ANY_DECLARED: lambda _project, _both: True,
}
"""Whether an announced project with the king or queen of trumps, or both of them, takes the Baloot."""


def with_baloot(start: Start, said: Said, hands: Hands, seat: Seat, *, spoken: bool) -> Said:
    """The Baloot is credited with the second of the two cards, unless a project has taken it or it was not said.

    `hands` are those after the card.
    """
    saying = start.record.ruleset.baloot
    if saying is not BalootSaying.AUTO and not spoken:
        unsaid = saying is BalootSaying.MANUAL and _in_shown_run(start, said, hands)
        if not unsaid:
            return said
    return said if _taken(start, said, hands) else said._replace(baloot=(seat,))


def with_unplayed_baloot(start: Start, said: Said, hands: Hands) -> Said:
    """A round that ends early credits a Baloot whose second card is not played: it could not be said any more."""
    owner = next((seat for seat in SEATS if hands[seat] & start.royals), None)
    if owner is None or _taken(start, said, hands):
        return said
    return said._replace(baloot=(owner,))


def sayable(start: Start, said: Said, hands: Hands, seat: Seat) -> int:
    """The card that this seat may say Baloot with, as bits, when it shows no project with it; `hands` still hold it."""
    card = hands[seat] & start.royals
    if start.record.ruleset.baloot is BalootSaying.AUTO or card.bit_count() != 1:
        return 0
    after = (*hands[:seat], hands[seat] ^ card, *hands[seat + 1 :])
    return 0 if _taken(start, said, after) else card


def _taken(start: Start, said: Said, hands: Hands) -> bool:
    block = start.record.ruleset.baloot_block
    takes = _TAKES[block]
    return any(
        takes(one.project, overlap == start.royals)
        for one in said.announced
        if (overlap := one.project.mask & start.royals)
        and (block is not BalootBlock.SCORED_HUNDRED or may_count(start, said, hands, one))
    )


def _in_shown_run(start: Start, said: Said, hands: Hands) -> bool:
    return any(_is_run_with(one, start.royals) for one in laid_open(start, said, hands))


def _is_run_with(one: SeatProject, royals: int) -> bool:
    return one.project.mask & royals == royals
