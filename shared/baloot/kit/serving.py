"""A gRPC server as every service here runs it: the same settings, health, limits and way to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc
import structlog
from baloot.kit.access import AccessSettings
from baloot.kit.addresses import bind, reachable
from baloot.kit.gates import Gate
from baloot.kit.interceptors import CallLimits, Guard, Tolls
from baloot.kit.live import LiveCalls
from baloot.kit.logs import failure
from baloot.kit.metering import Meter
from baloot.kit.permits import Permit, permits_of
from baloot.kit.quotas import Charge, Quotas
from google.protobuf.internal import api_implementation
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

Drain = Callable[[], Awaitable[None]]
_STATUS = (health_pb2.HealthCheckResponse.NOT_SERVING, health_pb2.HealthCheckResponse.SERVING)
MAX_MESSAGE_BYTES = 65536
CLEAN_UP = 5.0
"""Seconds that the handlers of cut-off calls may take to clean up."""

log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Service:
    """A servicer, the full name of its proto service, and the generated `add_..._to_server`.

    `charges` says what its methods cost that are more than a call, `permits` who may call them; None: as the options
    of its proto say.
    """

    name: str
    servicer: Any
    add: Callable[[Any, grpc.aio.Server], None]
    charges: Mapping[str, Charge] = field(default_factory=dict)
    permits: Mapping[str, Permit] | None = None


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """Where and how a server listens.

    `listen` is `host:port` (port 0: a free one) or `unix:/path`. `grace` are the seconds that unary calls may still
    take when the server stops, and `drain_delay` those it goes on answering after it said NOT_SERVING, for whoever
    routes calls to it to notice. `max_message_bytes` bounds a request. `max_streams` bounds the calls of one
    connection, further ones wait; `max_calls` those of all, further ones are refused with RESOURCE_EXHAUSTED. `quotas` are the limits of each caller.
    `access` says whose access tokens are taken, and what guests may do.
    """

    listen: str
    reflection: bool = False
    grace: float = 5.0
    drain_delay: float = 0.0
    max_message_bytes: int = MAX_MESSAGE_BYTES
    max_streams: int = 100
    max_calls: int = 50_000
    limits: CallLimits = field(default_factory=CallLimits)
    quotas: Quotas = field(default_factory=Quotas)
    access: AccessSettings = field(default_factory=AccessSettings)


def server_options(settings: ServerSettings) -> list[tuple[str, int]]:
    """The channel arguments of a server. Each was measured; several names that guides give do nothing."""
    return [
        # A dead peer is noticed within 30 s, in 28. The ping timeout is what works when a proxy acknowledges the packets
        # of a phone that is gone; the keepalive timeout alone lets 69 s pass.
        ("grpc.keepalive_time_ms", 18_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.ping_timeout_ms", 10_000),
        # Clients may ping a quiet stream every 10 s. Below that interval, since equal ones collide on jitter, and
        # not by min_recv_ping_interval_without_data_ms, which is ignored: they would be cut off after 30 s.
        ("grpc.http2.min_ping_interval_without_data_ms", 8_000),
        ("grpc.http2.max_pings_without_data", 0),
        ("grpc.keepalive_permit_without_calls", 1),
        # Old connections end, so that clients find new servers; without the grace, streams would outlive the age.
        ("grpc.max_connection_age_ms", 1_800_000),
        ("grpc.max_connection_age_grace_ms", 60_000),
        # A request is small: the default would take 4 MiB from anybody.
        ("grpc.max_receive_message_length", settings.max_message_bytes),
        ("grpc.max_concurrent_streams", settings.max_streams),
        # A burst of new calls, as after a failover, is queued: with the default an eighth of 2,500 was dropped.
        ("grpc.server.max_pending_requests", 100_000),
        ("grpc.server.max_pending_requests_hard_limit", 200_000),
        # A small fixed window bounds what is buffered for one connection; probing would let it grow to megabytes.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", 65_535),
        # Whoever connects and says nothing is let go; by default it would be held for a minute.
        ("grpc.server_handshake_timeout_ms", 10_000),
        # Whoever calls nothing for long is let go: a connection that idles keeps another one out.
        ("grpc.max_connection_idle_ms", 600_000),
        # A second server on the same port is an error, not a silent half of the calls.
        ("grpc.so_reuseport", 0),
        *_connection_options(settings.quotas.connections),
    ]


def _connection_options(most: int) -> list[tuple[str, int]]:
    """More connections are closed at once; they would use up the process's open files. gRPC takes no word for any."""
    return [("grpc.max_allowed_incoming_connections", most)] if most else []


class Server:
    """A running server. `start` makes one."""

    def __init__(
        self, server: grpc.aio.Server, settings: ServerSettings, services: Sequence[Service], calls: LiveCalls
    ) -> None:
        self._server = server
        self._settings = settings
        self._calls = calls
        self._health = health.aio.HealthServicer()
        self._serving = {service.name: True for service in services}
        self._drains: list[Drain] = []
        self._stopping: asyncio.Task[None] | None = None
        self.port = 0
        """The port it listens on; 0 for a unix socket."""
        self.address = ""
        """What a client on this machine connects to."""
        self.meter: Meter | None = None
        """Who counts its callers; None when nobody is limited."""

    async def set_serving(self, service: str, serving: bool) -> None:  # noqa: FBT001 - a state, not a mode
        """Says by health whether a service is ready. The server as a whole (name "") is when all of them are."""
        if service not in self._serving:
            raise KeyError(service)
        self._serving[service] = serving
        await self._health.set(service, _STATUS[serving])
        await self._health.set("", _STATUS[all(self._serving.values())])

    def on_drain(self, drain: Drain) -> None:
        """Adds what is to be done before calls are cut off, such as telling the watchers of a table to go."""
        self._drains.append(drain)

    async def stop(self) -> None:
        """Stops in order, once however often it is asked, and returns when every handler has cleaned up.

        Health says NOT_SERVING; after `drain_delay` what `on_drain` added is done; streams end with UNAVAILABLE;
        unary calls have `grace` to finish; what remains is cut off and may clean up.
        """
        if self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())
        await asyncio.shield(self._stopping)

    async def _start(self) -> None:
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        self.port = bind(self._server, self._settings.listen)
        self.address = reachable(self._settings.listen, self.port)
        for service in self._serving:
            await self._health.set(service, _STATUS[True])
        await self._server.start()

    async def _stop(self) -> None:
        await self._health.enter_graceful_shutdown()
        await asyncio.sleep(self._settings.drain_delay)
        for drain in self._drains:
            try:
                await drain()
            except Exception as error:  # noqa: BLE001 - the others still have to be told
                failure("drain failed", error)
        self._calls.end_streams()
        await self._server.stop(self._settings.grace)
        self._calls.closed = True
        if left := await self._calls.settled(CLEAN_UP):
            log.error("handlers did not end", methods=" ".join(left))


async def start(services: Sequence[Service], settings: ServerSettings) -> Server:
    """Starts a server that answers for these services, and for health.

    Raises CannotListen, and NoPermit for an rpc that does not say who may call it.
    """
    if api_implementation.Type() != "upb":
        raise RuntimeError("protobuf runs without its native code, which is slow and has no depth limit")
    calls = LiveCalls()
    gate = _gate(services, settings.access)
    tolls = _tolls(services, settings.quotas, gate)
    server = grpc.aio.server(
        interceptors=[Guard(calls, settings.limits, gate, tolls)],
        options=server_options(settings),
        maximum_concurrent_rpcs=settings.max_calls,
    )
    for service in services:
        service.add(service.servicer, server)
    if settings.reflection:
        names = (*(service.name for service in services), health.SERVICE_NAME, reflection.SERVICE_NAME)
        reflection.enable_server_reflection(names, server)
    running = Server(server, settings, services, calls)
    running.meter = tolls.meter if tolls else None
    await running._start()  # noqa: SLF001 - the other half of this function
    return running


def _gate(services: Sequence[Service], settings: AccessSettings) -> Gate:
    """Who may call what. Asking for health, or what there is, needs nothing, wherever it is offered at all."""
    permits: dict[str, Permit] = {}
    for service in services:
        told = permits_of(service.name) if service.permits is None else service.permits
        permits |= {f"/{service.name}/{method}": permit for method, permit in told.items()}
    return Gate(settings, permits, frozenset({health.SERVICE_NAME, reflection.SERVICE_NAME}))


def _tolls(services: Sequence[Service], quotas: Quotas, gate: Gate) -> Tolls | None:
    """What calls cost; None when nobody is limited. Asking for health is free, since all else may depend on it."""
    if not quotas.by_caller:
        return None
    charges = {f"/{health.SERVICE_NAME}/Check": Charge.FREE}
    for service in services:
        charges |= {f"/{service.name}/{method}": charge for method, charge in service.charges.items()}
    return Tolls(Meter(quotas, recall=gate.verifier.recall), charges)
