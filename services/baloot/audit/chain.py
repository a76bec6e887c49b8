"""The hash chain of a log: each entry is bound to the one before, so none can be changed, left out or put in later."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import Struct, error
from uuid import UUID

from baloot.audit.records import Row

_PREFIX = b"baloot/chain/v1\0"
_FIRST = bytes(32)
_PLACE = Struct(">IQBB").pack


def link(before: bytes, match: bytes, row: Row) -> bytes:
    """The hash of an entry after the hash `before`; 32 zero bytes are before the first."""
    actor = 0 if row.actor is None else row.actor + 1
    return sha256(
        _PREFIX
        + before
        + match
        + _PLACE(row.sequence, row.at, actor, row.by_default)
        + sha256(row.payload).digest()
        + sha256(row.secret).digest()
    ).digest()


def broken(match: UUID, rows: Sequence[Row]) -> list[int]:
    """The numbers of the entries whose hash does not follow from the one before. Each break is told once.

    A log may begin without hashes, where it is older than they are; from the first hash on there is one for each entry.
    """
    wrong, before, begun, place = [], _FIRST, False, match.bytes
    for row in rows:
        if row.chain is None:
            if begun:
                wrong.append(row.sequence)
            continue
        begun = True
        if not _follows(before, place, row):
            wrong.append(row.sequence)
        before = row.chain
    return wrong


def _follows(before: bytes, match: bytes, row: Row) -> bool:
    try:
        return link(before, match, row) == row.chain
    except error:  # a number that no entry has, which cannot even be hashed
        return False
