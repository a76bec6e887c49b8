"""Connections that break: nobody misses an entry, gets one twice, or does a thing twice."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from uuid import UUID

import pytest
from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.table.postgres import PostgresStore

from tests.e2e.checks import broken
from tests.e2e.platforms import Platform, together
from tests.e2e.players import Match, open_match, playing, within
from tests.faults.proxy import Proxy, proxy_to

IMPATIENT = Pace(first=0.01, longest=0.1, silence=2.0)
CUTS = 100
"""How often streams are cut, not counting those of the players."""


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with together() as platform:
        yield platform


@pytest.fixture
async def store(platform: Platform) -> AsyncIterator[PostgresStore]:
    async with platform.store() as store:
        yield store


@dataclass
class Network:
    """Gives everybody who connects a way of their own to the server."""

    server: str
    stack: AsyncExitStack
    proxies: list[Proxy] = field(default_factory=list)

    async def more(self, count: int) -> None:
        for _ in range(count):
            self.proxies.append(await self.stack.enter_async_context(proxy_to(self.server)))

    async def connector(self, count: int) -> Callable[[], TableClient]:
        """What `open_match` connects everybody with, in turn."""
        await self.more(count)
        clients = [
            await self.stack.enter_async_context(TableClient(proxy.address, pace=IMPATIENT))
            for proxy in self.proxies
        ]
        return iter(clients).__next__


@asynccontextmanager
async def network_to(server: str) -> AsyncIterator[Network]:
    async with AsyncExitStack() as stack:
        yield Network(server, stack)


async def test_streams_that_are_cut_at_random_lose_and_repeat_nothing(
    platform: Platform, store: PostgresStore, rng: Random
) -> None:
    """Six people, each behind a network of their own that breaks in every way, until there were cuts enough."""
    cuts = 0
    while cuts < CUTS:
        match = await within(50, played_in_trouble(platform, rng))
        assert await broken(await store.read(UUID(match.table_id)), match) == []
        cuts += sum(len(witness.cuts) for witness in match.witnesses)


async def played_in_trouble(platform: Platform, rng: Random) -> Match:
    async with network_to(platform.table) as network:
        match = await open_match(await network.connector(6), rng)
        async with playing([match]):
            await trouble(network, match, rng)
            await match.end()
    return match


async def trouble(network: Network, match: Match, rng: Random) -> None:
    """Does something to somebody's network again and again, as long as the match goes on."""
    while not match.over:
        match.require_going_on()
        proxy = rng.choice(network.proxies)
        await rng.choice((cut, drop, slow, pause, vanish))(proxy, rng)
        await asyncio.sleep(rng.uniform(0, 0.02))


async def cut(proxy: Proxy, _: Random) -> None:
    proxy.reset()


async def drop(proxy: Proxy, _: Random) -> None:
    proxy.drop()


async def slow(proxy: Proxy, rng: Random) -> None:
    """A slow network, up to its next trouble."""
    proxy.back.delay = rng.choice((0, 0.01, 0.03))
    proxy.there.delay = rng.choice((0, 0.01))


async def pause(proxy: Proxy, rng: Random) -> None:
    """A network that is gone for a moment, and comes back with everything."""
    proxy.black_hole()
    await asyncio.sleep(rng.uniform(0, 0.1))
    proxy.release()


async def vanish(proxy: Proxy, rng: Random) -> None:
    """A network that is gone for a moment, and has lost what was on its way; replies before requests."""
    proxy.back.hold()
    await asyncio.sleep(rng.uniform(0, 0.05))
    proxy.reset()
    proxy.release()


async def test_connections_that_die_without_a_word_are_given_up(
    platform: Platform, store: PostgresStore, rng: Random
) -> None:
    """Their ends never hear of each other again, as when a router is switched off. New connections work."""
    async with network_to(platform.table) as network:
        match = await open_match(await network.connector(6), rng)
        async with playing([match]):
            await within(20, reach(match, 20))
            for proxy in network.proxies:
                proxy.strand()
            await within(30, reach(match, match.sequence + 20))
            await within(30, match.end())
    assert await broken(await store.read(UUID(match.table_id)), match) == []


async def reach(match: Match, sequence: int) -> None:
    while match.sequence < sequence:
        match.require_going_on()
        await asyncio.sleep(0.01)
