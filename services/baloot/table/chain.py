"""The hash chain over a table's log: whoever keeps one link can tell later whether anything before it was changed.

Each link binds the link before it and all of its entry: number, time, actor, and both halves as they are stored. The
secret half goes in as a hash, so that the chain can be followed without it. DEALS.md tells the layout.
"""

from __future__ import annotations

from hashlib import sha256
from struct import Struct
from uuid import UUID

LINK_BYTES = 32
START = bytes(LINK_BYTES)
"""What stands before the first link."""

_BODY = Struct(">IQBB").pack
_PURPOSE = b"baloot/chain/v1\0"


def link(
    before: bytes,
    table_id: UUID,
    sequence: int,
    at: int,
    actor: int | None,
    payload: bytes,
    secret_hash: bytes,
    *,
    by_default: bool,
) -> bytes:
    """The link (32 bytes) of an entry after the link `before`.

    `at` are microseconds since 1970, `actor` is the number of a seat (0 for South) or None, `payload` the open half as
    it is stored, `secret_hash` the SHA-256 of the secret half as it is stored.
    """
    who = 0 if actor is None else actor + 1
    body = _BODY(sequence, at, who, by_default)
    stored = sha256(payload).digest() + secret_hash
    return sha256(_PURPOSE + before + table_id.bytes + body + stored).digest()
