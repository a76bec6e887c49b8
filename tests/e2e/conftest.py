"""The two wirings: everything in one process, and every service in a process of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.e2e.platforms import Platform, apart, together
from tests.postgres import fresh_database


@pytest.fixture(scope="module", params=["together", "apart"])
def platform(request: pytest.FixtureRequest, postgres: str, migrated: str) -> Iterator[Platform]:
    """A platform that runs, wired in one way and then in the other."""
    if request.param == "together":
        with together() as platform:
            yield platform
    else:
        with database(postgres, migrated) as url, apart(url) as platform:
            yield platform


@contextmanager
def database(server: str, template: str) -> Iterator[str]:
    """A database of one's own, outside of any event loop."""
    with asyncio.Runner() as runner:
        made = fresh_database(server, template)
        url = runner.run(made.__aenter__())
        try:
            yield url
        finally:
            runner.run(made.__aexit__(None, None, None))
