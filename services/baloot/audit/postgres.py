"""Whole logs out of Postgres, as they are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple, Self
from uuid import UUID

import sqlalchemy as sa
from baloot.audit.records import HeadRow, Row
from baloot.kit.database import Prepared, open_engine, to_micros
from baloot.table.store import StoreUnavailable

TIMEOUT = 60.0
"""Seconds that the database has for an answer; an audit can wait longer than a player."""
PAGE = 1000
"""Matches that are listed at once."""

_TABLE = sa.bindparam("table_id", type_=sa.Uuid)
_ROWS = sa.text("""
SELECT sequence, at, actor, by_default, uuid_send(request_id), request_digest, status, deadline_at, payload, secret, holder,
    chain
FROM table_entry WHERE table_id = :table_id ORDER BY sequence
""").bindparams(_TABLE)

_HEAD = sa.text("""
SELECT sequence, status, deadline_at, chain FROM table_head WHERE table_id = :table_id
""").bindparams(_TABLE)

_BOUNDS = "(:since)::timestamptz <= updated_at AND updated_at < (:until)::timestamptz"
_LISTED = sa.text(f"""
SELECT table_id FROM table_head WHERE {_BOUNDS} AND table_id > :after ORDER BY table_id LIMIT :count
""").bindparams(  # nothing of it comes from outside
    sa.bindparam("since", type_=sa.TIMESTAMP(timezone=True)),
    sa.bindparam("until", type_=sa.TIMESTAMP(timezone=True)),
    sa.bindparam("after", type_=sa.Uuid),
    sa.bindparam("count", type_=sa.Integer),
)
_FIRST = UUID(int=0)


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
        self._rows = Prepared(self._engine, _ROWS)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._rows.close()
        await self._engine.dispose()

    async def matches(self, since: datetime, until: datetime) -> Sequence[UUID]:
        """The matches whose last entry is of this time, `until` not included, in order of their ids."""
        found: list[UUID] = []
        with _saying_unavailable():
            async with self._engine.connect() as connection:
                while True:
                    after = found[-1] if found else _FIRST
                    values = {"since": since, "until": until, "after": after, "count": PAGE}
                    page = (await connection.execute(_LISTED, values)).scalars().all()
                    found += page
                    if len(page) < PAGE:
                        return found

    async def read(self, match: UUID) -> StoredMatch:
        """A whole match. The head is read after the rows, and rows that came between are read then."""
        with _saying_unavailable():
            rows = await self._rows.run({"table_id": match})
            head = await self._head(match)
            if head is not None and head.sequence > len(rows):
                rows = await self._rows.run({"table_id": match})
                head = await self._head(match)
        return StoredMatch(match, tuple([_row(row) for row in rows]), head)

    async def _head(self, match: UUID) -> HeadRow | None:
        async with self._engine.connect() as connection:
            row = (await connection.execute(_HEAD, {"table_id": match})).one_or_none()
        return None if row is None else HeadRow(row[0], row[1], _micros(row[2]), row[3])


def _row(row: Any) -> Row:
    number, at, actor, by_default, request, digest, status, deadline, payload, secret, holder, chain = row
    at, until = to_micros(at), None if deadline is None else to_micros(deadline)
    return Row(
        number, at, actor, by_default, request, digest, status, until, payload, secret, holder, chain
    )


def _micros(moment: datetime | None) -> int | None:
    return None if moment is None else to_micros(moment)


@contextmanager
def _saying_unavailable() -> Iterator[None]:
    """Every error is StoreUnavailable, since drivers raise more kinds than they document."""
    try:
        yield
    except Exception as error:
        raise StoreUnavailable("the database did not answer") from error
