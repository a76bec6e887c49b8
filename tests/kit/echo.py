"""A tiny service for trying what every service has in common: it does what the text of the request says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, TypeAlias

import grpc
from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.kit import deadlines
from baloot.kit.permits import Permit
from baloot.kit.serving import Service
from google.protobuf.wrappers_pb2 import StringValue

NAME = "baloot.test.v1.EchoService"
SECRET = "west-holds-ace-and-king-of-spades"
METHODS = ("Ask", "Watch", "Push", "Chat")
PLAYERS = Permit(frozenset({Role.PLAYER}))
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class Echo:
    """`started` and `cleaned` say how far the last slow call got; `clean_up` is done when it is cancelled."""

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.release = asyncio.Event()
        self.cleaned: list[str] = []
        self.flooded = 0
        self.clean_up: Callable[[], Awaitable[None]] | None = None

    async def ask(self, request: StringValue, context: Context) -> Any:
        """`refuse`, `fail`, `cut`, `wait`, `left`, `wrong` (an answer of another type); anything else is echoed."""
        match request.value:
            case "refuse":
                raise Refusal(Reason.MUST_FOLLOW, "follow suit", field="card", metadata={"suit": "S"})
            case "fail":
                raise ValueError(SECRET)
            case "timeout":
                raise TimeoutError(SECRET)
            case "abort":
                await context.abort(grpc.StatusCode.DATA_LOSS, "by hand")
            case "wrong":
                return [SECRET]
            case "left":
                return StringValue(value=str(deadlines.remaining()))
            case "cut":
                await _cut()
            case "wait":
                await self._wait("ask")
        return request

    async def watch(self, request: StringValue, context: Context) -> AsyncIterator[StringValue]:
        """One message, then like `ask`."""
        yield request
        yield await self.ask(request, context)

    async def push(self, request: StringValue, context: Context) -> None:
        """Like `watch`, written by hand; `flood` writes kilobytes without end."""
        await context.write(request)
        while request.value == "flood":
            await context.write(StringValue(value="x" * 1000))
            self.flooded += 1
        await context.write(await self.ask(request, context))

    async def chat(
        self, requests: AsyncIterator[StringValue], context: Context
    ) -> AsyncIterator[StringValue]:
        async for request in requests:
            yield await self.ask(request, context)

    async def _wait(self, name: str) -> None:
        self.started.set()
        try:
            await self.release.wait()
        finally:
            if self.clean_up is not None:
                await self.clean_up()
            self.cleaned.append(name)

    def service(self) -> Service:
        return Service(NAME, self, add, permits=dict.fromkeys(METHODS, PLAYERS))


async def _cut() -> None:
    """Is interrupted by another part of the service, and says why."""
    task = asyncio.current_task()
    assert task is not None
    task.cancel()
    try:
        await asyncio.sleep(60)
    except asyncio.CancelledError:
        raise Refusal(Reason.READER_SLOW, "the stream was not read") from None


def add(servicer: Echo, server: grpc.aio.Server) -> None:
    decode, encode = StringValue.FromString, StringValue.SerializeToString
    kinds: Any = grpc
    handlers = {
        "Ask": kinds.unary_unary_rpc_method_handler(servicer.ask, decode, encode),
        "Watch": kinds.unary_stream_rpc_method_handler(servicer.watch, decode, encode),
        "Push": kinds.unary_stream_rpc_method_handler(servicer.push, decode, encode),
        "Chat": kinds.stream_stream_rpc_method_handler(servicer.chat, decode, encode),
    }
    server.add_registered_method_handlers(NAME, handlers)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(NAME, handlers),))


class EchoStub:
    """The methods of the service, and the same ones for raw bytes."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        encode, decode = StringValue.SerializeToString, StringValue.FromString
        self.ask = channel.unary_unary(f"/{NAME}/Ask", encode, decode)
        self.watch = channel.unary_stream(f"/{NAME}/Watch", encode, decode)
        self.push = channel.unary_stream(f"/{NAME}/Push", encode, decode)
        self.chat = channel.stream_stream(f"/{NAME}/Chat", encode, decode)
        self.ask_raw: Any = channel.unary_unary(f"/{NAME}/Ask")
        self.watch_raw: Any = channel.unary_stream(f"/{NAME}/Watch")
        self.chat_raw: Any = channel.stream_stream(f"/{NAME}/Chat")
        self.unknown = channel.unary_unary(f"/{NAME}/Unknown", encode, decode)


def text(value: str) -> StringValue:
    return StringValue(value=value)
