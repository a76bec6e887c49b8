"""Projects: what a hand may announce, and whose count (rules, sections 2.21 to 2.24)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from baloot.core.cards import SUITS, Card, Rank, Suit
from baloot.core.contract import Contract, Mode
from baloot.core.errors import Reason
from baloot.core.projects import PROJECT_POINTS, Declaration, Project, ProjectKind, SeatProject
from baloot.core.ruleset import HundredOrder, ProjectTie, Ruleset
from baloot.core.seats import Seat, Team, position
from baloot.play.refusals import refusal, spelled_projects

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


_RUN_RANKS = tuple(
    sum(1 << card.rank for card in {card for run in runs for card in run.cards}) for runs in _RUNS[0]
)
"""For the ranks held of a suit, as bits, those that are part of a run."""


def _fours(ranks: int, aces: ProjectKind) -> tuple[Project, ...]:
    return tuple(
        Project(
            aces if rank is Rank.ACE else ProjectKind.HUNDRED, tuple(Card.of(suit, rank) for suit in SUITS)
        )
        for rank in Rank
        if rank >= Rank.TEN and ranks >> rank & 1
    )


_FOURS = {
    Mode.SUN: tuple(_fours(ranks, ProjectKind.FOUR_HUNDRED) for ranks in range(256)),
    Mode.HOKUM: tuple(_fours(ranks, ProjectKind.HUNDRED) for ranks in range(256)),
}
"""For the ranks held of all suits, as bits, four of a kind; four 7, 8 or 9 are nothing."""


Strength = tuple[ProjectKind, bool, Rank, bool]


@dataclass(frozen=True, slots=True)
class ProjectOrder:
    """How projects are compared (2.23): `four_first` puts four of a kind above a run of five, `trump` breaks ties."""

    four_first: bool = False
    trump: Suit | None = None

    def strength(self, project: Project) -> Strength:
        """The kind, the sort of hundred, the top card, and whether a tie is broken by a run of trumps."""
        run = project.is_run
        return (
            project.kind,
            run is not self.four_first,
            project.top,
            run and project.cards[0].suit is self.trump,
        )

    def sorting(self, project: Project) -> tuple[int, bool, int, bool, tuple[Card, ...]]:
        """A key that puts the strongest first."""
        kind, sort, top, trump = self.strength(project)
        return -kind, not sort, -top, not trump, project.cards


STANDARD_ORDER = ProjectOrder()


def order_of(contract: Contract, ruleset: Ruleset) -> ProjectOrder:
    """How the projects of a round are compared."""
    four_first = ruleset.hundred_order is HundredOrder.FOUR_FIRST
    trump = contract.trump if ruleset.project_tie is ProjectTie.TRUMP_FIRST else None
    return ProjectOrder(four_first, trump) if four_first or trump is not None else STANDARD_ORDER


def projects_in(hand: int, mode: Mode) -> tuple[Project, ...]:
    """Every project in a hand, given as bits, overlapping ones and parts of runs included (2.21)."""
    spades, hearts, diamonds, clubs = hand & 0xFF, hand >> 8 & 0xFF, hand >> 16 & 0xFF, hand >> 24
    return (
        _FOURS[mode][spades & hearts & diamonds & clubs]
        + _RUNS[0][spades]
        + _RUNS[1][hearts]
        + _RUNS[2][diamonds]
        + _RUNS[3][clubs]
    )


def _project_cards(hand: int) -> int:
    """The cards of a hand that may be part of a project."""
    spades, hearts, diamonds, clubs = hand & 0xFF, hand >> 8 & 0xFF, hand >> 16 & 0xFF, hand >> 24
    return (
        _RUN_RANKS[spades]
        | _RUN_RANKS[hearts] << 8
        | _RUN_RANKS[diamonds] << 16
        | _RUN_RANKS[clubs] << 24
        | (spades & hearts & diamonds & clubs) * _IN_EVERY_SUIT
    )


_IN_EVERY_SUIT = 0x01010101


def declarations(
    hand: int, mode: Mode, limit: int, order: ProjectOrder = STANDARD_ORDER
) -> tuple[Declaration, ...]:
    """Every way to announce something from a hand of eight: up to `limit` projects that share no card (2.24).

    The first has the most game points, ties going to the strongest single project; in each the strongest stands first.
    """
    cards = _project_cards(hand)
    return _declarations(cards, mode, limit, order) if cards else ()


@lru_cache(maxsize=4096)
def _declarations(cards: int, mode: Mode, limit: int, order: ProjectOrder) -> tuple[Declaration, ...]:
    """The declarations of every hand that has these cards for its projects: their answers are few."""
    found = projects_in(cards, mode)
    most = min(limit, cards.bit_count() // _SMALLEST)
    sorting = order.sorting
    ways = [
        tuple(sorted(way, key=sorting))
        for count in range(1, most + 1)
        for way in combinations(found, count)
        if _disjoint(way)
    ]
    return tuple(sorted(ways, key=lambda way: (-points(way, mode), [sorting(project) for project in way])))


def points(declaration: Declaration, mode: Mode) -> int:
    """The game points of a declaration."""
    return sum(PROJECT_POINTS[mode][project.kind] for project in declaration)


def _disjoint(projects: Declaration) -> bool:
    if len(projects) == 1:
        return True
    taken = 0
    for project in projects:
        if project.mask & taken:
            return False
        taken |= project.mask
    return True


def require_declarable(declaration: Declaration, hand: int, mode: Mode, limit: int) -> None:
    """Raises Refusal PROJECT_LIMIT, PROJECT_NOT_HELD or PROJECT_OVERLAP when a hand may not announce this."""
    held = projects_in(hand, mode)
    if len(declaration) > limit:
        sentence, facts = f"a player may announce {limit} projects at most", {"limit": str(limit)}
        raise refusal(Reason.PROJECT_LIMIT, sentence, legal=spelled_projects(held), facts=facts)
    if any(project not in held for project in declaration):
        raise refusal(Reason.PROJECT_NOT_HELD, legal=spelled_projects(held))
    if not _disjoint(declaration):
        raise refusal(Reason.PROJECT_OVERLAP, legal=spelled_projects(held))


def winning_team(
    announced: Iterable[SeatProject], dealer: Seat, order: ProjectOrder = STANDARD_ORDER
) -> Team | None:
    """The side whose projects count, all of them: that of the strongest single one, ties to the earliest from S1.

    None when nothing was announced.
    """
    best = max(
        announced,
        key=lambda said: (order.strength(said.project), -position(said.seat, dealer)),
        default=None,
    )
    return best.team if best is not None else None
