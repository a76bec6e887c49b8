"""Asking servers by the standard health protocol."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc.aio
from baloot.kit.channels import open_channel
from grpc_health.v1 import health_pb2, health_pb2_grpc

HealthStub: Any = health_pb2_grpc.HealthStub
EVERYTHING = ""


async def is_serving(channel: grpc.aio.Channel, service: str = EVERYTHING) -> bool:
    """Whether a server says that a service is ready. Raises AioRpcError when it does not answer."""
    answer = await HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service), timeout=5)
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


async def until_serving(
    address: str, service: str = EVERYTHING, *, serving: bool = True, seconds: float = 20.0
) -> None:
    """Waits until a server says that a service is ready, or that it is not."""
    async with open_channel(address) as channel, asyncio.timeout(seconds):
        while await is_serving(channel, service) is not serving:
            await asyncio.sleep(0.02)
