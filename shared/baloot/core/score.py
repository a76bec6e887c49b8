"""A scored round: every figure with the rule it comes from (rules, sections 2.26 to 2.32)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from baloot.core.cards import Card
from baloot.core.contract import Contract
from baloot.core.play import PlayOutcome
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import Seat, Team


class LineKind(Enum):
    """What a line of the score sheet is about."""

    CARDS = 1
    TAKES_ALL = 2
    KABOOT = 3
    PROJECT = 4
    BALOOT = 5
    GAHWA = 6
    QAID = 7

    __hash__ = object.__hash__


class RoundResult(Enum):
    """How a round ended for the buyer."""

    MADE = 1
    KHOSARA = 2
    KABOOT = 3
    GAHWA = 4
    QAID = 5

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One figure of the sheet. `inputs` are the named numbers it was worked out from, `rule` the rule's number."""

    team: Team
    kind: LineKind
    rule: str
    game_points: int
    inputs: tuple[tuple[str, int], ...] = ()
    english: str = ""
    """A sentence that says where the figure comes from, with its numbers and its rule; empty in old matches."""
    arabic: str = ""


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """All that scoring looks at. `scores` are the game points of each team before the round.

    `dealer`, `up_card` and `buyer_had_ace` (the up card included) are needed only where a reverse kaboot asks for them.
    """

    contract: Contract
    play: PlayOutcome
    scores: tuple[int, int] = (0, 0)
    ruleset: Ruleset = STANDARD
    dealer: Seat | None = None
    up_card: Card | None = None
    buyer_had_ace: bool | None = None


@dataclass(frozen=True, slots=True)
class RoundScore:
    """The sheet of one round. The lines of a team add up to its `game_points`, by construction.

    `game_points` is what each team writes, `totals` what it then has; `winner` is set when the match is over.
    `card_points` (abnat) and `compared` (game points of cards, projects and Baloot before it is decided who takes
    what; none under a Qaid) are the figures behind `result`.
    """

    result: RoundResult
    round_winner: Team | None
    """The side that took all, made a kaboot or won a Qaid or the Gahwa; None when both sides write their own."""
    card_points: tuple[int, int]
    compared: tuple[int, int]
    lines: tuple[ScoreLine, ...]
    game_points: tuple[int, int]
    totals: tuple[int, int]
    winner: Team | None
