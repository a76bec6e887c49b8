"""Servers as commands ask them: where one is, as whom it is asked, and a channel to it that is there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import grpc.aio
from baloot.app.errors import SetupError
from baloot.app.named import require_address
from baloot.client.credentials import Access, Credentials
from baloot.client.history import HistoryClient
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel

REACHED_WITHIN = 1.5
"""Seconds for a connection, which a server takes however busy it is: what it is asked then may take as long as it does."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A server that a command asks, as the account whose access token is in a file, or without one as a guest."""

    address: str
    token_file: Path | None = None

    def access(self) -> Access | None:
        """What gives the access token; None for a guest. Raises SetupError when there is none in the file."""
        return None if self.token_file is None else _access(self.token_file)

    def credentials(self) -> Credentials:
        """What is shown with every call. Raises SetupError as `access` does."""
        return Credentials(access=self.access())


@asynccontextmanager
async def reached(asked: Asked) -> AsyncIterator[grpc.aio.Channel]:
    """A channel that is connected. Raises SetupError, with what can be done about it, where nobody listens."""
    require_address(asked.address)
    async with open_channel(asked.address) as channel:
        try:
            async with asyncio.timeout(REACHED_WITHIN):
                await channel.channel_ready()
        except TimeoutError:
            raise SetupError(
                f"no server can be reached at {asked.address}: start one with `baloot up` or `make run`, "
                "or name another with --connect"
            ) from None
        yield channel


@asynccontextmanager
async def history_of(asked: Asked) -> AsyncIterator[HistoryClient]:
    """The history of a server. Raises SetupError as `reached` does, and for a token file without a token."""
    credentials = asked.credentials()
    async with reached(asked) as channel:
        yield HistoryClient(channel, credentials=credentials)


def token_in(file: Path) -> str:
    """The access token in a file. Raises SetupError when there is none."""
    try:
        token = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        raise SetupError(f"The token file {file} cannot be read: {error}") from error
    if not token or not token.isprintable():
        raise SetupError(f"The token file {file} must hold an access token and nothing else.")
    return token


def _access(file: Path) -> Access:
    """The access token in a file, which is read again when it has expired: whoever refreshes it writes it there."""
    held = token_in(file)

    async def access(expired: str | None) -> str:
        nonlocal held
        if held == expired:
            held = token_in(file)
        if held == expired:
            raise Refusal(Reason.TOKEN_EXPIRED, f"the access token in {file} has expired")
        return held

    return access
