"""The server that the tests share ends with its last user, however that one ends."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import asyncpg

from tests.postgres import ROOT, fresh_database, shared_postgres
from tests.waiting import eventually

USER = """
import sys
from pathlib import Path
from tests.postgres import shared_postgres
with shared_postgres(Path(sys.argv[1])) as url:
    print(url, flush=True)
    sys.stdin.read()
"""


@contextmanager
def user(place: Path) -> Iterator[str]:
    """Another process that uses the server, and is killed in the end."""
    command = [sys.executable, "-c", USER, str(place)]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.kill()


def test_all_users_share_one_server_that_ends_when_the_last_is_killed(tmp_path: Path) -> None:
    with ExitStack() as first, ExitStack() as last:
        url = first.enter_context(user(tmp_path))
        assert url.startswith("postgresql+asyncpg://")
        assert last.enter_context(user(tmp_path)) == url
        data = Path((tmp_path / "data").read_text())
        first.close()
        with shared_postgres(tmp_path) as ours:
            assert ours == url
    assert eventually(lambda: not data.exists())
    assert not (tmp_path / "data").exists()


async def test_who_comes_as_the_last_one_leaves_is_served_all_the_same(tmp_path: Path) -> None:
    for _ in range(2):
        with shared_postgres(tmp_path) as url:
            connection = await asyncpg.connect(url.replace("+asyncpg", ""))
            assert await connection.fetchval("SELECT 1") == 1
            await connection.close()


async def test_a_server_whose_keeper_was_killed_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "lost").mkdir()
    (tmp_path / "data").write_text(str(tmp_path / "lost"))
    with shared_postgres(tmp_path) as url:
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        await connection.close()
    assert not (tmp_path / "lost").exists()


async def test_a_fresh_database_is_empty_and_gone_afterwards(postgres: str) -> None:
    async with fresh_database(postgres) as url:
        connection = await asyncpg.connect(url.replace("+asyncpg", ""))
        assert await connection.fetchval("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0
        await connection.execute("CREATE TABLE mine ()")
        name = await connection.fetchval("SELECT current_database()")
        await connection.close()
    connection = await asyncpg.connect(postgres.replace("+asyncpg", ""))
    assert name not in [row[0] for row in await connection.fetch("SELECT datname FROM pg_database")]
    await connection.close()
