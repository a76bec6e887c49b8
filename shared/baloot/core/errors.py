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
    TOKEN_EXPIRED = "TOKEN_EXPIRED"
    ROLE_REQUIRED = "ROLE_REQUIRED"
    SCOPE_REQUIRED = "SCOPE_REQUIRED"
    SIGN_IN_FAILED = "SIGN_IN_FAILED"
    NAME_TAKEN = "NAME_TAKEN"
    REFRESH_REUSED = "REFRESH_REUSED"
    REFRESH_INVALID = "REFRESH_INVALID"
    KEY_INVALID = "KEY_INVALID"
    KEY_UNKNOWN = "KEY_UNKNOWN"
    ACCOUNT_UNKNOWN = "ACCOUNT_UNKNOWN"
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
    STREAM_SUPERSEDED = "STREAM_SUPERSEDED"
    ALREADY_SEATED = "ALREADY_SEATED"
    NOT_ABSENT = "NOT_ABSENT"
    ALREADY_LEFT = "ALREADY_LEFT"
    REFEREE_PLAYS = "REFEREE_PLAYS"
    SEED_REPEATED = "SEED_REPEATED"
    SEED_WINDOW = "SEED_WINDOW"
    BEACON_WINDOW = "BEACON_WINDOW"
    # History.
    ROUND_UNKNOWN = "ROUND_UNKNOWN"
    SHARE_UNKNOWN = "SHARE_UNKNOWN"
    NOTATION_INVALID = "NOTATION_INVALID"
    MATCH_INVALID = "MATCH_INVALID"
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
    RATE_LIMITED = "RATE_LIMITED"
    TOO_MANY_STREAMS = "TOO_MANY_STREAMS"
    TOO_MANY_TABLES = "TOO_MANY_TABLES"
    DEADLINE_EXCEEDED = "DEADLINE_EXCEEDED"
    UNAVAILABLE = "UNAVAILABLE"
    INTERNAL = "INTERNAL"


RULES: Mapping[Reason, str] = {
    Reason.NOT_YOUR_TURN: "2.36",
    Reason.WRONG_PHASE: "2.36",
    Reason.HOKUM_OVER_HOKUM: "2.5",
    Reason.ASHKAL_SEAT: "2.8",
    Reason.ASHKAL_ON_ACE: "2.8",
    Reason.ASHKAL_BIDDING: "2.8",
    Reason.ASHKAL_AFTER_PASS: "2.8",
    Reason.KAWESH_HAND: "2.12",
    Reason.KAWESH_WINDOW: "2.12",
    Reason.SUIT_REQUIRED: "2.9",
    Reason.SUIT_NOT_ALLOWED: "2.9",
    Reason.SUN_ON_ACE: "2.7",
    Reason.LOCK_REQUIRED: "2.15",
    Reason.LOCK_NOT_ALLOWED: "2.15",
    Reason.RAISE_NOT_YOURS: "2.14",
    Reason.SUN_DOUBLE_SCORES: "2.16",
    Reason.SUN_RAISE_CEILING: "2.16",
    Reason.CUT_REQUIRED: "2.3",
    Reason.CUT_NOT_ALLOWED: "2.3",
    Reason.CARD_NOT_HELD: "2.19",
    Reason.MUST_FOLLOW: "2.19",
    Reason.MUST_TRUMP: "2.19",
    Reason.MUST_OVER_TRUMP: "2.19",
    Reason.LOCKED_LEAD: "2.15",
    Reason.PROJECT_WINDOW: "2.22",
    Reason.PROJECT_NOT_HELD: "2.21",
    Reason.PROJECT_OVERLAP: "2.24",
    Reason.PROJECT_LIMIT: "2.24",
    Reason.PROJECT_SHOW: "2.22",
    Reason.AKKA_NOT_ALLOWED: "2.20",
    Reason.BALOOT_AUTOMATIC: "2.25",
    Reason.BALOOT_NOT_ALLOWED: "2.25",
    Reason.SAWA_WINDOW: "2.34",
    Reason.SAWA_REPEATED: "2.34",
    Reason.QAID_OFF: "2.33",
    Reason.QAID_WINDOW: "2.33",
}
"""The rule behind each reason that a rule of the game gives. CALL_NOT_OFFERED has many and is always told with its own."""


class Refusal(Exception):
    """A request that is refused and changes nothing.

    `message` is a sentence for a person and never names a hidden card, so it may stand in a log. `field` is the path of
    the offending request field where there is one, and `metadata` holds the figures that the message mentions; of a
    refusal that `forbidden` makes, also the `rule` and what would have been `legal`, which is for the actor alone.
    `retry_after` are the nanoseconds after which the same may be asked again; 0 where waiting does not help or nobody
    knows.
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        field: str = "",
        metadata: Mapping[str, str] | None = None,
        retry_after: int = 0,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.field = field
        self.metadata: dict[str, str] = dict(metadata or {})
        self.retry_after = retry_after

    @property
    def rule(self) -> str:
        """The number of the rule of the game that forbids it; empty where none does."""
        return self.metadata.get("rule", "")

    @property
    def legal(self) -> str:
        """What would have been legal: `10S JH` or `pass,double open`; empty where nothing was or nothing may be told."""
        return self.metadata.get("legal", "")

    @property
    def lesson(self) -> str:
        """The message with what would have been legal, to be shown to whoever was refused and to nobody else."""
        return f"{self.message}; legal: {self.legal}" if self.legal else self.message

    def __repr__(self) -> str:
        return f"Refusal({self.reason.name}, {self.message!r})"


def forbidden(
    reason: Reason,
    sentence: str,
    *,
    rule: str = "",
    legal: str = "",
    facts: Mapping[str, str] | None = None,
) -> Refusal:
    """The refusal of what a rule of the game forbids; the sentence gets the rule's number.

    `legal` is what the actor could have done instead. It may hold cards of the actor's hand, and nothing that hangs on
    another hand. `rule` is for a reason that more than one rule gives.
    """
    number = rule or RULES[reason]
    told = {**(facts or {}), "rule": number} | ({"legal": legal} if legal else {})
    return Refusal(reason, f"{sentence} (rule {number})", metadata=told)


def record_invalid(
    message: str, field: str, metadata: Mapping[str, str] | None = None, rule: str = ""
) -> Refusal:
    """The refusal of a record that no game can have led to; `field` is the path below the record.

    `rule` is the number of the rule that it breaks, where it is one alone.
    """
    told = {**(metadata or {}), **({"rule": rule} if rule else {})}
    sentence = f"{message} (rule {rule})" if rule else message
    return Refusal(Reason.RECORD_INVALID, sentence, field=f"record.{field}", metadata=told)
