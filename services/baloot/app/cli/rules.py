"""The commands of `rules`."""

from __future__ import annotations

from typing import Annotated

import typer
from baloot.app.cli.command import PassingOn, group, runs
from baloot.app.cli.options import Words
from baloot.app.terminal.language import Language
from baloot.app.work import Work

rules = group("The rule sets by which Baloot is played.", cls=PassingOn)

Name = Annotated[str, typer.Argument(help="The name of a rule set, as `baloot rules list` tells it.")]


@rules.callback()
def before_a_command(language: Words = Language.ENGLISH) -> None:
    """The rule sets by which Baloot is played."""


@rules.command("list")
@runs()
def list_rules(language: Words = Language.ENGLISH) -> Work:
    """List the rule sets that are known by name."""
    from baloot.app import rulebook

    return rulebook.list_rulesets(language)


@rules.command("show")
@runs()
def show_rules(name: Name, language: Words = Language.ENGLISH) -> Work:
    """Show every option of a rule set and what it means."""
    from baloot.app import rulebook

    return rulebook.show_ruleset(name, language)


@rules.command("diff")
@runs()
def diff_rules(
    first: Name,
    second: Annotated[str, typer.Argument(help="The name of another one.")],
    language: Words = Language.ENGLISH,
) -> Work:
    """Show where two rule sets differ, side by side."""
    from baloot.app import rulebook

    return rulebook.show_differences(first, second, language)
