"""How a server starts and stops."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import grpc
import pytest
from baloot.core.errors import Reason, Refusal
from baloot.kit.addresses import AddressInUse, CannotListen
from baloot.kit.calling import call, stream
from baloot.kit.channels import channel_options, open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import Server, ServerSettings, server_options, start
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.kit.conftest import SETTINGS, Running, started
from tests.kit.echo import NAME, Echo, EchoStub, text
from tests.kit.test_interceptors import until

ReflectionStub: Any = reflection_pb2_grpc.ServerReflectionStub
HealthStub: Any = health_pb2_grpc.HealthStub
Serving = health_pb2.HealthCheckResponse


@asynccontextmanager
async def served(settings: ServerSettings) -> AsyncIterator[tuple[Server, EchoStub]]:
    async with started([Echo().service()], settings) as server, open_channel(server.address) as channel:
        yield server, EchoStub(channel)


async def health(server: Server, service: str) -> int:
    async with open_channel(server.address) as channel:
        answer = await HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service))
        return int(answer.status)


# --- where it listens


@pytest.mark.parametrize("listen", ["127.0.0.1:0", "localhost:0", "0.0.0.0:0", "[::]:0"])
async def test_port_zero_is_a_free_port_that_a_client_reaches(listen: str) -> None:
    async with served(replace(SETTINGS, listen=listen)) as (server, stub):
        assert server.port > 0
        assert server.address.endswith(f":{server.port}")
        assert (await stub.ask(text("here"))).value == "here"


async def test_a_unix_socket_serves_as_well(tmp_path: Path) -> None:
    listen = f"unix:{tmp_path}/s"
    async with served(replace(SETTINGS, listen=listen)) as (server, stub):
        assert (server.port, server.address) == (0, listen)
        assert (await stub.ask(text("here"))).value == "here"
        with pytest.raises(AddressInUse):
            await start([], replace(SETTINGS, listen=listen))
        assert (await stub.ask(text("still here"))).value == "still here"


async def test_a_taken_port_is_one_clear_line(capfd: pytest.CaptureFixture[str]) -> None:
    async with served(SETTINGS) as (server, _):
        with pytest.raises(AddressInUse) as caught:
            await start([], replace(SETTINGS, listen=server.address))
    assert str(caught.value) == f"cannot listen on {server.address}: another server is using it"
    assert capfd.readouterr() == ("", "")


async def test_a_port_is_free_again_after_a_stop() -> None:
    async with served(SETTINGS) as (first, stub):
        await stub.ask(text("a"))
    async with served(replace(SETTINGS, listen=first.address)) as (second, stub):
        assert second.port == first.port
        assert (await stub.ask(text("b"))).value == "b"


@pytest.mark.parametrize(
    ("listen", "why"),
    [
        (":7000", "write host:port or unix:/path"),
        ("7000", "write host:port or unix:/path"),
        ("localhost:", "write host:port or unix:/path"),
        ("localhost:http", "write host:port or unix:/path"),
        ("localhost:70000", "write host:port or unix:/path"),
        ("192.0.2.1:7000", "cannot assign requested address"),
        ("unix:/" + "x" * 107, "the path is longer than 107 bytes"),
    ],
)
async def test_an_address_that_cannot_be_is_one_clear_line(listen: str, why: str) -> None:
    with pytest.raises(CannotListen) as caught:
        await start([], replace(SETTINGS, listen=listen))
    assert str(caught.value) == f"cannot listen on {listen}: {why}"


# --- health and reflection


async def test_health_is_told_for_the_server_and_each_service(running: Running) -> None:
    server = running.server
    assert [await health(server, name) for name in ("", NAME)] == [Serving.SERVING] * 2
    await server.set_serving(NAME, serving=False)
    assert [await health(server, name) for name in ("", NAME)] == [Serving.NOT_SERVING] * 2
    await server.set_serving(NAME, serving=True)
    assert [await health(server, name) for name in ("", NAME)] == [Serving.SERVING] * 2


async def test_health_of_an_unknown_service_is_not_found(running: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await health(running.server, "baloot.test.v1.Nobody")
    assert caught.value.code() is grpc.StatusCode.NOT_FOUND
    with pytest.raises(KeyError):
        await running.server.set_serving("baloot.test.v1.Nobody", serving=True)


async def reflected(server: Server) -> set[str]:
    async with open_channel(server.address) as channel:
        stub = ReflectionStub(channel)
        answers = stub.ServerReflectionInfo(iter([reflection_pb2.ServerReflectionRequest(list_services="")]))
        return {one.name async for answer in answers for one in answer.list_services_response.service}


async def test_reflection_is_off_unless_asked_for(running: Running) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await reflected(running.server)
    assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_reflection_names_what_is_served() -> None:
    async with served(replace(SETTINGS, reflection=True)) as (server, _):
        names = await reflected(server)
    assert names == {NAME, "grpc.health.v1.Health", "grpc.reflection.v1alpha.ServerReflection"}


# --- limits


async def test_a_request_that_is_too_large_is_refused_before_it_is_read(running: Running) -> None:
    with pytest.raises(Refusal) as caught:
        await call(running.stub.ask, text("x" * 70_000))
    assert caught.value.reason is Reason.LIMIT_EXCEEDED


async def test_more_calls_than_allowed_are_refused_at_once() -> None:
    async with (
        served(replace(SETTINGS, max_calls=1)) as (_, stub),
        stream(stub.watch, text("wait")) as opened,
    ):
        assert await opened.read() == text("wait")
        with pytest.raises(Refusal) as caught:
            await call(stub.ask, text("a"))
    assert caught.value.reason is Reason.LIMIT_EXCEEDED


def test_servers_tolerate_the_pings_of_our_clients() -> None:
    server = dict(server_options(SETTINGS))
    for mobile in (True, False):
        client = dict(channel_options(mobile=mobile))
        assert server["grpc.http2.min_ping_interval_without_data_ms"] < client["grpc.keepalive_time_ms"]
        assert client["grpc.http2.ping_timeout_ms"] <= 10_000
    assert server["grpc.http2.ping_timeout_ms"] <= 10_000
    assert server["grpc.keepalive_permit_without_calls"] == 1
    assert server["grpc.http2.max_pings_without_data"] == 0


def test_two_servers_never_share_a_port() -> None:
    assert dict(server_options(SETTINGS))["grpc.so_reuseport"] == 0


def test_no_option_is_one_that_does_nothing() -> None:
    names = [name for name, _ in (*server_options(SETTINGS), *channel_options())]
    assert "grpc.http2.min_recv_ping_interval_without_data_ms" not in names
    assert all(re.fullmatch(r"grpc(\.[a-z0-9_]+)+", name) for name in names)


async def test_little_is_buffered_for_a_reader_that_does_not_read(running: Running) -> None:
    async with stream(running.stub.push, text("flood")) as opened:
        await opened.read()
        await until(lambda: running.echo.flooded > 10)
        await asyncio.sleep(0.3)  # with gRPC's own windows thousands of kilobytes would be under way by now
        assert running.echo.flooded < 400


# --- stopping


async def test_a_stop_lets_unary_calls_finish(running: Running) -> None:
    running.server._settings = replace(SETTINGS, grace=5)
    answer = asyncio.ensure_future(running.stub.ask(text("wait"), timeout=5))
    await running.echo.started.wait()
    stopping = asyncio.create_task(running.server.stop())
    await until(lambda: running.server._calls._stopping)
    running.echo.release.set()
    assert (await answer).value == "wait"
    await stopping


async def test_a_stop_waits_for_the_clean_up_of_calls_that_it_cut_off(running: Running) -> None:
    async def clean_up() -> None:
        await asyncio.sleep(0.2)

    running.echo.clean_up = clean_up
    answer = asyncio.ensure_future(running.stub.ask(text("wait"), timeout=5))
    await running.echo.started.wait()
    running.server._settings = replace(SETTINGS, grace=0.05)
    await running.server.stop()
    assert running.echo.cleaned == ["ask"]
    with pytest.raises(grpc.aio.AioRpcError):
        await answer


@pytest.mark.parametrize("method", ["watch", "push"])
async def test_a_stop_ends_streams_and_tells_them_to_come_back(running: Running, method: str) -> None:
    running.server._settings = replace(SETTINGS, grace=30)
    opened = getattr(running.stub, method)(text("wait"))
    assert await opened.read() == text("wait")
    await running.echo.started.wait()
    async with asyncio.timeout(5):
        await running.server.stop()
    assert running.echo.cleaned == ["ask"]
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await opened.read()
    refusal = from_rpc_error(caught.value)
    assert (refusal.reason, refusal.message) == (
        Reason.UNAVAILABLE,
        "the service is stopping: connect again and resume",
    )


async def test_a_stop_says_so_first_then_drains_then_ends_streams(running: Running) -> None:
    seen: list[object] = []

    async def drain() -> None:
        seen.append(await health(running.server, NAME))
        running.echo.release.set()
        seen.append(await opened.read())
        seen.append(await opened.read())

    async def broken() -> None:
        raise RuntimeError("this drain fails, and the next is still done")

    opened = running.stub.watch(text("wait"))
    assert await opened.read() == text("wait")
    running.server.on_drain(broken)
    running.server.on_drain(drain)
    await running.server.stop()
    assert seen == [Serving.NOT_SERVING, text("wait"), grpc.aio.EOF]
    assert await opened.code() is grpc.StatusCode.OK


async def test_a_watched_health_does_not_hold_up_a_stop(running: Running) -> None:
    running.server._settings = replace(SETTINGS, grace=30)
    async with open_channel(running.server.address) as channel:
        watching = HealthStub(channel).Watch(health_pb2.HealthCheckRequest(service=NAME))
        assert (await watching.read()).status == Serving.SERVING
        async with asyncio.timeout(5):
            await running.server.stop()
        assert (await watching.read()).status == Serving.NOT_SERVING


async def test_a_stop_asked_for_twice_happens_once(running: Running) -> None:
    drained: list[int] = []

    async def drain() -> None:
        drained.append(1)

    running.server.on_drain(drain)
    await asyncio.gather(running.server.stop(), running.server.stop())
    await running.server.stop()
    assert drained == [1]


async def test_after_a_stop_nobody_answers(running: Running) -> None:
    await running.server.stop()
    with (
        pytest.raises(ConnectionRefusedError),
        socket.create_connection(("127.0.0.1", running.server.port), 1),
    ):
        pass


# --- streams that are dropped


async def test_leaving_a_stream_ends_its_handler(running: Running) -> None:
    for _ in range(20):
        async with stream(running.stub.watch, text("wait")) as opened:
            async for _message in opened:
                break
    await until(lambda: len(running.echo.cleaned) == 20 and not len(running.server._calls))


async def test_the_errors_of_a_stream_are_refusals(running: Running) -> None:
    async def watch() -> None:
        async with stream(running.stub.watch, text("refuse")) as opened:
            async for _ in opened:
                pass

    with pytest.raises(Refusal) as caught:
        await watch()
    assert caught.value.reason is Reason.MUST_FOLLOW
