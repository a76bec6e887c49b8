"""History in Postgres: what the projection writes, and what is asked of it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Self
from uuid import UUID

import sqlalchemy as sa
from baloot.core.errors import Reason, Refusal
from baloot.history import rows
from baloot.history.fold import Told
from baloot.history.records import Cursor, Match, MatchFilter, Page
from baloot.history.schema import CursorRow, MatchRow
from baloot.history.statements import CURSORS, WHOLE_MATCH, advance, cursor_values, page_of, write
from baloot.history.tokens import read_token, write_token
from baloot.kit.database import TIMEOUT, open_engine, refusing
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession

CONNECTIONS = 4
PAGE_SIZE = 20
"""How many matches a page has unless it is said."""
MAX_PAGE_SIZE = 100


class PostgresHistory:
    """A migrated database's history. Every method may raise Refusal UNAVAILABLE. Use it as `async with`."""

    def __init__(self, url: str, *, connections: int = CONNECTIONS, timeout: float = TIMEOUT) -> None:
        self._engine = open_engine(url, "baloot history", size=connections, timeout=timeout)
        self._snapshots = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    async def close(self) -> None:
        await self._engine.dispose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # What is asked.

    async def list_matches(
        self, chosen: MatchFilter = MatchFilter(), size: int = PAGE_SIZE, token: str = ""
    ) -> Page:
        """A page of 1 to 100 matches, the first one without a token. Raises Refusal FIELD_INVALID."""
        _check(chosen, size)
        after = read_token(token, chosen) if token else None
        query = page_of(chosen, size + 1, after)
        async with self._reading() as session:
            found = (await session.scalars(query)).all()
        matches = tuple(rows.to_summary(row) for row in found[:size])
        return Page(matches, write_token(matches[-1], chosen) if len(found) > size else "")

    async def get_match(self, match_id: UUID) -> Match:
        """A match with its finished rounds. Raises Refusal MATCH_UNKNOWN."""
        query = WHOLE_MATCH.where(MatchRow.match_id == match_id)
        async with self._reading() as session:
            row = await session.scalar(query)
        if row is None:
            raise Refusal(
                Reason.MATCH_UNKNOWN,
                f"there is no match {match_id}, or it began a moment ago",
                field="match_id",
            )
        return rows.to_match(row)

    async def ping(self) -> None:
        """Returns when the database answers."""
        async with self._reading() as session:
            await session.execute(sa.select(1))

    # What the projection does.

    async def cursors(self, table_ids: Iterable[UUID]) -> dict[UUID, Cursor]:
        """How far these tables are told; those of which nothing is told are left out."""
        found = await self._cursors(CURSORS.where(CursorRow.table_id.in_(list(table_ids))))
        return {cursor.table_id: cursor for cursor in found}

    async def cursors_after(self, after: UUID | None, limit: int, *, undone: bool) -> Sequence[Cursor]:
        """The cursors in order of their tables, at most `limit`; `undone` leaves out those that are done."""
        query = CURSORS.order_by(CursorRow.table_id).limit(limit)
        if after is not None:
            query = query.where(CursorRow.table_id > after)
        return await self._cursors(query.where(~CursorRow.done) if undone else query)

    async def record(self, table_id: UUID, before: Cursor | None, told: Told) -> bool:
        """Writes down what was told after `before`, and how far that is, at once or not at all.

        Returns False, and writes nothing, when somebody else went on from there.
        """
        async with self._writing() as connection:
            moved = await connection.scalar(advance(table_id, before, told))
            if moved is None:
                return False
            await write(connection, table_id, told)
        return True

    async def record_anew(self, table_id: UUID, told: Told) -> None:
        """Replaces all that is written of a table by what its whole log tells."""
        async with self._writing() as connection:
            values = cursor_values(table_id, told)
            await connection.execute(
                insert(CursorRow)
                .values(values)
                .on_conflict_do_update(index_elements=["table_id"], set_=values)
            )
            await connection.execute(sa.delete(MatchRow).where(MatchRow.match_id == table_id))
            await write(connection, table_id, told)

    async def forget(self, table_ids: Iterable[UUID]) -> None:
        """Removes all that is written of these tables."""
        ids = list(table_ids)
        async with self._writing() as connection:
            await connection.execute(sa.delete(CursorRow).where(CursorRow.table_id.in_(ids)))
            await connection.execute(sa.delete(MatchRow).where(MatchRow.match_id.in_(ids)))

    async def _cursors(self, query: sa.Select[UUID, int, int, bool]) -> Sequence[Cursor]:
        async with self._reading() as session:
            return [Cursor(*row) for row in await session.execute(query)]

    @asynccontextmanager
    async def _reading(self) -> AsyncIterator[AsyncSession]:
        """A session that sees one moment, so that a match and its rounds fit together."""
        with refusing("history"):
            async with AsyncSession(self._snapshots) as session:
                yield session

    @asynccontextmanager
    async def _writing(self) -> AsyncIterator[AsyncConnection]:
        with refusing("history"):
            async with self._engine.begin() as connection:
                yield connection


def _check(chosen: MatchFilter, size: int) -> None:
    if not 1 <= size <= MAX_PAGE_SIZE:
        raise Refusal(Reason.FIELD_INVALID, f"page_size must be 1 to {MAX_PAGE_SIZE}", field="page_size")
    if "\0" in chosen.player_name:  # the database has no such text
        raise Refusal(Reason.FIELD_INVALID, "player_name must be text", field="player_name")
