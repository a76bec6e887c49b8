"""Fixtures for all tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import structlog
from hypothesis import settings
from sqlalchemy import event
from sqlalchemy.pool import Pool

from tests.postgres import CrashCluster, fresh_database, reachable_folder, shared_postgres

# No deadline for one example: on a busy machine it would measure the neighbours. In CI hypothesis itself
# chooses a profile that repeats the same examples in every run.
settings.register_profile("baloot", settings(), deadline=None)
settings.load_profile("baloot")


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Commands set up logging for their whole process, and what they write to may be closed with their test."""
    before = structlog.get_config()
    yield
    structlog.configure(**before)


@pytest.fixture(autouse=True)
def nothing_left_open() -> Iterator[None]:
    """A connection that nobody closed is told to the test that opened it; the driver tells whichever test runs later."""
    opened: list[Any] = []

    def note(connection: Any, _record: Any) -> None:
        opened.append(connection.driver_connection)

    event.listen(Pool, "connect", note)
    yield
    event.remove(Pool, "connect", note)
    assert all(connection.is_closed() for connection in opened), "a connection to the database is left open"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a quick server, shared with all other workers; `database_url` is a database of one's own."""
    with shared_postgres() as url:
        yield url


@pytest.fixture
async def database_url(postgres: str) -> AsyncIterator[str]:
    """The address of an empty database that only this test uses."""
    async with fresh_database(postgres) as url:
        yield url


@pytest.fixture(scope="session")
def migrated(postgres: str) -> Iterator[str]:
    """The name of a database with all tables and nothing in them, to make others from."""
    from tests.postgres import migrated_template

    with migrated_template(postgres) as name:
        yield name


@pytest.fixture
async def migrated_url(postgres: str, migrated: str) -> AsyncIterator[str]:
    """The address of a migrated database that only this test uses."""
    from tests.postgres import fresh_database

    async with fresh_database(postgres, migrated) as url:
        yield url


@pytest.fixture
def durable_cluster() -> Iterator[Callable[[], CrashCluster]]:
    """Start a durable server of the test's own; it may `crash()`, and `start()` again on the same data."""
    with ExitStack() as stack:

        def begin() -> CrashCluster:
            data = stack.enter_context(reachable_folder())
            return stack.enter_context(CrashCluster(data))

        yield begin
