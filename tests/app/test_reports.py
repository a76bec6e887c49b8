"""What `baloot history` prints."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_EAST, SEAT_SOUTH, TEAM_EAST_WEST, TeamPoints
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_ABANDONED,
    MATCH_STATUS_FINISHED,
    GetMatchResponse,
    MatchSeat,
    MatchSummary,
)
from baloot.api.table.v1.events_pb2 import FORFEIT_REASON_AWAY
from baloot.app import reaching, reports
from baloot.app.errors import SetupError
from baloot.app.reaching import Asked
from baloot.app.terminal.language import Language
from baloot.client.history import HistoryClient
from baloot.kit.channels import open_channel
from google.protobuf.timestamp_pb2 import Timestamp

NOWHERE = Asked("127.0.0.1:1")
IDS = [str(UUID(int=number)) for number in range(3)]


async def played(*_: object, **__: object) -> AsyncIterator[MatchSummary]:
    for match_id in IDS:
        yield MatchSummary(
            match_id=match_id,
            status=MATCH_STATUS_ABANDONED,
            start_time=Timestamp(seconds=1_796_000_000),
            scores=TeamPoints(south_north=120, east_west=97),
            seats=[
                MatchSeat(seat=SEAT_SOUTH, player_name="Noura"),
                MatchSeat(seat=SEAT_EAST, player_name="Fahad"),
            ],
        )


@pytest.fixture
def given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    async def match(*_: object) -> GetMatchResponse:
        [summary] = [summary async for summary in played() if summary.match_id == IDS[0]]
        summary.ruleset_name = "standard"
        return GetMatchResponse(match=summary)

    monkeypatch.setattr(HistoryClient, "match", match)
    monkeypatch.setattr(reaching, "reached", lambda asked: open_channel(asked.address))


@pytest.mark.usefixtures("given_up")
async def test_a_match_that_was_given_up_says_so_and_that_it_has_no_round(
    capsys: pytest.CaptureFixture[str],
) -> None:
    await reports.show_match(NOWHERE, IDS[0], Language.ENGLISH)
    assert capsys.readouterr().out.splitlines() == [
        f"match {IDS[0]}",
        "120 Noura · 97 Fahad",
        "started 2026-11-30 00:53",
        "abandoned",
        "rules standard ",
        "it has no finished round",
    ]
    with pytest.raises(SetupError, match="--round 1: the match has no finished round"):
        await reports.explain_match(NOWHERE, IDS[0], 1, Language.ENGLISH)


@pytest.mark.usefixtures("given_up")
async def test_a_heading_in_arabic_has_no_english_words(capsys: pytest.CaptureFixture[str]) -> None:
    await reports.show_match(NOWHERE, IDS[0], Language.ARABIC)
    heading = capsys.readouterr().out.replace(IDS[0], "").replace("Noura", "").replace("Fahad", "")
    assert "القياسي" in heading
    assert "متروكة" in heading
    assert not re.search("[A-Za-z,]", heading)


@pytest.fixture
def forfeited(monkeypatch: pytest.MonkeyPatch) -> None:
    async def match(*_: object) -> GetMatchResponse:
        [summary] = [summary async for summary in played() if summary.match_id == IDS[0]]
        summary.status, summary.winner = MATCH_STATUS_FINISHED, TEAM_EAST_WEST
        summary.forfeit_reason = FORFEIT_REASON_AWAY
        return GetMatchResponse(match=summary)

    async def matches(*_: object, **__: object) -> AsyncIterator[MatchSummary]:
        yield (await match()).match

    monkeypatch.setattr(HistoryClient, "match", match)
    monkeypatch.setattr(HistoryClient, "matches_of", matches)
    monkeypatch.setattr(reaching, "reached", lambda asked: open_channel(asked.address))


@pytest.mark.usefixtures("forfeited")
@pytest.mark.parametrize(
    ("language", "listed", "heading"),
    [
        (Language.ENGLISH, "forfeited", "by forfeit: a player was away for too long"),
        (Language.ARABIC, "انتهت بالانسحاب", "بالانسحاب: لاعب طال غيابه"),
    ],
)
async def test_a_match_that_was_forfeited_says_so_and_why(
    capsys: pytest.CaptureFixture[str], language: Language, listed: str, heading: str
) -> None:
    await reports.list_matches(NOWHERE, "", None, language=language)
    assert listed in capsys.readouterr().out
    await reports.show_match(NOWHERE, IDS[0], language)
    assert heading in capsys.readouterr().out


async def test_a_list_in_arabic_has_arabic_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(HistoryClient, "matches_of", played)
    monkeypatch.setattr(reaching, "reached", lambda asked: open_channel(asked.address))
    await reports.list_matches(NOWHERE, "", None, 1, Language.ARABIC)
    assert capsys.readouterr().out.splitlines()[0].endswith("متروكة")


@pytest.mark.parametrize("columns", [40, 80, 200])
async def test_a_list_of_matches_is_whole_at_any_width(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(HistoryClient, "matches_of", played)
    monkeypatch.setattr(reaching, "reached", lambda asked: open_channel(asked.address))
    await reports.list_matches(NOWHERE, "", None, 2)
    lines = capsys.readouterr().out.splitlines()
    expected = [
        (f"{match_id}  2026-11-30 00:53  abandoned", "    120 Noura · 97 Fahad") for match_id in IDS[:2]
    ]
    assert lines == [line for pair in expected for line in pair]
