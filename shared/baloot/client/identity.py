"""Signing up and in, and access tokens that are always fresh."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import uuid4

import grpc.aio
from baloot.api.identity.v1.identity_pb2 import (
    Account,
    GetAccountRequest,
    GetKeySetRequest,
    RefreshTokensRequest,
    SignInRequest,
    SignOutRequest,
    SignUpRequest,
    Tokens,
)
from baloot.api.identity.v1.identity_pb2_grpc import IdentityServiceStub
from baloot.client.retrying import Pace, until_known
from baloot.core.errors import Reason, Refusal
from baloot.kit import calling

_RESERVE = 0.2
"""The part of its life in which an access token is renewed before it expires."""
_OVER = frozenset({Reason.REFRESH_INVALID, Reason.REFRESH_REUSED})


async def key_set(channel: grpc.aio.Channel) -> dict[str, Any]:
    """The public keys by which the service's tokens are verified, as a JSON Web Key Set. Raises Refusal."""
    answer = await calling.call(IdentityServiceStub(channel).GetKeySet, GetKeySetRequest())
    known: dict[str, Any] = json.loads(answer.jwks)
    return known


class Kept(NamedTuple):
    """What a device keeps to stay signed in. `request_id` is that of the next refresh, or of one that is under way."""

    refresh_token: str
    request_id: str

    def __repr__(self) -> str:
        return "Kept(██)"


class IdentityClient:
    """One sign-in of one account. Methods raise Refusal; those that need a sign-in raise TOKEN_REQUIRED without one.

    `keep` is told what to keep each time that it changes, and None when the sign-in is over. A device that starts again
    gives what it kept to `resume`, and so repeats a refresh that it never saw the answer of.
    """

    def __init__(
        self,
        channel: grpc.aio.Channel,
        *,
        pace: Pace | None = None,
        keep: Callable[[Kept | None], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stub = IdentityServiceStub(channel)
        self._pace = pace or Pace()
        self._keep = keep
        self._clock = clock
        self._kept: Kept | None = None
        self._access = ""
        self._renew_at = 0.0
        self._renewing = asyncio.Lock()

    @property
    def signed_in(self) -> bool:
        """Whether there is a sign-in, as far as is known here."""
        return self._kept is not None

    async def sign_up(self, name: str, password: str) -> Account:
        """Makes an account and signs it in. Raises Refusal NAME_TAKEN, RATE_LIMITED or of a field."""
        request = SignUpRequest(name=name, password=password, request_id=str(uuid4()))
        answer = await until_known(lambda: calling.call(self._stub.SignUp, request), self._pace)
        self._take(answer.tokens)
        return answer.account

    async def sign_in(self, name: str, password: str) -> Account:
        """Raises Refusal SIGN_IN_FAILED, RATE_LIMITED or of a field."""
        request = SignInRequest(name=name, password=password)
        answer = await until_known(lambda: calling.call(self._stub.SignIn, request), self._pace)
        self._take(answer.tokens)
        return answer.account

    def resume(self, kept: Kept) -> None:
        """Goes on with the sign-in that was kept."""
        self._kept, self._access = kept, ""

    async def access_token(self, expired: str | None = None) -> str:
        """A token that is good for a while yet. It is renewed once, however many ask at the same time.

        `expired` is one that was refused because it had expired. Raises Refusal REFRESH_INVALID or REFRESH_REUSED when the sign-in is over; then sign in again.
        """
        async with self._renewing:
            if self._access in ("", expired) or self._clock() >= self._renew_at:
                await self._renew()
            return self._access

    async def account(self) -> Account:
        """The account as it is now."""
        metadata = (("authorization", f"Bearer {await self.access_token()}"),)
        request = GetAccountRequest()
        answer = await until_known(
            lambda: calling.call(self._stub.GetAccount, request, metadata=metadata), self._pace
        )
        return answer.account

    async def sign_out(self) -> None:
        """Ends the sign-in, here and at the server. Does nothing without one."""
        async with self._renewing:
            if self._kept is None:
                return
            request = SignOutRequest(refresh_token=self._kept.refresh_token)
            self._forget()
            await until_known(lambda: calling.call(self._stub.SignOut, request), self._pace)

    async def _renew(self) -> None:
        if self._kept is None:
            raise Refusal(Reason.TOKEN_REQUIRED, "sign in first")
        request = RefreshTokensRequest(
            refresh_token=self._kept.refresh_token, request_id=self._kept.request_id
        )
        try:
            answer = await until_known(lambda: calling.call(self._stub.RefreshTokens, request), self._pace)
        except Refusal as refusal:
            if refusal.reason in _OVER:
                self._forget()
            raise
        self._take(answer.tokens)

    def _take(self, tokens: Tokens) -> None:
        lasts = tokens.expires_in.ToNanoseconds() / 1e9
        self._access, self._renew_at = tokens.access_token, self._clock() + lasts * (1 - _RESERVE)
        # The id is made before it is needed: whoever is interrupted in a refresh must repeat that very one.
        self._kept = Kept(tokens.refresh_token, str(uuid4()))
        self._keep(self._kept)

    def _forget(self) -> None:
        self._kept, self._access = None, ""
        self._keep(None)
