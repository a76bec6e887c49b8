"""A dealing key that is not the one a database was begun with is told at once, and nothing is done with it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from baloot.app.errors import SetupError
from baloot.app.keys import DEALING_KEY
from baloot.app.platform import serve_rules, serve_table, up
from baloot.app.rules import NAMES
from baloot.core.access import INSIDE
from baloot.kit.access import AccessSettings
from baloot.kit.serving import ServerSettings
from structlog.testing import capture_logs

from tests.e2e.health import until_serving

KEY, OTHER_KEY = b"d" * 32, b"o" * 32
ANYWHERE = "127.0.0.1:0"
TABLES = "baloot.api.table.v1.TableService"


def settings(listen: str = ANYWHERE) -> ServerSettings:
    return ServerSettings(listen, grace=0.2, access=AccessSettings(guests=INSIDE))


@asynccontextmanager
async def rule_services(key: bytes) -> AsyncIterator[dict[str, str]]:
    """The addresses of the four, each a server of its own."""
    async with AsyncExitStack() as stack:
        yield {
            name: (await stack.enter_async_context(serve_rules(name, settings(), key))).address
            for name in NAMES
        }


async def test_a_table_service_is_not_ready_while_the_dealing_key_is_another_one(migrated_url: str) -> None:
    """And it is again once the file is put back, without a restart."""
    async with rule_services(KEY) as addresses, serve_table(migrated_url, addresses, settings()) as server:
        await until_serving(server.address, TABLES)
    async with AsyncExitStack() as stack:
        addresses = await stack.enter_async_context(rule_services(KEY))
        lost = await stack.enter_async_context(serve_rules("dealing", settings(), OTHER_KEY))
        logged = stack.enter_context(capture_logs())
        tables = serve_table(migrated_url, {**addresses, "dealing": lost.address}, settings())
        server = await stack.enter_async_context(tables)
        assert "put that key file back" in await told(logged)
        await until_serving(server.address, TABLES, serving=False)
        await lost.stop()
        await stack.enter_async_context(serve_rules("dealing", settings(lost.address), KEY))
        await until_serving(server.address, TABLES)


async def told(logged: list[MutableMapping[str, Any]]) -> str:
    """Why a service is not ready."""
    async with asyncio.timeout(20):
        while True:
            for entry in logged:
                if entry["event"] == "not ready":
                    return str(entry["why"])
            await asyncio.sleep(0.02)


async def test_up_does_not_start_over_a_database_that_was_begun_with_another_key(data: Path) -> None:
    async with up(data, settings(), durable=False):
        pass
    kept = (data / DEALING_KEY).read_bytes()
    (data / DEALING_KEY).unlink()
    with pytest.raises(SetupError) as caught:
        async with up(data, settings(), durable=False):
            pass
    assert "put that key file back" in str(caught.value)
    assert "\n" not in str(caught.value)
    (data / DEALING_KEY).write_bytes(kept)
    async with up(data, settings(), durable=False):
        pass
