"""Servers with limits as the command line sets them."""

from __future__ import annotations

import grpc.aio
import pytest
from baloot.api.info.v1.info_pb2 import GetServerInfoRequest, Limits
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.api.table.v1.table_pb2 import CreateTableRequest
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.core.errors import Reason
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.quotas import COUNTS, PUBLIC

from tests.e2e.platforms import running
from tests.e2e.servers import ServerProcess
from tests.postgres import reachable_folder


async def ask(channel: grpc.aio.Channel) -> Limits:
    return (await InfoServiceStub(channel).GetServerInfo(GetServerInfoRequest())).limits


async def test_a_judge_limits_strangers_and_tells_its_limits() -> None:
    environment = {"BALOOT_LIMIT": "calls=1/h+3 streams=7"}
    with reachable_folder() as folder:
        process = ServerProcess(folder, "serve", "scoring", "--exempt", "none", environment=environment)
        with running(process):
            async with open_channel(process.address) as channel:
                limits = [await ask(channel) for _ in range(3)][-1]
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await ask(channel)
    assert (limits.calls.calls, limits.calls.period.seconds, limits.calls.burst) == (1, 3600, 3)
    assert (limits.streams, limits.tables) == (7, PUBLIC.tables)
    refusal = from_rpc_error(caught.value)
    assert (refusal.reason, refusal.metadata) == (Reason.RATE_LIMITED, {"limit": "calls"})


async def test_a_judge_does_not_limit_the_tables_on_its_own_machines() -> None:
    with reachable_folder() as folder:
        process = ServerProcess(folder, "serve", "scoring", environment={"BALOOT_LIMIT": "calls=1/h+3"})
        with running(process):
            async with open_channel(process.address) as channel:
                for _ in range(20):
                    assert (await ask(channel)).calls.burst == 3


async def test_a_server_for_players_has_limits_unless_it_is_told_otherwise() -> None:
    """Here all but one are as they are; each caller that a trusted proxy names has its own."""
    with reachable_folder() as folder:
        arguments = (
            "up",
            "--data",
            str(folder / "data"),
            "--trusted-proxy",
            "127.0.0.1",
            "--limit",
            "tables=2",
        )
        process = ServerProcess(folder, *arguments, environment={"BALOOT_LIMIT": ""})
        with running(process):
            async with open_channel(process.address) as channel:
                limits = await ask(channel)
                told = {name: getattr(limits, name) for name in COUNTS}
                assert told == {name: getattr(PUBLIC, name) for name in COUNTS} | {"tables": 2}
                for caller in ("192.0.2.1", "192.0.2.2"):
                    assert [await opened(channel, caller, n) for n in range(3)] == [True, True, False]


async def opened(channel: grpc.aio.Channel, caller: str, number: int) -> bool:
    """Whether a table is opened for a caller of a proxy."""
    request_id = f"00000000-0000-4000-8000-{caller.replace('.', ''):0>8}{number:04}"
    metadata = (("x-forwarded-for", caller),)
    try:
        await TableServiceStub(channel).CreateTable(
            CreateTableRequest(request_id=request_id), metadata=metadata
        )
    except grpc.aio.AioRpcError as error:
        return from_rpc_error(error).reason is not Reason.TOO_MANY_TABLES
    return True
