"""What no hands can hold: counted projects and a Baloot that are refused before anything is counted.

A project may come without its cards, from somebody who knows only its kind and its seat; then less can be checked.
"""

from __future__ import annotations

from collections.abc import Callable

from baloot.core.cards import CARDS, SUITS, Card, Rank, mask_of
from baloot.core.contract import Contract, Mode
from baloot.core.play import PlayOutcome
from baloot.core.projects import PROJECT_POINTS, Project, ProjectKind, SeatProject
from baloot.core.ruleset import BalootBlock, Ruleset
from baloot.core.score import RoundRecord
from baloot.core.seats import Seat
from baloot.scoring.checks import refuse
from baloot.scoring.texts import PROJECTS

CARDS_IN_HAND = 8
_RUN_KINDS = {3: ProjectKind.SIRA, 4: ProjectKind.FIFTY, 5: ProjectKind.HUNDRED}
_FOUR_RANKS = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)

_Combinations = dict[tuple[Card, ...], tuple[ProjectKind, int]]


def _combinations(aces: ProjectKind) -> _Combinations:
    """Every project there is: its cards, and the kind and the set of bits that they make (2.21)."""
    runs = [
        (CARDS[first : first + length], kind)
        for length, kind in _RUN_KINDS.items()
        for suit in SUITS
        for first in range(suit * 8, suit * 8 + 9 - length)
    ]
    fours = [(CARDS[rank::8], ProjectKind.HUNDRED) for rank in _FOUR_RANKS]
    every = [*runs, *fours, (CARDS[Rank.ACE :: 8], aces)]
    return {cards: (kind, mask_of(cards)) for cards, kind in every}


_PROJECTS: dict[Mode, _Combinations] = {
    Mode.HOKUM: _combinations(ProjectKind.HUNDRED),
    Mode.SUN: _combinations(ProjectKind.FOUR_HUNDRED),
}
_BALOOT_MASK = tuple(mask_of((Card.of(suit, Rank.QUEEN), Card.of(suit, Rank.KING))) for suit in SUITS)


_FEWEST_CARDS = {
    ProjectKind.SIRA: 3,
    ProjectKind.FIFTY: 4,
    ProjectKind.HUNDRED: 4,
    ProjectKind.FOUR_HUNDRED: 4,
}
"""The cards that a project of each kind has at least."""


def require_holdings(record: RoundRecord) -> None:
    """Raises Refusal (RECORD_INVALID) for projects and Baloot that no hands can have held."""
    contract, play = record.contract, record.play
    held = _check_projects(contract.mode, play.projects, record.ruleset) if play.projects else {}
    if play.baloot:
        _check_baloot(contract, play, held, record.ruleset)


def _check_projects(mode: Mode, projects: tuple[SeatProject, ...], ruleset: Ruleset) -> dict[Seat, int]:
    """The cards that each seat is known to hold by its projects, as sets of bits."""
    if len(projects) == 1:  # One alone contradicts no other and fits into a hand.
        return {projects[0].seat: _project_mask(mode, projects[0])}
    team = projects[0].team
    held: dict[Seat, int] = {}
    seen = 0
    for owned in projects:
        if owned.team is not team:
            refuse("2.23", "play.projects", "only one side's projects count, but both sides have some")
        mask = _project_mask(mode, owned)
        if seen & mask:
            refuse("2.24", "play.projects", "a card belongs to one project only, but one is in two")
        seen |= mask
        held[owned.seat] = held.get(owned.seat, 0) | mask
    for seat in held:
        _check_seat(
            [one.project for one in projects if one.seat is seat], seat, ruleset.max_projects_per_player
        )
    if sum(owned.project.kind is ProjectKind.FOUR_HUNDRED for owned in projects) > 1:
        refuse("2.21", "play.projects", "there is one four hundred at most: the deck has four Aces")
    return held


def _project_mask(mode: Mode, owned: SeatProject) -> int:
    kind, cards = owned.project.kind, owned.project.cards
    if not cards:
        if kind not in PROJECT_POINTS[mode]:
            refuse(
                "2.21",
                "play.projects",
                f"there is no {PROJECTS[kind].english} in a {mode.name.capitalize()}",
                kind=PROJECTS[kind].english,
            )
        return 0
    made, mask = _PROJECTS[mode].get(cards, (None, 0))
    if made is not kind:
        refuse(
            "2.21",
            "play.projects",
            f"the cards shown as {PROJECTS[kind].english} do not make one in a {mode.name.capitalize()}",
            kind=PROJECTS[kind].english,
        )
    return mask


def _check_seat(projects: list[Project], seat: Seat, most: int) -> None:
    if sum(len(one.cards) or _FEWEST_CARDS[one.kind] for one in projects) > CARDS_IN_HAND:
        refuse("2.24", "play.projects", "the projects of a seat have more cards than a hand", seat=seat)
    if len(projects) > most:
        refuse(
            "2.24",
            "play.projects",
            f"a seat has more projects than the {most} it may have",
            seat=seat,
            most=most,
        )


def _check_baloot(contract: Contract, play: PlayOutcome, held: dict[Seat, int], ruleset: Ruleset) -> None:
    if contract.trump is None:
        refuse("2.25", "play.baloot", "there is no Baloot in a Sun")
    if len(play.baloot) > 1:
        refuse(
            "2.25", "play.baloot", "a round has one Baloot at most: one seat holds king and queen of trumps"
        )
    seat, pair = play.baloot[0], _BALOOT_MASK[contract.trump]
    if any(mask & pair for owner, mask in held.items() if owner is not seat):
        refuse("2.25", "play.baloot", "a card of the Baloot is in another seat's project", seat=seat)
    if (held.get(seat, 0) | pair).bit_count() > CARDS_IN_HAND:
        refuse(
            "2.25",
            "play.baloot",
            "the projects and the Baloot of a seat have more cards than a hand",
            seat=seat,
        )
    blocks = _BLOCKS[ruleset.baloot_block]
    for owned in play.projects:
        if blocks(owned.project, (owned.project.mask & pair).bit_count()):
            refuse("2.25", "play.baloot", "a project with a card of the pair blocks the Baloot", seat=seat)


def _hundred(project: Project, of_pair: int) -> bool:
    return of_pair > 0 and project.kind is ProjectKind.HUNDRED


def _four_of_a_kind(project: Project, of_pair: int) -> bool:
    return _hundred(project, of_pair) and not project.is_run


def _hundred_or_split(project: Project, of_pair: int) -> bool:
    """Both cards in a hundred, or one of them in any project."""
    return of_pair == 1 or _hundred(project, of_pair)


_BLOCKS: dict[BalootBlock, Callable[[Project, int], bool]] = {
    BalootBlock.DECLARED_HUNDRED: _hundred,
    BalootBlock.SCORED_HUNDRED: _hundred,
    BalootBlock.FOUR_KIND_ONLY: _four_of_a_kind,
    BalootBlock.HUNDRED_OR_SPLIT: _hundred_or_split,
    BalootBlock.ANY_DECLARED: lambda _project, of_pair: of_pair > 0,
}
"""Whether a project with so many cards of the pair blocks the Baloot (2.25)."""
