from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import pytest
from baloot.kit.channels import open_channel
from baloot.kit.interceptors import CallLimits
from baloot.kit.serving import Server, ServerSettings, Service, start

from tests.kit.echo import Echo, EchoStub

SETTINGS = ServerSettings("127.0.0.1:0", grace=0.2, limits=CallLimits(default=10, longest=20))


@dataclass
class Running:
    echo: Echo
    server: Server
    stub: EchoStub


@asynccontextmanager
async def started(services: Sequence[Service], settings: ServerSettings) -> AsyncIterator[Server]:
    """A server for the length of a block. It is stopped also when a test fails: one that is left over hangs later ones."""
    server = await start(services, settings)
    try:
        yield server
    finally:
        await server.stop()


@pytest.fixture
def settings() -> ServerSettings:
    return replace(SETTINGS)


@pytest.fixture
async def running(settings: ServerSettings) -> AsyncIterator[Running]:
    """The echo service on a real port, with a client."""
    async with echoing(settings) as running:
        yield running


@asynccontextmanager
async def echoing(settings: ServerSettings) -> AsyncIterator[Running]:
    echo = Echo()
    async with started([echo.service()], settings) as server, open_channel(server.address) as channel:
        yield Running(echo, server, EchoStub(channel))
