"""The settings of a table on the wire, both ways."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.enums import TEAM, EnumCodec
from baloot.codec.ruleset import decode_ruleset_of, encode_ruleset
from baloot.kit import checks
from baloot.table.codec.times import (
    decode_duration,
    decode_time,
    encode_duration,
    encode_optional_time,
)
from baloot.table.events import Settings, TimeControl
from baloot.table.policy import AbsencePolicy, LeavePolicy

LEAVE_POLICY = EnumCodec(LeavePolicy, pb.LeavePolicy)


def encode_settings(settings: Settings) -> pb.TableSettings:
    return pb.TableSettings(
        ruleset=encode_ruleset(settings.ruleset),
        ruleset_hash=settings.ruleset.hash,
        action_timeout=encode_duration(settings.action_timeout),
        round_pause=encode_duration(settings.round_pause),
        fill_timeout=encode_duration(settings.fill_timeout),
        rematch_of="" if settings.rematch_of is None else str(settings.rematch_of),
        lost_before=TEAM.encode_optional(settings.lost_before),
        time_control=None if settings.time_control is None else encode_control(settings.time_control),
        absence=None if settings.absence is None else encode_absence(settings.absence),
        spectator_delay=encode_duration(settings.spectator_delay) if settings.spectator_delay else None,
        event_id=settings.event_id,
        beacon=settings.beacon,
        beacon_time=encode_optional_time(settings.beacon_time),
    )


def decode_settings(message: pb.TableSettings, path: str) -> Settings:
    """The settings of a table, as the event that opens it tells them. Raises Refusal for what cannot be read."""
    return Settings(
        ruleset=decode_ruleset_of(message, path),
        action_timeout=decode_duration(message.action_timeout),
        round_pause=decode_duration(message.round_pause),
        fill_timeout=decode_duration(message.fill_timeout),
        rematch_of=checks.uuid(message.rematch_of, f"{path}.rematch_of") if message.rematch_of else None,
        lost_before=TEAM.decode_optional(message.lost_before, f"{path}.lost_before"),
        time_control=decode_control(message.time_control) if message.HasField("time_control") else None,
        absence=decode_absence(message.absence) if message.HasField("absence") else None,
        spectator_delay=decode_duration(message.spectator_delay),
        event_id=message.event_id,
        beacon=message.beacon,
        beacon_time=decode_time(message.beacon_time) if message.HasField("beacon_time") else None,
    )


def encode_absence(policy: AbsencePolicy) -> pb.AbsencePolicy:
    return pb.AbsencePolicy(
        bot_after=policy.bot_after,
        leaving=LEAVE_POLICY.encode(policy.leaving),
        forfeit_after=policy.forfeit_after,
        walkover=policy.walkover,
    )


def decode_absence(message: pb.AbsencePolicy) -> AbsencePolicy:
    """What happens when a player is away, as the settings of a table tell it. Raises Refusal FIELD_INVALID."""
    leaving = LEAVE_POLICY.decode_optional(message.leaving, "absence.leaving") or LeavePolicy.ABANDON
    return AbsencePolicy(message.bot_after, leaving, message.forfeit_after, message.walkover)


def encode_control(control: TimeControl) -> pb.TimeControl:
    return pb.TimeControl(
        call_time=encode_duration(control.call_time),
        card_time=encode_duration(control.card_time),
        bank=encode_duration(control.bank) if control.bank else None,
        network_allowance=encode_duration(control.network_allowance),
    )


def decode_control(message: pb.TimeControl) -> TimeControl:
    """The time control of a table as its settings tell it."""
    times = (message.call_time, message.card_time, message.bank, message.network_allowance)
    return TimeControl(*map(decode_duration, times))
