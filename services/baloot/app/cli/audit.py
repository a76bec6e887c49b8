"""The command `audit`."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

import typer
from baloot.app.cli.command import runs
from baloot.app.cli.options import DATE_FORMATS, Json, LogOptions
from baloot.app.errors import SetupError
from baloot.app.work import UNREADABLE, Work


@dataclass(frozen=True, slots=True)
class Which:
    """Which matches are judged."""

    matches: Annotated[
        list[str] | None,
        typer.Argument(
            help="The ids of the matches, as `baloot history` lists them.",
            metavar="MATCH...",
            show_default=False,
        ),
    ] = None
    since: Annotated[
        datetime | None,
        typer.Option(
            help="Instead of ids: all matches whose last entry is of this moment (UTC) or later: 2026-01-31 or "
            "2026-01-31T20:15.",
            formats=DATE_FORMATS,
            metavar="DATE",
            show_default=False,
        ),
    ] = None
    until: Annotated[
        datetime | None,
        typer.Option(
            help="With --since: only those whose last entry is before this moment, written in the same way.",
            formats=DATE_FORMATS,
            metavar="DATE",
            show_default=False,
        ),
    ] = None
    everything: Annotated[bool, typer.Option("--all", help="Instead of ids: all matches.")] = False

    def check(self) -> None:
        """Raises SetupError unless they are named in exactly one way."""
        ways = bool(self.matches), self.since is not None, self.everything
        if ways.count(True) != 1 or (self.until and not self.since):
            raise SetupError(
                "say which matches: their ids, --since DATE with or without --until DATE, or --all"
            )


@dataclass(frozen=True, slots=True)
class Depth:
    """How thoroughly they are judged."""

    thorough: Annotated[
        bool,
        typer.Option(
            "--thorough",
            help="Decide every entry anew as well, questions and clocks included, and compare all bytes; takes several "
            "times as long.",
        ),
    ] = False
    history: Annotated[
        bool,
        typer.Option(
            "--history",
            help="Compare what history tells of the matches with their logs as well, if it is in the same database; "
            "--thorough does so too.",
        ),
    ] = False


@runs(failed=UNREADABLE)
def audit(
    which: Which = Which(),
    depth: Depth = Depth(),
    jobs: Annotated[int, typer.Option(help="How many processes judge at once.", min=1, max=256)] = 1,
    as_json: Json = False,
    at: LogOptions = LogOptions(),
) -> Work:
    """Judge matches again from their logs.

    Exit code 0 if all is right, 1 if something is wrong, 2 if they cannot be read.
    """
    which.check()
    from baloot.app import auditing

    logs = at.logs
    chosen = auditing.Chosen.of(which.matches or (), which.since, which.until)
    how = auditing.How.of(thorough=depth.thorough, history=depth.history)
    return auditing.audit(logs, chosen, jobs=jobs, how=how, as_json=as_json)
