"""The identity service over gRPC, for callers that a test chooses."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import grpc.aio
import jwt
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.api.identity.v1.identity_pb2_grpc import IdentityServiceStub
from baloot.core.access import Caller, Role
from baloot.identity import server as identity_server
from baloot.identity.records import SECOND, Account, Micros
from baloot.identity.service import Identity
from baloot.kit.access import AccessSettings
from baloot.kit.calling import call
from baloot.kit.info import machine_clock
from baloot.kit.quotas import Quotas
from baloot.kit.serving import Server, ServerSettings, start

KEY = bytes(range(32))
Stub = IdentityServiceStub


class Clock:
    """This machine's time, moved on by what a test says."""

    def __init__(self) -> None:
        self.ahead: Micros = 0

    def __call__(self) -> Micros:
        return machine_clock() + self.ahead

    def pass_seconds(self, seconds: float) -> None:
        self.ahead += round(seconds * SECOND)


@dataclass(frozen=True)
class Served:
    identity: Identity
    address: str
    channel: grpc.aio.Channel
    stub: IdentityServiceStub

    async def ask(self, method: str, request: Any, *, by: Caller | None = None) -> Any:
        """The answer, or a Refusal raised."""
        metadata = (("authorization", f"Bearer {await self.token_of(by)}"),) if by else None
        return await call(getattr(self.stub, method), request, metadata=metadata)

    async def token_of(self, known: Caller) -> str:
        """An access token of an account with these roles, whether it has them or not."""
        account = Account(UUID(known.player_id), "", "", "", known.roles, 0)
        return (await self.identity.signer.for_account(account)).token

    async def sign_up(self, name: str = "Noura", password: str = "correct horse") -> pb.SignUpResponse:
        request = pb.SignUpRequest(name=name, password=password, request_id=fresh_id())
        answer: pb.SignUpResponse = await self.ask("SignUp", request)
        return answer

    async def refresh(self, token: str, request_id: str = "") -> pb.Tokens:
        request = pb.RefreshTokensRequest(refresh_token=token, request_id=request_id or fresh_id())
        tokens: pb.Tokens = (await self.ask("RefreshTokens", request)).tokens
        return tokens

    async def claims(self, token: str) -> dict[str, Any]:
        """The claims of a token that PyJWT verifies by the key set that the service tells."""
        known = jwt.PyJWKSet.from_json((await self.ask("GetKeySet", pb.GetKeySetRequest())).jwks)
        key = known[jwt.get_unverified_header(token)["kid"]]
        options: Any = {"verify_iat": False}  # the service's clock may be ahead of ours
        claims: dict[str, Any] = jwt.decode(
            token, key, algorithms=["EdDSA"], audience="baloot", issuer="baloot", options=options
        )
        return claims


@asynccontextmanager
async def serving(identity: Identity, quotas: Quotas = Quotas()) -> AsyncIterator[Server]:
    access = AccessSettings().trusting("baloot", identity.key_set)
    settings = ServerSettings("127.0.0.1:0", grace=0.2, quotas=quotas, access=access)
    server = await start([identity_server.service(identity)], settings)
    try:
        yield server
    finally:
        await server.stop()


def fresh_id() -> str:
    return str(uuid.uuid4())


def caller_of(account: pb.Account, *roles: Role) -> Caller:
    return Caller(account.account_id, frozenset(roles))
