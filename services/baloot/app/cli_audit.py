# ruff: noqa: PLC0415, FBT002 - as in the module of the commands
"""The command `audit`: what can be typed, and what each option means."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, NoReturn

import typer
from baloot.app.options import Data, DealingKey, RunningDatabase

_FORMATS = ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]


def audit(
    matches: Annotated[
        list[str] | None,
        typer.Argument(
            help="The ids of the matches, as `history` lists them.", metavar="MATCH...", show_default=False
        ),
    ] = None,
    since: Annotated[
        datetime | None,
        typer.Option(
            help="All matches whose last entry is of this day (UTC) or later, instead of some by name.",
            formats=_FORMATS,
            metavar="DATE",
            show_default=False,
        ),
    ] = None,
    until: Annotated[
        datetime | None,
        typer.Option(
            help="With --since: and before this day.",
            formats=_FORMATS,
            metavar="DATE",
            show_default=False,
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All matches.")] = False,
    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough",
            help="Decide every entry anew as well, questions and clocks included, and compare all bytes; takes several "
            "times as long.",
        ),
    ] = False,
    history: Annotated[
        bool,
        typer.Option(
            "--history",
            help="Compare what history tells of the matches with their logs as well, if it is in the same database; "
            "--thorough does so too.",
        ),
    ] = False,
    jobs: Annotated[int, typer.Option(help="How many processes judge at once.", min=1, max=256)] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    database: RunningDatabase = None,
    data: Data = None,
    dealing_key_file: DealingKey = None,
) -> None:
    """Judge matches again from their logs: exit code 0 if all is right, 1 if not, 2 if they cannot be read."""
    if [bool(matches), since is not None, everything].count(True) != 1 or (until and not since):
        _cannot("say which matches: their ids, --since DATE with or without --until DATE, or --all")
    from baloot.app import auditing
    from baloot.app.commands import run
    from baloot.app.errors import SetupError
    from baloot.app.stored import find_logs
    from baloot.audit.records import Depth

    try:
        logs = find_logs(database, data, dealing_key_file)
        named = auditing.match_ids(matches or ())
    except SetupError as error:
        _cannot(str(error))
    chosen = auditing.Chosen(named, _moment(since, 1), _moment(until, 9999))
    how = auditing.How(Depth.THOROUGH if thorough else Depth.RULES, history or thorough)
    raise typer.Exit(
        run(
            lambda stop: auditing.audit(logs, chosen, stop, jobs=jobs, how=how, as_json=as_json),
            log_level="warning",
        )
    )


def _moment(day: datetime | None, year: int) -> datetime:
    """A day as it is typed; without one the first day of a year."""
    return day.replace(tzinfo=UTC) if day else datetime(year, 1, 2, tzinfo=UTC)


def _cannot(message: str) -> NoReturn:
    from baloot.app.commands import complain

    complain(message)
    raise typer.Exit(2)
