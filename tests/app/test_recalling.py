"""What `baloot history replay`, `stats`, `share` and their like print, asked of a served history."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from baloot.app import recalling
from baloot.app.errors import SetupError
from baloot.app.reaching import Asked
from baloot.app.terminal.language import Language
from baloot.core.errors import Reason, Refusal
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.server import service
from baloot.kit.serving import ServerSettings, start
from structlog.testing import capture_logs

from tests.history.accounts import seated
from tests.history.played import logbooks, store_with
from tests.kit.issuing import Issuing

ACCOUNTS = ("noura", "fahad", "sami", "huda")
FIRST, SECOND = UUID(int=1), UUID(int=2)
TOLD = Path(__file__).parent / "told"
DAY = 86_400_000_000
MATCH = str(FIRST)


@dataclass
class World:
    asked: Asked

    async def replay(self, number: int, seat: str | None = None, **more: Any) -> None:
        language = more.pop("language", Language.ENGLISH)
        at, open_ = more.get("at", 0), more.get("open_", False)
        await recalling.replay(self.asked, MATCH, number, seat, at, language, open_=open_)

    async def share(self, number: int = 0, seat: str | None = None, *, open_: bool = False) -> None:
        await recalling.share(self.asked, MATCH, number, seat, 30, open_=open_)


@pytest.fixture
async def world(migrated_url: str, tmp_path: Path) -> AsyncIterator[World]:
    logs = seated(logbooks()[0], FIRST, ACCOUNTS), seated(logbooks()[1], SECOND, ACCOUNTS, later=DAY)
    store, issuing = await store_with(*logs), Issuing()
    token = tmp_path / "token"
    token.write_text(issuing.token(sub="noura", roles=["player"]))
    async with PostgresHistory(migrated_url) as history:
        await Projection(store, history).catch_up()
        settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())
        server = await start([service(history, store)], settings)
        try:
            with capture_logs():  # they would stand among what is printed
                yield World(Asked(server.address, token))
        finally:
            await server.stop()


def told(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out


def kept(name: str) -> str:
    """What is printed, as it is kept beside the tests."""
    return (TOLD / f"{name}.txt").read_text(encoding="utf-8")


# Replays.


async def test_a_round_is_told_as_a_seat_saw_it(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await world.replay(2, "east")
    assert told(capsys) == kept("replay-east")


async def test_a_round_is_told_in_arabic(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await world.replay(2, "east", language=Language.ARABIC)
    assert told(capsys) == kept("replay-east-arabic")


async def test_with_all_hands_open_it_is_told_from_each_seat(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["south", "east", "north", "west"]
    each = []
    for seat in seats:
        await world.replay(2, seat)
        each.append(f"— {seat} —\n{told(capsys)}")
    await world.replay(2, open_=True)
    assert told(capsys) == "".join(each)


async def test_it_begins_where_one_wants(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await world.replay(2)
    whole = told(capsys).splitlines()
    await world.replay(2, at=40)
    later = told(capsys).splitlines()
    assert 0 < len(later) < len(whole)
    assert later[-1] == whole[-1]


# Figures.


async def test_what_an_account_did(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await recalling.statistics(world.asked, "noura", None)
    assert told(capsys) == kept("stats")


async def test_what_two_accounts_did(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await recalling.statistics(world.asked, "noura", "fahad")
    against, together = told(capsys).splitlines()
    assert against.startswith("against: 2 matches, ")
    assert together.startswith("together: 0 matches, 0 won, 0 rounds, points 0:0 (margin +0.0), kaboots 0:0")
    assert "last" not in together
    await recalling.statistics(world.asked, "fahad", "noura")
    assert told(capsys).splitlines()[0].startswith("against: 2 matches, ")


async def test_an_account_without_matches_is_not_told_zeros(
    world: World, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SetupError, match=r"^no finished match of an account Noura is known; .*--player NAME"):
        await recalling.statistics(world.asked, "Noura", None)
    with pytest.raises(SetupError, match=r"^no finished match is known that noura and Fahad both played; "):
        await recalling.statistics(world.asked, "noura", "Fahad")
    assert told(capsys) == ""


# Links.

LISTED = re.compile(
    rf"[0-9a-f-]{{36}}  (match|round 2 of) {MATCH}, until [0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}} [0-9:]+(\.[0-9]+)?"
)


async def test_a_link_is_its_token_and_nothing_else(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await world.share()
    token = told(capsys)
    assert re.fullmatch(r"[A-Za-z0-9_-]{43}\n", token)
    await world.share(2, "west")
    assert told(capsys) != token
    await recalling.list_shares(world.asked)
    lines = told(capsys).splitlines()
    assert [match.group(1) for line in lines if (match := LISTED.match(line))] == ["round 2 of", "match"]
    assert token.strip() not in "".join(lines)


async def test_a_link_is_taken_back(world: World, capsys: pytest.CaptureFixture[str]) -> None:
    await world.share()
    await recalling.list_shares(world.asked)
    share_id = told(capsys).splitlines()[1].split()[0]
    await recalling.withdraw(world.asked, share_id)
    await recalling.list_shares(world.asked)
    assert told(capsys) == "the link is withdrawn\nno link is good now\n"


async def test_what_cannot_be_asked_is_refused_in_words(world: World) -> None:
    with pytest.raises(SetupError, match="--seat up: choose one of south, east, north, west"):
        await world.replay(2, "up")
    with pytest.raises(SetupError, match="--open shows all seats: leave --seat out"):
        await world.replay(2, "east", open_=True)
    with pytest.raises(Refusal) as refused:
        await world.replay(99)
    assert refused.value.reason is Reason.ROUND_UNKNOWN
    with pytest.raises(Refusal) as refused:
        await recalling.share(Asked(world.asked.address), MATCH, 0, None, 30, open_=False)
    assert refused.value.reason is Reason.TOKEN_REQUIRED
