"""Audits many matches: reads them from the database one after the other and judges each."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Sequence
from uuid import UUID

from baloot.audit.anew import decide_anew
from baloot.audit.course import Open
from baloot.audit.history import compare
from baloot.audit.matches import audit_rows
from baloot.audit.postgres import RawLogs, StoredMatch
from baloot.audit.records import Audited, Depth
from baloot.dealing.sealing import match_key
from baloot.history.postgres import PostgresHistory, StoredHistory
from baloot.table.sealing import Seal


async def audit_matches(
    logs: RawLogs,
    matches: Sequence[UUID],
    key: bytes | None = None,
    depth: Depth = Depth.RULES,
    history: PostgresHistory | None = None,
) -> AsyncIterator[Audited]:
    """What each match comes to, in the order given. `key` is the dealing service's, which opens sealed secrets.

    With `history` what that tells is compared too. While one match is judged the database finds the next one. Raises
    StoreUnavailable, and Refusal UNAVAILABLE for history.
    """
    left = iter(matches)
    reading = _asked(logs, history, left)
    try:
        while reading is not None:
            stored, told = await reading
            reading = _asked(logs, history, left)
            await _sent()
            audited = await audit_stored(stored, key, depth)
            if history is not None and stored.rows:
                compare(audited, stored.rows, told)
            yield audited
    finally:
        if reading is not None:
            reading.cancel()
            await asyncio.gather(reading, return_exceptions=True)


Both = tuple[StoredMatch, StoredHistory | None]


def _asked(logs: RawLogs, history: PostgresHistory | None, left: Iterator[UUID]) -> asyncio.Task[Both] | None:
    match = next(left, None)
    return None if match is None else asyncio.create_task(_read(logs, history, match))


async def _read(logs: RawLogs, history: PostgresHistory | None, match: UUID) -> Both:
    """A log and what history tells of it; the log comes after, since history never knows more."""
    told = None if history is None else await history.stored(match)
    return await logs.read(match), told


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
