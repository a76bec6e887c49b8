"""Refusals on the wire."""

from __future__ import annotations

import grpc
import pytest
from baloot.core.errors import Reason, Refusal
from baloot.kit.errors import DOMAIN, STATUS_CODES, from_rpc_error, to_status
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from grpc import StatusCode
from grpc.aio import AioRpcError, Metadata
from grpc_status import rpc_status

KEY = "grpc-status-details-bin"


def sent(refusal: Refusal) -> AioRpcError:
    """What a client's call raises for a refusal."""
    status = rpc_status.to_status(to_status(refusal))
    trailing = Metadata(*status.trailing_metadata)
    return AioRpcError(status.code, Metadata(), trailing, status.details)


def facts(refusal: Refusal) -> tuple[object, ...]:
    return refusal.reason, refusal.message, refusal.field, refusal.metadata, refusal.retry_after


def test_every_reason_has_a_status() -> None:
    assert set(STATUS_CODES) == set(Reason)
    assert StatusCode.OK not in STATUS_CODES.values()


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        (Reason.MALFORMED, StatusCode.INVALID_ARGUMENT),
        (Reason.FIELD_REQUIRED, StatusCode.INVALID_ARGUMENT),
        (Reason.OPTION_UNSUPPORTED, StatusCode.UNIMPLEMENTED),
        (Reason.TOKEN_INVALID, StatusCode.UNAUTHENTICATED),
        (Reason.NOT_YOUR_SEAT, StatusCode.PERMISSION_DENIED),
        (Reason.TABLE_UNKNOWN, StatusCode.NOT_FOUND),
        (Reason.REQUEST_ID_REUSED, StatusCode.ALREADY_EXISTS),
        (Reason.SEQUENCE_STALE, StatusCode.ABORTED),
        (Reason.SEQUENCE_AHEAD, StatusCode.OUT_OF_RANGE),
        (Reason.READER_SLOW, StatusCode.RESOURCE_EXHAUSTED),
        (Reason.RATE_LIMITED, StatusCode.RESOURCE_EXHAUSTED),
        (Reason.MUST_FOLLOW, StatusCode.FAILED_PRECONDITION),
        (Reason.INTERNAL, StatusCode.INTERNAL),
    ],
)
def test_a_reason_travels_as_the_status_that_tells_a_client_what_to_do(
    reason: Reason, code: StatusCode
) -> None:
    assert STATUS_CODES[reason] is code


@pytest.mark.parametrize("reason", Reason)
def test_a_refusal_arrives_as_it_was_raised(reason: Reason) -> None:
    refusal = Refusal(
        reason, f"no: {reason.value}", field="call.suit", metadata={"limit": "8", "option": "sawa"}
    )
    assert facts(from_rpc_error(sent(refusal))) == facts(refusal)


@pytest.mark.parametrize("wait", [1, 999_999_999, 1_000_000_001, 86_400_000_000_000])
def test_the_time_to_wait_arrives_to_the_nanosecond(wait: int) -> None:
    refusal = Refusal(Reason.RATE_LIMITED, "wait", field="a", metadata={"limit": "calls"}, retry_after=wait)
    assert facts(from_rpc_error(sent(refusal))) == facts(refusal)


@pytest.mark.parametrize("seconds", [-1, 10**12], ids=["below zero", "no duration"])
def test_a_time_to_wait_that_makes_no_sense_does_no_harm(seconds: int) -> None:
    status = to_status(Refusal(Reason.RATE_LIMITED, "wait", retry_after=1))
    info = RetryInfo()
    info.retry_delay.seconds = seconds
    status.details[-1].Pack(info)
    trailing = Metadata((KEY, status.SerializeToString()))
    refusal = from_rpc_error(AioRpcError(StatusCode.RESOURCE_EXHAUSTED, Metadata(), trailing, "wait"))
    assert (refusal.reason, refusal.retry_after) == (Reason.RATE_LIMITED, max(0, seconds) * 1_000_000_000)


def test_a_refusal_without_field_and_metadata_arrives_without_them() -> None:
    refusal = Refusal(Reason.NOT_YOUR_TURN, "it is west's turn")
    assert facts(from_rpc_error(sent(refusal))) == facts(refusal)


def test_clients_in_other_languages_find_the_standard_details() -> None:
    status = to_status(Refusal(Reason.FIELD_INVALID, "no such suit", field="call.suit", metadata={"a": "b"}))
    info, bad = ErrorInfo(), BadRequest()
    assert [status.details[0].Unpack(info), status.details[1].Unpack(bad)] == [True, True]
    assert (info.reason, info.domain, dict(info.metadata)) == ("FIELD_INVALID", DOMAIN, {"a": "b"})
    late = to_status(Refusal(Reason.RATE_LIMITED, "wait", retry_after=2_500_000_000))
    retry = RetryInfo()
    assert late.details[1].Unpack(retry)
    assert retry.retry_delay.ToMilliseconds() == 2500
    [violation] = bad.field_violations
    assert (violation.field, violation.description) == ("call.suit", "no such suit")
    assert len(to_status(Refusal(Reason.INTERNAL, "no field")).details) == 1


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        (StatusCode.UNAVAILABLE, Reason.UNAVAILABLE),
        (StatusCode.CANCELLED, Reason.UNAVAILABLE),
        (StatusCode.DEADLINE_EXCEEDED, Reason.DEADLINE_EXCEEDED),
        (StatusCode.RESOURCE_EXHAUSTED, Reason.LIMIT_EXCEEDED),
        (StatusCode.UNIMPLEMENTED, Reason.INTERNAL),
        (StatusCode.UNKNOWN, Reason.INTERNAL),
        (StatusCode.FAILED_PRECONDITION, Reason.INTERNAL),
    ],
)
def test_an_error_that_no_service_of_ours_made_is_told_in_our_words(code: StatusCode, reason: Reason) -> None:
    refusal = from_rpc_error(AioRpcError(code, Metadata(), Metadata(), "connect to 10.0.0.7 failed"))
    assert refusal.reason is reason
    assert "10.0.0.7" not in refusal.message


def test_what_another_server_does_not_know_is_no_failure_of_it() -> None:
    refusal = from_rpc_error(AioRpcError(StatusCode.NOT_FOUND, Metadata(), Metadata(), "unknown service"))
    assert refusal.message == "the server does not know what was asked for"


@pytest.mark.parametrize(
    "details",
    [b"\xff\xff", b"", to_status(Refusal(Reason.INTERNAL, "another code")).SerializeToString()],
    ids=["no protobuf", "empty", "another status"],
)
def test_details_that_make_no_sense_are_left_aside(details: bytes) -> None:
    error = AioRpcError(StatusCode.UNAVAILABLE, Metadata(), Metadata((KEY, details)), "away")
    assert from_rpc_error(error).reason is Reason.UNAVAILABLE


def test_a_reason_of_a_newer_server_falls_back_to_its_status() -> None:
    status = to_status(Refusal(Reason.UNAVAILABLE, "later"))
    info = ErrorInfo(reason="NOT_YET_INVENTED", domain=DOMAIN)
    status.details[0].Pack(info)
    error = AioRpcError(
        grpc.StatusCode.UNAVAILABLE, Metadata(), Metadata((KEY, status.SerializeToString())), "later"
    )
    assert from_rpc_error(error).reason is Reason.UNAVAILABLE


def test_the_errors_of_others_that_look_like_ours_are_not_ours() -> None:
    status = to_status(Refusal(Reason.MUST_FOLLOW, "follow"))
    status.details[0].Pack(ErrorInfo(reason="MUST_FOLLOW", domain="example.com"))
    trailing = Metadata((KEY, status.SerializeToString()))
    error = AioRpcError(StatusCode.FAILED_PRECONDITION, Metadata(), trailing, "follow")
    assert from_rpc_error(error).reason is Reason.INTERNAL
