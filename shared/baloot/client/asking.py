"""Asking a service until it is known what it says, with what a client shows of itself."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import grpc.aio
from baloot.client.credentials import Credentials
from baloot.client.retrying import Pace, until_known
from baloot.core.errors import Refusal
from baloot.kit import calling
from baloot.kit.calling import Metadata

_Request = TypeVar("_Request")
_Response = TypeVar("_Response")


class Asking:
    """What clients have in common that ask single questions."""

    def __init__(self, pace: Pace | None, credentials: Credentials | None) -> None:
        self._pace = pace or Pace()
        self._credentials = credentials or Credentials(None)

    async def _ask(
        self, method: grpc.aio.UnaryUnaryMultiCallable[_Request, _Response], request: _Request
    ) -> _Response:
        return await self._answered(lambda metadata: calling.call(method, request, metadata=metadata))

    async def _answered(self, attempt: Callable[[Metadata], Awaitable[_Response]]) -> _Response:
        """The answer to what `attempt` asks, which may be asked again."""
        try:
            return await self._answered_once(attempt)
        except Refusal as refusal:
            if not self._credentials.renew(refusal):
                raise
        return await self._answered_once(attempt)

    async def _answered_once(self, attempt: Callable[[Metadata], Awaitable[_Response]]) -> _Response:
        metadata = await self._credentials.metadata()
        return await until_known(lambda: attempt(metadata), self._pace)
