"""The log of a match as anybody may fetch it, to check it himself."""

from __future__ import annotations

from collections.abc import AsyncIterator
from hashlib import sha256
from uuid import UUID

import pytest
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.history.v1.history_pb2_grpc import HistoryServiceStub
from baloot.core.errors import Reason
from baloot.history.fold import matters
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.server import service
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import ServerSettings, start
from baloot.table import chain
from baloot.table.payload import encode
from grpc.aio import AioRpcError

from tests.history.played import Logbook, logbooks, store_with

OVER, ON = logbooks()[0], logbooks()[2]


@pytest.fixture
async def stub(migrated_url: str) -> AsyncIterator[HistoryServiceStub]:
    """History over a match that is over, and one that stands in the middle of a round."""
    store = await store_with(OVER, ON)
    async with PostgresHistory(migrated_url) as history:
        await Projection(store, history).catch_up()
        server = await start([service(history, store)], ServerSettings("127.0.0.1:0", grace=0.2))
        try:
            async with open_channel(server.address) as channel:
                yield HistoryServiceStub(channel)
        finally:
            await server.stop()


async def pages(stub: HistoryServiceStub, log: Logbook, size: int | None = None) -> list[pb.GetProofResponse]:
    found: list[pb.GetProofResponse] = []
    after = 0
    while True:
        request = pb.GetProofRequest(match_id=str(log[0].table_id), after_sequence=after, page_size=size)
        found.append(await stub.GetProof(request))
        if found[-1].complete or not found[-1].entries:
            return found
        after = found[-1].entries[-1].sequence


def entries(found: list[pb.GetProofResponse]) -> list[pb.LogEntry]:
    return [entry for page in found for entry in page.entries]


@pytest.mark.parametrize("size", [None, 1, 7, 1000])
async def test_a_match_that_is_over_is_told_whole_and_its_chain_holds(
    stub: HistoryServiceStub, size: int | None
) -> None:
    found = await pages(stub, OVER, size)
    assert [page.complete for page in found] == [False] * (len(found) - 1) + [True]
    told, link = entries(found), chain.START
    assert [entry.sequence for entry in told] == [entry.sequence for entry in OVER]
    for entry, known in zip(told, OVER, strict=True):
        payload, secret = encode(known)
        assert (entry.accepted_micros, entry.payload) == (known.at, payload)
        assert entry.actor == (0 if known.actor is None else known.actor + 1)
        assert entry.secret_hash == sha256(secret).digest()
        who = entry.actor - 1 if entry.actor else None
        link = chain.link(
            link, known.table_id, entry.sequence, entry.accepted_micros, who, entry.payload, entry.secret_hash,
            by_default=entry.by_default,
        )  # fmt: skip
        assert entry.chain == link


async def test_of_a_match_that_is_on_only_rounds_that_are_over_are_told(stub: HistoryServiceStub) -> None:
    found = await pages(stub, ON)
    assert not any(page.complete for page in found)
    last = max(entry.sequence for entry in ON if matters(entry))
    assert last < len(ON)
    assert [entry.sequence for entry in entries(found)] == list(range(1, last + 1))


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        (pb.GetProofRequest(), Reason.FIELD_REQUIRED, "match_id"),
        (pb.GetProofRequest(match_id="x"), Reason.FIELD_INVALID, "match_id"),
        (pb.GetProofRequest(match_id=str(UUID(int=9))), Reason.MATCH_UNKNOWN, "match_id"),
        (pb.GetProofRequest(match_id=str(UUID(int=9)), page_size=0), Reason.FIELD_INVALID, "page_size"),
        (pb.GetProofRequest(match_id=str(UUID(int=9)), page_size=1001), Reason.FIELD_INVALID, "page_size"),
        (
            pb.GetProofRequest(match_id=str(UUID(int=9)), after_sequence=-1),
            Reason.FIELD_INVALID,
            "after_sequence",
        ),
    ],
    ids=lambda value: value.value if isinstance(value, Reason) else None,
)
async def test_what_cannot_be_told_is_refused(
    stub: HistoryServiceStub, request_: pb.GetProofRequest, reason: Reason, field: str
) -> None:
    with pytest.raises(AioRpcError) as refused:
        await stub.GetProof(request_)
    refusal = from_rpc_error(refused.value)
    assert (refusal.reason, refusal.field) == (reason, field)


async def test_beyond_the_end_there_is_nothing_and_that_is_all(stub: HistoryServiceStub) -> None:
    request = pb.GetProofRequest(match_id=str(OVER[0].table_id), after_sequence=10**6)
    assert await stub.GetProof(request) == pb.GetProofResponse(complete=True)
