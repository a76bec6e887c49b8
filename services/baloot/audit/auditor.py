"""Audits many matches: reads them from the database one after the other and judges each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from uuid import UUID

from baloot.audit.anew import decide_anew
from baloot.audit.course import Open
from baloot.audit.matches import audit_rows
from baloot.audit.postgres import RawLogs, StoredMatch
from baloot.audit.records import Audited, Depth
from baloot.dealing.sealing import match_key
from baloot.table.sealing import Seal


async def audit_matches(
    logs: RawLogs, matches: Sequence[UUID], key: bytes | None = None, depth: Depth = Depth.RULES
) -> AsyncIterator[Audited]:
    """What each match comes to, in the order given. `key` is the dealing service's, which opens sealed secrets.

    While one is judged the database finds the next one. Raises StoreUnavailable.
    """
    left = iter(matches)
    reading = _asked(logs, left)
    try:
        while reading is not None:
            stored = await reading
            reading = _asked(logs, left)
            await _sent()
            yield await audit_stored(stored, key, depth)
    finally:
        if reading is not None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


def _asked(logs: RawLogs, left: Iterator[UUID]) -> asyncio.Task[StoredMatch] | None:
    match = next(left, None)
    return None if match is None else asyncio.create_task(logs.read(match))


async def _sent() -> None:
    """Lets the loop send what was asked, before the judging keeps it: one turn to write it, and one to send it."""
    for _ in range(2):
        await asyncio.sleep(0)


async def audit_stored(stored: StoredMatch, key: bytes | None, depth: Depth) -> Audited:
    """What one match comes to."""
    open_ = None if key is None else opener(stored.match, key)
    audited = audit_rows(stored.match, stored.rows, stored.head, open_)
    if depth is Depth.THOROUGH:
        await decide_anew(audited, stored.rows, open_)
    return audited


def opener(match: UUID, key: bytes) -> Open:
    """Opens the secrets of a match with the key of the dealing service."""
    return Seal(match, match_key(key, match.bytes)).open
