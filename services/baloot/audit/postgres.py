"""Whole logs out of Postgres, as they are stored."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple, Self
from uuid import UUID

import sqlalchemy as sa
from baloot.audit.records import HeadRow, Row
from baloot.kit.database import Prepared, open_engine
from baloot.table.store import saying_unavailable

TIMEOUT = 60.0
"""Seconds that the database has for an answer; an audit can wait longer than a player."""
PAGE = 1000
"""Matches that are listed at once."""

_WHOLE = sa.text("""
SELECT entry.sequence, (extract(epoch FROM at) * 1000000)::bigint, actor, by_default, uuid_send(request_id),
    request_digest, entry.status, (extract(epoch FROM entry.deadline_at) * 1000000)::bigint, payload, secret, holder,
    entry.chain, head.sequence, head.status, (extract(epoch FROM head.deadline_at) * 1000000)::bigint
FROM table_entry AS entry LEFT JOIN table_head AS head ON head.table_id = :table_id
WHERE entry.table_id = :table_id ORDER BY entry.sequence
""").bindparams(sa.bindparam("table_id", type_=sa.Uuid))
"""The columns of a row in their order, and then those of the head. A moment takes long to read here, and a number does not."""

_LISTED = sa.text("""
SELECT table_id FROM table_head
WHERE updated_at >= :since AND updated_at < :until AND table_id > :after ORDER BY table_id LIMIT :count
""").bindparams(
    sa.bindparam("since", type_=sa.TIMESTAMP(timezone=True)),
    sa.bindparam("until", type_=sa.TIMESTAMP(timezone=True)),
    sa.bindparam("after", type_=sa.Uuid),
    sa.bindparam("count", type_=sa.Integer),
)
_FIRST = UUID(int=0)
_COLUMNS = len(Row._fields)


class StoredMatch(NamedTuple):
    """All rows of a match in their order, and its head if it has one."""

    match: UUID
    rows: tuple[Row, ...]
    head: HeadRow | None

    def __repr__(self) -> str:
        return f"StoredMatch({self.match}, ██)"


class RawLogs:
    """The logs in a migrated database. Every method may raise StoreUnavailable. Use it as `async with`."""

    def __init__(self, url: str, *, timeout: float = TIMEOUT) -> None:
        self._engine = open_engine(url, "baloot audit", size=2, autocommit=True, timeout=timeout)
        self._whole = Prepared(self._engine, _WHOLE)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._whole.close()
        await self._engine.dispose()

    async def matches(self, since: datetime, until: datetime) -> Sequence[UUID]:
        """The matches whose last entry is of this time, `until` not included, in order of their ids."""
        found: list[UUID] = []
        with saying_unavailable():
            async with self._engine.connect() as connection:
                while True:
                    after = found[-1] if found else _FIRST
                    values = {"since": since, "until": until, "after": after, "count": PAGE}
                    page = (await connection.execute(_LISTED, values)).scalars().all()
                    found += page
                    if len(page) < PAGE:
                        return found

    async def read(self, match: UUID) -> StoredMatch:
        """A whole match, all of it as it was at one moment."""
        with saying_unavailable():
            rows = await self._whole.run({"table_id": match})
        return StoredMatch(match, tuple([Row._make(row[:_COLUMNS]) for row in rows]), _head(rows))


def _head(rows: Sequence[Any]) -> HeadRow | None:
    head = HeadRow._make(rows[0][_COLUMNS:]) if rows else None
    return None if head is None or head.sequence is None else head
