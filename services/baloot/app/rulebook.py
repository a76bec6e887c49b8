"""The commands `rules list`, `rules show` and `rules diff`: the rule sets that this version knows, without a server."""

from __future__ import annotations

from baloot.app.terminal.console import open_console
from baloot.app.terminal.language import Language
from baloot.app.terminal.rulesets import (
    Listed,
    difference_table,
    ruleset_heading,
    ruleset_list,
    ruleset_tables,
    unstated_note,
)
from baloot.app.terminal.terms import Word, say
from baloot.core.playable import unsupported
from baloot.core.ruleset import STANDARD
from baloot.rulesets.local import LocalRulesets
from rich.console import Console


async def list_rulesets(language: Language) -> None:
    """Prints one line for each rule set."""
    rulesets, rows = LocalRulesets(), []
    for summary in await rulesets.list_rulesets():
        told = await rulesets.get_ruleset(summary.name)
        differing = await rulesets.diff_rulesets(STANDARD.name, summary.name)
        rows.append(Listed(summary, len(differing), sum(option.unstated for option in told.options)))
    open_console().print(ruleset_list(rows, language))


async def show_ruleset(name: str, language: Language) -> None:
    """Prints every option of a rule set with what it means. Raises Refusal when there is none of this name."""
    told = await LocalRulesets().get_ruleset(name)
    console = open_console()
    console.print(ruleset_heading(told.summary, unsupported(told.ruleset), language), highlight=False)
    for table in ruleset_tables(told.options, language):
        console.print()
        console.print(table)
    _note(console, unstated_note(told.options, language))


async def show_differences(first: str, second: str, language: Language) -> None:
    """Prints where two rule sets differ. Raises Refusal when there is none of a name."""
    rulesets = LocalRulesets()
    differences = await rulesets.diff_rulesets(first, second)
    console = open_console()
    if not differences:
        console.print(say(Word.NO_DIFFERENCE, language))
        return
    one, other = [(await rulesets.get_ruleset(name)).summary for name in (first, second)]
    console.print(difference_table((one, other), differences, language))
    _note(
        console,
        unstated_note([option for one in differences for option in (one.first, one.second)], language),
    )


def _note(console: Console, note: str) -> None:
    if note:
        console.print(f"\n{note}", highlight=False)
