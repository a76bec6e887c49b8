"""Why something is refused: one reason for each kind of refusal, and the exception that carries it."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, unique


@unique
class Reason(StrEnum):
    """A machine-readable reason. The names equal those of `baloot.api.core.v1.ErrorReason`."""

    # The request itself.
    MALFORMED = "MALFORMED"
    FIELD_REQUIRED = "FIELD_REQUIRED"
    FIELD_INVALID = "FIELD_INVALID"
    RECORD_INVALID = "RECORD_INVALID"
    RULESET_INVALID = "RULESET_INVALID"
    OPTION_UNSUPPORTED = "OPTION_UNSUPPORTED"
    # Who asks.
    TOKEN_REQUIRED = "TOKEN_REQUIRED"
    TOKEN_INVALID = "TOKEN_INVALID"
    NOT_YOUR_SEAT = "NOT_YOUR_SEAT"
    # The table.
    TABLE_UNKNOWN = "TABLE_UNKNOWN"
    TABLE_NOT_OPEN = "TABLE_NOT_OPEN"
    TABLE_NOT_PLAYING = "TABLE_NOT_PLAYING"
    TABLE_ENDED = "TABLE_ENDED"
    TABLE_NOT_FINISHED = "TABLE_NOT_FINISHED"
    SEAT_TAKEN = "SEAT_TAKEN"
    SEQUENCE_STALE = "SEQUENCE_STALE"
    SEQUENCE_AHEAD = "SEQUENCE_AHEAD"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    CONTENDED = "CONTENDED"
    READER_SLOW = "READER_SLOW"
    MATCH_UNKNOWN = "MATCH_UNKNOWN"
    # Turn and phase.
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    WRONG_PHASE = "WRONG_PHASE"
    # The auction.
    CALL_NOT_OFFERED = "CALL_NOT_OFFERED"
    HOKUM_OVER_HOKUM = "HOKUM_OVER_HOKUM"
    ASHKAL_SEAT = "ASHKAL_SEAT"
    ASHKAL_ON_ACE = "ASHKAL_ON_ACE"
    ASHKAL_BIDDING = "ASHKAL_BIDDING"
    ASHKAL_AFTER_PASS = "ASHKAL_AFTER_PASS"
    KAWESH_HAND = "KAWESH_HAND"
    KAWESH_WINDOW = "KAWESH_WINDOW"
    SUIT_REQUIRED = "SUIT_REQUIRED"
    SUIT_NOT_ALLOWED = "SUIT_NOT_ALLOWED"
    SUN_ON_ACE = "SUN_ON_ACE"
    LOCK_REQUIRED = "LOCK_REQUIRED"
    LOCK_NOT_ALLOWED = "LOCK_NOT_ALLOWED"
    RAISE_NOT_YOURS = "RAISE_NOT_YOURS"
    SUN_DOUBLE_SCORES = "SUN_DOUBLE_SCORES"
    SUN_RAISE_CEILING = "SUN_RAISE_CEILING"
    # The play.
    CARD_NOT_HELD = "CARD_NOT_HELD"
    MUST_FOLLOW = "MUST_FOLLOW"
    MUST_TRUMP = "MUST_TRUMP"
    MUST_OVER_TRUMP = "MUST_OVER_TRUMP"
    LOCKED_LEAD = "LOCKED_LEAD"
    PROJECT_WINDOW = "PROJECT_WINDOW"
    PROJECT_NOT_HELD = "PROJECT_NOT_HELD"
    PROJECT_OVERLAP = "PROJECT_OVERLAP"
    PROJECT_LIMIT = "PROJECT_LIMIT"
    AKKA_NOT_ALLOWED = "AKKA_NOT_ALLOWED"
    BALOOT_AUTOMATIC = "BALOOT_AUTOMATIC"
    SAWA_WINDOW = "SAWA_WINDOW"
    SAWA_REPEATED = "SAWA_REPEATED"
    PROJECT_SHOW = "PROJECT_SHOW"
    BALOOT_NOT_ALLOWED = "BALOOT_NOT_ALLOWED"
    QAID_OFF = "QAID_OFF"
    QAID_WINDOW = "QAID_WINDOW"
    CUT_REQUIRED = "CUT_REQUIRED"
    CUT_NOT_ALLOWED = "CUT_NOT_ALLOWED"
    # The service.
    LIMIT_EXCEEDED = "LIMIT_EXCEEDED"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL = "INTERNAL"


class Refusal(Exception):
    """A request that is refused and changes nothing.

    `message` is a sentence for a person and never names a hidden card. `field` is the path of the offending
    request field where there is one, and `metadata` holds the figures that the message mentions.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        field: str = "",
        metadata: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.field = field
        self.metadata: dict[str, str] = dict(metadata or {})

    def __repr__(self) -> str:
        return f"Refusal({self.reason.name}, {self.message!r})"


def record_invalid(message: str, field: str, metadata: Mapping[str, str] | None = None) -> Refusal:
    """The refusal of a record that no game can have led to; `field` is the path below the record."""
    return Refusal(Reason.RECORD_INVALID, message, field=f"record.{field}", metadata=metadata)
