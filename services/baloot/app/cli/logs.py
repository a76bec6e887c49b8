"""The commands `log` and `looks`: what a table wrote down, and who has looked at it."""

from __future__ import annotations

from typing import Annotated

import typer
from baloot.app.cli.command import runs
from baloot.app.cli.options import LogOptions, Server, Table
from baloot.app.work import Work


@runs()
def log(
    table: Table,
    at: LogOptions = LogOptions(),
    secrets: Annotated[
        bool, typer.Option("--secrets", help="Show the hands of a round that is still played, too.")
    ] = False,
) -> Work:
    """Print the log of a table in plain words."""
    from baloot.app import logbook

    return logbook.show_log(at.logs, table, secrets=secrets)


@runs()
def looks(table: Table, server: Server = Server()) -> Work:
    """List who has looked at a table with all hands open.

    Only an organiser, a referee or an admin is told.
    """
    from baloot.app.looks import show_looks

    return show_looks(server.asked, table)
