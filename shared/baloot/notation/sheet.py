"""The sheet of a deal: its figures, and the lines that they are the sums of."""

from __future__ import annotations

import re
from typing import Any

from baloot.core.score import RoundScore, ScoreLine
from baloot.core.seats import Team
from baloot.notation.cursor import Cursor, options
from baloot.notation.words import LINE_KINDS, RESULTS, TEAM_LETTERS, TEAM_WORDS, word_of

TEAM = "a side (SN or EW)"
_RULE = re.compile(r"[0-9]{1,3}\.[0-9]{1,3}")
_INPUT = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(-?[0-9]{1,9})")
NO_RULE = "-"
_FIGURES = {"abnat": "card_points", "compared": "compared", "writes": "game_points", "totals": "totals"}
_TEAMS = {"takes": "round_winner", "wins": "winner"}
_PARTS = f"one of {', '.join([*_FIGURES, *_TEAMS])}"


# Reading.


def read_score(words: Cursor, draft: dict[str, Any]) -> None:
    """The figures of the sheet, in any order after the result."""
    figures: dict[str, Any] = {"result": words.one(RESULTS, f"one of {options(RESULTS)}")}
    figures |= {"round_winner": None, "winner": None}
    while words.more:
        part = words.words[words.at].lower()
        if part in _FIGURES:
            words.at += 1
            figures[_FIGURES[part]] = words.pair("two numbers, of south-north and of east-west")
        elif part in _TEAMS:
            words.at += 1
            figures[_TEAMS[part]] = words.one(TEAM_WORDS, TEAM)
        else:
            words.fail(_PARTS)
    lacking = [part for part, name in _FIGURES.items() if name not in figures]
    if lacking:
        words.fail(f"{lacking[0]} and two numbers")
    draft["score"] = figures


def read_line(words: Cursor, draft: dict[str, Any]) -> None:
    """One line: `SN cards 9 2.26 card_points=91 converted=9`."""
    team = words.one(TEAM_WORDS, TEAM)
    kind = words.one(LINE_KINDS, f"one of {options(LINE_KINDS)}")
    points = words.number("the game points of the line")
    rule = words.take("the number of a rule (such as 2.26), or -")
    if rule != NO_RULE and not _RULE.fullmatch(rule):
        words.at -= 1
        words.fail("the number of a rule (such as 2.26), or -")
    inputs = tuple([_input(words) for _ in range(words.at, words.end)])
    line = ScoreLine(team, kind, "" if rule == NO_RULE else rule, points, inputs)
    draft.setdefault("lines", []).append(line)


def _input(words: Cursor) -> tuple[str, int]:
    spelled = _INPUT.fullmatch(words.words[words.at])
    if spelled is None:
        words.fail("a name, = and a whole number (such as card_points=91)")
    words.at += 1
    return spelled[1], int(spelled[2])


def made(figures: dict[str, Any], lines: list[ScoreLine]) -> RoundScore:
    """The sheet of these figures and lines."""
    return RoundScore(lines=tuple(lines), **figures)


# Writing.


def score_words(score: RoundScore) -> list[str]:
    """What stands after `score`."""
    words = [word_of(score.result)]
    for part, name in _FIGURES.items():
        words += [part, *map(str, getattr(score, name))]
    for part, name in _TEAMS.items():
        team: Team | None = getattr(score, name)
        words += [] if team is None else [part, TEAM_LETTERS[team]]
    return words


def line_words(line: ScoreLine) -> list[str]:
    """What stands after `line`."""
    inputs = [f"{name}={number}" for name, number in line.inputs]
    points = str(line.game_points)
    return [TEAM_LETTERS[line.team], word_of(line.kind), points, line.rule or NO_RULE, *inputs]
