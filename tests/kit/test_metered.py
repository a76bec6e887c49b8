"""Servers that limit their callers, over gRPC."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest
from baloot.core.errors import Reason
from baloot.kit.buckets import NANOS, Rate
from baloot.kit.channels import channel_options, open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.metering import Meter
from baloot.kit.quotas import Charge, Quotas
from baloot.kit.serving import Server
from google.rpc.error_details_pb2 import RetryInfo
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_status import rpc_status

from tests.kit.conftest import SETTINGS, started
from tests.kit.echo import Echo, EchoStub, text
from tests.kit.test_interceptors import until

HealthStub: Any = health_pb2_grpc.HealthStub


@asynccontextmanager
async def served(quotas: Quotas, **charges: Charge) -> AsyncIterator[tuple[Server, EchoStub]]:
    service = replace(Echo().service(), charges=charges)
    async with (
        started([service], replace(SETTINGS, quotas=quotas)) as server,
        open_channel(server.address) as channel,
    ):
        yield server, EchoStub(channel)


def meter_of(server: Server) -> Meter:
    meter = server.meter
    assert meter is not None
    return meter


async def failed(call: Any) -> grpc.aio.AioRpcError:
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await call
    return caught.value


HOURLY = Quotas(calls=Rate(1, 3600, 2))


async def test_who_calls_too_often_is_told_how_long_to_wait() -> None:
    async with served(HOURLY) as (_, stub):
        for _ in range(2):
            await stub.ask(text("a"))
        error = await failed(stub.ask(text("a")))
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    refusal = from_rpc_error(error)
    assert refusal.reason is Reason.RATE_LIMITED
    assert 3590 * NANOS < refusal.retry_after <= 3600 * NANOS
    whole: Any = rpc_status.from_call(error)  # type: ignore[arg-type]
    info = RetryInfo()
    assert any(detail.Unpack(info) for detail in whole.details)
    assert info.retry_delay.ToNanoseconds() == refusal.retry_after


async def test_what_is_refused_is_not_even_read() -> None:
    async with served(HOURLY) as (_, stub):
        for _ in range(2):
            await stub.ask(text("a"))
        for call in (
            stub.ask_raw(b"\xff"),
            stub.watch_raw(b"\xff").read(),
            stub.chat_raw(iter([b"\xff"])).read(),
        ):
            assert from_rpc_error(await failed(call)).reason is Reason.RATE_LIMITED


async def test_waiting_as_long_as_told_suffices() -> None:
    async with served(Quotas(calls=Rate(10, 1, 1))) as (_, stub):
        await stub.ask(text("a"))
        for _ in range(5):
            while True:
                try:
                    await stub.ask(text("a"))
                    break
                except grpc.aio.AioRpcError as error:
                    wait = from_rpc_error(error).retry_after
                    assert 0 < wait <= NANOS // 10
                    await asyncio.sleep(wait / NANOS)


async def test_asking_for_health_is_free() -> None:
    async with served(HOURLY) as (server, stub):
        async with open_channel(server.address) as channel:
            for _ in range(50):
                await HealthStub(channel).Check(health_pb2.HealthCheckRequest())
        await stub.ask(text("a"))


async def test_methods_cost_what_their_service_says() -> None:
    async with served(replace(HOURLY, opens=Rate(1, 3600, 1)), Ask=Charge.OPEN) as (_, stub):
        await stub.ask(text("a"))
        refusal = from_rpc_error(await failed(stub.ask(text("a"))))
        assert refusal.metadata == {"limit": "opens"}
        await stub.watch(text("a")).read()


@pytest.mark.parametrize("method", ["watch", "push", "chat"])
async def test_streams_are_counted_until_they_end_in_whatever_way(method: str) -> None:
    async with served(Quotas(streams=2)) as (server, stub):
        meter, open_ = meter_of(server), getattr(stub, method)

        def begun(what: str) -> Any:
            return open_(iter([text(what)]) if method == "chat" else text(what), timeout=5)

        [_ async for _ in begun("a")]
        with pytest.raises(grpc.aio.AioRpcError):
            [_ async for _ in begun("fail")]
        left = begun("wait")
        await until(lambda: meter.streams == 1)
        left.cancel()
        await until(lambda: meter.streams == 0)
        assert meter._streams == {}


async def test_streams_end_where_there_are_too_many_and_others_go_on() -> None:
    async with served(Quotas(streams=2)) as (server, stub):
        opened = [stub.watch(text("wait"), timeout=30) for _ in range(2)]
        for stream in opened:
            await stream.read()
        for _ in range(10):
            error = await failed(stub.watch(text("wait")).read())
            assert from_rpc_error(error).reason is Reason.TOO_MANY_STREAMS
        assert (await stub.ask(text("a"))).value == "a"
        opened[0].cancel()
        await until(lambda: meter_of(server).streams == 1)
        assert await stub.watch(text("wait")).read() == text("wait")


async def test_a_server_without_limits_counts_nobody() -> None:
    async with served(Quotas(connections=5)) as (server, stub):
        assert server.meter is None
        await stub.ask(text("a"))


def alone(server: Server) -> grpc.aio.Channel:
    """A channel with a connection of its own."""
    options = [*channel_options(), ("grpc.use_local_subchannel_pool", 1)]
    return grpc.aio.insecure_channel(server.address, options=options)


async def test_connections_are_bounded_and_one_that_ends_makes_room() -> None:
    async with served(Quotas(connections=3)) as (server, stub):
        await stub.ask(text("a"))
        async with AsyncExitStack() as stack:
            for _ in range(2):
                channel = await stack.enter_async_context(alone(server))
                await EchoStub(channel).ask(text("a"))
            async with alone(server) as channel:
                refusal = from_rpc_error(await failed(EchoStub(channel).ask(text("a"), timeout=2)))
                assert refusal.reason is Reason.UNAVAILABLE
            assert (await stub.ask(text("a"))).value == "a"
        async with alone(server) as channel:
            assert (await EchoStub(channel).ask(text("a"), wait_for_ready=True, timeout=10)).value == "a"
