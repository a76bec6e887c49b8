"""A table service in this process, over a log in memory, whose deals a seed decides."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from random import Random

from baloot.app.substitute import substitute
from baloot.client.table import TableClient
from baloot.kit.serving import ServerSettings, start
from baloot.table.clocks import Clocks
from baloot.table.feed import Feed
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.server import service

from tests.bots.matches import SeededDealing, SeededRules


@asynccontextmanager
async def served(seed: int) -> AsyncIterator[TableClient]:
    """A client of the service, without a table."""
    orchestrator = Orchestrator(MemoryStore(), SeededRules(SeededDealing(Random(seed))), substitute)
    async with Clocks(orchestrator), Feed(orchestrator) as feed:
        server = await start([service(orchestrator, feed)], ServerSettings("127.0.0.1:0", grace=0.2))
        try:
            async with TableClient(server.address) as tables:
                yield tables
        finally:
            await server.stop()
