"""Audits many matches: reads them from the database one after the other and judges each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from uuid import UUID

from baloot.audit.anew import decide_anew
from baloot.audit.course import Open
from baloot.audit.matches import audit_rows
from baloot.audit.postgres import RawLogs, StoredMatch
from baloot.audit.records import Audited, Depth
from baloot.dealing.sealing import match_key
from baloot.table.sealing import Seal

AHEAD = 2
"""Matches that are read while others are judged."""


async def audit_matches(
    logs: RawLogs, matches: Sequence[UUID], key: bytes | None = None, depth: Depth = Depth.RULES
) -> AsyncIterator[Audited]:
    """What each match comes to, in the order given. `key` is the dealing service's, which opens sealed secrets.

    Raises StoreUnavailable.
    """
    read: asyncio.Queue[asyncio.Task[StoredMatch]] = asyncio.Queue(AHEAD)
    reader = asyncio.create_task(_read(logs, matches, read))
    try:
        for _ in matches:
            stored = await (await read.get())
            yield await audit_stored(stored, key, depth)
    finally:
        reader.cancel()
        while not read.empty():
            read.get_nowait().cancel()
        with suppress(asyncio.CancelledError):
            await reader


async def _read(
    logs: RawLogs, matches: Sequence[UUID], read: asyncio.Queue[asyncio.Task[StoredMatch]]
) -> None:
    for match in matches:
        task = asyncio.create_task(logs.read(match))
        await read.put(task)
        await asyncio.wait([task])


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
