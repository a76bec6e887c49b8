"""Random numbers that every run draws alike, and a folder for servers' logs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.postgres import reachable_folder


@pytest.fixture
def rng() -> Random:
    return Random(1446)


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that the database's account reaches too."""
    with reachable_folder() as folder:
        yield folder
