"""Rounds written the way a score sheet is read: `finished("hokum", 2, "70 baloot", "92")`."""

from __future__ import annotations

from baloot.core.cards import Card, Suit
from baloot.core.catalogue import RULESETS, with_changes
from baloot.core.contract import Bidding, Contract, Level, Mode
from baloot.core.play import PlayOutcome, Qaid, QaidGround, QaidMove
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.score import RoundRecord
from baloot.core.seats import Seat, Team

from tests.strategies.score import ladder

BUYER = Seat.SOUTH
DOUBLER = Seat.EAST
TRUMP = Suit.HEARTS

_CARDS = {
    "sira": "7S 8S 9S",
    "sira2": "7D 8D 9D",
    "fifty": "7C 8C 9C 10C",
    "hundred": "10S JS QS KS AS",
    "four_hundred": "AS AH AD AC",
}
_SECOND_HAND = ("hundred", "four_hundred")


def options(text: str) -> Ruleset:
    """`hokum_half=up khosara=raised_only`, or the name of a rule set."""
    if text in RULESETS:
        return RULESETS[text]
    return with_changes(STANDARD, text, dict(part.split("=") for part in text.split()))


def cards(text: str) -> tuple[Card, ...]:
    return tuple(sorted(Card.parse(word) for word in text.split()))


def owned(seat: Seat, kind: ProjectKind, text: str) -> SeatProject:
    return SeatProject(seat, Project(kind, cards(text)))


def bought(mode: str, level: int = 1, buyer: Seat = BUYER, doubler: Seat = DOUBLER) -> Contract:
    """A contract of the buyer, raised up to a level by him and the doubler."""
    return Contract(
        mode=Mode[mode.upper()],
        trump=TRUMP if mode == "hokum" else None,
        buyer=buyer,
        taker=buyer,
        bidding=Bidding.FIRST,
        raises=ladder(buyer, doubler, Level(level)),
    )


def finished(
    mode: str,
    level: int,
    buyers: str,
    defenders: str,
    *,
    tricks: tuple[int, int] = (5, 3),
    scores: tuple[int, int] = (0, 0),
    ruleset: Ruleset = STANDARD,
    qaid: Qaid | None = None,
) -> RoundRecord:
    """A round in which South bought and East doubled; each side is its card points and what it holds.

    The second player of a side has its hundreds and its Baloot, the first the rest.
    """
    sides = [buyers.split(), defenders.split()]
    found: list[SeatProject] = []
    baloot: list[Seat] = []
    for team, (_, *holdings) in zip(Team, sides, strict=True):
        first, second = team.seats
        for name in holdings:
            if name == "baloot":
                baloot.append(second)
            else:
                kind = ProjectKind[name.rstrip("2").upper()]
                found.append(owned(second if name in _SECOND_HAND else first, kind, _CARDS[name]))
    points = (int(sides[0][0]), int(sides[1][0]))
    play = PlayOutcome(tricks, points, tuple(found), tuple(baloot), qaid=qaid)
    return RoundRecord(bought(mode, level), play, scores, ruleset)


def claimed(*, right: bool, claimer: Seat = BUYER, ground: QaidGround = QaidGround.REVOKE) -> Qaid:
    """A claim of the buyer, or of somebody else."""
    return Qaid(claimer, QaidMove(ground), right)
