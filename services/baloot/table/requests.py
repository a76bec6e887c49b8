"""Requests to the table service, read and checked field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baloot.api.core.v1 import seats_pb2
from baloot.api.table.v1 import table_pb2 as pb
from baloot.codec.auction import decode_call
from baloot.codec.enums import SEAT
from baloot.codec.fields import invalid, missing
from baloot.codec.play import decode_card_move, decode_qaid_move
from baloot.codec.ruleset import decode_ruleset
from baloot.core.catalogue import named
from baloot.core.play import SawaMove
from baloot.core.ruleset import STANDARD, Ruleset, require_playable
from baloot.core.seats import Seat
from baloot.kit import checks
from baloot.table.codec import decode_duration
from baloot.table.decide import Action
from baloot.table.events import SECOND, Micros, Settings
from google.protobuf.duration_pb2 import Duration

MAX_NAME = 40
MAX_SEQUENCE = 2**31 - 1

_BOUNDS: Mapping[str, tuple[Micros, Micros]] = {
    "action_timeout": (SECOND // 10, 600 * SECOND),
    "round_pause": (0, 60 * SECOND),
    "fill_timeout": (SECOND, 86_400 * SECOND),
}
"""The shortest and longest time that each setting may have."""


def decode_settings(request: pb.CreateTableRequest) -> Settings:
    """The settings of a new table, with defaults for what is unset."""
    chosen: dict[str, Any] = {
        name: _duration(request, name)
        for name in _BOUNDS
        if request.HasField(name)  # type: ignore[arg-type]
    }
    before = checks.uuid(request.rematch_of, "rematch_of") if request.rematch_of else None
    return Settings(ruleset=_ruleset(request), rematch_of=before, **chosen)


def decode_wanted_seat(number: int) -> Seat | None:
    """The seat wanted; None for any."""
    return SEAT.decode_optional(number, "seat")


def encode_seat(seat: Seat) -> seats_pb2.Seat.ValueType:
    return SEAT.encode(seat)


def decode_name(name: str) -> str:
    """A player's name: 1 to 40 printable characters, not only spaces."""
    return checks.text(name, "player_name", most=MAX_NAME)


def decode_expected(request: pb.SubmitActionRequest) -> int | None:
    return _sequence(request, "expected_sequence")


def decode_after(request: pb.WatchTableRequest) -> int | None:
    return _sequence(request, "after_sequence")


def decode_action(request: pb.SubmitActionRequest) -> Action:
    """What the seat wants to do."""
    kind = request.WhichOneof("action")
    if kind == "card":
        return decode_card_move(request.card, "card")
    if kind == "call":
        return decode_call(request.call, "call")
    if kind == "sawa":
        return SawaMove()
    if kind == "qaid":
        return decode_qaid_move(request.qaid, "qaid")
    raise missing("action")


def _ruleset(request: pb.CreateTableRequest) -> Ruleset:
    kind = request.WhichOneof("rules")
    if kind is None:
        return STANDARD
    if kind == "ruleset":
        ruleset = decode_ruleset(request.ruleset, "ruleset")
    else:
        ruleset = named(request.ruleset_name, "ruleset_name").ruleset
    require_playable(ruleset)
    return ruleset


def _duration(request: pb.CreateTableRequest, name: str) -> Micros:
    value: Duration = getattr(request, name)
    if not 0 <= value.nanos < 1_000_000_000:
        raise invalid(f"{name}.nanos", "must be between 0 and 999999999")
    length = decode_duration(value)
    least, most = _BOUNDS[name]
    if not least <= length <= most:
        raise invalid(name, f"must be between {least / SECOND:g} and {most / SECOND:g} seconds")
    return length


def _sequence(request: Any, field: str) -> int | None:
    """The number of an entry, 0 for none; None where the field is unset."""
    if not request.HasField(field):
        return None
    return checks.number(getattr(request, field), field, least=0, most=MAX_SEQUENCE)
