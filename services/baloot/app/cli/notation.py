"""The commands of `notation`, and `export` and `import`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from baloot.app.cli.command import group, runs
from baloot.app.cli.options import LogOptions, MatchFilter, Out, Server, TokenFile
from baloot.app.errors import SetupError
from baloot.app.work import UNREADABLE, Work

notation = group("Matches in the notation for Baloot: files that end in .baloot.")

Files = Annotated[list[str], typer.Argument(help="Files in the notation; - for standard input.")]
OneFile = Annotated[str, typer.Argument(help="A file in the notation; - for standard input.")]
JsonFile = Annotated[
    str, typer.Argument(help="A file of JSON with one match on each line; - for standard input.")
]


@notation.command("check")
@runs(failed=UNREADABLE)
def check(files: Files) -> Work:
    """Read files and replay their matches by the rules.

    Exit code 0 if all agree, 1 if some do not, 2 if some cannot be read.
    """
    from baloot.app import notes

    return notes.check(files)


@notation.command("json")
@runs()
def to_json(file: OneFile) -> Work:
    """Print the matches of a file as JSON, one on each line."""
    from baloot.app import notes

    notes.print_json(file)
    return None


@notation.command("text")
@runs()
def to_text(file: JsonFile) -> Work:
    """Print the matches of a file of JSON in the notation."""
    from baloot.app import notes

    notes.print_text(file)
    return None


@runs()
def export(
    matches: Annotated[
        list[str] | None,
        typer.Argument(
            help="The ids of the matches, as `baloot history` lists them. With --connect they may be left out.",
            show_default=False,
        ),
    ] = None,
    out: Out = None,
    at: LogOptions = LogOptions(),
    connect: Annotated[
        str | None,
        typer.Option(
            help="The server to ask: HOST:PORT or unix:/path. Unset: the database is read, whatever BALOOT_CONNECT says.",
            metavar="ADDRESS",
            show_default=False,
        ),
    ] = None,
    token_file: TokenFile = None,
    wanted: MatchFilter = MatchFilter(),
) -> Work:
    """Write matches in the notation.

    They are read from the database, or with --connect asked of a server. A server gives those that are named by their
    ids, or all that fit what is said of player, rules and event.
    """
    if connect is None:
        return _export_stored(matches or [], wanted, at, out)
    return _export_served(matches or [], wanted, Server(connect, token_file), out)


def _export_stored(matches: list[str], wanted: MatchFilter, at: LogOptions, out: Path | None) -> Work:
    if not matches:
        raise SetupError("name the matches by their ids, or with --connect the server that has them")
    if wanted != MatchFilter():
        raise SetupError("filters need --connect: a server that knows who played what")
    from baloot.app import notes

    return notes.export(at.logs, matches, out)


def _export_served(matches: list[str], wanted: MatchFilter, server: Server, out: Path | None) -> Work:
    if matches and wanted != MatchFilter():
        raise SetupError("name matches by their ids, or by filters")
    from baloot.api.history.v1.history_pb2 import ListMatchesRequest
    from baloot.app import archiving

    request = ListMatchesRequest(
        player_name=wanted.player,
        player_id=wanted.player_id,
        ruleset_name=wanted.rules,
        event_id=wanted.event,
    )
    return archiving.export(server.asked, matches, request, out)


@runs()
def import_matches(files: Files, server: Server = Server()) -> Work:
    """Bring the matches of files in the notation to a server.

    Only an organiser or an admin may. Each match is stored once.
    """
    from baloot.app import archiving

    return archiving.bring(server.asked, files)
