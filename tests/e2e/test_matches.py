"""Whole matches, several at once, over both wirings."""

from __future__ import annotations

import asyncio
from itertools import cycle, islice
from random import Random
from uuid import UUID

import grpc.aio
from baloot.api.info.v1.info_pb2 import GetServerInfoRequest
from baloot.api.info.v1.info_pb2_grpc import InfoServiceStub
from baloot.client.table import TableClient
from baloot.kit.channels import open_channel

from tests.e2e.checks import broken
from tests.e2e.platforms import Platform
from tests.e2e.players import PACE, Match, open_match, playing, within

AT_ONCE = 7
"""Matches at once: one by each rule set there is, or more."""


async def test_matches_end_and_everybody_saw_what_the_log_holds(platform: Platform) -> None:
    """Several at once, by every rule set on offer, each with four players, a witness of every seat and of the public."""
    matches = await played(platform, Random(52))
    async with platform.store() as store:
        for match in matches:
            assert await broken(await store.read(UUID(match.table_id)), match) == []


async def played(platform: Platform, rng: Random) -> list[Match]:
    """Matches that were played to their end, all at once, and looked at from time to time."""
    async with open_channel(platform.table) as channel:
        matches = [
            await open_match(lambda: TableClient(channel, pace=PACE), rng, rules=name)
            for name in islice(cycle(await offered(channel)), AT_ONCE)
        ]
        async with playing(matches):
            looking = asyncio.create_task(look(matches, rng))
            await within(55, asyncio.gather(*(match.end() for match in matches)))
            assert await looking == []
    return matches


async def offered(channel: grpc.aio.Channel) -> list[str]:
    """The names of the rule sets that the service plays."""
    info = await InfoServiceStub(channel).GetServerInfo(GetServerInfoRequest())
    return [known.name for known in info.rulesets]


async def look(matches: list[Match], rng: Random) -> list[str]:
    """Compares what GetTable tells with what is followed: anybody's now and then, everybody's in the end."""
    differing: list[str] = []
    while not all(match.over for match in matches):
        differing += await rng.choice(rng.choice(matches).witnesses).compare()
        await asyncio.sleep(rng.random() * 0.05)
    for match in matches:
        for witness in match.witnesses:
            differing += await witness.compare()
    return differing
