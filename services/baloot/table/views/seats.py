"""What a viewer sees of the seats of a table: all but tokens, and where a player is connected."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table.views.viewer import Viewer, Views, whole


@dataclass(frozen=True, slots=True)
class SeenSeatTaken:
    """A seat taken, without its token."""

    seat: Seat
    player_name: str
    player_id: str
    seat_seed: bytes


@dataclass(frozen=True, slots=True)
class SeenPresenceChanged:
    """Whether a player is connected, without where."""

    seat: Seat
    presence: ev.Presence


SeenSeatEvent = SeenSeatTaken | ev.SeatLeft | ev.BotSeated | ev.PlayerReturned | SeenPresenceChanged


def _seat_taken(event: ev.SeatTaken, _viewer: Viewer) -> SeenSeatTaken:
    return SeenSeatTaken(event.seat, event.player_name, event.player_id, event.seat_seed)


def _presence_changed(event: ev.PresenceChanged, _viewer: Viewer) -> SeenPresenceChanged:
    return SeenPresenceChanged(event.seat, event.presence)


VIEWS: Views = {
    ev.SeatTaken: _seat_taken,
    ev.SeatLeft: whole,
    ev.BotSeated: whole,
    ev.PlayerReturned: whole,
    ev.PresenceChanged: _presence_changed,
}
