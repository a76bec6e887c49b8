"""What the lines of the sheet are made from: a round whose verdict is known, and one line with its sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from baloot.core.ruleset import ProjectMultiplier
from baloot.core.score import LineKind, RoundRecord, ScoreLine
from baloot.core.seats import Team
from baloot.scoring.counting import Counting, Figures
from baloot.scoring.texts import LEVELS, Clause, Word, sentences
from baloot.scoring.verdict import Verdict

Inputs = tuple[tuple[str, int], ...]
Clauses = tuple[Clause, ...]

_PROJECT_TIMES: dict[ProjectMultiplier, tuple[int, ...]] = {
    ProjectMultiplier.FULL: (0, 1, 2, 3, 4, 0),
    ProjectMultiplier.CAP_X2: (0, 1, 2, 2, 2, 0),
    ProjectMultiplier.DOUBLE_ONLY: (0, 1, 2, 1, 1, 0),
    ProjectMultiplier.NONE: (0, 1, 1, 1, 1, 0),
}
"""By what projects are multiplied at each level (2.29); with a Gahwa nobody writes any (2.31)."""


class Settled(NamedTuple):
    """A round whose verdict is known. `level` and `project_times` are by what it and its projects are multiplied (2.29)."""

    record: RoundRecord
    counting: Counting
    figures: Figures
    verdict: Verdict
    level: int
    project_times: int

    @property
    def level_word(self) -> Word:
        return "level", LEVELS[self.record.contract.level]


def settle(record: RoundRecord, counting: Counting, figures: Figures, verdict: Verdict) -> Settled:
    """The round with what its level makes of it."""
    level = int(record.contract.level)
    times = _PROJECT_TIMES[record.ruleset.project_multiplier][level]
    return Settled(record, counting, figures, verdict, level, times)


class Draft(NamedTuple):
    """A line before it is put into words, which costs more than all the rest of it."""

    plain: ScoreLine
    clauses: Clauses
    words: tuple[Word, ...]

    def explained(self) -> ScoreLine:
        """The line with its sentences, which have places for the inputs, the `points` and the words."""
        plain = self.plain
        figures = {**dict(plain.inputs), "points": plain.game_points}
        text = sentences(self.clauses, plain.rule, figures, self.words)
        return replace(plain, english=text.english, arabic=text.arabic)


def line(
    team: Team, kind: LineKind, rule: str, points: int, inputs: Inputs, clauses: Clauses, *words: Word
) -> Draft:
    """A line of the sheet; its sentence is made of the clauses."""
    return Draft(ScoreLine(team, kind, rule, points, inputs), clauses, words)


Lines = tuple[Draft, ...]
