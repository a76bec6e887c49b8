# ruff: noqa: PLC0415 - as in the module of the commands
"""The commands `notation` and `export`: what can be typed, and what each option means."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any

import typer
from baloot.app.options import Data, DealingKey, RunningDatabase

notation = typer.Typer(
    help="Matches in the notation for Baloot: files that end in .baloot.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Files = Annotated[list[str], typer.Argument(help="Files in the notation; - for standard input.")]
OneFile = Annotated[str, typer.Argument(help="A file in the notation; - for standard input.")]
JsonFile = Annotated[str, typer.Argument(help="A file with one match of JSON a line; - for standard input.")]
Matches = Annotated[list[str], typer.Argument(help="The ids of the matches, as `baloot history` lists them.")]
Out = Annotated[
    Path | None,
    typer.Option(help="The file that is written. Unset: standard output.", show_default=False),
]


@notation.command("check")
def check(files: Files) -> None:
    """Read files and replay their matches by the rules: exit code 0 if all agree."""
    from baloot.app import notes

    _run(lambda: notes.check(files))


@notation.command("json")
def to_json(file: OneFile) -> None:
    """Print the matches of a file as JSON, one a line."""
    from baloot.app import notes

    _run(lambda: notes.print_json(file))


@notation.command("text")
def to_text(file: JsonFile) -> None:
    """Print matches of JSON in the notation."""
    from baloot.app import notes

    _run(lambda: notes.print_text(file))


def export(
    matches: Matches,
    out: Out = None,
    database: RunningDatabase = None,
    data: Data = None,
    dealing_key_file: DealingKey = None,
) -> None:
    """Write matches in the notation, out of the database."""
    from baloot.app import notes
    from baloot.app.stored import find_logs

    async def work() -> None:
        await notes.export(find_logs(database, data, dealing_key_file), matches, out)

    _run(work)


def _run(command: Callable[[], Coroutine[Any, Any, int | None]]) -> None:
    from baloot.app.commands import run

    raise typer.Exit(run(lambda _: command(), log_level="warning"))
