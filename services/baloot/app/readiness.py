"""A server whose health follows the database: what it serves is ready while the database can be used."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import structlog
from baloot.app.migrate import OTHER_SCHEMA, schema_current
from baloot.app.parts import Part, time_of
from baloot.kit import info
from baloot.kit.serving import Server, ServerSettings, Service, start
from baloot.table.postgres import PostgresStore
from baloot.table.server_keys import WrongDealingKey
from baloot.table.store import StoreUnavailable

CHECK_EVERY = 1.0
"""Seconds between two looks whether the database answers."""

log = structlog.get_logger()


@asynccontextmanager
async def serving(
    services: Sequence[Service], settings: ServerSettings, parts: Sequence[Part] = ()
) -> AsyncIterator[Server]:
    """A server for these services, whose health follows the database."""
    about = info.service(
        [service.name for service in services],
        max_message_bytes=settings.max_message_bytes,
        quotas=settings.quotas,
        now=time_of(parts[0].store) if parts else info.machine_clock,
    )
    server = await start([*services, about], settings)
    watches = [asyncio.create_task(_keep_ready(server, part)) for part in parts]
    try:
        for part in parts:
            for service in part.services:
                await server.set_serving(service.name, serving=False)
            if part.drain is not None:
                server.on_drain(part.drain)
        yield server
    finally:
        await server.stop()
        for watch in watches:
            watch.cancel()
        await asyncio.gather(*watches, return_exceptions=True)


async def _keep_ready(server: Server, part: Part) -> None:
    told: str | None = ""
    opened = False
    while True:
        trouble = await _trouble(part, opened=opened)
        opened = opened or trouble is None
        if trouble != told:
            told = trouble
            for service in part.services:
                await server.set_serving(service.name, trouble is None)
            _tell_readiness(part.service.name, trouble)
        await asyncio.sleep(CHECK_EVERY)


async def _trouble(part: Part, *, opened: bool) -> str | None:
    """Why a part is not ready, in one line; None when it is."""
    try:
        if opened:
            await part.store.ping()
            return await _key_trouble(part.store)
        await part.store.open()
        if not await schema_current(part.url):
            return OTHER_SCHEMA
        return await _key_trouble(part.store)
    except StoreUnavailable as error:
        return f"the database cannot be reached: {error}"
    except Exception as error:  # noqa: BLE001 - whatever it is, the next look may find it gone
        return f"the database cannot be used: {type(error).__name__}"


async def _key_trouble(store: PostgresStore) -> str | None:
    """Why what the database holds cannot be opened. A dealing service that does not answer is not known to be wrong."""
    try:
        async with asyncio.timeout(CHECK_EVERY):
            await store.check_keys()
    except WrongDealingKey as error:
        return str(error)
    except (StoreUnavailable, TimeoutError):
        pass
    return None


def _tell_readiness(service: str, trouble: str | None) -> None:
    if trouble is None:
        log.info("ready", service=service)
    else:
        log.warning("not ready", service=service, why=trouble)
