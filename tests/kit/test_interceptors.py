"""What happens around every call that a server answers."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import grpc
import pytest
import structlog
from baloot.core.errors import Reason, Refusal
from baloot.kit.calling import call, stream
from baloot.kit.errors import from_rpc_error
from baloot.kit.interceptors import CallLimits
from baloot.kit.serving import ServerSettings
from structlog.testing import capture_logs

from tests.kit.conftest import Running, echoing
from tests.kit.echo import SECRET, text

STREAMS = ("watch", "push")


async def failure(running: Running, method: str, request: str) -> grpc.aio.AioRpcError:
    """The error that a call ends with."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async with asyncio.timeout(5):
            await ended(getattr(running.stub, method)(text(request)))
    return caught.value


async def ended(opened: Any) -> None:
    """Waits for the end of a call of either kind."""
    if isinstance(opened, grpc.aio.UnaryUnaryCall):
        await opened
        return
    async for _ in opened:
        pass


@pytest.mark.parametrize("method", ["ask", *STREAMS])
async def test_a_refusal_arrives_whole(running: Running, method: str) -> None:
    error = await failure(running, method, "refuse")
    refusal = from_rpc_error(error)
    assert error.code() is grpc.StatusCode.FAILED_PRECONDITION
    assert (refusal.reason, refusal.message) == (Reason.MUST_FOLLOW, "follow suit")
    assert (refusal.field, refusal.metadata) == ("card", {"suit": "S"})


@pytest.mark.parametrize("method", ["ask", *STREAMS])
@pytest.mark.parametrize("request_", ["fail", "wrong", "timeout"])
async def test_what_an_exception_says_never_leaves_the_server(
    running: Running, method: str, request_: str, caplog: pytest.LogCaptureFixture
) -> None:
    with capture_logs() as logged, caplog.at_level(logging.DEBUG):
        error = await failure(running, method, request_)
    assert error.code() is grpc.StatusCode.INTERNAL
    whole = f"{error.details()}{error.debug_error_string()}{list(error.trailing_metadata())}"
    for seen in (whole, str(logged), caplog.text):
        assert SECRET not in seen
    [line] = [line for line in logged if line["log_level"] == "error"]
    assert line["error_id"] == from_rpc_error(error).metadata["error_id"]
    assert line["error_id"] in str(error.details())


async def test_the_log_of_a_failure_says_what_it_was_and_where(running: Running) -> None:
    with capture_logs() as logged:
        await failure(running, "ask", "fail")
    [line] = [line for line in logged if line["log_level"] == "error"]
    assert (line["event"], line["error"]) == ("call failed", "ValueError")
    assert line["method"] == "/baloot.test.v1.EchoService/Ask"
    assert line["at"].endswith(" ask")
    assert "echo.py:" in line["at"]


@pytest.mark.parametrize("method", ["ask", *STREAMS])
async def test_a_handler_that_is_interrupted_here_may_say_why(running: Running, method: str) -> None:
    error = await failure(running, method, "cut")
    assert from_rpc_error(error).reason is Reason.READER_SLOW


@pytest.mark.parametrize("request_", ["refuse", "cut"])
@pytest.mark.parametrize("method", STREAMS)
async def test_streams_that_are_refused_leave_nothing_to_the_garbage_collector(
    running: Running, method: str, request_: str
) -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(40):
            await failure(running, method, request_)
        async with asyncio.timeout(5):
            while calls_in_memory() > 20:  # gRPC keeps a few to use them again
                await asyncio.sleep(0.01)
    finally:
        gc.enable()


def calls_in_memory() -> int:
    """How many calls gRPC's server still holds, or nobody has freed."""
    return sum(type(one).__name__ == "RPCState" for one in gc.get_objects())


async def test_a_handler_may_still_end_a_call_by_itself(running: Running) -> None:
    error = await failure(running, "ask", "abort")
    assert (error.code(), error.details()) == (grpc.StatusCode.DATA_LOSS, "by hand")


@pytest.mark.parametrize("raw", [b"\xff", b"\x0a\x05ab", b"\x0a\x02\xff\xff"], ids=["tag", "cut", "utf-8"])
async def test_bytes_that_are_no_message_are_malformed(running: Running, raw: bytes) -> None:
    stub = running.stub
    for opened in (stub.ask_raw(raw), stub.watch_raw(raw), stub.chat_raw(iter([raw]))):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await ended(opened)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert from_rpc_error(caught.value).reason is Reason.MALFORMED


async def test_an_unknown_method_is_unimplemented(running: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await running.stub.unknown(text(""))
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_conversation_is_answered_message_by_message(running: Running) -> None:
    conversation = running.stub.chat(iter([text("a"), text("b")]))
    assert [message.value async for message in conversation] == ["a", "b"]


@pytest.mark.parametrize("method", STREAMS)
async def test_a_stream_delivers_what_was_written(running: Running, method: str) -> None:
    opened = getattr(running.stub, method)(text("a"))
    assert [message.value async for message in opened] == ["a", "a"]


# --- deadlines


async def test_a_call_without_a_deadline_gets_ours(running: Running) -> None:
    assert 5 < float((await running.stub.ask(text("left"))).value) <= 10


async def test_a_call_that_is_not_answered_within_our_deadline_ends(settings: ServerSettings) -> None:
    async with echoing(replace(settings, limits=CallLimits(default=0.3, longest=5))) as running:
        error = await failure(running, "ask", "wait")
        assert error.code() is grpc.StatusCode.DEADLINE_EXCEEDED
        assert from_rpc_error(error).message == "the call was not answered within 0.3 seconds"
        assert running.echo.cleaned == ["ask"]


async def test_a_handler_knows_the_deadline_of_its_caller(running: Running) -> None:
    left = float((await running.stub.ask(text("left"), timeout=4)).value)
    assert 1 < left < 5  # gRPC rounds it up on its way


async def test_no_call_may_take_longer_than_the_cap(running: Running) -> None:
    left = float((await running.stub.ask(text("left"), timeout=3600)).value)
    assert 15 < left <= 20


async def test_a_stream_lasts_as_long_as_it_is_watched(running: Running) -> None:
    async with stream(running.stub.watch, text("left")) as opened:
        assert [message.value async for message in opened] == ["left", "None"]


async def test_the_callers_deadline_ends_the_handler(running: Running) -> None:
    with pytest.raises(Refusal) as caught:
        await call(running.stub.ask, text("wait"), timeout=0.05)
    assert caught.value.reason is Reason.DEADLINE_EXCEEDED
    await until(lambda: running.echo.cleaned == ["ask"])


# --- clients that leave


@pytest.mark.parametrize("method", ["ask", *STREAMS])
async def test_a_client_that_leaves_ends_the_handler(running: Running, method: str) -> None:
    opened = getattr(running.stub, method)(text("wait"), timeout=5)
    task = asyncio.ensure_future(opened if method == "ask" else anext(aiter(opened)))
    await running.echo.started.wait()
    opened.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await until(lambda: running.echo.cleaned == ["ask"] and not len(running.server._calls))


async def test_a_clean_up_that_fails_is_logged_and_harms_nobody_else(running: Running) -> None:
    async def clean_up() -> None:
        raise ValueError(SECRET)

    running.echo.clean_up = clean_up
    with capture_logs() as logged:
        opened = running.stub.ask(text("wait"), timeout=5)
        task = asyncio.ensure_future(opened)
        await running.echo.started.wait()
        opened.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await until(lambda: not len(running.server._calls))
    assert [line["error"] for line in logged if line["log_level"] == "error"] == ["ValueError"]
    assert (await running.stub.ask(text("still here"))).value == "still here"


# --- the access log


async def test_the_access_log_names_method_code_and_duration_and_nothing_else(running: Running) -> None:
    with capture_logs() as logged:
        await running.stub.ask(text(SECRET), metadata=[("authorization", "Bearer tell-nobody")])
        await failure(running, "ask", "refuse")
        await until(lambda: len(logged) == 2)
    assert [(line["event"], line["code"]) for line in logged] == [
        ("call", "OK"),
        ("call", "FAILED_PRECONDITION"),
    ]
    assert set(logged[0]) == {"event", "log_level", "method", "code", "ms"}
    assert logged[0]["log_level"] == "debug"


async def until(condition: Callable[[], bool]) -> None:
    """Waits for what another task is about to do."""
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.001)


@pytest.fixture(autouse=True)
def every_level() -> Iterator[None]:
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG))
    yield
    structlog.reset_defaults()
