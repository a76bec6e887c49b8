"""The command `history rebuild`: history made anew out of the logs, with a bar that tells how far it is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from baloot.app.counting import counted
from baloot.app.errors import SetupError
from baloot.app.migrate import require_schema
from baloot.history.postgres import PostgresHistory
from baloot.history.public_log import PublicLog
from baloot.history.rebuilding import Progress, Rebuild, Tell
from baloot.table.postgres import PostgresStore
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar


async def rebuild(url: str, *, from_scratch: bool) -> int:
    """Tells all tables anew. Raises SetupError for another schema, and when some tables cannot be told."""
    await require_schema(url)
    began = monotonic()
    async with PostgresStore(url) as store, PostgresHistory(url) as history:
        with _bar() as told:
            try:
                done = await Rebuild(PublicLog(store), history, from_scratch=from_scratch, told=told).run()
            except asyncio.CancelledError:
                print("stopped; the same command goes on where it was")
                raise
    return _sum_up(done, monotonic() - began)


def _sum_up(done: Progress, seconds: float) -> int:
    imported = f" and {counted(done.imported, 'imported match', 'imported matches')}" if done.imported else ""
    print(f"{counted(done.tables, 'table')}{imported} told anew in {seconds:,.1f} s")
    if done.failed:
        raise SetupError(
            f"{done.failed:,} of them cannot be told and are as they were; the log above names them"
        )
    return 0


@contextmanager
def _bar() -> Iterator[Tell]:
    """Shows how far it is, how fast, and for how long it will go on; on standard error, so that output stays clean."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("entries", total=None, rate="")

        def told(progress: Progress) -> None:
            speed = bar.tasks[0].speed
            rate = "" if speed is None else f"{speed:,.0f}/s"
            bar.update(task, completed=progress.done, total=progress.total, rate=rate)

        yield told
