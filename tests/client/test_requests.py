"""Asking for something once, however often it is sent."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Awaitable, Callable

import pytest
from baloot.api.core.v1.auction_pb2 import CALL_KIND_SUN, Call
from baloot.api.core.v1.cards_pb2 import CARD_10H
from baloot.api.core.v1.play_pb2 import ClaimQaid, ClaimSawa, PlayCard
from baloot.api.core.v1.seats_pb2 import SEAT_NORTH, SEAT_SOUTH
from baloot.client.retrying import Pace
from baloot.client.table import Action, TableClient
from baloot.core.errors import Reason, Refusal

from tests.client.conftest import Connected
from tests.client.script import TABLE

MILLISECOND = 1_000_000
SUN = Call(kind=CALL_KIND_SUN)
MUTATIONS: dict[str, Callable[[TableClient], Awaitable[object]]] = {
    "create_table": lambda table: table.create_table(),
    "take_seat": lambda table: table.take_seat("Noura", seed=b""),
    "leave_seat": lambda table: table.leave_seat(),
    "submit": lambda table: table.submit(SUN),
}


@pytest.mark.parametrize("name", MUTATIONS)
async def test_an_unknown_outcome_is_asked_again_with_the_same_request_id(
    connected: Connected, name: str
) -> None:
    reasons = [Reason.UNAVAILABLE, Reason.DEADLINE_EXCEEDED, Reason.CONTENDED]
    connected.service.refusals = [Refusal(reason, "not now") for reason in reasons]
    await MUTATIONS[name](connected.table)
    assert len(connected.service.requests) == 4
    ids = {request.request_id for request in connected.service.requests}
    assert len(ids) == 1
    assert uuid.UUID(ids.pop()).version == 4


@pytest.mark.parametrize("name", MUTATIONS)
async def test_every_intent_has_a_request_id_of_its_own(connected: Connected, name: str) -> None:
    await MUTATIONS[name](connected.table)
    await MUTATIONS[name](connected.table)
    first, second = connected.service.requests
    assert first.request_id != second.request_id


async def test_a_refusal_is_raised_and_not_asked_again(connected: Connected) -> None:
    connected.service.refusals = [Refusal(Reason.MUST_FOLLOW, "follow suit", field="card")]
    with pytest.raises(Refusal) as refused:
        await connected.table.submit(PlayCard(card=CARD_10H))
    assert (refused.value.reason, refused.value.field) == (Reason.MUST_FOLLOW, "card")
    assert len(connected.service.requests) == 1


@pytest.mark.parametrize("name", MUTATIONS)
async def test_a_server_that_says_how_long_to_wait_is_waited_for(connected: Connected, name: str) -> None:
    clock = asyncio.get_running_loop().time
    connected.service.refusals = [
        Refusal(reason, "not now", retry_after=60 * MILLISECOND)
        for reason in (Reason.RATE_LIMITED, Reason.TOO_MANY_TABLES)
    ]
    began = clock()
    await MUTATIONS[name](connected.table)
    assert 0.12 <= clock() - began < 5
    assert len({request.request_id for request in connected.service.requests}) == 1
    assert len(connected.service.requests) == 3


async def test_a_wait_that_is_too_long_is_not_begun(connected: Connected) -> None:
    connected.service.refusals = [Refusal(Reason.TOO_MANY_TABLES, "not now", retry_after=10**6 * MILLISECOND)]
    async with asyncio.timeout(3):
        with pytest.raises(Refusal) as refused:
            await connected.table.create_table()
    assert refused.value.reason is Reason.TOO_MANY_TABLES
    assert len(connected.service.requests) == 1


async def test_a_request_is_given_up_in_the_end(connected: Connected) -> None:
    connected.service.refusals = [Refusal(Reason.UNAVAILABLE, "not now") for _ in range(1000)]
    hasty = Pace(first=0.001, longest=0.01, give_up_after=0.1)
    async with TableClient(connected.server.address, TABLE, pace=hasty) as table:
        with pytest.raises(Refusal) as refused:
            await table.view()
    assert refused.value.reason is Reason.UNAVAILABLE
    assert 2 < len(connected.service.requests) < 1000


async def test_a_server_that_is_not_there_is_unavailable() -> None:
    async with TableClient("127.0.0.1:1", TABLE, pace=Pace(give_up_after=0.0)) as table:
        with pytest.raises(Refusal) as refused:
            await table.view()
    assert refused.value.reason is Reason.UNAVAILABLE


async def test_a_taken_seat_acts_with_its_token_at_its_table(connected: Connected) -> None:
    async with TableClient(connected.server.address) as tables:
        table = await tables.create_table(rules="standard", action_timeout=1.5, round_pause=0)
        seat = await table.take_seat("Noura", SEAT_NORTH, seed=b"")
        await seat.submit(SUN, expected_sequence=0)
    created, taken, submitted = connected.service.requests
    assert (created.ruleset_name, created.action_timeout.ToMilliseconds()) == ("standard", 1500)
    assert created.HasField("round_pause")
    assert not created.HasField("fill_timeout")
    assert (taken.table_id, taken.seat, taken.player_name) == (TABLE, SEAT_NORTH, "Noura")
    assert (seat.seat, seat.table_id) == (SEAT_SOUTH, TABLE)
    assert submitted.HasField("expected_sequence")
    assert connected.service.tokens == [None, None, "Bearer a-token"]


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (SUN, "call"),
        (PlayCard(card=CARD_10H), "card"),
        (ClaimSawa(), "sawa"),
        (ClaimQaid(card=CARD_10H), "qaid"),
    ],
)
async def test_every_action_travels_in_its_field(connected: Connected, action: Action, field: str) -> None:
    entry = await connected.table.submit(action)
    request = connected.service.requests[0]
    assert request.WhichOneof("action") == field
    assert getattr(request, field) == action
    assert not request.HasField("expected_sequence")
    assert entry.sequence == 8
