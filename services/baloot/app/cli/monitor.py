"""The commands of `monitor`, which look at what an installation does."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer
from baloot.app.cli.command import group, runs
from baloot.app.cli.options import DATE_FORMATS, Json, LogOptions
from baloot.app.work import UNREADABLE, Work

monitor = group("Look at what this installation does, in its database.")


@monitor.command("deals")
@runs(failed=UNREADABLE)
def deals(
    since: Annotated[
        datetime | None,
        typer.Option(
            help="Look at deals from this moment (UTC) on: 2026-01-31 or 2026-01-31T20:15. Unset: from the first.",
            metavar="DATE",
            formats=DATE_FORMATS,
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            help="Look at deals before this moment, written in the same way. Unset: to the last.",
            metavar="DATE",
            formats=DATE_FORMATS,
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
    at: LogOptions = LogOptions(),
) -> Work:
    """Test whether deals look as a fair shuffle makes them.

    Exit code 0 if they do, 1 if some look otherwise, 2 if they cannot be read.

    All decks of rounds that are over are looked at, those that were thrown in as well. Each test says how likely a fair
    shuffle gives something at least as far out; below 0.0001 it is an alarm. About one look in five hundred at a fair
    shuffle gives one by chance: look again at other deals before anybody is blamed.
    """
    from baloot.app import monitoring

    return monitoring.monitor_deals(at.logs, since, until, as_json=as_json)
