"""Refusals on the wire: each reason's gRPC status, and the way there and back.

A refusal travels as a `google.rpc.Status` with an `ErrorInfo` (reason, domain `baloot`, metadata), when it names a
field a `BadRequest`, and when it knows how long to wait a `RetryInfo`. The caller gets an equal refusal back, so that a rule service answers alike whether
it is asked in the same process or across a network.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import grpc
from baloot.core.errors import Reason, Refusal
from google.protobuf.any_pb2 import Any
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc import StatusCode
from grpc_status import rpc_status

DOMAIN = "baloot"
"""The `domain` of every `ErrorInfo` of this product."""

_REASONS: Mapping[StatusCode, tuple[Reason, ...]] = {
    # The request cannot be read, or contradicts itself whatever the state of the table.
    StatusCode.INVALID_ARGUMENT: (
        Reason.MALFORMED,
        Reason.FIELD_REQUIRED,
        Reason.FIELD_INVALID,
        Reason.RECORD_INVALID,
        Reason.RULESET_INVALID,
        Reason.NOTATION_INVALID,
    ),
    # The option is part of the contract and no state will make it work: only a newer server can. A client that
    # gets UNIMPLEMENTED does not try again, which is right here; FAILED_PRECONDITION would invite it to wait.
    StatusCode.UNIMPLEMENTED: (Reason.OPTION_UNSUPPORTED,),
    StatusCode.UNAUTHENTICATED: (
        Reason.TOKEN_REQUIRED,
        Reason.TOKEN_INVALID,
        Reason.TOKEN_EXPIRED,
        Reason.SIGN_IN_FAILED,
        Reason.REFRESH_REUSED,
        Reason.REFRESH_INVALID,
        Reason.KEY_INVALID,
    ),
    StatusCode.PERMISSION_DENIED: (
        Reason.NOT_YOUR_SEAT,
        Reason.ROLE_REQUIRED,
        Reason.SCOPE_REQUIRED,
        Reason.REFEREE_PLAYS,
    ),
    StatusCode.NOT_FOUND: (
        Reason.TABLE_UNKNOWN,
        Reason.MATCH_UNKNOWN,
        Reason.ROUND_UNKNOWN,
        Reason.SHARE_UNKNOWN,
        Reason.KEY_UNKNOWN,
        Reason.ACCOUNT_UNKNOWN,
    ),
    StatusCode.ALREADY_EXISTS: (
        Reason.SEAT_TAKEN,
        Reason.REQUEST_ID_REUSED,
        Reason.NAME_TAKEN,
        Reason.ALREADY_SEATED,
    ),
    # Somebody else was first: read again, decide again.
    StatusCode.ABORTED: (Reason.SEQUENCE_STALE, Reason.CONTENDED, Reason.STREAM_SUPERSEDED),
    StatusCode.OUT_OF_RANGE: (Reason.SEQUENCE_AHEAD,),
    StatusCode.RESOURCE_EXHAUSTED: (
        Reason.LIMIT_EXCEEDED,
        Reason.READER_SLOW,
        Reason.RATE_LIMITED,
        Reason.TOO_MANY_STREAMS,
        Reason.TOO_MANY_TABLES,
    ),
    StatusCode.DEADLINE_EXCEEDED: (Reason.DEADLINE_EXCEEDED,),
    StatusCode.UNAVAILABLE: (Reason.UNAVAILABLE,),
    StatusCode.INTERNAL: (Reason.INTERNAL,),
    # The game, as it stands, does not allow it; it may a move later.
    StatusCode.FAILED_PRECONDITION: (
        Reason.TABLE_NOT_OPEN,
        Reason.TABLE_NOT_PLAYING,
        Reason.TABLE_ENDED,
        Reason.TABLE_NOT_FINISHED,
        Reason.NOT_ABSENT,
        Reason.ALREADY_LEFT,
        Reason.SEED_REPEATED,
        Reason.SEED_WINDOW,
        Reason.BEACON_WINDOW,
        Reason.MATCH_INVALID,
        Reason.NOT_YOUR_TURN,
        Reason.WRONG_PHASE,
        Reason.CALL_NOT_OFFERED,
        Reason.HOKUM_OVER_HOKUM,
        Reason.ASHKAL_SEAT,
        Reason.ASHKAL_ON_ACE,
        Reason.ASHKAL_BIDDING,
        Reason.ASHKAL_AFTER_PASS,
        Reason.KAWESH_HAND,
        Reason.KAWESH_WINDOW,
        Reason.SUIT_REQUIRED,
        Reason.SUIT_NOT_ALLOWED,
        Reason.SUN_ON_ACE,
        Reason.LOCK_REQUIRED,
        Reason.LOCK_NOT_ALLOWED,
        Reason.RAISE_NOT_YOURS,
        Reason.SUN_DOUBLE_SCORES,
        Reason.SUN_RAISE_CEILING,
        Reason.CARD_NOT_HELD,
        Reason.MUST_FOLLOW,
        Reason.MUST_TRUMP,
        Reason.MUST_OVER_TRUMP,
        Reason.LOCKED_LEAD,
        Reason.PROJECT_WINDOW,
        Reason.PROJECT_NOT_HELD,
        Reason.PROJECT_OVERLAP,
        Reason.PROJECT_LIMIT,
        Reason.AKKA_NOT_ALLOWED,
        Reason.BALOOT_AUTOMATIC,
        Reason.SAWA_WINDOW,
        Reason.SAWA_REPEATED,
        Reason.PROJECT_SHOW,
        Reason.BALOOT_NOT_ALLOWED,
        Reason.QAID_OFF,
        Reason.QAID_WINDOW,
        Reason.CUT_REQUIRED,
        Reason.CUT_NOT_ALLOWED,
    ),
}

STATUS_CODES: Mapping[Reason, StatusCode] = {
    reason: code for code, reasons in _REASONS.items() for reason in reasons
}
"""The gRPC status of every reason. A reason that is added to the core must be added here; a test says so."""

_FOREIGN: Mapping[StatusCode, Refusal] = {
    StatusCode.UNAVAILABLE: Refusal(Reason.UNAVAILABLE, "the service cannot be reached"),
    StatusCode.CANCELLED: Refusal(Reason.UNAVAILABLE, "the service ended the call before it was answered"),
    StatusCode.DEADLINE_EXCEEDED: Refusal(Reason.DEADLINE_EXCEEDED, "the service did not answer in time"),
    StatusCode.RESOURCE_EXHAUSTED: Refusal(Reason.LIMIT_EXCEEDED, "the service has no room for this call"),
    StatusCode.UNIMPLEMENTED: Refusal(Reason.INTERNAL, "the service does not know this method"),
    StatusCode.NOT_FOUND: Refusal(Reason.INTERNAL, "the server does not know what was asked for"),
}
"""What an error means that no service of ours made: gRPC itself, or something in between."""
_FOREIGN_INTERNAL = Refusal(Reason.INTERNAL, "the service failed")


def to_status(refusal: Refusal) -> Status:
    """The refusal as the rich error that every client gets."""
    info = ErrorInfo(reason=refusal.reason.value, domain=DOMAIN, metadata=refusal.metadata)
    details: list[Message] = [info]
    if refusal.field:
        violation = BadRequest.FieldViolation(
            field=refusal.field, description=refusal.message, reason=refusal.reason.value
        )
        details.append(BadRequest(field_violations=[violation]))
    if refusal.retry_after:
        details.append(_retry_info(refusal.retry_after))
    code: int = STATUS_CODES[refusal.reason].value[0]
    return Status(code=code, message=refusal.message, details=[_packed(detail) for detail in details])


def from_rpc_error(error: grpc.aio.AioRpcError) -> Refusal:
    """The refusal that a service sent; it equals the one that was raised there in reason, message, field, metadata
    and time to wait.

    An error without our `ErrorInfo` is not a service's answer: it becomes UNAVAILABLE, DEADLINE_EXCEEDED,
    LIMIT_EXCEEDED or INTERNAL by its status, in our words, since a library's may hold addresses.
    """
    status = _status_of(error)
    refusal = from_status(status) if status is not None else None
    if refusal is not None:
        return refusal
    foreign = _FOREIGN.get(error.code(), _FOREIGN_INTERNAL)
    return Refusal(foreign.reason, foreign.message)


def from_status(status: Status) -> Refusal | None:
    """The refusal in a rich error; None when it holds none that this version knows."""
    info, bad, retry = ErrorInfo(), BadRequest(), RetryInfo()
    try:
        for detail in status.details:
            detail.Unpack(info) or detail.Unpack(bad) or detail.Unpack(retry)
    except DecodeError:
        return None
    if info.domain != DOMAIN or info.reason not in Reason.__members__:
        return None
    field = bad.field_violations[0].field if bad.field_violations else ""
    wait = max(0, retry.retry_delay.ToNanoseconds())
    return Refusal(Reason(info.reason), status.message, field=field, metadata=info.metadata, retry_after=wait)


def _status_of(error: grpc.aio.AioRpcError) -> Status | None:
    try:
        # It needs only what an error has in common with a call.
        status: Status | None = rpc_status.from_call(cast("grpc.Call", error))
    except (ValueError, DecodeError):  # details that contradict the status line, or are none
        return None
    return status


def _retry_info(nanoseconds: int) -> RetryInfo:
    info = RetryInfo()
    info.retry_delay.FromNanoseconds(nanoseconds)
    return info


def _packed(detail: Message) -> Any:
    packed = Any()
    packed.Pack(detail)
    return packed
