"""Everything in one process: killed, started again, and started twice."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from baloot.app.pg_folder import DataFolder

from tests.e2e.platforms import log_in, running
from tests.e2e.players import within
from tests.e2e.servers import ServerProcess
from tests.faults.crowd import crowd_at

KILLS = 4
PLAYABLE = 15.0
"""Seconds after a kill within which an action must be done; PostgreSQL recovers meanwhile."""


async def test_a_platform_that_is_killed_goes_on_where_it_was(folder: Path, rng: Random) -> None:
    """Its database dies with it, and recovers with the next start on the same folder."""
    data = folder / "data"
    with running(ServerProcess(folder, "up", "--data", str(data))) as process:
        async with crowd_at(process.address, rng, 2) as crowd:
            for _ in range(KILLS):
                await crowd.more(rng.randrange(10, 40))
                process.kill()
                process.start()
                await crowd.more(3, PLAYABLE)
        async with log_in(data) as store:
            assert await crowd.broken(store) == []


async def test_a_database_ends_with_the_platform_that_is_killed(folder: Path) -> None:
    data = DataFolder(folder / "data")
    with running(ServerProcess(folder, "up", "--data", str(data.path))) as process:
        postmaster = data.postmaster()
        assert postmaster is not None
        assert data.served_by(postmaster.pid)
        process.kill()
        await within(10, ended(data, postmaster.pid))


async def ended(data: DataFolder, pid: int) -> None:
    while data.served_by(pid):
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("same", ["folder", "port"])
def test_a_second_platform_says_what_is_in_its_way(same: str, folder: Path) -> None:
    """In one line, and the first one is not disturbed."""
    with running(ServerProcess(folder, "up", "--data", str(folder / "data"))) as first:
        if same == "folder":
            second = ServerProcess(folder, "up", "--data", str(folder / "data"))
            why = f"{folder / 'data'} is in use by another Baloot (process {first.pid})."
        else:
            second = ServerProcess(folder, "up", "--data", str(folder / "other"), port=first.port)
            why = f"cannot listen on {first.address}: another server is using it"
        second.start()
        assert second.exit_code() == 1
        complaints = [line for line in second.said().splitlines() if not line.endswith(" ...")]
        assert complaints == [f"baloot: {why}"]
        assert not (folder / "other").exists()
        assert first.running
        assert first.stop() == 0
