"""From card points to game points (rules 2.26)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from baloot.core.contract import Contract, Mode
from baloot.core.play import PlayOutcome
from baloot.core.projects import BALOOT_POINTS, PROJECT_POINTS, ProjectKind
from baloot.core.ruleset import CountSide, HokumHalf, Ruleset
from baloot.core.seats import Team
from baloot.scoring.checks import CARD_POINTS

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Counting:
    """How one mode is counted (section 1). `converted` has the game points of each number of card points."""

    total: int
    raw_per_game_point: int
    converted: tuple[int, ...]
    project_points: dict[ProjectKind, int]


def sun_game_points(raw: int) -> int:
    """The game points of a pile in Sun: rounded tens twice, while a pile that ends in 5 is not rounded (2.26)."""
    tens, units = divmod(raw, 10)
    return 2 * tens + (units >= 5) + (units > 5)


_PILES = range(CARD_POINTS[Mode.HOKUM] + 1)
_SUN = Counting(
    26, 5, tuple(map(sun_game_points, range(CARD_POINTS[Mode.SUN] + 1))), PROJECT_POINTS[Mode.SUN]
)
_HALF: dict[HokumHalf, int] = {HokumHalf.DOWN: 4, HokumHalf.UP: 5}
COUNTING: dict[HokumHalf, dict[Mode, Counting]] = {
    half: {
        Mode.HOKUM: Counting(
            16, 10, tuple((raw + carry) // 10 for raw in _PILES), PROJECT_POINTS[Mode.HOKUM]
        ),
        Mode.SUN: _SUN,
    }
    for half, carry in _HALF.items()
}
"""How each mode is counted, by what becomes of a half in Hokum: a pile is worth its tens, rounded."""


class Figures(NamedTuple):
    """What is compared, each figure by team. `cards` are game points, `compared` adds projects and Baloot."""

    cards: Pair
    compared: Pair
    raw: Pair


def counting_of(mode: Mode, ruleset: Ruleset) -> Counting:
    """How a mode is counted under a rule set."""
    return COUNTING[ruleset.hokum_half][mode]


def pledged_team(contract: Contract) -> Team:
    """The side that has to prove itself: the last raiser's, or the buyer's when nobody raised."""
    return contract.raises[-1].seat.team if contract.raises else contract.buying_team


def counted_team(contract: Contract) -> Team:
    """Whose pile is converted where one is: the side opposing the last raiser, or the defenders (2.26)."""
    return pledged_team(contract).other


def compare(counting: Counting, contract: Contract, play: PlayOutcome, ruleset: Ruleset) -> Figures:
    """The game points and the raw points of both sides with projects and Baloot (2.26, 2.27)."""
    piles = play.card_points
    cards = _SIDES[ruleset.count_side](counting, counted_team(contract), piles)
    if not play.projects and not play.baloot:
        return Figures(cards, cards, piles)
    ours, theirs = _extra(counting, play)
    rate = counting.raw_per_game_point
    return Figures(
        cards,
        (cards[0] + ours, cards[1] + theirs),
        (piles[0] + rate * ours, piles[1] + rate * theirs),
    )


def _extra(counting: Counting, play: PlayOutcome) -> Pair:
    """The game points of the projects and the Baloot of both sides."""
    extra = [0, 0]
    for owned in play.projects:
        extra[owned.seat.team] += counting.project_points[owned.project.kind]
    for seat in play.baloot:
        extra[seat.team] += BALOOT_POINTS
    return extra[0], extra[1]


def _one_pile(counting: Counting, counted: Team, piles: Pair) -> Pair:
    """One pile is converted, and the other side gets the rest."""
    converted = counting.converted[piles[counted]]
    rest = counting.total - converted
    return (rest, converted) if counted else (converted, rest)


def _each_pile(counting: Counting, _counted: Team, piles: Pair) -> Pair:
    return counting.converted[piles[0]], counting.converted[piles[1]]


def _larger_reduced(counting: Counting, counted: Team, piles: Pair) -> Pair:
    """Both piles are converted, and what is too much is taken from the larger."""
    ours, theirs = _each_pile(counting, counted, piles)
    surplus = ours + theirs - counting.total
    return (ours - surplus, theirs) if piles[0] > piles[1] else (ours, theirs - surplus)


_SIDES: dict[CountSide, Callable[[Counting, Team, Pair], Pair]] = {
    CountSide.DEFENDERS: _one_pile,
    CountSide.BOTH_REDUCE_LARGER: _larger_reduced,
    CountSide.BOTH_SEPARATE: _each_pile,
}
