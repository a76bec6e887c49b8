"""The services that need the database, each with all that runs for it: clocks and feed, projection, keys."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass

from baloot.app.substitute import substitute
from baloot.history import archive_server
from baloot.history import server as history_server
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.identity import server as identity_server
from baloot.identity.service import Identity
from baloot.identity.signing import Issuer
from baloot.kit import info
from baloot.kit.serving import Drain, Service
from baloot.table import referee_server
from baloot.table import server as table_server
from baloot.table.clocks import Clocks
from baloot.table.departed import Departed
from baloot.table.feed import Feed
from baloot.table.orchestrator import Orchestrator
from baloot.table.postgres import PostgresStore
from baloot.table.rules import Rules
from baloot.table.seat_streams import Patience
from baloot.table.store import StoreUnavailable

JUDGES = 2
"""Threads that read and write the texts of matches: what all of them may take of the processor."""


@dataclass(frozen=True, slots=True)
class Part:
    """A service that needs the database, and the store that brings it there and keeps its time.

    `drain` is what it does before its calls are cut off. What is served `beside` it is ready when it is.
    """

    service: Service
    url: str
    store: PostgresStore
    drain: Drain | None = None
    beside: tuple[Service, ...] = ()

    @property
    def services(self) -> tuple[Service, ...]:
        """All that is served."""
        return (self.service, *self.beside)


@asynccontextmanager
async def table_part(
    store: PostgresStore, url: str, rules: Rules, open_tables: int, *, accounts: bool
) -> AsyncIterator[tuple[Part, Orchestrator]]:
    """The table service with its clocks and its feed. The store is closed in the end.

    So many tables may an address have open; 0 for any number. `accounts` says whether anybody can have one: then they
    alone sit at the tables of events.
    """
    orchestrator = Orchestrator(store, rules, substitute)
    orchestrator.accounts_at_events = accounts
    try:
        async with (
            Clocks(orchestrator),
            Feed(orchestrator, patience=Patience()) as feed,
            Departed(orchestrator, feed.owner),
        ):
            service = table_server.service(orchestrator, feed, open_tables)
            part = Part(service, url, store, feed.drain, (referee_server.service(orchestrator, feed),))
            yield part, orchestrator
    finally:
        await store.close()


@asynccontextmanager
async def history_part(store: PostgresStore, url: str) -> AsyncIterator[tuple[Part, Projection]]:
    """The history service and the archive, with the projection of the logs in `store`. The store is closed in the end."""
    judging = ThreadPoolExecutor(JUDGES, thread_name_prefix="archive")
    async with PostgresHistory(url) as history:
        projection = Projection(PublicLog(store), history)
        running = asyncio.create_task(projection.run())
        archive = archive_server.service(history, store, judging)
        try:
            yield Part(history_server.service(history, store), url, store, beside=(archive,)), projection
        finally:
            judging.shutdown(wait=False, cancel_futures=True)
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await store.close()


@asynccontextmanager
async def identity_part(
    store: PostgresStore, url: str, key: bytes, issuer: Issuer = Issuer()
) -> AsyncIterator[tuple[Part, Identity]]:
    """The identity service with the installation's key; `store` keeps its time, and is closed in the end.

    `Identity.key_set` tells in this process by which keys its tokens are verified.
    """
    async with Identity(url, key, time_of(store), issuer=issuer) as identity:
        try:
            yield Part(identity_server.service(identity), url, store), identity
        finally:
            await store.close()


def time_of(store: PostgresStore) -> Callable[[], int]:
    """The database's time, and this machine's until the database is reached for the first time."""

    def now() -> int:
        try:
            return store.now()
        except StoreUnavailable:
            return info.machine_clock()

    return now
