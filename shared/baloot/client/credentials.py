"""What a client shows with every call: the token of a seat, or the access token of an account."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from baloot.core.errors import Reason, Refusal

Access = Callable[[str | None], Awaitable[str]]
"""Gives the access token to use now, and is asked before every call. What it is given is the last token that was refused
because it had expired, which it must not give again; None while there is none. It may raise Refusal."""

Metadata = Sequence[tuple[str, str | bytes]]


@dataclass(slots=True)
class Credentials:
    """The seat token of a guest, or else the access token of an account, or nothing."""

    seat_token: str | None = None
    access: Access | None = None
    _shown: str | None = None
    _expired: str | None = None

    async def metadata(self) -> Metadata:
        """What goes with the next call."""
        token = self.seat_token
        if token is None and self.access is not None:
            token = self._shown = await self.access(self._expired)
        return () if token is None else (("authorization", f"Bearer {token}"),)

    def renew(self, refusal: Refusal) -> bool:
        """Whether a call that was refused is worth another one, with a new token. Once for each token."""
        if refusal.reason is not Reason.TOKEN_EXPIRED or self._shown in (None, self._expired):
            return False
        self._expired = self._shown
        return True
