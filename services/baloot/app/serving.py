"""The commands that serve: `up`, `serve` and `migrate`."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from baloot.app import migrate as migrations
from baloot.app import platform, rules
from baloot.app.commands import tell
from baloot.app.errors import SetupError
from baloot.dealing.sealing import KEY_BYTES
from baloot.identity.signing import Issuer
from baloot.kit.serving import ServerSettings
from sqlalchemy.exc import SQLAlchemyError


async def up(data: Path, settings: ServerSettings, stop: asyncio.Event) -> None:
    """Everything in one process, until it is asked to stop."""
    async with platform.up(data, settings, tell=tell) as running:
        print(f"baloot is ready at {running.address}; its data are in {data}. Ctrl-C stops it.", flush=True)
        await stop.wait()


async def serve(serving: AbstractAsyncContextManager[str], name: str, stop: asyncio.Event) -> None:
    """One service, until it is asked to stop."""
    async with serving as address:
        print(f"baloot {name} is at {address}", flush=True)
        await stop.wait()


@asynccontextmanager
async def rule_service(
    name: str, settings: ServerSettings, dealing_key: bytes = bytes(KEY_BYTES)
) -> AsyncIterator[str]:
    """The address of one of the four rule services; the key matters to dealing alone."""
    async with platform.serve_rules(name, settings, dealing_key) as server:
        yield server.address


@asynccontextmanager
async def table_service(
    database: str, addresses: Mapping[str, str], settings: ServerSettings
) -> AsyncIterator[str]:
    """The address of the table service."""
    async with platform.serve_table(database, addresses, settings) as server:
        yield server.address


@asynccontextmanager
async def history_service(database: str, dealing: str | None, settings: ServerSettings) -> AsyncIterator[str]:
    """The address of the history service."""
    async with platform.serve_history(database, settings, dealing) as server:
        yield server.address


@asynccontextmanager
async def identity_service(
    database: str, key: bytes, issuer: Issuer, settings: ServerSettings
) -> AsyncIterator[str]:
    """The address of the identity service."""
    async with platform.serve_identity(database, key, issuer, settings) as server:
        yield server.address


def rule_addresses(given: Sequence[str]) -> dict[str, str]:
    """The addresses in `NAME=ADDRESS` arguments; all four are needed. Raises SetupError."""
    addresses: dict[str, str] = {}
    for argument in given:
        name, equals, address = argument.partition("=")
        if name not in rules.NAMES or not equals or not address:
            raise SetupError(
                f"--rules {argument}: write NAME=ADDRESS with NAME one of {', '.join(rules.NAMES)}"
            )
        addresses[name] = address
    missing = [name for name in rules.NAMES if name not in addresses]
    if missing:
        raise SetupError(f"the table service needs --rules NAME=ADDRESS for {', '.join(missing)} too")
    return addresses


async def migrate(database: str) -> None:
    """Brings a database up to this version."""
    try:
        await migrations.migrate(database)
    except (SQLAlchemyError, OSError) as error:
        raise SetupError(
            f"the database cannot be migrated: {getattr(error, 'orig', None) or error}"
        ) from error
    print("the database is up to date")
