"""The commands that ask a server about itself: `health` and `info`. Light, since a container runs one every few seconds."""

from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc.aio
from baloot.api.info.v1.info_pb2 import GetServerInfoRequest, RateLimit
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.app.errors import SetupError
from baloot.app.named import require_address
from baloot.core.errors import Reason, Refusal
from baloot.kit import calling, quotas
from baloot.kit.buckets import Rate
from baloot.kit.channels import open_channel
from grpc_health.v1 import health_pb2, health_pb2_grpc

NOT_SERVING = 1


async def health(address: str, service: str) -> int:
    """Prints whether a server, or one service of it, is serving; the exit code says the same."""
    async with _server(address) as channel:
        request = health_pb2.HealthCheckRequest(service=service)
        check: Any = health_pb2_grpc.HealthStub(channel)
        answer = await calling.call(check.Check, request, timeout=3)
    serving = answer.status == health_pb2.HealthCheckResponse.SERVING
    print("serving" if serving else "not serving", file=sys.stdout if serving else sys.stderr)
    return 0 if serving else NOT_SERVING


async def info(address: str) -> None:
    """Prints what a server is."""
    async with _server(address) as channel:
        answer = await calling.call(InfoServiceStub(channel).GetServerInfo, GetServerInfoRequest(), timeout=3)
    limits = ", ".join(f"{field.name} {_spelled(value)}" for field, value in answer.limits.ListFields())
    print(f"version   {answer.version}")
    print(f"services  {', '.join(answer.services)}")
    print(f"rule sets {', '.join(f'{known.name} {known.hash[:12]}' for known in answer.rulesets)}")
    print(f"limits    {limits}")
    print(f"its time  {answer.server_time.ToJsonString()}")


@asynccontextmanager
async def _server(address: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server. Raises SetupError where it cannot be reached."""
    require_address(address)
    async with open_channel(address) as channel:
        try:
            yield channel
        except Refusal as refusal:
            if refusal.reason is not Reason.UNAVAILABLE:
                raise
            raise SetupError(f"no server can be reached at {address}") from refusal


def _spelled(limit: int | RateLimit) -> str:
    if isinstance(limit, int):
        return str(limit)
    return quotas.spelled(Rate(limit.calls, limit.period.seconds, limit.burst))
