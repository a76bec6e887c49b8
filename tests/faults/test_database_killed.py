"""The database is killed, away, or not ready: services say so, wait for it, and lose nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from baloot.api.info.v1.info_pb2 import GetServerInfoRequest
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.api.table.v1.table_pb2 import GetTableRequest
from baloot.app.migrate import migrate
from baloot.core.errors import Reason
from baloot.kit.channels import open_channel

from tests.e2e.health import until_serving
from tests.e2e.platforms import HISTORY, TABLE, Platform, apart, parts, running
from tests.e2e.players import within
from tests.e2e.refusing import Asking, new_id, refusal
from tests.e2e.servers import ServerProcess
from tests.faults.crowd import crowd_at
from tests.faults.forgetting import Forgetting
from tests.postgres import CrashCluster
from tests.table.proxy import Proxy, proxy_to

KILLS = 3
PLAYABLE = 15.0
"""Seconds after the database is back within which an action must be done."""
FORGOTTEN = 20
"""Of a hundred writes."""
NOWHERE = "postgresql+asyncpg://baloot@/baloot?host=/nowhere&port=5432"


async def test_a_database_that_is_killed_under_load_loses_nothing(
    durable_cluster: Callable[[], CrashCluster], rng: Random
) -> None:
    """The services are not started again: they say that they are not ready, and then that they are."""
    cluster = durable_cluster()
    await migrate(cluster.url())
    async with proxy_to(cluster.url()) as proxy:
        with apart(proxy.url) as platform:
            async with crowd_at(platform.table, rng, 2) as crowd:
                for _ in range(KILLS):
                    await crowd.more(rng.randrange(10, 60))
                    await kill_and_start(cluster, proxy, platform)
                    await crowd.more(4, PLAYABLE)
            async with platform.store(cluster.url()) as store:
                assert await crowd.broken(store) == []


async def test_writes_whose_outcome_is_unknown_are_neither_lost_nor_repeated(
    migrated_url: str, rng: Random
) -> None:
    """The service looks into the log before it goes on, and the requests are sent again."""
    with apart(migrated_url) as platform:
        process = platform.processes[TABLE]
        process.kill()
        process.start(Forgetting(FORGOTTEN, seed=7))
        async with crowd_at(platform.table, rng, 2) as crowd:
            await crowd.more(100)
    async with platform.store() as store:
        assert await crowd.broken(store) == []


async def kill_and_start(cluster: CrashCluster, proxy: Proxy, platform: Platform) -> None:
    """As a power cut would. Everybody notices, and everybody comes back."""
    cluster.crash()
    for service in (platform.table, platform.history):
        await until_serving(service, serving=False)
    cluster.start()
    proxy.leads_to(cluster.url())
    for service in (platform.table, platform.history):
        await until_serving(service)


@pytest.mark.parametrize("name", [TABLE, HISTORY])
async def test_a_service_waits_for_its_database(name: str, folder: Path, database_url: str) -> None:
    """It starts without one, and without tables in it; it says once what it waits for, and then that it is ready."""
    service = f"baloot.api.{name}.v1.{name.capitalize()}Service"
    async with proxy_to(database_url) as proxy:
        proxy.leads_to(NOWHERE)
        with running(parts(folder, proxy.url)[name], ServerProcess.kill) as process:
            await within(20, logged(process, "not ready", "the database cannot be reached"))
            await until_serving(process.address, serving=False)
            await until_serving(process.address, service, serving=False)
            async with open_channel(process.address) as channel:
                await InfoServiceStub(channel).GetServerInfo(GetServerInfoRequest())
            proxy.leads_to(database_url)
            await within(20, logged(process, "not ready", "run `baloot migrate`"))
            await until_serving(process.address, serving=False)
            await migrate(database_url)
            await within(20, logged(process, "ready"))
            await until_serving(process.address)
            await until_serving(process.address, service)
            told = [line for line in log_of(process) if line["event"] in {"ready", "not ready"}]
            assert [line["event"] for line in told] == ["not ready", "not ready", "ready"]


async def test_requests_are_unavailable_until_the_database_is_back(folder: Path, migrated_url: str) -> None:
    """And never fail otherwise, not even before the service has noticed that it is."""
    async with proxy_to(migrated_url) as proxy:
        proxy.leads_to(NOWHERE)
        with running(parts(folder, proxy.url)[TABLE], ServerProcess.kill) as process:
            async with open_channel(process.address) as channel:
                asking = Asking("GetTable", GetTableRequest(table_id=new_id()))
                told = [await refusal(channel, asking) for _ in range(5)]
                proxy.leads_to(migrated_url)
                async with asyncio.timeout(20):
                    while told[-1] is None or told[-1].reason is Reason.UNAVAILABLE:
                        told.append(await refusal(channel, asking))
        assert told[0] is not None
        assert told[0].reason is Reason.UNAVAILABLE
        assert told[-1].reason is Reason.TABLE_UNKNOWN


async def logged(process: ServerProcess, event: str, why: str = "") -> None:
    """Waits until a server logs that something happened, for this reason if one is given."""
    while not any(line["event"] == event and why in line.get("why", "") for line in log_of(process)):
        await asyncio.sleep(0.02)


def log_of(process: ServerProcess) -> list[dict[str, str]]:
    return [json.loads(line) for line in process.said().splitlines() if line.startswith("{")]
