"""Links to matches: made by accounts, followed by anybody until their time is over.

A token is derived from the request that made it, so the same request gives the same link and nothing is stored that
opens one: not the token, and not the request id.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from uuid import UUID, uuid4

from baloot.core.errors import Reason, Refusal
from baloot.history.replays import Eyes
from baloot.history.tokens import to_text
from baloot.table.events import SECOND, Micros
from baloot.table.store import StoreUnavailable

MOST = 100
"""Links of one account that are good at a time."""
MOST_KEPT = 500
"""Links of one account that are good, or ended less than `REMEMBERED` ago."""
REMEMBERED: Micros = 86_400 * SECOND
"""How long a link that ended is remembered: so long the request that made it makes no other one."""
KEY = "history shares"
"""The name of the server's key that tokens are derived with."""
_KEY_BYTES = 32


class Wanted(NamedTuple):
    """What a link leads to: a round, or with the number 0 a whole match; and for how long it is good."""

    match_id: UUID
    number: int
    eyes: Eyes
    lasts: Micros

    @property
    def digest(self) -> bytes:
        """What tells a repeated request from another one with the same id."""
        match_id, number, (seat, open_), lasts = self
        told = (match_id.hex, number, None if seat is None else int(seat), open_, lasts)
        return hashlib.sha256(repr(told).encode()).digest()[:16]


@dataclass(frozen=True, slots=True)
class Share:
    """A link without its token."""

    share_id: UUID
    match_id: UUID
    number: int
    eyes: Eyes
    created_at: Micros
    expires_at: Micros


@dataclass(frozen=True, slots=True)
class Made:
    """A new link with its token, which is secret."""

    token: str
    share: Share

    def __repr__(self) -> str:
        return f"Made(██, {self.share})"


class NewShare(NamedTuple):
    """A link to be stored."""

    token_hash: bytes
    share_id: UUID
    player_id: str
    wanted: Wanted


class KnownShare(NamedTuple):
    """A link as it is stored, with the digest of its request, and whether it is good."""

    digest: bytes
    share: Share
    good: bool


class Room(NamedTuple):
    """How many links an account may have that are good, and with those that ended and are still `remembered`."""

    good: int
    all: int
    remembered: Micros


class Kept(Protocol):
    """What is asked of history's database. It judges by its own clock which links are good."""

    async def require_round(self, match_id: UUID, number: int) -> None: ...

    async def add_share(self, new: NewShare, room: Room) -> KnownShare | None: ...

    async def share(self, token_hash: bytes) -> Share | None: ...

    async def shares(self, player_id: str) -> tuple[Share, ...]: ...

    async def withdraw(self, share_id: UUID, player_id: str) -> bool: ...


class Keys(Protocol):
    """What is read of the tables' store."""

    async def key(self, name: str, fresh: bytes) -> bytes: ...


class Shares:
    """The links of one installation. Every method may raise Refusal UNAVAILABLE."""

    def __init__(self, kept: Kept, keys: Keys) -> None:
        self._kept = kept
        self._keys = keys
        self._known: bytes | None = None

    async def create(self, player_id: str, wanted: Wanted, request_id: UUID) -> Made:
        """A link of an account; the same for the same request.

        Raises Refusal MATCH_UNKNOWN, ROUND_UNKNOWN, REQUEST_ID_REUSED, LIMIT_EXCEEDED with too many, or SHARE_UNKNOWN
        when the request's link has ended.
        """
        await self._kept.require_round(wanted.match_id, wanted.number)
        token = _token(await self._key(), player_id, request_id)
        new = NewShare(_hashed(token), uuid4(), player_id, wanted)
        kept = await self._kept.add_share(new, Room(MOST, MOST_KEPT, REMEMBERED))
        if kept is None:
            raise _too_many()
        if kept.digest != wanted.digest:
            raise Refusal(
                Reason.REQUEST_ID_REUSED, "this request id was used for another link", field="request_id"
            )
        if not kept.good:
            raise _unknown("request_id")
        return Made(token, kept.share)

    async def follow(self, token: str) -> Share:
        """What a token opens. Raises Refusal SHARE_UNKNOWN."""
        share = await self._kept.share(_hashed(token))
        if share is None:
            raise _unknown("token")
        return share

    async def withdraw(self, share_id: UUID, player_id: str) -> None:
        """Ends a link of an account. Raises Refusal SHARE_UNKNOWN."""
        if not await self._kept.withdraw(share_id, player_id):
            raise _unknown("share_id")

    async def of(self, player_id: str) -> tuple[Share, ...]:
        """The links of an account that are good, the newest first."""
        return await self._kept.shares(player_id)

    async def _key(self) -> bytes:
        if self._known is None:
            try:
                self._known = await self._keys.key(KEY, secrets.token_bytes(_KEY_BYTES))
            except StoreUnavailable as error:
                raise Refusal(Reason.UNAVAILABLE, "the database cannot be reached now; try again") from error
        return self._known


def _token(key: bytes, player_id: str, request_id: UUID) -> str:
    return to_text(hmac.digest(key, request_id.bytes + player_id.encode(), "sha256"))


def _hashed(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()


def _unknown(field: str) -> Refusal:
    return Refusal(
        Reason.SHARE_UNKNOWN, "there is no such link, it was withdrawn, or its time is over", field=field
    )


def _too_many() -> Refusal:
    return Refusal(
        Reason.LIMIT_EXCEEDED,
        f"the account has {MOST} links that are good, or {MOST_KEPT} with those that ended within a day; "
        "withdraw one, or wait until there is room",
        metadata={"most": str(MOST)},
    )
