"""Calls to other services: with a deadline always, and refusals in place of gRPC's errors."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

import grpc.aio
from baloot.core.errors import Reason, Refusal
from baloot.kit import deadlines
from baloot.kit.errors import from_rpc_error

TIMEOUT = 5.0
"""Seconds that a call may take unless it says otherwise."""
RESERVE = 0.05
"""Seconds kept back from the surrounding call's deadline, so that its own answer still gets home."""

Metadata = Sequence[tuple[str, str | bytes]]
_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


async def call(
    method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response],
    request: _Request,
    *,
    timeout: float = TIMEOUT,  # noqa: ASYNC109 - it goes to the server, which stops working too
    metadata: Metadata | None = None,
) -> _Response:
    """Awaits the answer of a unary method. Raises Refusal: the service's own, UNAVAILABLE or DEADLINE_EXCEEDED.

    The call gets the smaller of `timeout` and what is left to the call that is being answered just now.
    """
    seconds = _within_deadline(timeout)
    try:
        return await method(request, timeout=seconds, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error


async def upload(
    method: grpc.aio.StreamUnaryMultiCallable[_Request, _Response],
    pieces: Iterable[_Request],
    *,
    timeout: float,  # noqa: ASYNC109 - as above
    metadata: Metadata | None = None,
) -> _Response:
    """Awaits the answer to a request that goes in pieces. Raises as `call` does."""
    seconds = _within_deadline(timeout)
    try:
        return await method(iter(pieces), timeout=seconds, metadata=metadata)
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error


@asynccontextmanager
async def stream(
    method: grpc.aio.UnaryStreamMultiCallable[_Request, _Response],
    request: _Request,
    *,
    metadata: Metadata | None = None,
) -> AsyncIterator[grpc.aio.UnaryStreamCall[_Request, _Response]]:
    """Opens a server stream for an `async with` block, whose errors are Refusals.

    Leaving the block ends the call: one that is merely dropped is never collected and keeps the server busy.
    """
    opened = method(request, metadata=metadata)
    try:
        yield opened
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error
    finally:
        opened.cancel()


def _within_deadline(timeout: float) -> float:
    left = deadlines.remaining()
    if left is None:
        return timeout
    if left <= RESERVE:
        raise Refusal(Reason.DEADLINE_EXCEEDED, "there was no time left to ask another service")
    return min(timeout, left - RESERVE)
