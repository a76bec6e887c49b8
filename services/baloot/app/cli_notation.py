# ruff: noqa: PLC0415 - as in the module of the commands
"""The commands `notation`, `export` and `import`: what can be typed, and what each option means."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from baloot.app.options import HERE, Connect, Data, DealingKey, RunningDatabase, TokenFile

notation = typer.Typer(
    help="Matches in the notation for Baloot: files that end in .baloot.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Files = Annotated[list[str], typer.Argument(help="Files in the notation; - for standard input.")]
OneFile = Annotated[str, typer.Argument(help="A file in the notation; - for standard input.")]
JsonFile = Annotated[str, typer.Argument(help="A file with one match of JSON a line; - for standard input.")]
Matches = Annotated[
    list[str] | None,
    typer.Argument(
        help="The ids of the matches, as `baloot history` lists them; with --connect none for all that fit.",
        show_default=False,
    ),
]
Server = Annotated[
    str | None,
    typer.Option(
        "--connect",
        help="The address of a server to ask. Unset: the database is read.",
        show_default=False,
    ),
]
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
    matches: Matches = None,
    out: Out = None,
    database: RunningDatabase = None,
    data: Data = None,
    dealing_key_file: DealingKey = None,
    connect: Server = None,
    token_file: TokenFile = None,
    player: Annotated[
        str, typer.Option(help="With --connect: only matches of the player with this name.")
    ] = "",
    player_id: Annotated[str, typer.Option(help="With --connect: only matches of this account.")] = "",
    rules: Annotated[str, typer.Option(help="With --connect: only matches by this rule set.")] = "",
    event: Annotated[str, typer.Option(help="With --connect: only matches of this event.")] = "",
) -> None:
    """Write matches in the notation: out of the database, or with --connect as a server gives them out."""
    filters = (player, player_id, rules, event)
    ids = matches or []
    if connect is None:
        _require(bool(ids), "name the matches by their ids, or with --connect the server that has them")
        _require(not any(filters), "filters need --connect: a server that knows who played what")
        _run(lambda: _export_stored(ids, out, database, data, dealing_key_file))
    _require(not (ids and any(filters)), "name matches by their ids, or by filters")
    _run(lambda: _export_served(connect, token_file, ids, filters, out))


async def _export_stored(
    matches: list[str],
    out: Path | None,
    database: str | None,
    data: Path | None,
    dealing_key_file: Path | None,
) -> None:
    from baloot.app import notes
    from baloot.app.stored import find_logs

    await notes.export(find_logs(database, data, dealing_key_file), matches, out)


async def _export_served(
    connect: str,
    token_file: Path | None,
    matches: list[str],
    filters: tuple[str, str, str, str],
    out: Path | None,
) -> None:
    from baloot.api.history.v1.history_pb2 import ListMatchesRequest
    from baloot.app import archiving

    player, player_id, rules, event = filters
    wanted = ListMatchesRequest(player_name=player, player_id=player_id, ruleset_name=rules, event_id=event)
    await archiving.export(connect, token_file, matches, wanted, out)


def import_matches(files: Files, connect: Connect = HERE, token_file: TokenFile = None) -> None:
    """Bring the matches of files in the notation to a server, as an organiser or an admin; each is stored once."""
    from baloot.app import archiving

    _run(lambda: archiving.bring(connect, token_file, files))


def _require(holds: bool, message: str) -> None:  # noqa: FBT001 - what holds
    from baloot.app.commands import FAILED, complain

    if not holds:
        complain(message)
        raise typer.Exit(FAILED)


def _run(command: Callable[[], Coroutine[Any, Any, int | None]]) -> NoReturn:
    from baloot.app.commands import run

    raise typer.Exit(run(lambda _: command(), log_level="warning"))
