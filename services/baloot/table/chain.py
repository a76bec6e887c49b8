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

_WHOLE = Struct(">16s32s16sIQBB32s32s").pack
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
    it is stored, `secret_hash` the SHA-256 of the secret half as it is stored. Raises struct.error for numbers that no
    entry has.
    """
    payload_hash = sha256(payload).digest()
    return linked(before, table_id.bytes, sequence, at, actor, by_default, payload_hash, secret_hash)


def linked(
    before: bytes,
    table_id: bytes,
    sequence: int,
    at: int,
    actor: int | None,
    by_default: bool,  # noqa: FBT001 - the order of the layout
    payload_hash: bytes,
    secret_hash: bytes,
) -> bytes:
    """The same by the bytes that are hashed, for whoever follows long chains."""
    who = 0 if actor is None else actor + 1
    whole = _WHOLE(_PURPOSE, before, table_id, sequence, at, who, by_default, payload_hash, secret_hash)
    return sha256(whole).digest()
