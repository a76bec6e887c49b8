"""The score sheet: every figure of a round with the sentence that explains it."""

from __future__ import annotations

from baloot.api.core.v1.score_pb2 import RoundScore
from baloot.app.terminal.language import Language
from baloot.app.terminal.names import bought_text
from baloot.app.terminal.terms import Word, comma, say
from baloot.codec.score import decode_round_score
from baloot.core.contract import Contract
from baloot.core.score import ScoreLine
from baloot.core.seats import TEAMS
from rich import box
from rich.table import Table
from rich.text import Text

WIDTH = 78


def explained(line: ScoreLine, language: Language) -> str:
    """How a figure comes about: the line's own sentence, or what it is about where its match was played without one."""
    told = line.arabic if language is Language.ARABIC else line.english
    return told or say(line.kind, language)


def round_sheet(message: RoundScore, contract: Contract, language: Language = Language.ENGLISH) -> Table:
    """The sheet of one round: a row for each figure, then what each side writes and has."""
    score = decode_round_score(message, "score")
    title = bought_text(contract, language).append(f" · {say(score.result, language)}")
    sheet = Table(title=title, box=box.SIMPLE_HEAD, width=WIDTH, title_justify="left", show_footer=False)
    sheet.add_column("", overflow="fold")
    for team in TEAMS:
        sheet.add_column(say(team, language), justify="right", no_wrap=True)
    _add(sheet, say(Word.ABNAT, language), score.card_points, "dim")
    if any(score.compared):
        _add(sheet, say(Word.COMPARED, language), score.compared, "dim")
    for line in score.lines:
        figures = ["" if team is not line.team else str(line.game_points) for team in TEAMS]
        sheet.add_row(Text(explained(line, language)), *figures)
    sheet.add_section()
    _add(sheet, say(Word.NUQAT, language), score.game_points, "bold")
    _add(sheet, say(Word.TOTAL, language), score.totals, "bold")
    return sheet


def _add(sheet: Table, what: str, pair: tuple[int, int], style: str) -> None:
    sheet.add_row(Text(what), *(Text(str(points)) for points in pair), style=style)


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
        what = bought_text(contract, language).append(f"{comma(language)}{say(contract.buyer, language)}")
        if contract.raises:
            what.append(f"{comma(language)}{say(contract.level, language)}")
        sheet.add_row(str(number), what, say(score.result, language), *points)
    return sheet
