"""Every rpc of every service with every role, over a real connection: who is let in is what the proto says."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import baloot.api
import grpc
import pytest
from baloot.api.core.v1 import access_pb2
from baloot.core.access import GUEST, Role
from baloot.core.errors import Reason
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.serving import ServerSettings, Service, start
from google.protobuf import descriptor_pool
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from google.protobuf.message_factory import GetMessageClass

from tests.kit.conftest import started
from tests.kit.issuing import EVERYBODY, Issuing, bearer


def every_service() -> list[ServiceDescriptor]:
    """All services of the contract."""
    found = []
    for module in pkgutil.walk_packages(baloot.api.__path__, "baloot.api."):
        if module.name.endswith("_pb2"):
            descriptor = importlib.import_module(module.name).DESCRIPTOR
            found += descriptor.services_by_name.values()
    return sorted(found, key=lambda service: service.full_name)


METHODS: dict[str, MethodDescriptor] = {
    f"/{service.full_name}/{method.name}": method for service in every_service() for method in service.methods
}


def access_of(method: MethodDescriptor) -> Any:
    return method.GetOptions().Extensions[access_pb2.access]


def may(method: MethodDescriptor, role: Role) -> bool:
    """What the proto says, without the product's reading of it."""
    names = {access_pb2.Role.Name(number) for number in access_of(method).roles}
    return bool({f"ROLE_{role.name}", "ROLE_ANYONE"} & names)


@dataclass
class World:
    """A server of all services that do nothing but note that they were reached."""

    issuing: Issuing
    reached: list[str] = field(default_factory=list)
    channel: Any = None

    def service(self, descriptor: ServiceDescriptor) -> Service:
        handlers = {method.name: self._handler(descriptor, method) for method in descriptor.methods}

        def add(_: Any, server: grpc.aio.Server) -> None:
            server.add_registered_method_handlers(descriptor.full_name, handlers)
            server.add_generic_rpc_handlers(
                (grpc.method_handlers_generic_handler(descriptor.full_name, handlers),)
            )

        return Service(descriptor.full_name, None, add)

    def _handler(self, service: ServiceDescriptor, method: MethodDescriptor) -> Any:
        name = f"/{service.full_name}/{method.name}"
        asked, answer = GetMessageClass(method.input_type), GetMessageClass(method.output_type)
        kinds: Any = grpc

        async def once(_request: Any, _context: Any) -> Any:
            self.reached.append(name)
            return answer()

        async def streamed(_request: Any, _context: Any) -> AsyncIterator[Any]:
            self.reached.append(name)
            yield answer()

        if method.client_streaming:
            return kinds.stream_unary_rpc_method_handler(once, asked.FromString, answer.SerializeToString)
        if method.server_streaming:
            return kinds.unary_stream_rpc_method_handler(streamed, asked.FromString, answer.SerializeToString)
        return kinds.unary_unary_rpc_method_handler(once, asked.FromString, answer.SerializeToString)

    async def call(self, name: str, token: str | None, raw: bytes = b"") -> Reason | None:
        """The reason of the refusal; None when the call got through."""
        if METHODS[name].client_streaming:
            call = self.channel.stream_unary(name)(iter([raw]), metadata=bearer(token))
        elif METHODS[name].server_streaming:
            call = self.channel.unary_stream(name)(raw, metadata=bearer(token)).read()
        else:
            call = self.channel.unary_unary(name)(raw, metadata=bearer(token))
        self.reached.clear()
        try:
            await call
        except grpc.aio.AioRpcError as error:
            assert self.reached == []
            return from_rpc_error(error).reason
        assert self.reached == [name]
        return None


@asynccontextmanager
async def world(**access: Any) -> AsyncIterator[World]:
    issuing = Issuing()
    made = World(issuing)
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings(**access))
    server = await start([made.service(service) for service in every_service()], settings)
    try:
        async with open_channel(server.address) as made.channel:
            yield made
    finally:
        await server.stop()


@pytest.fixture
async def served() -> AsyncIterator[World]:
    async with world() as made:
        yield made


def test_there_is_something_to_try() -> None:
    assert len(METHODS) >= 26
    assert {service.name for service in every_service()} >= {"TableService", "DealingService", "InfoService"}


async def test_every_role_may_call_what_the_proto_says(served: World) -> None:
    for role in EVERYBODY:
        token = served.issuing.token(roles=[role])
        for name, method in METHODS.items():
            expected = None if may(method, role) else Reason.ROLE_REQUIRED
            assert await served.call(name, token) is expected, (name, role)


async def test_a_guest_may_call_what_the_proto_says(served: World) -> None:
    for name, method in METHODS.items():
        let_in = any(may(method, role) for role in GUEST.roles)
        assert await served.call(name, None) is (None if let_in else Reason.TOKEN_REQUIRED), name


async def test_where_there_are_no_guests_only_what_is_open_to_anyone_is_open() -> None:
    async with world(guests=frozenset()) as closed:
        for name, method in METHODS.items():
            expected = None if may(method, Role.ANYONE) else Reason.TOKEN_REQUIRED
            assert await closed.call(name, None) is expected, name
            assert await closed.call(name, "a-seat-token") is expected, name


async def test_a_token_without_a_role_opens_only_what_is_open_to_anyone(served: World) -> None:
    for roles in ([], ["unknown", "ADMIN", "anyone"]):
        token = served.issuing.token(roles=roles)
        for name, method in METHODS.items():
            expected = None if may(method, Role.ANYONE) else Reason.ROLE_REQUIRED
            assert await served.call(name, token) is expected, name


async def test_a_key_needs_the_scope_that_the_proto_asks_for(served: World) -> None:
    scopes = {access_of(method).scope for method in METHODS.values()} - {""}
    assert scopes >= {"play", "watch", "judge", "history"}
    for held in ("", *sorted(scopes)):
        token = served.issuing.token(roles=EVERYBODY, scope=f"other {held}", key="k1")
        for name, method in METHODS.items():
            needed = "" if may(method, Role.ANYONE) else access_of(method).scope
            expected = None if needed in ("", held) else Reason.SCOPE_REQUIRED
            assert await served.call(name, token) is expected, (name, held)


async def test_who_may_not_call_is_told_so_before_the_request_is_read(served: World) -> None:
    rubbish = b"\xff\xff\xff"
    token = served.issuing.token(roles=[Role.REFEREE])
    name = "/baloot.api.table.v1.TableService/SubmitAction"
    assert await served.call(name, token, rubbish) is Reason.ROLE_REQUIRED
    assert await served.call(name, served.issuing.token(), rubbish) is Reason.MALFORMED


async def test_a_refusal_names_what_is_missing(served: World) -> None:
    method = served.channel.unary_unary("/baloot.api.table.v1.TableService/TakeSeat")
    with pytest.raises(grpc.aio.AioRpcError) as of_role:
        await method(b"", metadata=bearer(served.issuing.token(roles=["admin"])))
    assert of_role.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert from_rpc_error(of_role.value).metadata == {"roles": "bot player"}
    with pytest.raises(grpc.aio.AioRpcError) as of_scope:
        await method(b"", metadata=bearer(served.issuing.token(scope="watch")))
    assert of_scope.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert from_rpc_error(of_scope.value).metadata == {"scope": "play"}


def test_what_must_stay_closed_is() -> None:
    """The matrix holds the code to the protos; this holds the protos to what was decided."""
    only = {
        "baloot.api.dealing.v1.DealingService": {Role.SERVICE},
        "baloot.api.table.v1.RefereeService": {Role.ORGANISER, Role.REFEREE, Role.ADMIN},
    }
    for name, method in METHODS.items():
        service = name.split("/")[1]
        if service in only:
            assert {role for role in Role if may(method, role)} <= only[service], name
    assert all(access_of(method).roles for method in METHODS.values())


async def test_a_server_with_an_rpc_that_says_nothing_does_not_start() -> None:
    pool = descriptor_pool.Default()
    file = FileDescriptorProto(name="tests/kit/silent.proto", package="baloot.test.v1", syntax="proto3")
    file.message_type.add(name="Nothing")
    silent = file.service.add(name="SilentService")
    silent.method.add(
        name="Whisper", input_type=".baloot.test.v1.Nothing", output_type=".baloot.test.v1.Nothing"
    )
    pool.Add(file)
    service = World(Issuing()).service(pool.FindServiceByName("baloot.test.v1.SilentService"))
    with pytest.raises(Exception, match=r"baloot\.test\.v1\.SilentService/Whisper .*say who may call"):
        await start([service], ServerSettings("127.0.0.1:0"))
    with pytest.raises(Exception, match=r"baloot\.test\.v1\.Unheard"):
        await start([Service("baloot.test.v1.Unheard", None, service.add)], ServerSettings("127.0.0.1:0"))


async def test_a_method_that_nobody_has_named_is_open_to_nobody() -> None:
    issuing = Issuing()
    made = World(issuing)
    service = made.service(METHODS[NAMELESS].containing_service)
    nameless = Service(service.name, None, service.add, permits={})
    async with (
        started([nameless], ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())) as server,
        open_channel(server.address) as made.channel,
    ):
        assert await made.call(NAMELESS, None) is Reason.TOKEN_REQUIRED
        assert await made.call(NAMELESS, issuing.token(roles=EVERYBODY)) is Reason.ROLE_REQUIRED


NAMELESS = "/baloot.api.info.v1.InfoService/GetServerInfo"
