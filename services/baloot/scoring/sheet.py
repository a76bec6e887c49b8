"""What the lines of the sheet are made from: a round whose verdict is known, and one line with its sentences."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from baloot.core.ruleset import ProjectMultiplier
from baloot.core.score import LineKind, RoundRecord, ScoreLine
from baloot.core.seats import Team
from baloot.scoring.counting import Counting, Figures
from baloot.scoring.texts import LEVELS, Clause, Word, sentences
from baloot.scoring.verdict import Verdict

Inputs = tuple[tuple[str, int], ...]
Clauses = tuple[Clause, ...]

_PROJECT_TIMES: dict[ProjectMultiplier, tuple[int, int, int, int, int]] = {
    ProjectMultiplier.FULL: (0, 1, 2, 3, 4),
    ProjectMultiplier.CAP_X2: (0, 1, 2, 2, 2),
    ProjectMultiplier.DOUBLE_ONLY: (0, 1, 2, 1, 1),
    ProjectMultiplier.NONE: (0, 1, 1, 1, 1),
}
"""By what projects are multiplied at each level (2.29)."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A round whose verdict is known."""

    record: RoundRecord
    counting: Counting
    figures: Figures
    verdict: Verdict

    @property
    def level(self) -> int:
        """By what the round is multiplied (2.29): 1 to 4."""
        return int(self.record.contract.level)

    @property
    def project_times(self) -> int:
        """By what its projects are multiplied (2.29)."""
        return _PROJECT_TIMES[self.record.ruleset.project_multiplier][self.level]

    @property
    def level_word(self) -> Word:
        return "level", LEVELS[self.record.contract.level]


class Draft(NamedTuple):
    """A line before it is put into words, which costs more than all the rest of it."""

    team: Team
    kind: LineKind
    rule: str
    game_points: int
    inputs: Inputs
    clauses: Clauses
    words: tuple[Word, ...]

    def plain(self) -> ScoreLine:
        """The line without sentences, for whoever scores in bulk."""
        return ScoreLine(self.team, self.kind, self.rule, self.game_points, self.inputs)

    def explained(self) -> ScoreLine:
        """The line with its sentences, which have places for the inputs, the `points` and the words."""
        figures = {**dict(self.inputs), "points": self.game_points}
        text = sentences(self.clauses, self.rule, figures, self.words)
        return replace(self.plain(), english=text.english, arabic=text.arabic)


def line(
    team: Team, kind: LineKind, rule: str, points: int, inputs: Inputs, clauses: Clauses, *words: Word
) -> Draft:
    """A line of the sheet; its sentence is made of the clauses."""
    return Draft(team, kind, rule, points, inputs, clauses, words)


Lines = tuple[Draft, ...]
