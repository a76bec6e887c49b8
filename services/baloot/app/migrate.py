"""Brings a database to the tables that this version needs. Each package that owns tables numbers its own steps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from baloot.app.errors import SetupError
from baloot.kit.database import open_engine, refusing
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine


@dataclass(frozen=True, slots=True)
class Migrations:
    """The steps of one package, and the table in which the database keeps how far it is."""

    location: str
    version_table: str


PACKAGES = (
    Migrations("baloot.table:migrations", "table_version"),
    Migrations("baloot.history:migrations", "history_version"),
    Migrations("baloot.identity:migrations", "identity_version"),
)

OTHER_SCHEMA = "the database has another schema: run `baloot migrate`"

LOCK = 0x62616C6F6F74
"""The advisory lock of whoever migrates: `baloot` in ASCII."""
PATIENCE = 60.0
"""Seconds to wait for another process that migrates."""
STEP_TIMEOUT = 600.0
"""Seconds that one statement of a migration may take."""
LOCK_TIMEOUT = "5s"
"""How long a step waits for a table: everybody else queues behind it meanwhile."""


async def migrate(url: str) -> None:
    """Runs all steps that the database lacks. Several processes may do so at once: one works, the others wait.

    Raises TimeoutError when another one takes longer than PATIENCE, and SQLAlchemy's errors when a step fails; then the
    steps before it are done and it is not.
    """
    engine = open_engine(url, "baloot migrate", size=2, timeout=STEP_TIMEOUT)
    try:
        async with _alone(engine):
            for package in PACKAGES:
                await _upgrade(engine, package)
    finally:
        await engine.dispose()


async def require_schema(url: str) -> None:
    """Raises SetupError when the database has another schema than this version's, and Refusal UNAVAILABLE."""
    with refusing("database"):
        current = await schema_current(url)
    if not current:
        raise SetupError(OTHER_SCHEMA)


async def schema_current(url: str) -> bool:
    """Whether the database has had all steps of this version, and none of a later one."""
    engine = open_engine(url, "baloot migrate", size=1)
    try:
        async with engine.connect() as connection:
            return all([await connection.run_sync(_is_current, package) for package in PACKAGES])
    finally:
        await engine.dispose()


@asynccontextmanager
async def _alone(engine: AsyncEngine) -> AsyncIterator[None]:
    """Holds the lock on a connection of its own, so that a step may begin and end transactions as it likes.

    It asks again and again: one long wait would hold a snapshot, for which a step that builds an index must wait.
    """
    async with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        await _lock(connection)
        try:
            yield
        finally:
            await connection.scalar(sa.select(sa.func.pg_advisory_unlock(LOCK)))


async def _lock(connection: AsyncConnection) -> None:
    ask = sa.select(sa.func.pg_try_advisory_lock(LOCK))
    async with asyncio.timeout(PATIENCE):
        while not await connection.scalar(ask):  # noqa: ASYNC110 - no event tells when another process is done
            await asyncio.sleep(0.05)


async def _upgrade(engine: AsyncEngine, package: Migrations) -> None:
    async with engine.begin() as connection:
        await connection.execute(sa.text(f"SET LOCAL lock_timeout = '{LOCK_TIMEOUT}'"))
        await connection.run_sync(_run_steps, package)


def _run_steps(connection: sa.Connection, package: Migrations) -> None:
    config = _config(package)
    config.attributes["connection"] = connection
    config.attributes["version_table"] = package.version_table
    command.upgrade(config, "head")


def _is_current(connection: sa.Connection, package: Migrations) -> bool:
    there = MigrationContext.configure(
        connection, opts={"version_table": package.version_table}
    ).get_current_heads()
    return set(there) == set(ScriptDirectory.from_config(_config(package)).get_heads())


def _config(package: Migrations) -> Config:
    config = Config()
    config.set_main_option("script_location", package.location)
    config.set_main_option("path_separator", "os")
    return config
