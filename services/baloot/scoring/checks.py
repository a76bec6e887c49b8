"""What no finished round can look like: records that are refused before anything is counted."""

from __future__ import annotations

from typing import NoReturn

from baloot.core.cards import CARDS, LAST_TRICK_POINTS, SUITS, Card, Rank, Suit, card_points, mask_of
from baloot.core.contract import Contract, Level, Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import PlayOutcome
from baloot.core.projects import ProjectKind, SeatProject
from baloot.core.ruleset import Ruleset, SunRaiseCeiling
from baloot.core.score import RoundRecord
from baloot.core.seats import Seat

TRICKS = 8
CARDS_IN_HAND = 8
CARD_POINTS: dict[Mode, int] = {
    Mode.HOKUM: sum(card_points(card, Suit.SPADES) for card in CARDS) + LAST_TRICK_POINTS,
    Mode.SUN: sum(card_points(card, None) for card in CARDS) + LAST_TRICK_POINTS,
}
"""All card points of a round, the ten of the last trick included: 162 in Hokum, 130 in Sun (section 1)."""

_LADDER = (Level.DOUBLE, Level.THREE, Level.FOUR, Level.GAHWA)
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


def require_possible(record: RoundRecord) -> None:
    """Raises Refusal (RECORD_INVALID) for a contract or a play that no round can have had."""
    contract, play = record.contract, record.play
    _check_contract(contract)
    if contract.raises:
        _check_raises(contract, record.ruleset)
    _check_tricks(play)
    _check_card_points(contract.mode, play)
    held = _check_projects(contract.mode, play.projects, record.ruleset) if play.projects else {}
    if play.baloot:
        _check_baloot(contract, play, held)


def refuse(field: str, message: str, **figures: object) -> NoReturn:
    """Refuses the record because of one of its fields, with the figures that the message mentions."""
    raise Refusal(
        Reason.RECORD_INVALID,
        message,
        field=f"record.{field}",
        metadata={name: str(figure) for name, figure in figures.items()},
    )


def _check_contract(contract: Contract) -> None:
    if (contract.trump is None) is not (contract.mode is Mode.SUN):
        refuse("contract.trump", "A Hokum has a trump suit and a Sun has none.")
    if contract.taker is contract.buyer:
        return
    if contract.taker is not contract.buyer.partner or contract.mode is not Mode.SUN:
        refuse(
            "contract.taker", "The buyer takes the up card; only in a Sun (Ashkal) may the partner take it."
        )


def _check_raises(contract: Contract, ruleset: Ruleset) -> None:
    raises = contract.raises
    if tuple(step.level for step in raises) != _LADDER[: len(raises)]:
        refuse("contract.raises", "Raises go double, three, four, gahwa, one step at a time.")
    defenders = contract.buying_team.other
    for number, step in enumerate(raises):
        if (step.seat.team is defenders) is bool(number & 1):
            refuse("contract.raises", "The defenders double and four, the buyer's side says three and gahwa.")
    if contract.mode is Mode.SUN and len(raises) > 1 and ruleset.sun_raise_ceiling is SunRaiseCeiling.DOUBLE:
        refuse("contract.raises", "A Sun is raised no further than double.")


def _check_tricks(play: PlayOutcome) -> None:
    ours, theirs = play.tricks
    if ours < 0 or theirs < 0 or ours + theirs != TRICKS:
        refuse("play.tricks", f"A round has {TRICKS} tricks, not {ours} and {theirs}.", tricks=play.tricks)
    if play.sawa is not None and not play.tricks[play.sawa.team]:
        refuse("play.sawa", "A Sawa that held won tricks, but its side has none.", seat=play.sawa)


def _check_card_points(mode: Mode, play: PlayOutcome) -> None:
    ours, theirs = play.card_points
    total = CARD_POINTS[mode]
    if ours < 0 or theirs < 0 or ours + theirs != total:
        refuse(
            "play.card_points",
            f"The card points of a {mode.name.capitalize()} add up to {total}, not {ours} and {theirs}.",
            card_points=play.card_points,
            total=total,
        )
    tricks = play.tricks
    if (ours and not tricks[0]) or (theirs and not tricks[1]):
        refuse(
            "play.card_points",
            "A side without a trick has no card points; all of them go with the eight tricks.",
            card_points=play.card_points,
        )


def _check_projects(mode: Mode, projects: tuple[SeatProject, ...], ruleset: Ruleset) -> dict[Seat, int]:
    """The cards that each seat is known to hold by its projects, as sets of bits."""
    team = projects[0].team
    held: dict[Seat, int] = {}
    seen = 0
    for owned in projects:
        if owned.team is not team:
            refuse("play.projects", "Only one side's projects count, but both sides have some.")
        mask = _project_mask(mode, owned)
        if seen & mask:
            refuse("play.projects", "A card belongs to one project only, but one is in two.")
        seen |= mask
        held[owned.seat] = held.get(owned.seat, 0) | mask
    for seat, mask in held.items():
        _check_seat_projects(seat, mask, projects, ruleset.max_projects_per_player)
    return held


def _project_mask(mode: Mode, owned: SeatProject) -> int:
    kind = owned.project.kind
    made, mask = _PROJECTS[mode].get(owned.project.cards, (None, 0))
    if made is not kind:
        refuse(
            "play.projects",
            f"The cards shown as {kind.name.lower()} do not make one in a {mode.name.capitalize()}.",
            kind=kind.name,
        )
    return mask


def _check_seat_projects(seat: Seat, mask: int, projects: tuple[SeatProject, ...], most: int) -> None:
    if mask.bit_count() > CARDS_IN_HAND:
        refuse("play.projects", "The projects of a seat have more cards than a hand.", seat=seat)
    if len(projects) > most and sum(owned.seat is seat for owned in projects) > most:
        refuse("play.projects", f"A seat has no more than {most} projects.", seat=seat, most=most)


def _check_baloot(contract: Contract, play: PlayOutcome, held: dict[Seat, int]) -> None:
    if contract.trump is None:
        refuse("play.baloot", "There is no Baloot in a Sun.")
    if len(play.baloot) > 1:
        refuse("play.baloot", "A round has one Baloot at most: one seat holds king and queen of trumps.")
    seat, pair = play.baloot[0], _BALOOT_MASK[contract.trump]
    if any(mask & pair for owner, mask in held.items() if owner is not seat):
        refuse("play.baloot", "A card of the Baloot is in another seat's project.", seat=seat)
    if (held.get(seat, 0) | pair).bit_count() > CARDS_IN_HAND:
        refuse("play.baloot", "The projects and the Baloot of a seat have more cards than a hand.", seat=seat)
    _check_baloot_unblocked(play, seat, pair)


def _check_baloot_unblocked(play: PlayOutcome, seat: Seat, pair: int) -> None:
    """A hundred with a card of the pair blocks the Baloot (2.25, `baloot_block: declared_hundred`)."""
    for owned in play.projects:
        if owned.project.kind is ProjectKind.HUNDRED and owned.project.mask & pair:
            refuse("play.baloot", "A hundred with a card of the pair blocks the Baloot.", seat=seat)
