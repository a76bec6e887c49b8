"""The commands that run everything in one process, or sit down at what runs: `up`, `run`, `demo` and `play`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from baloot.app.cli.command import runs
from baloot.app.cli.options import HERE, Data, TokenFile, Words
from baloot.app.cli.server_options import AccessOptions, ServerOptions
from baloot.app.errors import SetupError
from baloot.app.terminal.language import Language
from baloot.app.work import Work

ANSWER_SECONDS = 120.0
"""How long a person has for each answer, unless it is said."""


@runs("info")
def up(
    data: Data = None,
    server: ServerOptions = ServerOptions(HERE),
    access: AccessOptions = AccessOptions(),
) -> Work:
    """Run everything in one process, database included."""
    from baloot.app import serving

    folder, settings = _folder(data), server.public(access)
    return lambda stop: serving.up(folder, settings, stop)


@runs()
def run(
    data: Data = None,
    server: ServerOptions = ServerOptions(HERE),
    access: AccessOptions = AccessOptions(),
    think: Annotated[
        float, typer.Option(help="Seconds that a bot takes for an answer.", min=0, max=60)
    ] = 0.7,
    language: Words = Language.ENGLISH,
) -> Work:
    """Run everything and show a match between bots."""
    _say_starting(language)
    from baloot.app import showing

    folder, settings = _folder(data), server.public(access)
    return lambda stop: showing.run(folder, settings, stop, think=think, language=language)


@runs()
def demo(language: Words = Language.ENGLISH) -> Work:
    """Show one match between bots, as fast as it goes."""
    _say_starting(language)
    from baloot.app import showing

    return showing.demo(language)


@dataclass(frozen=True, slots=True)
class NewTable:
    """The rules and the clock of a table that is opened to play at."""

    rules: Annotated[
        str | None,
        typer.Option(
            help="The rule set of a new table, as `baloot rules list` names it. Unset: standard.",
            metavar="NAME",
            show_default=False,
        ),
    ] = None
    call_time: Annotated[
        float, typer.Option(help="Seconds that a new table gives for each call.", min=0.1, max=600)
    ] = ANSWER_SECONDS
    card_time: Annotated[
        float, typer.Option(help="Seconds that a new table gives for each card.", min=0.1, max=600)
    ] = ANSWER_SECONDS
    bank: Annotated[
        float,
        typer.Option(
            help="Seconds that each player of a new table has besides, for the whole match.", min=0, max=3600
        ),
    ] = 0


@runs()
def play(
    connect: Annotated[
        str | None,
        typer.Option(
            help="The server to play on. Unset: one that is started for this match alone.",
            envvar="BALOOT_CONNECT",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    table: Annotated[
        str | None,
        typer.Option(
            help="The id of an open table to sit down at. Unset: a new table with three bots.",
            metavar="TABLE",
            show_default=False,
        ),
    ] = None,
    name: Annotated[
        str, typer.Option(help="What the others see you called.", envvar="BALOOT_NAME", metavar="NAME")
    ] = "You",
    token_file: TokenFile = None,
    new: NewTable = NewTable(),
    language: Words = Language.ENGLISH,
) -> Work:
    """Take a seat at a table in this terminal."""
    _check_table(connect, table, new)
    if connect is None:
        _say_starting(language)
    from baloot.app import playing

    times = new.call_time, new.card_time, new.bank
    place = playing.Place(connect, table, name, new.rules or "standard", language, *times, token_file)
    return lambda stop: playing.play(stop, place)


def _check_table(connect: str | None, table: str | None, new: NewTable) -> None:
    """Raises SetupError for what makes no sense with an open table."""
    if table is None:
        return
    if connect is None:
        raise SetupError("--table needs --connect: the server that the table is on")
    if new != NewTable():
        raise SetupError(
            "--rules, --call-time, --card-time and --bank are for a new table: the one named with --table has its own"
        )


def _folder(data: Path | None) -> Path:
    from baloot.app.embedded import default_data

    return data or default_data()


def _say_starting(language: Language) -> None:
    """Says what is going on before everything is imported and started, which takes seconds."""
    from baloot.app.terminal.terms import Word, say

    typer.echo(f"{say(Word.STARTING, language)} ...", err=True)
