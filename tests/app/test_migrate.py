"""Migrations: from nothing to what the code expects, once, however many processes start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import baloot.history.schema
import baloot.identity.schema
import baloot.table.schema
import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from baloot.app import migrate as migrations
from baloot.app.migrate import PACKAGES, migrate, schema_current
from baloot.kit.database import open_engine

EXPECTED = sa.MetaData()
for owner in (baloot.table.schema, baloot.history.schema, baloot.identity.schema):
    for table in owner.metadata.sorted_tables:
        table.to_metadata(EXPECTED)
VERSIONS = {package.version_table for package in PACKAGES}


async def in_database(url: str, work: Callable[[sa.Connection], Any]) -> Any:
    engine = open_engine(url, "test", size=1)
    async with engine.begin() as connection:
        found = await connection.run_sync(work)
    await engine.dispose()
    return found


def differences(connection: sa.Connection) -> Any:
    def wanted(_object: object, name: str | None, kind: str, *_: object) -> bool:
        partition = str(name).startswith("table_entry_")
        return not (kind == "table" and (name in VERSIONS or partition))

    options = {"include_object": wanted, "compare_type": True, "compare_server_default": True}
    return compare_metadata(MigrationContext.configure(connection, opts=options), EXPECTED)


def partitions(connection: sa.Connection) -> set[str]:
    query = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'table_entry'::regclass"
    return set(connection.scalars(sa.text(query)))


async def test_an_empty_database_becomes_what_the_code_expects(database_url: str) -> None:
    assert not await schema_current(database_url)
    await migrate(database_url)
    assert await schema_current(database_url)
    assert await in_database(database_url, differences) == []
    assert len(await in_database(database_url, partitions)) == 16


async def test_a_difference_would_be_noticed(migrated_url: str) -> None:
    assert await in_database(migrated_url, differences) == []
    for statement in (
        "ALTER TABLE table_head ADD COLUMN surplus int",
        "ALTER TABLE history_match ALTER COLUMN rounds TYPE bigint",
        "DROP INDEX table_head_due",
    ):
        await in_database(migrated_url, lambda connection, sql=statement: connection.execute(sa.text(sql)))  # type: ignore[misc]
    assert len(await in_database(migrated_url, differences)) == 3


async def test_migrating_again_changes_nothing(migrated_url: str) -> None:
    def everything(connection: sa.Connection) -> list[Any]:
        query = (
            "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns"
            " WHERE table_schema = 'public' ORDER BY 1, 2"
        )
        return [tuple(row) for row in connection.execute(sa.text(query))]

    before = await in_database(migrated_url, everything)
    await migrate(migrated_url)
    assert await in_database(migrated_url, everything) == before


async def test_several_processes_may_start_at_once(database_url: str) -> None:
    await asyncio.gather(*(migrate(database_url) for _ in range(4)))
    assert await schema_current(database_url)


async def test_whoever_waits_too_long_gives_up(database_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrations, "PATIENCE", 0.1)
    engine = open_engine(database_url, "other", size=1)
    async with engine.connect() as connection:
        await connection.execute(sa.select(sa.func.pg_advisory_lock(migrations.LOCK)))
        with pytest.raises(TimeoutError):
            await migrate(database_url)
    await engine.dispose()
    await migrate(database_url)


async def test_a_step_that_fails_is_not_done(database_url: str) -> None:
    def in_the_way(connection: sa.Connection) -> None:
        connection.execute(sa.text("CREATE TABLE server_key (name int)"))

    await in_database(database_url, in_the_way)
    with pytest.raises(sa.exc.ProgrammingError):
        await migrate(database_url)
    assert not await schema_current(database_url)
    assert await in_database(database_url, lambda c: sa.inspect(c).get_table_names()) == ["server_key"]


async def test_a_later_version_is_noticed(migrated_url: str) -> None:
    def from_the_future(connection: sa.Connection) -> None:
        connection.execute(sa.text("UPDATE table_version SET version_num = '9999'"))

    await in_database(migrated_url, from_the_future)
    assert not await schema_current(migrated_url)


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.location)
def test_the_steps_form_one_line(package: migrations.Migrations) -> None:
    config = Config()
    config.set_main_option("script_location", package.location)
    config.set_main_option("path_separator", "os")
    script = ScriptDirectory.from_config(config)
    assert len(script.get_heads()) == 1
    assert [step.revision for step in script.walk_revisions()] == sorted(
        (step.revision for step in script.walk_revisions()), reverse=True
    )
    files = sorted(path.name for path in Path(script.versions).glob("v*.py"))
    assert [name[1:5] for name in files] == sorted(step.revision for step in script.walk_revisions())
