# ruff: noqa: PLC0415, FBT002 - as in the module of the commands
"""The commands of `monitor`, which look at what an installation does: what can be typed, and what each option means."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer
from baloot.app.options import Data, DealingKey, RunningDatabase

FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M"]

monitor = typer.Typer(
    help="Look at what this installation does, in its database.", no_args_is_help=True, rich_markup_mode=None
)


@monitor.command("deals")
def deals(
    since: Annotated[
        datetime | None,
        typer.Option(
            help="Look at deals from this moment on, in UTC: 2026-01-31 or 2026-01-31T20:15. Unset: from the first.",
            metavar="DATE",
            formats=FORMATS,
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            help="Look at deals before this moment, told in the same way. Unset: to the last.",
            metavar="DATE",
            formats=FORMATS,
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print JSON, with how often each class came.")
    ] = False,
    database: RunningDatabase = None,
    data: Data = None,
    dealing_key_file: DealingKey = None,
) -> None:
    """Test whether deals look as a fair shuffle makes them: exit code 1 if some look otherwise.

    All decks of rounds that are over are looked at, those that were thrown in as well. Each test says how likely a fair
    shuffle gives something at least as far out; below 0.0001 it is an alarm. About one look in five hundred at a fair
    shuffle gives one by chance: look again at other deals before anybody is blamed.
    """
    from baloot.app import monitoring
    from baloot.app.commands import run
    from baloot.app.stored import find_logs

    async def look() -> int:
        logs = find_logs(database, data, dealing_key_file)
        return await monitoring.monitor_deals(logs, since, until, as_json=as_json)

    raise typer.Exit(run(lambda _: look(), log_level="warning"))
