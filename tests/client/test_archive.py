"""Getting matches as text, through whatever breaks on the way."""

# ruff: noqa: N802, ARG002 - the methods of a service are named by its contract
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from baloot.api.history.v1.archive_pb2 import ExportMatchesRequest, ExportMatchesResponse
from baloot.api.history.v1.archive_pb2_grpc import (
    ArchiveServiceServicer,
    add_ArchiveServiceServicer_to_server,
)
from baloot.api.history.v1.history_pb2 import ListMatchesRequest
from baloot.client.archive import ArchiveClient
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel
from baloot.kit.serving import Service, start

from tests.client.conftest import PACE, SETTINGS
from tests.client.script import Context


class Breaking(ArchiveServiceServicer):
    """Seven matches, of which each stream gives two and breaks."""

    def __init__(self) -> None:
        self.streams = 0
        self.refusal = Refusal(Reason.UNAVAILABLE, "not now")

    async def ExportMatches(
        self, request: ExportMatchesRequest, context: Context
    ) -> AsyncIterator[ExportMatchesResponse]:
        self.streams += 1
        first = int(request.filter.page_token or 0)
        wanted = list(request.match_ids) or [str(number) for number in range(first, 7)]
        for match_id in wanted[:2]:
            yield ExportMatchesResponse(match_id=match_id, page_token=str(int(match_id) + 1))
        if wanted[2:] or request.match_ids:
            raise self.refusal


@pytest.fixture
async def archive() -> AsyncIterator[tuple[Breaking, ArchiveClient]]:
    breaking = Breaking()  # type: ignore[abstract]  # nobody asks it for the rest
    add = add_ArchiveServiceServicer_to_server
    server = await start([Service("baloot.api.history.v1.ArchiveService", breaking, add)], SETTINGS)
    async with open_channel(server.address) as channel:
        yield breaking, ArchiveClient(channel, pace=PACE)
    await server.stop()


async def test_all_that_fit_come_once_and_in_order(archive: tuple[Breaking, ArchiveClient]) -> None:
    breaking, client = archive
    got = [one.match_id async for one in client.matches_of(ListMatchesRequest())]
    assert got == [str(number) for number in range(7)]
    assert breaking.streams == 4


async def test_those_that_were_named_come_once_and_no_others(archive: tuple[Breaking, ArchiveClient]) -> None:
    """Also when the stream breaks after the last one: nothing is left to be asked for then."""
    breaking, client = archive
    wanted = ["5", "3", "4", "1"]
    assert [one.match_id async for one in client.matches(wanted)] == wanted
    assert breaking.streams == 2
    assert [one.match_id async for one in client.matches([])] == []


async def test_a_refusal_ends_it(archive: tuple[Breaking, ArchiveClient]) -> None:
    breaking, client = archive
    breaking.refusal = Refusal(Reason.MATCH_UNKNOWN, "no such match")
    got: list[str] = []
    with pytest.raises(Refusal, match="no such match"):
        await collect(client, got)
    assert got == ["0", "1"]


async def collect(client: ArchiveClient, got: list[str]) -> None:
    async for one in client.matches_of(ListMatchesRequest()):
        got.append(one.match_id)  # noqa: PERF401 - what came before a refusal is looked at
