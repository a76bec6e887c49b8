"""A rule service behind a real server, for suites that run over both wirings."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc.aio
from baloot.core.access import INSIDE
from baloot.kit.access import AccessSettings
from baloot.kit.channels import open_channel
from baloot.kit.serving import ServerSettings, Service, start


@asynccontextmanager
async def served(*services: Service) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a server of these services on a free port."""
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=AccessSettings(guests=INSIDE))
    server = await start(services, settings)
    try:
        async with open_channel(server.address) as channel:
            yield channel
    finally:
        await server.stop()
