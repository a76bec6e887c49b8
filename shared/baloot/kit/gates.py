"""Letting callers in: what each rpc asks for, held against who calls."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeAlias

import grpc
from baloot.core.access import Caller, Role
from baloot.core.errors import Reason, Refusal
from baloot.kit import access, bearer, metering
from baloot.kit.access import AccessSettings, Admitted, Verifier, expired
from baloot.kit.permits import ANYBODY, NOBODY, Permit

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Answer = Callable[[Any, Context], Awaitable[Any]]

LONGEST = 86_400.0
"""Seconds after which nobody looks when a stream's token expires: no connection lives as long."""
PATIENCE = 5.0
"""Seconds that the last status of a stream may wait for a reader who has stopped reading."""


class Gate:
    """Who may call what at one server. `permits` has every method that is served, by its full name.

    The methods of the services named in `free` are open to anyone; what is in neither is open to nobody.
    """

    def __init__(
        self, settings: AccessSettings, permits: Mapping[str, Permit], free: frozenset[str] = frozenset()
    ) -> None:
        self._permits = permits
        self._free = free
        self._grace = settings.stream_grace
        self.guests = settings.guests | {Role.ANYONE}
        self.guest = Admitted(Caller(None, self.guests))
        self.verifier = Verifier(settings.issuers, settings.audience, longest=settings.longest)

    def permit(self, method: str) -> Permit:
        """Who may call a method."""
        service = method.strip("/").rpartition("/")[0]
        return self._permits.get(method, ANYBODY if service in self._free else NOBODY)

    async def holder(self, token: str) -> Admitted:
        """Who sends an access token. Raises Refusal."""
        caller = self.verifier.recall(token) or await self.verifier.verify(token)
        metering.identify(caller)
        return Admitted(caller)

    def bounded(self, caller: Caller, answer: Awaitable[Any]) -> Awaitable[Any]:
        """A stream that ends some time after its caller's token has expired."""
        return _in_time(answer, min(self.verifier.left(caller) + self._grace, LONGEST))


def admitted(answer: Answer, gate: Gate, permit: Permit, *, streaming: bool) -> Answer:
    """Says who calls, and turns away who may not, before anything is decoded."""
    guests_may = not permit.roles.isdisjoint(gate.guests)

    async def let_in(request: Any, context: Context) -> Any:
        token = bearer.token_of(context)
        if token is None or not bearer.is_access(token):
            if not guests_may:
                raise access.token_required()
            access.begin(gate.guest if token is None else Admitted(gate.guest.caller, token))
            return await answer(request, context)
        who = await gate.holder(token)
        _require(who.caller, permit)
        access.begin(who)
        answering = answer(request, context)
        return await (gate.bounded(who.caller, answering) if streaming else answering)

    return welcomed(answer, gate) if permit.open else let_in


def welcomed(answer: Answer, gate: Gate) -> Answer:
    """Says who calls where anyone may: a token that is not good there is as good as none."""

    async def let_in(request: Any, context: Context) -> Any:
        access.begin(await _found(gate, context))
        return await answer(request, context)

    return let_in


async def _found(gate: Gate, context: Context) -> Admitted:
    try:
        token = bearer.token_of(context)
        return gate.guest if token is None or not bearer.is_access(token) else await gate.holder(token)
    except Refusal:
        return gate.guest


def _require(caller: Caller, permit: Permit) -> None:
    """Raises Refusal unless the holder of an access token may make a call."""
    access.require_role(caller, permit.roles)
    if caller.scopes is not None and permit.scope and permit.scope not in caller.scopes:
        raise Refusal(
            Reason.SCOPE_REQUIRED,
            f"the API key does not have the scope {permit.scope}",
            metadata={"scope": permit.scope},
        )


async def _in_time(answering: Awaitable[Any], seconds: float) -> Any:
    scope = asyncio.timeout(seconds)
    try:
        async with scope:
            return await answering
    except TimeoutError as error:
        if not scope.expired():
            raise
        task = asyncio.current_task()
        assert task is not None
        asyncio.get_running_loop().call_later(PATIENCE, task.cancel)
        raise expired() from error
