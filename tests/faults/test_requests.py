"""A request is done once, however often it is sent, and whichever process is asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any, TypeVar
from uuid import UUID

import grpc.aio
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.table.codec import encode_entry
from baloot.table.postgres import PostgresStore
from baloot.table.views import see_entry

from tests.e2e.platforms import Platform, apart, together
from tests.e2e.players import OVERTAKEN, PATIENCE, choose, within
from tests.e2e.refusing import Asking, new_id, sit
from tests.faults.proxy import Proxy, proxy_to

IMPATIENT = Pace(first=0.01, longest=0.05)
ACTIONS = 30
COPIES = 8
RACES = 40

_Answer = TypeVar("_Answer")


@pytest.fixture(scope="module")
def platform() -> Iterator[Platform]:
    with together() as platform:
        yield platform


@pytest.fixture(scope="module")
def replica(platform: Platform) -> Iterator[Platform]:
    """The same tables, served by other processes."""
    with apart(platform.database, key=platform.key) as replica:
        yield replica


@pytest.fixture
async def store(platform: Platform) -> AsyncIterator[PostgresStore]:
    async with platform.store() as store:
        yield store


async def entries(store: PostgresStore) -> int:
    """How many entries there are, of all tables."""
    return sum(head.sequence for head in await store.heads_after(None, 10_000, live=False))


@dataclass
class Losing:
    """A way to the service on which replies are lost."""

    proxy: Proxy
    channel: grpc.aio.Channel
    store: PostgresStore

    async def reply_to(self, ask: Callable[[], Awaitable[_Answer]]) -> _Answer:
        """Asks, and loses the reply once the log holds what was asked for. The client asks again."""
        await self.channel.channel_ready()
        before = await entries(self.store)
        self.proxy.back.hold()
        asking = asyncio.ensure_future(ask())
        await within(20, self._written(before))
        assert not asking.done(), "the reply came through"
        self.proxy.reset()
        self.proxy.back.release()
        return await within(20, asking)

    async def _written(self, before: int) -> None:
        while await entries(self.store) == before:
            await asyncio.sleep(0.002)


@pytest.fixture
async def losing(platform: Platform, store: PostgresStore) -> AsyncIterator[Losing]:
    async with proxy_to(platform.table) as proxy, open_channel(proxy.address) as channel:
        yield Losing(proxy, channel, store)


async def test_a_request_whose_reply_is_lost_is_answered_when_it_is_sent_again(
    losing: Losing, store: PostgresStore, rng: Random
) -> None:
    client = TableClient(losing.channel, pace=IMPATIENT)
    table = await losing.reply_to(partial(client.create_table, action_timeout=PATIENCE, round_pause=0))
    sitting = [partial(table.take_seat, f"player {number}", seed=b"") for number in range(4)]
    seats = [await losing.reply_to(sit_down) for sit_down in sitting]
    told = []
    for _ in range(ACTIONS):
        seat, view = await asked_of(seats)
        told.append(await losing.reply_to(partial(seat.submit, choose(view.question, rng))))
    log = await store.read(UUID(table.table_id))
    done = [entry for entry in log if entry.actor is not None]
    assert [entry.sequence for entry in log] == list(range(1, len(log) + 1))
    assert len({entry.request_id for entry in done}) == len(done) == 4 + ACTIONS
    assert told == [encode_entry(see_entry(entry, entry.actor)) for entry in done[4:]]


async def asked_of(seats: Sequence[TableClient]) -> tuple[TableClient, pb.TableView]:
    """A seat for which the table waits, and what it sees."""
    while True:
        for seat in seats:
            view = await seat.view()
            if any(open_.seat == view.viewer for open_ in view.asked):
                return seat, view


async def test_a_request_gets_one_answer_however_often_it_is_sent_and_to_whom(
    platform: Platform, replica: Platform, store: PostgresStore, rng: Random
) -> None:
    """Byte for byte the same, when it is sent to two processes many times at once."""
    async with open_channel(platform.table) as one, open_channel(replica.table) as other:
        table = await sit(one, seats=3)
        taking = pb.TakeSeatRequest(table_id=table.table_id, request_id=new_id(), player_name="the fourth")
        asked = [Asking("TakeSeat", taking)]
        answer = pb.TakeSeatResponse.FromString(await one_answer((one, other), asked[0]))
        table.tokens[answer.seat] = answer.seat_token
        for _ in range(ACTIONS):
            view = await table.asked()
            asked.append(table.acting(view.viewer, choose(view.question, rng)))
            await one_answer((one, other), asked[-1])
        leaving = pb.LeaveSeatRequest(table_id=table.table_id, request_id=new_id())
        asked.append(Asking("LeaveSeat", leaving, table.bearer(answer.seat)))
        await one_answer((one, other), asked[-1])
    done = Counter(str(entry.request_id) for entry in await store.read(UUID(table.table_id)))
    assert {done[asking.request.request_id] for asking in asked} == {1}


async def test_of_two_clients_on_one_seat_one_acts(
    platform: Platform, replica: Platform, store: PostgresStore, rng: Random
) -> None:
    """Each asks another process, at the same moment, with a request of its own."""
    async with open_channel(platform.table) as one, open_channel(replica.table) as other:
        table = await sit(one)
        for _ in range(RACES):
            view = await table.asked()
            both = [
                table.acting(view.viewer, choose(view.question, rng), expected_sequence=view.sequence)
                for _ in range(2)
            ]
            told = await asyncio.gather(sent(one, both[0]), sent(other, both[1]), return_exceptions=True)
            (refused,) = [answer for answer in told if isinstance(answer, BaseException)]
            assert isinstance(refused, Refusal)
            assert refused.reason in (*OVERTAKEN, Reason.SUN_ON_ACE)  # a buyer's Sun after his own Hokum
    log = await store.read(UUID(table.table_id))
    assert len([entry for entry in log if entry.actor is not None]) == 4 + RACES


async def one_answer(channels: Sequence[grpc.aio.Channel], asking: Asking) -> bytes:
    """Sends copies of a request to several processes at once, and returns the answer that all of them got."""
    copies = [sent(channel, asking) for _ in range(COPIES) for channel in channels]
    (answer,) = {*await asyncio.gather(*copies)}
    return answer


async def sent(channel: grpc.aio.Channel, asking: Asking) -> bytes:
    """The bytes of an answer. Raises Refusal."""
    method: Any = getattr(TableServiceStub(channel), asking.method)
    try:
        answer = await method(asking.request, metadata=asking.metadata, timeout=20)
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error
    return bytes(answer.SerializeToString(deterministic=True))
