"""A channel to a server that is there, for commands that a person waits for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc.aio
from baloot.app.errors import SetupError
from baloot.kit.channels import open_channel

REACHED_WITHIN = 1.5
"""Seconds for a connection, which a server takes however busy it is: what it is asked then may take as long as it does."""


@asynccontextmanager
async def reached(address: str) -> AsyncIterator[grpc.aio.Channel]:
    """A channel that is connected. Raises SetupError, with what can be done about it, where nobody listens."""
    async with open_channel(address) as channel:
        try:
            async with asyncio.timeout(REACHED_WITHIN):
                await channel.channel_ready()
        except TimeoutError:
            raise SetupError(
                f"no server can be reached at {address}: start one with `baloot up` or `make run`, "
                "or name another with --connect"
            ) from None
        yield channel
