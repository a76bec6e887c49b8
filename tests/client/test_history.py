"""Reading the history page by page."""

# ruff: noqa: N802, ARG002 - the methods of a service are named by its contract
from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_FINISHED,
    GetMatchRequest,
    GetMatchResponse,
    ListMatchesRequest,
    ListMatchesResponse,
    MatchSummary,
)
from baloot.api.history.v1.history_pb2_grpc import (
    HistoryServiceServicer,
    add_HistoryServiceServicer_to_server,
)
from baloot.client.history import HistoryClient
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel
from baloot.kit.serving import Service, start

from tests.client.conftest import PACE, SETTINGS
from tests.client.script import Context


class Pages(HistoryServiceServicer):
    """Seven matches, each refused once before it is told."""

    def __init__(self) -> None:
        self.requests: list[ListMatchesRequest] = []
        self.refuse = False

    async def ListMatches(self, request: ListMatchesRequest, context: Context) -> ListMatchesResponse:
        self.refuse = not self.refuse
        if self.refuse:
            raise Refusal(Reason.UNAVAILABLE, "not now")
        self.requests.append(request)
        first = int(request.page_token or 0)
        following = first + request.page_size
        matches = [MatchSummary(match_id=str(number)) for number in range(first, min(following, 7))]
        return ListMatchesResponse(matches=matches, next_page_token=str(following) if following < 7 else "")

    async def GetMatch(self, request: GetMatchRequest, context: Context) -> GetMatchResponse:
        if request.match_id != "5":
            raise Refusal(Reason.MATCH_UNKNOWN, "no such match")
        return GetMatchResponse(match=MatchSummary(match_id="5"))


@pytest.fixture
async def history() -> AsyncIterator[tuple[Pages, HistoryClient]]:
    pages = Pages()  # type: ignore[abstract]  # nobody asks it for the rest
    add = add_HistoryServiceServicer_to_server
    server = await start([Service("baloot.api.history.v1.HistoryService", pages, add)], SETTINGS)
    async with open_channel(server.address) as channel:
        yield pages, HistoryClient(channel, pace=PACE)
    await server.stop()


async def test_all_pages_are_read_with_the_same_filters(history: tuple[Pages, HistoryClient]) -> None:
    pages, client = history
    found = client.matches(status=MATCH_STATUS_FINISHED, player_name="Noura", page_size=3)
    assert [match.match_id async for match in found] == [str(number) for number in range(7)]
    assert len(pages.requests) == 3
    assert {(request.status, request.player_name) for request in pages.requests} == {(2, "Noura")}


async def test_a_match_is_read_or_refused(history: tuple[Pages, HistoryClient]) -> None:
    _, client = history
    assert (await client.match("5")).match.match_id == "5"
    with pytest.raises(Refusal) as refused:
        await client.match("6")
    assert refused.value.reason is Reason.MATCH_UNKNOWN
