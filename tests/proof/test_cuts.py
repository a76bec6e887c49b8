"""One match whose streams are cut a hundred times each."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from baloot.table.postgres import PostgresStore

from tests.e2e.platforms import Platform, together
from tests.proof.cuts import Account, several


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with together() as platform:
        yield platform


@pytest.fixture
async def store(platform: Platform) -> AsyncIterator[PostgresStore]:
    async with platform.store() as store:
        yield store


async def test_streams_that_are_cut_a_hundred_times_tell_every_entry_once(
    platform: Platform, store: PostgresStore
) -> None:
    account = await several(platform.table, store, Account(1))
    assert [figure for figure in account.figures() if not figure.holds] == []
