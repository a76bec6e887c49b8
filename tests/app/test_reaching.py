"""Commands that ask a server: at once without one, patient with one that is slow."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from baloot.api.history.v1.history_pb2 import GetMatchResponse, ListMatchesResponse
from baloot.api.history.v1.history_pb2_grpc import (
    HistoryServiceServicer,
    add_HistoryServiceServicer_to_server,
)
from baloot.app import playing, reports
from baloot.app.errors import SetupError
from baloot.app.platform import Running
from baloot.app.reaching import Asked
from baloot.app.terminal.language import Language
from baloot.core.errors import Reason, Refusal
from baloot.history import server as history_server
from baloot.kit.serving import ServerSettings, Service, start

NOWHERE = "127.0.0.1:1"
MATCH = "00000000-0000-4000-8000-000000000001"
ENGLISH = Language.ENGLISH
ASKING = {
    "history": lambda: reports.list_matches(Asked(NOWHERE), "", None),
    "one match": lambda: reports.show_match(Asked(NOWHERE), MATCH, ENGLISH),
    "explain": lambda: reports.explain_match(Asked(NOWHERE), MATCH, None, ENGLISH),
    "play": lambda: playing.play(
        asyncio.Event(), playing.Place(NOWHERE, None, "Omar", "standard", ENGLISH, 20, 20, 0)
    ),
}


@pytest.mark.parametrize("command", ASKING)
async def test_whoever_asks_nobody_is_told_so_at_once(command: str) -> None:
    began = time.monotonic()
    with pytest.raises(SetupError, match=f"{NOWHERE}.*baloot up.*make run.*--connect"):
        await ASKING[command]()
    assert time.monotonic() - began < 10


async def test_a_server_of_ones_own_is_shown_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows no accounts; a token that is there for other servers would be refused."""

    @asynccontextmanager
    async def private() -> AsyncIterator[Running]:
        yield Running(NOWHERE, "")

    monkeypatch.setattr(playing, "private_platform", private)
    place = playing.Place(None, None, "Omar", "standard", ENGLISH, 20, 20, 0, Path("/nowhere"))
    with pytest.raises(SetupError, match="no server can be reached"):
        await playing.play(asyncio.Event(), place)


async def test_a_token_is_read_again_once_it_has_expired(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("first\n")
    access = Asked(NOWHERE, file).access()
    assert access is not None
    assert await access(None) == "first"
    file.write_text("second\n")
    assert await access(None) == "first", "it is still good"
    assert await access("first") == "second"
    with pytest.raises(Refusal, match="has expired") as refused:
        await access("second")
    assert refused.value.reason is Reason.TOKEN_EXPIRED


class Away(HistoryServiceServicer):
    """A service that is not ready at first."""

    def __init__(self) -> None:
        self.asked = 0

    async def ListMatches(self, _request: Any, _context: Any) -> ListMatchesResponse:  # noqa: N802 - as the proto has it
        self.asked += 1
        if self.asked < 4:
            raise Refusal(Reason.UNAVAILABLE, "the database is away")
        return ListMatchesResponse()

    async def GetMatch(self, _request: Any, _context: Any) -> GetMatchResponse:  # noqa: N802 - as the proto has it
        return GetMatchResponse()


async def test_a_server_that_is_not_ready_is_waited_for(capsys: pytest.CaptureFixture[str]) -> None:
    away = Away()  # type: ignore[abstract]  # nobody asks it for the rest
    service = Service(history_server.NAME, away, add_HistoryServiceServicer_to_server)
    server = await start([service], ServerSettings("127.0.0.1:0", grace=0.1))
    try:
        await reports.list_matches(Asked(server.address), "", None)
    finally:
        await server.stop()
    assert away.asked == 4
    assert capsys.readouterr().out.endswith("no matches\n")
