"""How the seats of a table are written in the log: tokens and connections hidden."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.enums import SEAT
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.codec.seats import PRESENCE
from baloot.table.payload.halves import Hiders, Readers


def _hide_seat_taken(event: ev.SeatTaken, payload: log.Entry, _secret: log.Secret) -> None:
    payload.token_hash = event.token_hash


def _seat_taken(message: wire.SeatTaken, payload: log.Entry, _secret: log.Secret) -> ev.SeatTaken:
    seat = SEAT.decode(message.seat, "seat")
    return ev.SeatTaken(seat, message.player_name, payload.token_hash, message.player_id, message.seed)


def _seat_left(message: wire.SeatLeft, *_: object) -> ev.SeatLeft:
    return ev.SeatLeft(SEAT.decode(message.seat, "seat"))


def _bot_seated(message: wire.BotSeated, *_: object) -> ev.BotSeated:
    return ev.BotSeated(SEAT.decode(message.seat, "seat"))


def _player_returned(message: wire.PlayerReturned, *_: object) -> ev.PlayerReturned:
    return ev.PlayerReturned(SEAT.decode(message.seat, "seat"))


def _hide_presence_changed(event: ev.PresenceChanged, _payload: log.Entry, secret: log.Secret) -> None:
    secret.presence_owner = event.owner


def _presence_changed(
    message: wire.PresenceChanged, _payload: log.Entry, secret: log.Secret
) -> ev.PresenceChanged:
    presence = PRESENCE.decode(message.presence, "presence")
    return ev.PresenceChanged(SEAT.decode(message.seat, "seat"), presence, secret.presence_owner)


HIDERS: Hiders = {
    ev.SeatTaken: ("token", _hide_seat_taken),
    ev.PresenceChanged: ("owner", _hide_presence_changed),
}

READERS: Readers = {
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "bot_seated": _bot_seated,
    "player_returned": _player_returned,
    "presence_changed": _presence_changed,
}
