"""The log of a match as it is stored, as far as history has told of it: for whoever checks a match himself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.history.postgres import PostgresHistory, unknown_match
from baloot.table.store import RawEntry, StoreUnavailable

PROOF_PAGE_SIZE = 500
"""How many entries a page of a proof has unless it is said."""
MAX_PROOF_PAGE_SIZE = 1000


@dataclass(frozen=True, slots=True)
class Proof:
    """Some entries of a match's log, in order. `complete` says that the last of them is the last of the match."""

    entries: Sequence[RawEntry]
    complete: bool


class Log(Protocol):
    """What is read of the tables' logs: a part of `baloot.table.store.Store`."""

    async def raw(self, table_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[RawEntry]: ...


async def proof(history: PostgresHistory, log: Log, match_id: UUID, after: int, limit: int) -> Proof:
    """At most `limit` entries above `after`, none that history may not tell yet.

    Raises Refusal MATCH_UNKNOWN, also for an imported match, or UNAVAILABLE.
    """
    cursor = (await history.cursors([match_id])).get(match_id)
    if cursor is None or not cursor.sequence:
        raise await _without_log(history, match_id)
    entries = await _read(log, match_id, after, min(limit, max(0, cursor.sequence - after)))
    return Proof(entries, cursor.done and after + len(entries) >= cursor.sequence)


async def _without_log(history: PostgresHistory, match_id: UUID) -> Refusal:
    """Why there is no proof of a match of which history has read no log. Raises Refusal MATCH_UNKNOWN for one that it does not tell."""
    if not (await history.summary(match_id)).imported:
        return unknown_match(match_id)
    return Refusal(
        Reason.MATCH_UNKNOWN,
        f"match {match_id} was imported as a text: it has no log here that could be verified",
        field="match_id",
        metadata={"imported": "true"},
    )


async def _read(log: Log, match_id: UUID, after: int, limit: int) -> Sequence[RawEntry]:
    try:
        return await log.raw(match_id, after, limit)
    except StoreUnavailable as error:
        raise Refusal(Reason.UNAVAILABLE, "the log cannot be reached now; try again") from error
