"""Real PostgreSQL for the tests: one quick server for everybody, and servers that may be killed.

The quick server is started by the first test that wants one and serves every worker of every run in this
checkout. A keeper, a process of its own, holds it: each worker holds a shared lock on the file `users`, and
when the keeper gets that lock for itself nobody is left, however they ended, and it stops the server.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import asyncpg
from baloot.app.embedded import Cluster, running_url

ROOT = Path(__file__).parent.parent
PLACE = ROOT / ".pytest_cache" / "postgres"
MEMORY = Path("/dev/shm")
ENOUGH_MEMORY = 1 << 30


@contextmanager
def shared_postgres(place: Path = PLACE) -> Iterator[str]:
    """The address of the quick server, which runs for at least as long as this is held."""
    place.mkdir(parents=True, exist_ok=True)
    with _locked(place / "users", fcntl.LOCK_SH):
        with _locked(place / "gate", fcntl.LOCK_EX):
            url = _running(place) or _start_keeper(place)
        yield url


@asynccontextmanager
async def fresh_database(server: str, template: str = "template1") -> AsyncIterator[str]:
    """The address of a new database on `server`, a copy of `template`; it is dropped in the end."""
    name = f"test_{uuid.uuid4().hex}"
    await _execute(server, f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
    try:
        yield urlsplit(server)._replace(path=f"/{name}").geturl()
    finally:
        await _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def migrated_template(server: str) -> Iterator[str]:
    """The name of a new database on `server` that has all tables; databases that are copies of it are soon made."""
    from baloot.app.migrate import migrate

    with asyncio.Runner() as runner:
        database = fresh_database(server)
        url = runner.run(database.__aenter__())
        try:
            runner.run(migrate(url))
            yield urlsplit(url).path.removeprefix("/")
        finally:
            runner.run(database.__aexit__(None, None, None))


class CrashCluster(Cluster):
    """A server that can be killed, and started again."""

    def crash(self) -> None:
        """Kill the server and all its processes as a power cut would, and leave what they leave."""
        family = [self.pid, *_children(self.pid)]
        for pid in family:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.stop()


@contextmanager
def reachable_folder() -> Iterator[Path]:
    """A folder that the account of the database reaches when root runs the tests; pytest's own are closed.

    It is in memory where there is room: a killed process loses no more there, and making a database is quick.
    """
    folder = Path(tempfile.mkdtemp(prefix="baloot-test-", dir=_quick_place()))
    try:
        folder.chmod(0o755)
        yield folder
    finally:
        shutil.rmtree(folder)


async def _execute(server: str, sql: str) -> None:

    connection = await asyncpg.connect(server.replace("+asyncpg", ""))
    try:
        await connection.execute(sql)
    finally:
        await connection.close()


def _children(pid: int) -> list[int]:
    asked = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)
    pairs = [line.split() for line in asked.stdout.splitlines()]
    return [int(child) for child, parent in pairs if int(parent) == pid]


@contextmanager
def _locked(path: Path, how: int) -> Iterator[None]:
    with path.open("a") as file:
        fcntl.flock(file, how)
        yield


def _running(place: Path) -> str | None:
    with suppress(FileNotFoundError):
        data = Path((place / "data").read_text())
        url = running_url(data, "postgres")
        if url is not None:
            return url
        shutil.rmtree(data)  # its keeper was killed
    return None


def _start_keeper(place: Path) -> str:
    command = [sys.executable, "-m", "tests.postgres", str(place)]
    started = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if started.returncode != 0:
        raise RuntimeError(f"no database for the tests:\n{started.stdout}{started.stderr}")
    return started.stdout.strip()


def _keeper(place: Path) -> None:
    """Go on in the background once the server runs; whoever called is told its address."""
    ready, tell = os.pipe()
    if os.fork() != 0:
        os.close(tell)
        said = os.read(ready, 1000).decode()
        print(said)
        sys.exit(not said.startswith("postgresql"))
    os.setsid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _keep(place, tell)


def _keep(place: Path, tell: int) -> None:
    settings = {"max_connections": "200"}
    with reachable_folder() as data, Cluster(data, durable=False, settings=settings) as cluster:
        (place / "data").write_text(str(data))
        try:
            os.write(tell, cluster.url("postgres").encode())
            _detach()
            with _locked(place / "users", fcntl.LOCK_EX):
                (place / "data").unlink()
        finally:
            (place / "data").unlink(missing_ok=True)


def _detach() -> None:
    """Let go of the caller's output, for whose end it waits."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(nowhere, stream)


def _quick_place() -> Path:
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ENOUGH_MEMORY and os.access(MEMORY, os.W_OK)
    return MEMORY if roomy else Path("/tmp")


if __name__ == "__main__":
    _keeper(Path(sys.argv[1]))
