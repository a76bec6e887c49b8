"""What happens around every call that a server answers.

From the outside in: the call is noted and logged (`noted`), whatever goes wrong becomes a status (`explained`), who
calls too often is turned away (`metered`), and so is who may not call at all (`gates.admitted`), a deadline is set (`timed`), the request is decoded and the answer encoded
(`coded`). The layers are put together once for each method, so a call pays a few awaits for them.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from inspect import isasyncgenfunction
from typing import Any, TypeAlias, cast

import grpc
import structlog
from baloot.core.errors import Reason, Refusal
from baloot.kit import deadlines, metering
from baloot.kit.errors import to_status
from baloot.kit.gates import Gate, admitted
from baloot.kit.live import LiveCalls
from baloot.kit.logs import failure
from baloot.kit.metering import Meter
from baloot.kit.quotas import Charge
from google.protobuf.message import DecodeError
from grpc_status import rpc_status

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Answer = Callable[[Any, Context], Awaitable[Any]]
"""A coroutine function that answers a call, or one layer around it."""
End = Callable[[Context, grpc.Status], Awaitable[None]]
"""Ends a call with a status that is an error."""
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any]"
Decode = Callable[[bytes], Any]
Encode = Callable[[Any], bytes]

STOPPING = "the service is stopping: connect again and resume"


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Seconds that a unary call may take: without a deadline of its own, and whatever deadline it brings."""

    default: float = 10.0
    longest: float = 60.0


@dataclass(frozen=True, slots=True)
class Tolls:
    """Who counts the calls of a server, and what each method costs by its full name; one that is not named, a CALL."""

    meter: Meter
    charges: Mapping[str, Charge]

    def of(self, method: str) -> Charge:
        return self.charges.get(method, Charge.CALL)


class Guard(grpc.aio.ServerInterceptor):
    """The one interceptor of a server. It keeps the wrapped handler of each method, so it must come last."""

    def __init__(self, calls: LiveCalls, limits: CallLimits, gate: Gate, tolls: Tolls | None = None) -> None:
        self._calls = calls
        self._gate = gate
        self._limits = limits
        self._tolls = tolls
        self._guarded: dict[str, Handler] = {}

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler | None:
        method = handler_call_details.method
        guarded = self._guarded.get(method)
        if guarded is None:
            handler = await continuation(handler_call_details)
            if handler is None:
                return None
            around = Around(method, self._calls, self._gate, self._tolls)
            guarded = self._guarded[method] = guard(handler, around, self._limits)
        return guarded


@dataclass(frozen=True, slots=True)
class Around:
    """The layers that all kinds of calls have in common, for one method."""

    method: str
    calls: LiveCalls
    gate: Gate
    tolls: Tolls | None = None

    def __call__(self, answer: Answer, *, streaming: bool = False, end: End | None = None) -> Answer:
        answer = admitted(answer, self.gate, self.gate.permit(self.method), streaming=streaming)
        if self.tolls is not None:
            answer = metered(answer, self.tolls.meter, self.tolls.of(self.method), streaming=streaming)
        explaining = explained(answer, self.method, self.calls, end or abort)
        return noted(explaining, self.method, self.calls, streaming=streaming)


def guard(handler: Handler, around: Around, limits: CallLimits) -> Handler:
    """The handler with all layers around it."""
    decode = strict(handler.request_deserializer)
    encode = unless_encoded(handler.response_serializer)
    if handler.unary_unary:
        layered = timed(coded(cast("Answer", handler.unary_unary), decode, encode), limits)
        return grpc.unary_unary_rpc_method_handler(around(layered))
    if handler.unary_stream:
        layered = inheriting(coded(written(handler.unary_stream), decode, None))
        return grpc.unary_stream_rpc_method_handler(around(layered, streaming=True, end=finish), None, encode)
    if handler.stream_stream:
        layered = inheriting(written(handler.stream_stream))
        layered = around(layered, streaming=True, end=finish)
        return grpc.stream_stream_rpc_method_handler(layered, decode, encode)
    if handler.stream_unary:
        layered = inheriting(coded(cast("Answer", handler.stream_unary), lambda pieces: pieces, encode))
        return grpc.stream_unary_rpc_method_handler(around(layered, streaming=True), decode)
    raise TypeError(f"{around.method} has no handler")


def strict(decode: Decode | None) -> Decode:
    """Decodes a request. Bytes that are none raise Refusal MALFORMED in place of an error of the server."""

    def decoded(raw: bytes) -> Any:
        try:
            return decode(raw) if decode else raw
        except DecodeError:
            raise Refusal(Reason.MALFORMED, "the bytes of the request are not such a message") from None

    return decoded


def unless_encoded(encode: Encode | None) -> Encode:
    """Encodes an answer, unless it comes as bytes: one that goes to many is encoded once by whoever sends it."""

    def encoded(message: Any) -> bytes:
        if encode is None or isinstance(message, bytes):
            return cast("bytes", message)
        return encode(message)

    return encoded


def coded(answer: Answer, decode: Decode, encode: Encode | None) -> Answer:
    """Decodes and encodes within the layers outside, so that failing to is explained as well."""

    async def answered(raw: bytes, context: Context) -> Any:
        response = await answer(decode(raw), context)
        return encode(response) if encode else response

    return answered


def written(answer: Any) -> Answer:
    """Makes one coroutine of a stream's generator, which ends when the call does and not when it is collected."""
    if not isasyncgenfunction(answer):
        coroutine: Answer = answer
        return coroutine

    async def write(request: Any, context: Context) -> None:
        async with aclosing(answer(request, context)) as messages:
            async for message in messages:
                await context.write(message)

    return write


def timed(answer: Answer, limits: CallLimits) -> Answer:
    """Ends a unary call at its deadline, or at ours when it has none or a later one."""

    async def in_time(request: Any, context: Context) -> Any:
        left = cast("float | None", context.time_remaining())
        seconds = limits.default if left is None else min(left, limits.longest)
        deadlines.set_remaining(seconds)
        if left == seconds:  # gRPC keeps the caller's own deadline
            return await answer(request, context)
        scope = asyncio.timeout(seconds)
        try:
            async with scope:
                return await answer(request, context)
        except TimeoutError as error:
            if not scope.expired():
                raise
            message = f"the call was not answered within {seconds:g} seconds"
            raise Refusal(Reason.DEADLINE_EXCEEDED, message) from error

    return in_time


def inheriting(answer: Answer) -> Answer:
    """Lets the calls that a stream makes know the stream's own deadline, if it has one."""

    async def answered(request: Any, context: Context) -> Any:
        deadlines.set_remaining(context.time_remaining())
        return await answer(request, context)

    return answered


def metered(answer: Answer, meter: Meter, charge: Charge, *, streaming: bool) -> Answer:
    """Turns away who calls too often, before anything is decoded, and counts a stream until it ends."""
    if charge is Charge.FREE:
        return answer

    async def let_in(request: Any, context: Context) -> Any:
        visit = meter.visit(context, charge, streaming=streaming)
        metering.begin(visit)
        if visit is None or not streaming:
            return await answer(request, context)
        try:
            return await answer(request, context)
        finally:
            visit.end()

    return let_in


def explained(answer: Answer, method: str, calls: LiveCalls, end: End) -> Answer:
    """Turns a refusal into its status, and any other exception into INTERNAL with an id that the log knows too."""

    async def answered(request: Any, context: Context) -> Any:
        try:
            return await answer(request, context)
        except asyncio.CancelledError:
            if not calls.ended_current():
                raise  # the client left, or its deadline passed
            status = to_status(stopping())
        except Refusal as error:
            status = to_status(error)  # the error itself, if kept, would keep the frames that it went through
            _take_back_cancel()
        except (grpc.aio.AbortError, grpc.aio.InternalError):
            raise  # the handler has answered by itself, or nobody is there any more
        except Exception as error:  # noqa: BLE001 - its text may quote cards, so it must not reach gRPC
            status = to_status(_failure(error, method))
        if context.done() or calls.closed or _is_cancelled():
            raise asyncio.CancelledError  # the call is over: a status would go nowhere
        await end(context, rpc_status.to_status(status))
        return None

    return answered


async def abort(context: Context, status: grpc.Status) -> None:
    """Ends a call that owes a message, with none."""
    await context.abort_with_status(status)


async def finish(context: Context, status: grpc.Status) -> None:
    """Ends a call that may end after any message, without raising.

    gRPC keeps an abort together with the frames that it went through: a circle of a hundred objects, so a crowd of
    streams that is cut would be left to the garbage collector. A call that streams both ways is left to it anyhow.
    """
    context.set_trailing_metadata(status.trailing_metadata)
    context.set_details(status.details)
    context.set_code(status.code)


def noted(answer: Answer, method: str, calls: LiveCalls, *, streaming: bool) -> Answer:
    """Keeps the call among the live ones, and logs its end for those who debug: never what was said in it."""
    logger = structlog.get_logger().bind()
    debug = logger.debug if logger.is_enabled_for(logging.DEBUG) else None

    async def answered(request: Any, context: Context) -> Any:
        task = calls.enter(method, streaming=streaming)
        began = time.perf_counter()
        cancelled = False
        try:
            return await answer(request, context)
        except asyncio.CancelledError:
            cancelled = True
            raise
        finally:
            calls.leave(task)
            if debug is not None:
                code = "CANCELLED" if cancelled else getattr(context.code(), "name", "OK")
                debug("call", method=method, code=code, ms=round((time.perf_counter() - began) * 1000, 3))

    return answered


def stopping() -> Refusal:
    """What a call is told that the server's stop interrupts, or comes too late for."""
    return Refusal(Reason.UNAVAILABLE, STOPPING)


def _take_back_cancel() -> None:
    """A handler that was interrupted by another part of the service, and refuses, means its refusal to be sent."""
    task = asyncio.current_task()
    while task is not None and task.cancelling():
        task.uncancel()


def _is_cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _failure(error: Exception, method: str) -> Refusal:
    error_id = secrets.token_hex(6)
    failure("call failed", error, method=method, error_id=error_id)
    return Refusal(
        Reason.INTERNAL,
        f"something went wrong in the service; its log tells more under {error_id}",
        metadata={"error_id": error_id},
    )
