"""A rule service is away: what needs it is refused and changes nothing, and works when it is back."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import grpc.aio
import pytest
from baloot.api.core.v1.auction_pb2 import CALL_KIND_SUN
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_PLAY, TableView
from baloot.client.table import Action
from baloot.core.errors import Reason
from baloot.kit.channels import open_channel

from tests.e2e.platforms import Platform, apart
from tests.e2e.players import within
from tests.e2e.refusing import Asking, Sat, refusal, sit

BACK = 20.0
"""Seconds within which everything works again: a table whose own step failed tries it again after its lease."""


@pytest.fixture
async def channel(platform: Platform) -> AsyncIterator[grpc.aio.Channel]:
    async with open_channel(platform.table) as channel:
        yield channel


@pytest.fixture
def platform(migrated_url: str) -> Iterator[Platform]:
    with apart(migrated_url) as platform:
        yield platform


@contextmanager
def away(platform: Platform, name: str) -> Iterator[None]:
    """Kills a rule service, and starts it again in the end."""
    platform.processes[name].kill()
    try:
        yield
    finally:
        platform.processes[name].start()


async def test_a_call_waits_for_bidding(platform: Platform, channel: grpc.aio.Channel) -> None:
    table = await sit(channel)
    asked = await table.asked()
    await refused_and_then_done(platform, "bidding", table, asked, asked.question.call.default_call)


async def test_a_card_waits_for_play(platform: Platform, channel: grpc.aio.Channel) -> None:
    table = await sit(channel)
    asked = await in_play(table)
    await refused_and_then_done(platform, "play", table, asked, asked.question.play.default_move)


async def test_the_last_card_waits_for_scoring(platform: Platform, channel: grpc.aio.Channel) -> None:
    table = await sit(channel)
    asked = await in_play(table)
    while len(asked.round.hand) > 1 or len(asked.round.trick) < 3:
        await table.do(asked.viewer, asked.question.play.default_move)
        asked = await table.asked()
    await refused_and_then_done(platform, "scoring", table, asked, asked.question.play.default_move)
    assert (await table.asked()).round.number > asked.round.number


async def test_a_deal_waits_for_dealing(platform: Platform, channel: grpc.aio.Channel) -> None:
    """The table deals by itself as soon as it can."""
    table = await sit(channel, 3)
    with away(platform, "dealing"):
        await table.take_seat()
        seat, *_ = table.tokens
        before = await table.view(seat)
        await asyncio.sleep(0.5)
        assert await table.view(seat) == before
    assert (await within(BACK, table.asked())).round.number == 1


async def in_play(table: Sat) -> TableView:
    """Goes on until somebody is to play the first card."""
    while (asked := await table.asked()).round.phase != ROUND_PHASE_PLAY:
        legal = asked.question.call.legal
        sun = [call for call in legal if call.kind == CALL_KIND_SUN]
        await table.do(asked.viewer, (sun or [asked.question.call.default_call])[0])
    return asked


async def refused_and_then_done(
    platform: Platform, name: str, table: Sat, asked: TableView, action: Action
) -> None:
    """The same request is refused while the service is away, and does its work when it is back."""
    asking = table.acting(asked.viewer, action)
    with away(platform, name):
        told = await refusal(table.channel, asking)
        assert told is not None
        assert told.reason is Reason.UNAVAILABLE
        assert await table.view(asked.viewer) == asked
    await within(BACK, accepted(table, asking))
    assert (await table.view(asked.viewer)).sequence > asked.sequence


async def accepted(table: Sat, asking: Asking) -> None:
    while (told := await refusal(table.channel, asking)) is not None:
        assert told.reason is Reason.UNAVAILABLE
        await asyncio.sleep(0.05)
