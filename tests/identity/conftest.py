"""An identity service over a database of its own, with a clock that tests set."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from argon2 import PasswordHasher
from baloot.identity.attempts import Attempts
from baloot.identity.passwords import Passwords
from baloot.identity.service import Identity
from baloot.kit.buckets import Rate
from baloot.kit.channels import open_channel

from tests.identity.served import KEY, Clock, Served, Stub, serving

GENEROUS = Rate(1000, 1, 1000)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def passwords() -> Iterator[Passwords]:
    """Quick ones, which nobody should use outside of tests."""
    quick = Passwords(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
    yield quick
    quick.close()


@pytest.fixture
async def identity(migrated_url: str, clock: Clock, passwords: Passwords) -> AsyncIterator[Identity]:
    attempts = Attempts(GENEROUS)
    async with Identity(migrated_url, KEY, clock, passwords=passwords, attempts=attempts) as identity:
        yield identity


@pytest.fixture
async def served(identity: Identity) -> AsyncIterator[Served]:
    async with serving(identity) as server, open_channel(server.address) as channel:
        yield Served(identity, server.address, channel, Stub(channel))
