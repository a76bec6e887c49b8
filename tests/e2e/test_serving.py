"""What every server tells about itself, in both wirings."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio
import pytest
from baloot.api.info.v1.info_pb2 import GetServerInfoRequest
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.api.table.v1.table_pb2 import WatchTableRequest
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.core.catalogue import RULESETS
from baloot.core.errors import Reason
from baloot.core.playable import unsupported
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.e2e.health import until_serving
from tests.e2e.platforms import Platform, apart, running
from tests.e2e.refusing import sit
from tests.e2e.servers import ServerProcess
from tests.postgres import reachable_folder

ReflectionStub: Any = reflection_pb2_grpc.ServerReflectionStub
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
INFO = "baloot.api.info.v1.InfoService"
TOGETHER = {
    "baloot.api.history.v1.ArchiveService",
    "baloot.api.bidding.v1.BiddingService",
    "baloot.api.history.v1.HistoryService",
    "baloot.api.identity.v1.IdentityService",
    "baloot.api.play.v1.PlayService",
    "baloot.api.ruleset.v1.RulesetService",
    "baloot.api.scoring.v1.ScoringService",
    "baloot.api.table.v1.RefereeService",
    "baloot.api.table.v1.TableService",
}
"""Dealing is for the table alone: whoever could ask it would know all cards."""


def expected(name: str) -> set[str]:
    if name == "up":
        return TOGETHER
    beside = set()
    if name == "table":
        beside = {"baloot.api.ruleset.v1.RulesetService", "baloot.api.table.v1.RefereeService"}
    if name == "history":
        beside = {"baloot.api.history.v1.ArchiveService"}
    return beside | {f"baloot.api.{name}.v1.{name.capitalize()}Service"}


async def test_every_server_is_healthy_and_says_what_it_offers(platform: Platform) -> None:
    for name, process in platform.processes.items():
        async with open_channel(process.address) as channel:
            info = await InfoServiceStub(channel).GetServerInfo(GetServerInfoRequest())
            assert {*info.services} == expected(name) | {INFO}
            assert [(known.name, known.hash) for known in info.rulesets] == [
                (known.name, known.hash) for known in RULESETS.values() if not unsupported(known)
            ]
            for service in ("", *info.services):
                await until_serving(process.address, service)


async def test_reflection_is_off_unless_it_is_asked_for(platform: Platform) -> None:
    for process in platform.processes.values():
        async with open_channel(process.address) as channel:
            asked: Any = channel.unary_unary(REFLECTION)
            with pytest.raises(grpc.aio.AioRpcError) as refused:
                await asked(b"")
            assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_reflection_lists_the_services_when_it_is_on() -> None:
    with reachable_folder() as folder:
        for arguments in (("up", "--data", str(folder / "data")), ("serve", "play")):
            with running(ServerProcess(folder, *arguments, "--reflection")) as process:
                async with open_channel(process.address) as channel:
                    assert await reflected(channel) >= expected(
                        arguments[-1] if len(arguments) == 2 else "up"
                    )


async def test_a_server_that_is_asked_to_stop_ends_its_streams_and_then_itself(migrated_url: str) -> None:
    """Watchers are told to come again, and every exit code is 0."""
    with apart(migrated_url) as platform:
        async with open_channel(platform.table) as channel:
            table = await sit(channel, seats=1)
            watching = TableServiceStub(channel).WatchTable(WatchTableRequest(table_id=table.table_id))
            await watching.read()
            codes = await asyncio.gather(
                *(asyncio.to_thread(process.stop) for process in platform.processes.values())
            )
            drained: Any = await watching.read()
            with pytest.raises(grpc.aio.AioRpcError) as ended:
                await watching.read()
        assert drained.HasField("drain")
        assert from_rpc_error(ended.value).reason is Reason.UNAVAILABLE
        assert set(codes) == {0}


async def reflected(channel: grpc.aio.Channel) -> set[str]:
    """The services that reflection lists."""
    request = reflection_pb2.ServerReflectionRequest(list_services="")
    call = ReflectionStub(channel).ServerReflectionInfo(iter([request]))
    async for answer in call:
        return {service.name for service in answer.list_services_response.service}
    return set()
