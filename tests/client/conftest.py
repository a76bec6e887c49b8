from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest
from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.kit.interceptors import CallLimits
from baloot.kit.serving import Server, ServerSettings, start

from tests.client.script import TABLE, ScriptedTable

SETTINGS = ServerSettings("127.0.0.1:0", grace=0.2, limits=CallLimits(default=5, longest=5))
PACE = Pace(first=0.001, longest=0.01, give_up_after=5, silence=0.3)


@dataclass
class Connected:
    """A client and the scripted service that it talks to over a real port."""

    service: ScriptedTable
    server: Server
    table: TableClient


@pytest.fixture
async def connected() -> AsyncIterator[Connected]:
    service = ScriptedTable()
    server = await start([service.service()], SETTINGS)
    async with TableClient(server.address, TABLE, "a-token", pace=PACE) as table:
        yield Connected(service, server, table)
    await server.stop()
