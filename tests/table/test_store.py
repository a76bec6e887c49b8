"""The two stores keep the same promises."""

from __future__ import annotations

from collections.abc import AsyncIterator
from hashlib import sha256
from uuid import UUID

import pytest
from baloot.table.memory import MemoryStore
from baloot.table.postgres import PostgresStore
from baloot.table.store import Store

from tests.table.promises import StorePromises


async def some_key(table_id: UUID) -> bytes:
    """A key for each table."""
    return sha256(table_id.bytes).digest()


class TestMemoryStore(StorePromises):
    @pytest.fixture
    def store(self) -> Store:
        return MemoryStore()

    @pytest.fixture
    def twin(self, store: Store) -> Store:
        return store


class TestPostgresStore(StorePromises):
    @pytest.fixture
    async def store(self, migrated_url: str) -> AsyncIterator[Store]:
        async with PostgresStore(migrated_url) as store:
            yield store

    @pytest.fixture
    async def twin(self, migrated_url: str) -> AsyncIterator[Store]:
        async with PostgresStore(migrated_url) as store:
            yield store


class TestSealedStore(StorePromises):
    @pytest.fixture
    async def store(self, migrated_url: str) -> AsyncIterator[Store]:
        async with PostgresStore(migrated_url, some_key) as store:
            yield store

    @pytest.fixture
    async def twin(self, migrated_url: str) -> AsyncIterator[Store]:
        async with PostgresStore(migrated_url, some_key) as store:
            yield store
