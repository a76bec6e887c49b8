"""Names that are derived, so that repeating a request derives the same ones: table ids, seat tokens, request keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
from typing import NamedTuple
from uuid import UUID

ANYBODY = b""
"""The scope of request ids of those without a seat."""


class Account(NamedTuple):
    """An account that acts at a table, by whatever access token."""

    player_id: str


Holder = str | Account
"""Who acts for a seat: whoever has the seat token, or an account."""


def holder_hash(holder: Holder) -> bytes:
    """What the log keeps of a holder. No seat token has the hash of an account."""
    return account_hash(holder.player_id) if isinstance(holder, Account) else token_hash(holder)


def account_hash(player_id: str) -> bytes:
    """What is kept of an account in place of a token's hash."""
    return hashlib.sha256(b"account\0" + player_id.encode()).digest()


def account_secret(key: bytes, player_id: str) -> str:
    """What stands for an account's token in the digests of its requests, since access tokens change."""
    return _mac(key, b"account", player_id.encode()).hex()


def table_id(key: bytes, request_id: UUID) -> UUID:
    """The id of the table that a request creates."""
    return UUID(bytes=_mac(key, b"table", request_id.bytes)[:16], version=4)


def seat_token(key: bytes, table: UUID, request_id: UUID, digest: bytes) -> str:
    """The token that a request for a seat gets. Nobody can make it without the key."""
    return (
        base64.urlsafe_b64encode(_mac(key, b"seat", table.bytes, request_id.bytes, digest))
        .decode()
        .rstrip("=")
    )


def token_hash(token: str) -> bytes:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).digest()


def request_digest(*parts: object) -> bytes:
    """Tells one request from another with the same id. The parts are plain values that print in full."""
    return hashlib.sha256("\n".join(map(str, parts)).encode()).digest()[:16]


def request_key(actor: bytes, request_id: UUID) -> bytes:
    """A request id in the scope of its actor: a holder's hash, or ANYBODY."""
    return hashlib.sha256(actor + request_id.bytes).digest()[:16]


def own_step(table: UUID, sequence: int) -> UUID:
    """The request id of the table's own step that makes the entry `sequence`: the same on every replica."""
    return UUID(
        bytes=hashlib.sha256(b"step" + table.bytes + sequence.to_bytes(4, "big")).digest()[:16], version=4
    )


def presence_step(table: UUID, sequence: int, owner: bytes) -> UUID:
    """The request id of what a process tells of a player's presence in the entry `sequence`."""
    told = b"presence" + owner + table.bytes + sequence.to_bytes(4, "big")
    return UUID(bytes=hashlib.sha256(told).digest()[:16], version=4)


def _mac(key: bytes, *parts: bytes) -> bytes:
    return hmac.digest(key, b"\0".join(parts), "sha256")
