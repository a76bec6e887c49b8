"""Data folders for the tests of the embedded database."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from baloot.app.embedded import Cluster

from tests.postgres import CrashCluster, reachable_folder


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
