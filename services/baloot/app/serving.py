"""The commands that serve: `up`, `serve` and `migrate`."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from baloot.app import migrate as migrations
from baloot.app import platform, rules
from baloot.app.commands import tell
from baloot.app.errors import SetupError
from baloot.kit.serving import Server, ServerSettings
from sqlalchemy.exc import SQLAlchemyError


async def up(data: Path, settings: ServerSettings, stop: asyncio.Event) -> None:
    """Everything in one process, until it is asked to stop."""
    async with platform.up(data, settings, tell=tell) as running:
        print(f"baloot is ready at {running.address}; its data are in {data}. Ctrl-C stops it.", flush=True)
        await stop.wait()


async def serve(service: AbstractAsyncContextManager[Server], name: str, stop: asyncio.Event) -> None:
    """One service, until it is asked to stop."""
    async with service as server:
        print(f"baloot {name} is at {server.address}", flush=True)
        await stop.wait()


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
