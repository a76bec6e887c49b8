from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace

import pytest
from baloot.kit.channels import open_channel
from baloot.kit.interceptors import CallLimits
from baloot.kit.serving import Server, ServerSettings, start

from tests.kit.echo import Echo, EchoStub

SETTINGS = ServerSettings("127.0.0.1:0", grace=0.2, limits=CallLimits(default=0.3, longest=5))


@dataclass
class Running:
    echo: Echo
    server: Server
    stub: EchoStub


@pytest.fixture
def settings() -> ServerSettings:
    return replace(SETTINGS)


@pytest.fixture
async def running(settings: ServerSettings) -> AsyncIterator[Running]:
    """The echo service on a real port, with a client."""
    echo = Echo()
    server = await start([echo.service()], settings)
    async with open_channel(server.address) as channel:
        yield Running(echo, server, EchoStub(channel))
    await server.stop()
