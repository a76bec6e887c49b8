"""Projects: what a hand may announce, and whose count (rules, sections 2.21 to 2.24)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from baloot.core.cards import SUITS, Card, Rank, mask_of
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.projects import PROJECT_POINTS, Declaration, Project, ProjectKind, SeatProject
from baloot.core.seats import Seat, Team, position

_SMALLEST = 3
"""Cards of the smallest project, a Sira."""
_RUN_KINDS = {3: ProjectKind.SIRA, 4: ProjectKind.FIFTY, 5: ProjectKind.HUNDRED}


def _runs_of(suit: int) -> tuple[tuple[int, Project], ...]:
    """Every run of a suit with its ranks as bits."""
    return tuple(
        (
            ((1 << length) - 1) << low,
            Project(kind, tuple(Card(suit * 8 + rank) for rank in range(low, low + length))),
        )
        for length, kind in _RUN_KINDS.items()
        for low in range(9 - length)
    )


_RUNS = tuple(
    tuple(tuple(run for ranks, run in _runs_of(suit) if ranks & held == ranks) for held in range(256))
    for suit in SUITS
)
"""For each suit and the ranks held of it, as bits, all runs in them; parts of a longer run are runs themselves."""


def _four(kind: ProjectKind, rank: Rank) -> tuple[int, Project]:
    cards = tuple(Card.of(suit, rank) for suit in SUITS)
    return mask_of(cards), Project(kind, cards)


_HUNDRED_FOURS = tuple(
    _four(ProjectKind.HUNDRED, rank) for rank in (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)
)
_FOURS = {
    Mode.SUN: (*_HUNDRED_FOURS, _four(ProjectKind.FOUR_HUNDRED, Rank.ACE)),
    Mode.HOKUM: (*_HUNDRED_FOURS, _four(ProjectKind.HUNDRED, Rank.ACE)),
}
"""Four of a kind; four 7, 8 or 9 are nothing."""


def strength(project: Project) -> tuple[ProjectKind, bool, Rank]:
    """What projects are compared by: the kind, a run before four of a kind, then the top card (2.23)."""
    return project.kind, project.is_run, project.top


def projects_in(hand: int, mode: Mode) -> tuple[Project, ...]:
    """Every project in a hand, given as bits, overlapping ones and parts of runs included (2.21)."""
    found = [four for cards, four in _FOURS[mode] if cards & hand == cards]
    for suit in SUITS:
        found += _RUNS[suit][hand >> suit * 8 & 0xFF]
    return tuple(found)


def declarations(hand: int, mode: Mode, limit: int) -> tuple[Declaration, ...]:
    """Every way to announce something from a hand of eight: up to `limit` projects that share no card (2.24).

    The first has the most game points, ties going to the strongest single project; in each the strongest stands first.
    """
    found = projects_in(hand, mode)
    if not found:
        return ()
    most = min(limit, hand.bit_count() // _SMALLEST)
    ways = [
        tuple(sorted(way, key=_sorting))
        for count in range(1, most + 1)
        for way in combinations(found, count)
        if count == 1 or _disjoint(way)
    ]
    return tuple(sorted(ways, key=lambda way: (-points(way, mode), [_sorting(project) for project in way])))


def points(declaration: Declaration, mode: Mode) -> int:
    """The game points of a declaration."""
    return sum(PROJECT_POINTS[mode][project.kind] for project in declaration)


def _sorting(project: Project) -> tuple[int, bool, int, tuple[Card, ...]]:
    kind, is_run, top = strength(project)
    return -kind, not is_run, -top, project.cards


def _disjoint(projects: Declaration) -> bool:
    taken = 0
    for project in projects:
        if project.mask & taken:
            return False
        taken |= project.mask
    return True


def require_declarable(declaration: Declaration, hand: int, mode: Mode, limit: int) -> None:
    """Raises Refusal PROJECT_LIMIT, PROJECT_NOT_HELD or PROJECT_OVERLAP when a hand may not announce this."""
    if len(declaration) > limit:
        raise Refusal(
            Reason.PROJECT_LIMIT,
            f"a player may announce {limit} projects at most",
            metadata={"limit": str(limit)},
        )
    held = projects_in(hand, mode)
    if any(project not in held for project in declaration):
        raise Refusal(Reason.PROJECT_NOT_HELD, "you may announce only projects that you hold")
    if not _disjoint(declaration):
        raise Refusal(Reason.PROJECT_OVERLAP, "a card may belong to one project only")


def winning_team(announced: Iterable[SeatProject], dealer: Seat) -> Team | None:
    """The side whose projects count, all of them: that of the strongest single one, ties to the earliest from S1.

    None when nothing was announced.
    """
    best = max(
        announced,
        key=lambda said: (strength(said.project), -position(said.seat, dealer)),
        default=None,
    )
    return best.team if best is not None else None
