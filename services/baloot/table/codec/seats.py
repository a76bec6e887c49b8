"""What is seen of the seats of a table, on the wire."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.enums import SEAT, EnumCodec
from baloot.table import events as ev
from baloot.table.codec.encoders import Encoders
from baloot.table.views.seats import SeenPresenceChanged, SeenSeatTaken

PRESENCE = EnumCodec(ev.Presence, pb.Presence)


def _seat_taken(event: SeenSeatTaken) -> pb.SeatTaken:
    return pb.SeatTaken(
        seat=SEAT.encode(event.seat),
        player_name=event.player_name,
        player_id=event.player_id,
        seed=event.seat_seed,
    )


def _seat_left(event: ev.SeatLeft) -> pb.SeatLeft:
    return pb.SeatLeft(seat=SEAT.encode(event.seat))


def _bot_seated(event: ev.BotSeated) -> pb.BotSeated:
    return pb.BotSeated(seat=SEAT.encode(event.seat))


def _player_returned(event: ev.PlayerReturned) -> pb.PlayerReturned:
    return pb.PlayerReturned(seat=SEAT.encode(event.seat))


def _presence_changed(event: SeenPresenceChanged) -> pb.PresenceChanged:
    return pb.PresenceChanged(seat=SEAT.encode(event.seat), presence=PRESENCE.encode(event.presence))


ENCODERS: Encoders = {
    SeenSeatTaken: ("seat_taken", _seat_taken),
    ev.SeatLeft: ("seat_left", _seat_left),
    ev.BotSeated: ("bot_seated", _bot_seated),
    ev.PlayerReturned: ("player_returned", _player_returned),
    SeenPresenceChanged: ("presence_changed", _presence_changed),
}
