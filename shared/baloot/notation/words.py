"""The words of the notation: how seats, cards, calls, projects and claims are spelled, and what a word means."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

from baloot.core.auction import Call, CallKind, CutChoice, SeatCall
from baloot.core.cards import CARDS, SUITS, Card
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.deal import DealEnd
from baloot.core.play import CardMove, QaidGround, QaidMove, SeatMove
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.score import LineKind, RoundResult
from baloot.core.seats import SEATS, Seat, Team

_E = TypeVar("_E", bound=Enum)
_T = TypeVar("_T")

VERSION = "1"
"""The version of the notation that is read and written."""

SEAT_LETTER = {seat: seat.name[0] for seat in SEATS}
TEAM_LETTERS = {Team.SOUTH_NORTH: "SN", Team.EAST_WEST: "EW"}


def find(table: Mapping[str, _T], word: str) -> _T | None:
    """What a word means, in capitals or not."""
    found = table.get(word)
    return table.get(word.upper()) if found is None else found


def _both_cases(table: Mapping[str, _T]) -> dict[str, _T]:
    """The words as they are written, for which nothing has to be put in capitals, and in capitals."""
    return {word.upper(): value for word, value in table.items()} | dict(table)


def word_of(value: Enum) -> str:
    """A value as it is written."""
    return value.name.lower()


def _members(kind: type[_E]) -> dict[str, _E]:
    return _both_cases({word_of(value): value for value in kind})


SEAT_WORDS = _both_cases(
    {letter: seat for seat, letter in SEAT_LETTER.items()} | {str(seat): seat for seat in SEATS}
)
TEAM_WORDS = _both_cases(
    {word: team for team, word in TEAM_LETTERS.items()} | {str(team): team for team in TEAM_LETTERS}
)
CUTS, ENDS, RESULTS = _members(CutChoice), _members(DealEnd), _members(RoundResult)
LINE_KINDS, BIDDINGS, GROUNDS = _members(LineKind), _members(Bidding), _members(QaidGround)
PROJECT_KINDS = _members(ProjectKind)

CARD_WORDS: dict[str, Card] = _both_cases(
    {f"T{suit}": Card.of(suit, CARDS[3].rank) for suit in SUITS}
    | {f"{card.rank}{'♠♥♦♣'[card.suit]}": card for card in CARDS}
    | {str(card): card for card in CARDS}
)

# Calls.


def call_word(call: Call) -> str:
    """`pass`, `confirm-H`, `double-locked`."""
    return "-".join(str(call).split())


def seat_call_word(said: SeatCall) -> str:
    """`S:pass`."""
    return f"{SEAT_LETTER[said.seat]}:{call_word(said.call)}"


_CALLS = [
    Call(kind, suit, locked)
    for kind in CallKind
    if kind is not CallKind.CUT
    for suit in (None, *SUITS)
    for locked in (None, True, False)
]


def _by_seat(calls: Mapping[str, _T]) -> dict[str, tuple[Seat, _T]]:
    return {
        f"{name}:{word}": (SEAT_WORDS[name], value) for name in SEAT_WORDS for word, value in calls.items()
    }


SEAT_CALLS: dict[str, SeatCall] = {
    word: SeatCall(*said) for word, said in _by_seat(_both_cases({call_word(c): c for c in _CALLS})).items()
}
"""Every call of every seat."""

# The contract.


def contract_word(contract: Contract) -> str:
    """`sun`, `hokum-H`."""
    suit = f"-{contract.trump}" if contract.trump is not None else ""
    return word_of(contract.mode) + suit


def raise_word(step: Raise) -> str:
    """`N:double`, `E:three-locked`."""
    return f"{SEAT_LETTER[step.seat]}:{word_of(step.level)}{'-locked' if step.locked else ''}"


CONTRACTS = _both_cases(
    {f"{word_of(mode)}-{suit}": (mode, suit) for mode in Mode for suit in SUITS}
    | {word_of(mode): (mode, None) for mode in Mode}
)
_RAISES = {
    word_of(level) + ("-locked" if locked else ""): (level, locked)
    for level in Level
    for locked in (False, True)
}
RAISES: dict[str, Raise] = {
    word: Raise(seat, *step) for word, (seat, step) in _by_seat(_both_cases(_RAISES)).items()
}

# Projects.

_PROJECT = re.compile(r"([A-Za-z_]+)=(\S+)")


def project_word(project: Project) -> str:
    """`sira=9H-10H-JH`."""
    return f"{word_of(project.kind)}={'-'.join(map(str, project.cards))}"


def seat_project_word(owned: SeatProject) -> str:
    """`S:sira=9H-10H-JH`."""
    return f"{SEAT_LETTER[owned.seat]}:{project_word(owned.project)}"


def read_project(word: str) -> Project | None:
    """The project that a word spells; None if it spells none."""
    spelled = _PROJECT.fullmatch(word)
    if spelled is None:
        return None
    kind = find(PROJECT_KINDS, spelled[1])
    cards = [find(CARD_WORDS, card) for card in spelled[2].split("-")]
    known = sorted(card for card in cards if card is not None)
    if kind is None or len(known) != len(cards) or len(set(known)) != len(known):
        return None
    return Project(kind, tuple(known))


def read_seat_project(word: str) -> SeatProject | None:
    """The project of a seat that a word spells; None if it spells none."""
    name, _, rest = word.partition(":")
    seat, project = find(SEAT_WORDS, name), read_project(rest)
    return None if seat is None or project is None else SeatProject(seat, project)


# Moves.

SILENT: tuple[dict[str, SeatMove], ...] = tuple(
    {word: SeatMove(seat, CardMove(card)) for word, card in CARD_WORDS.items()} for seat in SEATS
)
"""For each seat, its moves of one card each without another word."""


def claim_word(claim: QaidMove) -> str:
    """`revoke/7S/8S`: the ground, the card and the proof; of a wrong Sawa the ground alone."""
    cards = [str(card) for card in (claim.card, claim.proof) if card is not None]
    return "/".join([word_of(claim.ground), *cards])


def read_claim(word: str) -> QaidMove | None:
    """The claim that a word spells; None if it spells none."""
    ground_word, *card_words = word.split("/")
    ground, cards = find(GROUNDS, ground_word), [find(CARD_WORDS, card) for card in card_words]
    needed = 0 if ground is QaidGround.WRONG_SAWA else 2
    if ground is None or None in cards or len(cards) != needed:
        return None
    return QaidMove(ground, *cards)
