"""The score sheet: every figure of a round with the numbers it comes from and the rule behind it."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from baloot.api.core.v1.score_pb2 import RoundScore
from baloot.app.terminal.names import bought_text
from baloot.app.terminal.terms import Language, Word, say
from baloot.codec.score import decode_round_score
from baloot.core.contract import Contract
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, ScoreLine
from baloot.core.seats import TEAMS, Seat
from rich import box
from rich.table import Table
from rich.text import Text

WIDTH = 78

HOW: dict[LineKind, tuple[str, str]] = {
    LineKind.CARDS: (
        "defenders' {defenders_card_points} abnat make {converted}",
        "أبناط الخصم {defenders_card_points} تساوي {converted}",
    ),
    LineKind.TAKES_ALL: (
        "{total} × {multiplier}: {winner_compared} to {loser_compared}, abnat {winner_raw} to {loser_raw}",
        "{total} × {multiplier}: {winner_compared} إلى {loser_compared}، أبناط {winner_raw} إلى {loser_raw}",
    ),
    LineKind.KABOOT: ("all {tricks} tricks", "كل الأكلات {tricks}"),
    LineKind.PROJECT: ("{seat}: {project_kind}, {value} × {multiplier}",) * 2,
    LineKind.BALOOT: (
        "{seat}: K and Q of trumps, {value} × {multiplier}",
        "{seat}: شايب وبنت الحكم، {value} × {multiplier}",
    ),
    LineKind.GAHWA: (
        "the round decides the match: {match_target}",
        "الجولة بالصكة: {match_target}",
    ),
    LineKind.QAID: ("{total} × {multiplier} by a qaid", "{total} × {multiplier} بقيد"),
}
"""How each kind of line is explained, in English and in Arabic, with the places of its inputs."""


def explained(line: ScoreLine, language: Language) -> str:
    """How a figure comes about, in a few words; in the server's own sentence where there are none here."""
    inputs: dict[str, object] = dict(line.inputs)
    if line.kind is LineKind.CARDS and line.game_points != inputs.get("converted", line.game_points):
        return say(Word.REST_OF, language, inputs["total"])
    for name, values in _NAMED.items():
        if name in inputs:
            inputs[name] = say(values(inputs[name]), language)
    arabic = language is Language.ARABIC
    try:
        return HOW[line.kind][arabic].format_map(inputs)
    except KeyError:
        return line.arabic if arabic else line.english


_NAMED: dict[str, Callable[[Any], Enum]] = {"seat": Seat, "project_kind": ProjectKind}
"""Inputs that are numbers of values."""


def round_sheet(message: RoundScore, contract: Contract, language: Language = Language.ENGLISH) -> Table:
    """The sheet of one round: a row for each figure, then what each side writes and has."""
    score = decode_round_score(message, "score")
    title = bought_text(contract, language).append(f" · {say(score.result, language)}")
    sheet = Table(title=title, box=box.SIMPLE_HEAD, width=WIDTH, title_justify="left", show_footer=False)
    sheet.add_column("", overflow="fold")
    for team in TEAMS:
        sheet.add_column(say(team, language), justify="right", no_wrap=True)
    sheet.add_column(say(Word.RULE, language), justify="right", style="dim", no_wrap=True)
    _add(sheet, say(Word.ABNAT, language), score.card_points, "2.26", "dim")
    for line in score.lines:
        figures = ["" if team is not line.team else str(line.game_points) for team in TEAMS]
        what = f"{say(line.kind, language)}: {explained(line, language)}"
        sheet.add_row(what, *figures, line.rule)
    sheet.add_section()
    _add(sheet, say(Word.NUQAT, language), score.game_points, "", "bold")
    _add(sheet, say(Word.TOTAL, language), score.totals, "2.32", "bold")
    return sheet


def _add(sheet: Table, what: str, pair: tuple[int, int], rule: str, style: str) -> None:
    sheet.add_row(Text(what), *(Text(str(points)) for points in pair), rule, style=style)


Row = tuple[int, Contract, RoundScore]
"""A scored round: its number, what was played, its sheet."""


def match_sheet(rows: list[Row], language: Language = Language.ENGLISH) -> Table:
    """One line for every scored round."""
    sheet = Table(
        title=say(Word.SCORE_SHEET, language), box=box.SIMPLE_HEAD, width=WIDTH, title_justify="left"
    )
    sheet.add_column(say(Word.ROUND, language), justify="right")
    sheet.add_column(say(Word.CONTRACT, language))
    sheet.add_column("")
    for team in TEAMS:
        sheet.add_column(say(team, language), justify="right", no_wrap=True)
    for number, contract, message in rows:
        score = decode_round_score(message, "score")
        points = [
            f"{wrote:+d} → {total}" for wrote, total in zip(score.game_points, score.totals, strict=True)
        ]
        what = bought_text(contract, language).append(f", {say(contract.buyer, language)}")
        if contract.raises:
            what.append(f", {say(contract.level, language)}")
        sheet.add_row(str(number), what, say(score.result, language), *points)
    return sheet
