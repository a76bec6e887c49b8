"""Requests to the table service, read and checked field by field."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from baloot.api.core.v1 import seats_pb2
from baloot.api.core.v1.ruleset_pb2 import Ruleset as RulesetMessage
from baloot.api.table.v1 import table_pb2 as pb
from baloot.codec.auction import decode_call
from baloot.codec.deal import decode_hash
from baloot.codec.enums import SEAT
from baloot.codec.fields import invalid, missing
from baloot.codec.play import decode_card_move, decode_qaid_move
from baloot.codec.ruleset import decode_ruleset
from baloot.core.catalogue import named, require_own_name
from baloot.core.play import SawaMove
from baloot.core.playable import require_playable
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import Seat
from baloot.kit import checks
from baloot.table import absence, timing
from baloot.table.codec import decode_absence, decode_duration, decode_time
from baloot.table.dealing import AddSeed
from baloot.table.decide import Action, ComeBack
from baloot.table.events import SECOND, Micros, Settings, TimeControl
from baloot.table.policy import AbsencePolicy
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

MAX_NAME = 40
MAX_BEACON = 200
MAX_SEQUENCE = 2**31 - 1
MAX_SECONDS = 253_402_300_799
"""The last second that a timestamp can tell."""

_Bounds = Mapping[str, tuple[Micros, Micros]]

_BOUNDS: _Bounds = {
    "action_timeout": (SECOND // 10, 600 * SECOND),
    "round_pause": (0, 60 * SECOND),
    "fill_timeout": (SECOND, 86_400 * SECOND),
    "spectator_delay": (0, 1800 * SECOND),
}
"""The shortest and longest time that each setting may have."""
_CONTROL_BOUNDS: _Bounds = {
    "call_time": _BOUNDS["action_timeout"],
    "card_time": _BOUNDS["action_timeout"],
    "bank": (0, 3600 * SECOND),
    "network_allowance": (0, 5 * SECOND),
}
"""The same for a time control. There is always some own time, so that a seat whose bank is empty can still answer."""

MAX_BOT_AFTER = 40
MAX_FORFEIT_AFTER = 1000
_EVENT_ID = re.compile(r"[A-Za-z0-9._:-]{1,64}")


def decode_settings(request: pb.CreateTableRequest) -> Settings:
    """The settings of a new table, with defaults for what is unset."""
    chosen = _durations(request, _BOUNDS)
    before = checks.uuid(request.rematch_of, "rematch_of") if request.rematch_of else None
    settings = Settings(ruleset=_ruleset(request), rematch_of=before, **chosen)
    control = _time_control(request, settings.action_timeout)
    return replace(
        settings,
        time_control=control,
        absence=_absence(request),
        event_id=_event_id(request.event_id),
        beacon=_beacon(request.beacon),
        beacon_time=_beacon_time(request),
    )


def _beacon(name: str) -> str:
    """The name of the public random value that is mixed into every deal; empty for none."""
    return checks.text(name, "beacon", most=MAX_BEACON) if name else name


def _beacon_time(request: pb.CreateTableRequest) -> Micros | None:
    """The moment from which the beacon may be public; None where there is none. Whether it is to come, the table asks."""
    if not request.HasField("beacon_time"):
        if request.beacon:
            raise missing("beacon_time")
        return None
    if not request.beacon:
        raise invalid("beacon_time", "must be unset where no beacon is named")
    moment = request.beacon_time
    if not 0 <= moment.nanos < 1_000_000_000:
        raise invalid("beacon_time.nanos", "must be between 0 and 999999999")
    if not 0 <= moment.seconds <= MAX_SECONDS:
        raise invalid("beacon_time.seconds", f"must be between 0 and {MAX_SECONDS}")
    return decode_time(moment)


def _event_id(name: str) -> str:
    """The event that a table belongs to; empty for none."""
    if name and not _EVENT_ID.fullmatch(name):
        raise invalid("event_id", "must be up to 64 letters, digits, `-`, `_`, `.` and `:`")
    return name


def _absence(request: pb.CreateTableRequest) -> AbsencePolicy:
    """What happens when a player is away: all of it as chosen, or the usual."""
    if not request.HasField("absence"):
        return absence.USUAL
    policy = decode_absence(request.absence)
    checks.number(policy.bot_after, "absence.bot_after", least=0, most=MAX_BOT_AFTER)
    checks.number(policy.forfeit_after, "absence.forfeit_after", least=0, most=MAX_FORFEIT_AFTER)
    return policy


def _time_control(request: pb.CreateTableRequest, action_timeout: Micros) -> TimeControl:
    """How much time a seat has: what is chosen, and otherwise what follows from `action_timeout`."""
    chosen = _durations(request.time_control, _CONTROL_BOUNDS, "time_control.")
    if request.HasField("action_timeout") and {"call_time", "card_time"} <= chosen.keys():
        raise invalid("action_timeout", "must be unset where call_time and card_time are both chosen")
    control = timing.usual(action_timeout)._replace(**chosen)
    shortest = min(control.call_time, control.card_time)
    if "network_allowance" not in chosen:
        return control._replace(network_allowance=timing.usual_allowance(shortest))
    if control.network_allowance > shortest:
        raise invalid("time_control.network_allowance", "must not be longer than call_time and card_time")
    return control


def decode_wanted_seat(number: int) -> Seat | None:
    """The seat wanted; None for any."""
    return SEAT.decode_optional(number, "seat")


def encode_seat(seat: Seat) -> seats_pb2.Seat.ValueType:
    return SEAT.encode(seat)


def decode_name(name: str) -> str:
    """A player's name: 1 to 40 printable characters, not only spaces."""
    return checks.text(name, "player_name", most=MAX_NAME)


def decode_seed(seed: bytes) -> bytes:
    """What a player adds to the deals that are committed to; empty for nothing."""
    return decode_hash(seed, "seed") if seed else seed


def decode_beacon(request: pb.GiveBeaconRequest) -> bytes:
    """The public random value: 32 bytes."""
    return decode_hash(request.value, "value")


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
    if kind == "come_back":
        return ComeBack()
    if kind == "add_seed":
        seed = decode_hash(request.add_seed.seed, "add_seed.seed")
        return AddSeed(request.add_seed.first_number, seed)
    raise missing("action")


def read_action(request: bytes) -> Action:
    """The action in the bytes of a `SubmitActionRequest`. Raises DecodeError or Refusal."""
    return decode_action(pb.SubmitActionRequest.FromString(request))


def _ruleset(request: pb.CreateTableRequest) -> Ruleset:
    kind = request.WhichOneof("rules")
    if kind is None:
        return STANDARD
    if kind == "ruleset":
        ruleset = _own_ruleset(request.ruleset)
    else:
        ruleset = named(request.ruleset_name, "ruleset_name").ruleset
    require_playable(ruleset)
    return ruleset


def _own_ruleset(message: RulesetMessage) -> Ruleset:
    """A rule set of one's own, with a name that others can read and that is no other rule set's."""
    ruleset = decode_ruleset(message, "ruleset")
    checks.text(ruleset.name, "ruleset.name", most=MAX_NAME)
    require_own_name(ruleset, "ruleset.name")
    return ruleset


def _durations(message: Message, bounds: _Bounds, path: str = "") -> dict[str, Any]:
    """The times that are set in a message, by their names."""
    return {
        name: _duration(getattr(message, name), path + name, *between)
        for name, between in bounds.items()
        if message.HasField(name)
    }


def _duration(value: Duration, path: str, least: Micros, most: Micros) -> Micros:
    if not 0 <= value.nanos < 1_000_000_000:
        raise invalid(f"{path}.nanos", "must be between 0 and 999999999")
    length = decode_duration(value)
    if not least <= length <= most:
        raise invalid(path, f"must be between {least / SECOND:g} and {most / SECOND:g} seconds")
    return length


def _sequence(request: Any, field: str) -> int | None:
    """The number of an entry, 0 for none; None where the field is unset."""
    if not request.HasField(field):
        return None
    return checks.number(getattr(request, field), field, least=0, most=MAX_SEQUENCE)
