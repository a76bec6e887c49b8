"""What a person at the terminal is told of absent players."""

from __future__ import annotations

import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_EAST, SEAT_SOUTH, TEAM_EAST_WEST, TEAM_SOUTH_NORTH, Seat
from baloot.api.table.v1.events_pb2 import (
    FORFEIT_REASON_AWAY,
    FORFEIT_REASON_LEFT,
    FORFEIT_REASON_NO_SHOW,
    BotSeated,
    ForfeitReason,
    MatchForfeited,
    PlayerReturned,
    TableEntry,
    TableEvent,
)
from baloot.api.table.v1.table_pb2 import TableView
from baloot.app.terminal.language import Language
from baloot.app.terminal.narrator import Narrator
from baloot.app.terminal.terms import say
from baloot.client import follow
from baloot.client.watching import Update
from baloot.core.seats import Team

from tests.app import scenes


def told(event: TableEvent, language: Language, viewer: Seat.ValueType = SEAT_SOUTH) -> str:
    """What a narrator prints of an event, for a viewer at a table of four."""
    to, out = scenes.console(width=120)
    view = TableView(viewer=viewer)
    for seat in follow.SEATS:
        view.seats.add(seat=seat, taken=True, player_name=f"P{seat}")
    Narrator(to, language).tell(Update(view, TableEntry(sequence=1, events=[event])))
    return out.getvalue()


def test_whoever_is_replaced_by_a_bot_is_told_how_to_come_back() -> None:
    seated = TableEvent(bot_seated=BotSeated(seat=SEAT_SOUTH))
    assert "a bot plays for you; type anything" in told(seated, Language.ENGLISH)
    assert "a bot plays for P1" in told(seated, Language.ENGLISH, SEAT_EAST)
    assert "البوت يلعب عنك" in told(seated, Language.ARABIC)
    assert "البوت يلعب عن P1" in told(seated, Language.ARABIC, SEAT_EAST)


def test_all_are_told_who_is_back() -> None:
    returned = TableEvent(player_returned=PlayerReturned(seat=SEAT_EAST))
    assert "P2 is back" in told(returned, Language.ENGLISH)
    assert "P2 رجع" in told(returned, Language.ARABIC)


REASONS = [
    (FORFEIT_REASON_LEFT, "a player left", "لاعب غادر"),
    (FORFEIT_REASON_AWAY, "a player was away for too long", "لاعب طال غيابه"),
    (FORFEIT_REASON_NO_SHOW, "a player did not come", "لاعب ما حضر"),
]


@pytest.mark.parametrize(("reason", "english", "arabic"), REASONS)
def test_a_forfeit_is_told_with_its_reason_and_the_winners(
    reason: ForfeitReason.ValueType, english: str, arabic: str
) -> None:
    facts = MatchForfeited(loser=TEAM_SOUTH_NORTH, winner=TEAM_EAST_WEST, reason=reason)
    event = TableEvent(match_forfeited=facts)
    loser, winner = (say(team, Language.ENGLISH) for team in (Team.SOUTH_NORTH, Team.EAST_WEST))
    lines = told(event, Language.ENGLISH).splitlines()
    assert lines == [f"{loser} forfeit the match: {english}", f"{winner} win the match"]
    assert arabic in told(event, Language.ARABIC)
