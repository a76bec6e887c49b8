"""The embedded database starts, keeps what it was given, and never outlives its parent."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import asyncpg
import pytest
from baloot.app import embedded, pg_exec, pg_folder
from baloot.app.embedded import Cluster, ClusterError, default_data, running_url
from baloot.app.pg_folder import DataFolder

from tests.postgres import ROOT, CrashCluster
from tests.waiting import eventually

AS_ROOT = os.geteuid() == 0
PARENT = ROOT / "tests" / "app" / "parent.py"
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")


async def ask(url: str, sql: str) -> str:
    connection = await asyncpg.connect(url.replace("+asyncpg", ""))
    try:
        return str(await connection.fetchval(sql))
    finally:
        await connection.close()


async def put_a_row(url: str) -> None:
    await ask(url, "CREATE TABLE kept AS SELECT 'a row' AS what")


async def rows(url: str) -> str:
    return await ask(url, "SELECT what FROM kept")


def begin_parent(data: Path) -> tuple[subprocess.Popen[str], int, str]:
    """A process that started the database, the database's process, and its address."""
    parent = subprocess.Popen(
        [sys.executable, PARENT, data], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid, url = parent.stdout.readline().split()
    return parent, int(pid), url


def kill_parent(parent: subprocess.Popen[str]) -> None:
    parent.kill()
    parent.communicate()


def abandon(cluster: Cluster) -> None:
    """Leave the server running as it would where no signal follows the parent's death."""
    assert cluster._lock is not None
    os.close(cluster._lock)
    cluster._lock = None


# What it keeps


async def test_what_was_written_is_there_after_a_restart(data: Path) -> None:
    cluster = Cluster(data)
    await put_a_row(cluster.start())
    cluster.stop()
    assert await rows(cluster.start()) == "a row"
    cluster.stop()


def test_a_stop_leaves_nothing_but_the_data(data: Path) -> None:
    with Cluster(data) as cluster:
        pid, sockets = cluster.pid, cluster._sockets
        assert sockets is not None
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    assert not sockets.exists()
    assert not DataFolder(data).served_by(pid)
    assert DataFolder(data).postmaster() is None
    assert {path.name for path in data.iterdir()} == {"postgres", "postgres.log", "baloot.lock"}


def test_stopping_twice_or_what_never_ran_is_nothing(data: Path) -> None:
    cluster = Cluster(data)
    cluster.stop()
    cluster.start()
    cluster.stop()
    cluster.stop()


async def test_the_first_start_makes_folder_and_database_and_says_so(place: Path) -> None:
    said: list[str] = []
    with Cluster(place / "deep" / "er", durable=False, tell=said.append) as cluster:
        assert await ask(cluster.url(), "SELECT current_database() || ' ' || current_user") == "baloot baloot"
        assert await ask(cluster.url("postgres"), "SELECT lower('ÄÉ')") == "äé"
    assert said == [f"creating the database in {place / 'deep' / 'er'}, once"]


async def test_a_creation_that_was_cut_off_is_begun_anew(place: Path) -> None:
    (place / "postgres.new").mkdir()
    (place / "postgres.new" / "PG_VERSION").write_text("18\n")
    with Cluster(place, durable=False) as cluster:
        assert await ask(cluster.url(), "SELECT 1") == "1"
    assert not (place / "postgres.new").exists()


async def test_a_killed_server_loses_nothing_that_it_acknowledged(
    durable_cluster: Callable[[], CrashCluster],
) -> None:
    cluster = durable_cluster()
    await put_a_row(cluster.url())
    cluster.crash()
    assert DataFolder(cluster.data).postmaster() is not None
    assert await rows(cluster.start()) == "a row"


async def test_a_server_that_was_killed_is_started_again_at_the_same_address(data: Path) -> None:
    with Cluster(data) as cluster:
        await put_a_row(cluster.url())
        assert not cluster.revive(), "it runs"
        url, killed = cluster.url(), cluster.pid
        os.kill(killed, signal.SIGKILL)
        assert eventually(cluster.revive)
        assert eventually(lambda: not cluster.revive() and is_ready(cluster))
        assert cluster.pid != killed
        assert await rows(url) == "a row"


def is_ready(cluster: Cluster) -> bool:
    found = DataFolder(cluster.data).postmaster()
    return found is not None and found.ready and found.pid == cluster.pid


def test_a_server_that_was_stopped_stays_so(data: Path) -> None:
    cluster = Cluster(data)
    cluster.start()
    cluster.stop()
    assert not cluster.revive()


async def test_a_start_waits_for_the_last_process_of_a_killed_server(crashable: CrashCluster) -> None:
    connection = await asyncpg.connect(crashable.url().replace("+asyncpg", ""))
    survivor = connection.get_server_pid()
    os.kill(survivor, signal.SIGSTOP)
    os.kill(crashable.pid, signal.SIGKILL)
    crashable.stop()
    ending = threading.Thread(
        target=end_once_it_is_in_the_way, args=(crashable.data / "postgres.log", survivor)
    )
    ending.start()
    crashable.start()
    ending.join()
    connection.terminate()
    assert await ask(crashable.url(), "SELECT 1") == "1"


def end_once_it_is_in_the_way(log: Path, pid: int) -> None:
    eventually(lambda: "pre-existing shared memory block" in log.read_text())
    os.kill(pid, signal.SIGKILL)


@pytest.fixture
def stranger(data: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process of the account that has the database, and no server."""
    owner = (data / "postgres").stat().st_uid if AS_ROOT else None
    with subprocess.Popen(["sleep", "100"], user=owner) as process:
        yield process
        process.kill()


async def test_a_stale_pid_that_another_process_got_is_no_server(
    crashable: CrashCluster, stranger: subprocess.Popen[bytes]
) -> None:
    await put_a_row(crashable.url())
    crashable.crash()
    pid_file = crashable.data / "postgres" / "postmaster.pid"
    _, rest = pid_file.read_text().split("\n", 1)
    pid_file.write_text(f"{stranger.pid}\n{rest}")
    assert await rows(crashable.start()) == "a row"
    assert stranger.poll() is None


# What it lets others do


SETTINGS = [
    (True, "listen_addresses", ""),
    (True, "data_checksums", "on"),
    (True, "jit", "off"),
    (True, "max_connections", "60"),
    (True, "server_encoding", "UTF8"),
    (True, "TimeZone", "UTC"),
    (True, "fsync", "on"),
    (True, "synchronous_commit", "on"),
    (True, "full_page_writes", "on"),
    (False, "fsync", "off"),
    (False, "synchronous_commit", "off"),
    (False, "full_page_writes", "off"),
]


@pytest.mark.parametrize("durable", [True, False])
async def test_the_server_has_the_settings_it_should(data: Path, durable: bool) -> None:
    expected = {name: value for which, name, value in SETTINGS if which is durable}
    with Cluster(data, durable=durable) as cluster:
        found = {name: await ask(cluster.url(), f"SHOW {name}") for name in expected}
    assert found == expected


async def test_a_given_setting_wins_over_ours(data: Path) -> None:
    with Cluster(data, settings={"max_connections": "7"}) as cluster:
        assert await ask(cluster.url(), "SHOW max_connections") == "7"


async def test_our_environment_changes_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PGPORT", "PGDATA", "PGHOST", "PGUSER", "PGDATABASE", "LC_ALL", "TZ"):
        monkeypatch.setenv(name, "7")
    with Cluster(data) as cluster:
        assert await ask(cluster.url(), "SELECT current_database() || ' ' || current_user") == "baloot baloot"


async def test_the_address_of_a_running_database_can_be_found(data: Path) -> None:
    assert running_url(data / "nowhere") is None
    with Cluster(data) as cluster:
        url = running_url(data)
        assert url == cluster.url()
    assert running_url(data) is None


def test_what_is_not_started_has_no_address(data: Path) -> None:
    with pytest.raises(ClusterError, match="is not started"):
        Cluster(data).url()


@pytest.mark.parametrize(
    ("uid", "xdg", "expected"),
    [
        (0, "/xdg", "/var/lib/baloot"),
        (1000, "", "/home/somebody/.local/share/baloot"),
        (1000, "/xdg", "/xdg/baloot"),
        (1000, "not/absolute", "/home/somebody/.local/share/baloot"),
    ],
)
def test_the_default_folder(monkeypatch: pytest.MonkeyPatch, uid: int, xdg: str, expected: str) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setenv("XDG_DATA_HOME", xdg)
    assert default_data() == Path(expected)


# It never outlives its parent


@only_linux
async def test_it_ends_with_a_parent_that_is_killed_and_the_next_start_has_all(data: Path) -> None:
    parent, pid, url = begin_parent(data)
    await put_a_row(url)
    assert DataFolder(data).served_by(pid)
    kill_parent(parent)
    assert eventually(lambda: not DataFolder(data).served_by(pid))
    assert DataFolder(data).postmaster() is None  # it said goodbye
    sockets = DataFolder(data).sockets()
    assert sockets is not None
    assert sockets.exists()
    with Cluster(data) as cluster:
        assert await rows(cluster.url()) == "a row"
        assert not sockets.exists()


async def test_a_start_right_after_the_parent_was_killed_succeeds(data: Path) -> None:
    parent, _, url = begin_parent(data)
    await put_a_row(url)
    kill_parent(parent)
    with Cluster(data) as cluster:
        assert await rows(cluster.url()) == "a row"


async def test_a_server_that_was_left_behind_is_stopped_first(data: Path) -> None:
    left = Cluster(data)
    await put_a_row(left.start())
    abandon(left)
    said: list[str] = []
    with Cluster(data, tell=said.append) as cluster:
        assert await rows(cluster.url()) == "a row"
        assert not DataFolder(data).served_by(left.pid)
    assert said == [f"waiting for the database of an earlier run to stop (process {left.pid})"]
    left.stop()


def test_a_server_that_baloot_did_not_start_is_left_alone(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Cluster(data)
    other.start()
    abandon(other)
    monkeypatch.setattr(pg_folder, "SOCKETS_PREFIX", "another-")
    with pytest.raises(
        ClusterError, match=f"that Baloot did not start .process {other.pid}.: stop it first.$"
    ):
        Cluster(data).start()
    assert DataFolder(data).served_by(other.pid)
    other.stop()


@only_linux
def test_nothing_starts_when_the_parent_is_gone_already() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    wrapper = [
        sys.executable,
        "-I",
        "-S",
        pg_exec.__file__,
        str(gone.pid),
        "-",
        "-",
        "/",
        "/bin/echo",
        "started",
    ]
    done = subprocess.run(wrapper, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("", "the parent ended before its database began\n")


def test_it_is_started_from_the_main_thread_alone(data: Path) -> None:
    refused: list[ClusterError] = []

    def start() -> None:
        with pytest.raises(ClusterError, match="main thread") as caught:
            Cluster(data).start()
        refused.append(caught.value)

    thread = threading.Thread(target=start)
    thread.start()
    thread.join()
    assert refused


def test_importing_it_loads_neither_grpc_nor_a_driver() -> None:
    loaded = "import sys, baloot.app.embedded; print({'grpc', 'asyncpg', 'sqlalchemy'} & set(sys.modules))"
    assert subprocess.check_output([sys.executable, "-c", loaded], text=True) == "set()\n"


def test_a_slow_start_says_what_it_may_be(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "SLOW_START_SECONDS", 0.0)
    said: list[str] = []
    with Cluster(data, tell=said.append):
        pass
    assert said == ["waiting for the database: after a crash it first replays what was cut off"]
