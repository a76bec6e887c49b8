"""What `baloot history` prints."""

from __future__ import annotations

from collections.abc import AsyncIterator
from uuid import UUID

import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_EAST, SEAT_SOUTH, TeamPoints
from baloot.api.history.v1.history_pb2 import MATCH_STATUS_ABANDONED, MatchSeat, MatchSummary
from baloot.app import reports
from baloot.client.history import HistoryClient
from baloot.kit.channels import open_channel
from google.protobuf.timestamp_pb2 import Timestamp

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


@pytest.mark.parametrize("columns", [40, 80, 200])
async def test_a_list_of_matches_is_whole_at_any_width(
    columns: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setattr(HistoryClient, "matches", played)
    monkeypatch.setattr(reports, "reached", open_channel)
    await reports.list_matches("127.0.0.1:1", "", None, 2)
    lines = capsys.readouterr().out.splitlines()
    expected = [
        (f"{match_id}  2026-11-30 00:53  abandoned", "    120 Noura · 97 Fahad") for match_id in IDS[:2]
    ]
    assert lines == [line for pair in expected for line in pair]
