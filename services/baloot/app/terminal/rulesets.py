"""Rule sets as tables: which there are, what one says, and where two differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from baloot.app.terminal.language import Language
from baloot.app.terminal.terms import Word, comma, say
from baloot.rulesets import words
from baloot.rulesets.local import OptionDifference, RulesetSummary
from baloot.rulesets.words import PARTS, WORDS, OptionText
from rich import box
from rich.table import Table
from rich.text import Text

WIDTH = 79
WHAT_WIDTH = 25
"""Holds the name of every option; what is left holds two values side by side, as they are written."""
UNSTATED_SIGN = " ?"


@dataclass(frozen=True, slots=True)
class Listed:
    """A rule set with the number of options that it has otherwise than `standard`, and that its source does not settle."""

    summary: RulesetSummary
    differing: int
    unstated: int


def ruleset_list(rows: Sequence[Listed], language: Language) -> Table:
    """One line for each rule set."""
    table = Table(box=box.SIMPLE_HEAD, width=WIDTH, show_edge=False)
    table.add_column(say(Word.RULESET, language), no_wrap=True)
    table.add_column("", no_wrap=True)
    for word in (Word.DIFFERING, Word.UNSTATED):
        table.add_column(say(word, language), justify="right")
    table.add_column(say(Word.PLAYED, language))
    table.add_column(say(Word.HASH, language), style="dim", no_wrap=True)
    for row in rows:
        one = row.summary
        title, played = _in(one.title, language), say(Word.YES if one.playable else Word.NOT_YET, language)
        table.add_row(
            Text(one.name, "bold"), title, str(row.differing), str(row.unstated), played, one.hash[:12]
        )
    return table


def ruleset_heading(summary: RulesetSummary, not_yet: Sequence[str], language: Language) -> Text:
    """Which rule set it is, and what of it this version does not play."""
    text = Text(f"{_in(summary.title, language)} ({summary.name})", "bold")
    text.append(f" · {say(Word.VERSION, language, summary.version)}\n", "not bold")
    text.append(f"{say(Word.HASH, language)} {summary.hash}", "not bold dim")
    if not_yet:
        text.append(
            f"\n{say(Word.NOT_YET_OPTIONS, language, comma(language).join(not_yet))}", "not bold yellow"
        )
    return text


def ruleset_tables(options: Sequence[OptionText], language: Language) -> list[Table]:
    """A table of options with their values for each part of the game."""
    tables: dict[str, Table] = {}
    for option in options:
        part = WORDS[option.option].part
        if part not in tables:
            tables[part] = _table(_in(PARTS[part], language), 40)
            tables[part].add_column("", ratio=1)
        tables[part].add_row(_what(option, language), _value(option, language))
    return list(tables.values())


def difference_table(
    sets: tuple[RulesetSummary, RulesetSummary], differences: Sequence[OptionDifference], language: Language
) -> Table:
    """The options in which two rule sets differ, side by side; in English by the names that people type."""
    table = _table(None, WHAT_WIDTH)
    for ruleset in sets:
        table.add_column(ruleset.title.arabic if language is Language.ARABIC else ruleset.name, ratio=1)
    for one in differences:
        table.add_row(_what(one.first, language), _value(one.first, language), _value(one.second, language))
    return table


def unstated_note(options: Sequence[OptionText], language: Language) -> str:
    """What the sign of an unstated option means, where there is one."""
    return say(Word.UNSTATED_NOTE, language) if any(option.unstated for option in options) else ""


def _table(title: str | None, what_width: int) -> Table:
    table = Table(
        title=title,
        title_justify="left",
        title_style="bold cyan",
        box=box.SIMPLE_HEAD,
        width=WIDTH,
        padding=(0, 1, 0, 0),
        leading=1,
        show_edge=False,
        show_header=title is None,
        pad_edge=False,
    )
    table.add_column("", width=what_width)
    return table


def _what(option: OptionText, language: Language) -> Text:
    return Text.assemble(
        f"{_in(option.about, language)} ({option.rule})\n", (option.option, "dim"), overflow="fold"
    )


def _value(option: OptionText, language: Language) -> Text:
    meaning = _in(option.meaning, language)
    text = Text(meaning, overflow="fold")
    if option.value != meaning:
        text.append(f"\n{option.value}", "dim")
    return text.append(UNSTATED_SIGN if option.unstated else "", "yellow")


def _in(text: words.Text, language: Language) -> str:
    return text.arabic if language is Language.ARABIC else text.english
