"""The platform's own database is killed, as for lack of memory: it comes back, and the platform goes on."""

from __future__ import annotations

import os
import signal
from pathlib import Path

from baloot.client.table import TableClient
from sqlalchemy import make_url

from tests.e2e.health import until_serving
from tests.e2e.platforms import together
from tests.waiting import eventually


def postmaster(database: str) -> int:
    """The process of the database, which it names beside its socket; 0 when there is none just now."""
    sockets = make_url(database).query["host"]
    try:
        return int((Path(str(sockets)) / ".s.PGSQL.5432.lock").read_text().split()[0])
    except (FileNotFoundError, IndexError):
        return 0


async def test_a_platform_whose_database_is_killed_starts_it_again_and_loses_nothing() -> None:
    with together() as platform:
        async with TableClient(platform.table) as tables:
            table = await tables.create_table()
            await table.take_seat("Noura")
            killed = postmaster(platform.database)
            os.kill(killed, signal.SIGKILL)
            assert eventually(lambda: postmaster(platform.database) not in (0, killed))
            seat = await table.take_seat("Fahad")
            assert [taken.player_name for taken in (await seat.view()).seats][:2] == ["Noura", "Fahad"]
        await until_serving(platform.table)
