"""The identity service over gRPC."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.api.identity.v1.identity_pb2_grpc import (
    IdentityServiceServicer,
    add_IdentityServiceServicer_to_server,
)
from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.identity import codec
from baloot.identity.service import Identity
from baloot.kit import checks
from baloot.kit.access import caller
from baloot.kit.serving import Service

NAME = pb.DESCRIPTOR.services_by_name["IdentityService"].full_name


class IdentityServicer(IdentityServiceServicer):
    """Decodes, asks, encodes. Who may call what is settled before; here only whose account it is."""

    def __init__(self, identity: Identity) -> None:
        self._accounts = identity.accounts
        self._keys = identity.keys
        self._signer = identity.signer

    async def SignUp(self, request: pb.SignUpRequest, _context: Any) -> pb.SignUpResponse:
        request_id = checks.uuid(request.request_id, "request_id")
        account, tokens = await self._accounts.sign_up(request.name, request.password, request_id)
        return pb.SignUpResponse(account=codec.encode_account(account), tokens=codec.encode_tokens(tokens))

    async def SignIn(self, request: pb.SignInRequest, _context: Any) -> pb.SignInResponse:
        account, tokens = await self._accounts.sign_in(request.name, request.password)
        return pb.SignInResponse(account=codec.encode_account(account), tokens=codec.encode_tokens(tokens))

    async def RefreshTokens(
        self, request: pb.RefreshTokensRequest, _context: Any
    ) -> pb.RefreshTokensResponse:
        request_id = checks.uuid(request.request_id, "request_id")
        tokens = await self._accounts.refresh(request.refresh_token, request_id)
        return pb.RefreshTokensResponse(tokens=codec.encode_tokens(tokens))

    async def SignOut(self, request: pb.SignOutRequest, _context: Any) -> pb.SignOutResponse:
        await self._accounts.sign_out(request.refresh_token)
        return pb.SignOutResponse()

    async def GetKeySet(self, _request: pb.GetKeySetRequest, _context: Any) -> pb.GetKeySetResponse:
        return codec.encode_key_set(await self._signer.key_set())

    async def ExchangeApiKey(
        self, request: pb.ExchangeApiKeyRequest, _context: Any
    ) -> pb.ExchangeApiKeyResponse:
        return codec.encode_access(await self._keys.exchange(request.api_key))

    async def CreateApiKey(self, request: pb.CreateApiKeyRequest, _context: Any) -> pb.CreateApiKeyResponse:
        request_id = checks.uuid(request.request_id, "request_id")
        wish = codec.decode_wish(request)
        text, key = await self._keys.create(_own_id(), wish, request_id)
        return pb.CreateApiKeyResponse(api_key=text, key=codec.encode_key(key))

    async def ListApiKeys(self, request: pb.ListApiKeysRequest, _context: Any) -> pb.ListApiKeysResponse:
        account_id = _allowed(codec.decode_account_id(request.account_id, _own_id()))
        return codec.encode_keys(await self._keys.list(account_id))

    async def RevokeApiKey(self, request: pb.RevokeApiKeyRequest, _context: Any) -> pb.RevokeApiKeyResponse:
        key_id = codec.decode_key_id(request.key_id)
        owner = None if _is_admin() else _own_id()
        return pb.RevokeApiKeyResponse(key=codec.encode_key(await self._keys.revoke(key_id, owner)))

    async def SetRoles(self, request: pb.SetRolesRequest, _context: Any) -> pb.SetRolesResponse:
        account_id = checks.uuid(request.account_id, "account_id")
        account = await self._accounts.set_roles(account_id, codec.decode_roles(request.roles))
        return pb.SetRolesResponse(account=codec.encode_account(account))

    async def SetDisabled(self, request: pb.SetDisabledRequest, _context: Any) -> pb.SetDisabledResponse:
        account_id = checks.uuid(request.account_id, "account_id")
        account = await self._accounts.set_disabled(account_id, disabled=request.disabled)
        return pb.SetDisabledResponse(account=codec.encode_account(account))

    async def GetAccount(self, request: pb.GetAccountRequest, _context: Any) -> pb.GetAccountResponse:
        account_id = _allowed(codec.decode_account_id(request.account_id, _own_id()))
        return pb.GetAccountResponse(account=codec.encode_account(await self._accounts.account(account_id)))


def _own_id() -> UUID:
    """The caller's account. Raises Refusal TOKEN_REQUIRED for guests, and for those of another issuer."""
    try:
        return UUID(caller().player_id or "")
    except ValueError:
        raise Refusal(
            Reason.TOKEN_REQUIRED, "this needs an access token of an account of this service"
        ) from None


def _is_admin() -> bool:
    return caller().is_any(Role.ADMIN)


def _allowed(account_id: UUID) -> UUID:
    if account_id != _own_id() and not _is_admin():
        raise Refusal(
            Reason.ROLE_REQUIRED,
            "only an admin may see another account",
            metadata={"roles": Role.ADMIN.value},
        )
    return account_id


def service(identity: Identity) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, IdentityServicer(identity), add_IdentityServiceServicer_to_server)
