"""History in Postgres: what the projection writes, and what is asked of it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict
from typing import NamedTuple, Self
from uuid import UUID

import sqlalchemy as sa
from baloot.codec.fields import invalid, missing
from baloot.core.deal import DealEnd
from baloot.core.errors import Reason, Refusal
from baloot.core.projects import ProjectKind
from baloot.history import rows
from baloot.history.figures import HeadToHead, Partner, Partners, Record, Statistics
from baloot.history.fold import Told
from baloot.history.imports import Answer, ImportRequest, NewImport
from baloot.history.player_statements import (
    between,
    bought_by,
    partners_of,
    projects_of,
    raises_of,
    record_of,
)
from baloot.history.records import Cursor, Match, MatchFilter, MatchSummary, Page, Rebuilt, RoundEnd
from baloot.history.schema import CursorRow, ImportRow, MatchRow, RebuildRow, RoundRow, ShareRow
from baloot.history.share_statements import GOOD, forgotten, new_share
from baloot.history.shares import KnownShare, NewShare, Room, Share
from baloot.history.statements import (
    CURSORS,
    DERIVED,
    EXISTS,
    IN_ORDER,
    WHOLE_MATCH,
    add_imports,
    advance,
    one_by_one,
    page_of,
    replace_cursor,
    stored_of,
    tell_import,
    write,
)
from baloot.history.tokens import read_partner, read_token, write_partner, write_token
from baloot.kit.database import TIMEOUT, open_engine, refusing, to_micros
from baloot.table.events import Micros
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncSession
from sqlalchemy.orm import selectinload

CONNECTIONS = 4
PAGE_SIZE = 20
"""How many matches a page has unless it is said."""
MAX_PAGE_SIZE = 100


class StoredHistory(NamedTuple):
    """How far a table's log is told, and the rows of its match in each table of history, by the names of the columns."""

    cursor: Cursor
    rows: Mapping[str, Sequence[rows.Values]]


class PostgresHistory:
    """A migrated database's history. Every method may raise Refusal UNAVAILABLE. Use it as `async with`."""

    def __init__(self, url: str, *, connections: int = CONNECTIONS, timeout: float = TIMEOUT) -> None:
        self._engine = open_engine(url, "baloot history", size=connections, timeout=timeout)
        self._snapshots = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._lists = asyncio.Semaphore(max(1, connections - 1))
        """Lists may take long. They leave a connection free for all else."""

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
        async with self._lists, self._reading() as session:
            await session.execute(IN_ORDER)
            found = (await session.scalars(query)).all()
        matches = tuple(rows.to_summary(row) for row in found[:size])
        return Page(matches, write_token(matches[-1], chosen) if len(found) > size else "")

    async def get_match(self, match_id: UUID) -> Match:
        """A match with its finished rounds. Raises Refusal MATCH_UNKNOWN."""
        query = WHOLE_MATCH.where(MatchRow.match_id == match_id)
        async with self._reading() as session:
            row = await session.scalar(query)
        if row is None:
            raise unknown_match(match_id)
        return rows.to_match(row)

    async def round_end(self, match_id: UUID, number: int) -> RoundEnd:
        """How and where a finished round ended. Raises Refusal MATCH_UNKNOWN or ROUND_UNKNOWN."""
        at = sa.and_(RoundRow.match_id == MatchRow.match_id, RoundRow.number == number)
        wanted = (RoundRow.end, RoundRow.first_sequence, RoundRow.last_sequence)
        query = sa.select(*wanted).select_from(MatchRow).outerjoin(RoundRow, at)
        async with self._reading() as session:
            found = (await session.execute(query.where(MatchRow.match_id == match_id))).one_or_none()
        if found is None:
            raise unknown_match(match_id)
        if found.end is None:
            raise Refusal(
                Reason.ROUND_UNKNOWN,
                f"the match has no round {number}, or it was over a moment ago",
                field="number",
            )
        return RoundEnd(DealEnd(found.end), rows.to_span(found.first_sequence, found.last_sequence))

    async def require_round(self, match_id: UUID, number: int) -> None:
        """Raises Refusal MATCH_UNKNOWN, or ROUND_UNKNOWN unless the number is 0 or that of a finished round."""
        if number:
            await self.round_end(match_id, number)
        else:
            await self.summary(match_id)

    async def summary(self, match_id: UUID) -> MatchSummary:
        """A match in one line. Raises Refusal MATCH_UNKNOWN."""
        query = sa.select(MatchRow).options(selectinload(MatchRow.seats))
        async with self._reading() as session:
            row = await session.scalar(query.where(MatchRow.match_id == match_id))
        if row is None:
            raise unknown_match(match_id)
        return rows.to_summary(row)

    # What is asked of players.

    async def head_to_head(self, player_id: str, other_id: str) -> HeadToHead:
        """How two accounts did. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
        _check_account(player_id, "player_id")
        _check_account(other_id, "other_player_id")
        async with self._reading() as session:
            found = await session.execute(between(player_id, other_id))
            sums = {row.partner: rows.to_record(row) for row in found}
        return HeadToHead(sums.get(False, Record()), sums.get(True, Record()))

    async def partners(self, player_id: str, size: int = PAGE_SIZE, token: str = "") -> Partners:
        """A page of 1 to 100 partners, the first one without a token. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
        _check_account(player_id, "player_id")
        _check_size(size)
        after = read_partner(token, player_id) if token else None
        async with self._reading() as session:
            found = (await session.execute(partners_of(player_id, size + 1, after))).all()
        page = tuple(Partner(row.other_id, row.name, rows.to_record(row)) for row in found[:size])
        more = len(found) > size
        return Partners(
            page, write_partner(page[-1].record.matches, page[-1].player_id, player_id) if more else ""
        )

    async def statistics(self, player_id: str) -> Statistics:
        """What an account did. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
        _check_account(player_id, "player_id")
        async with self._reading() as session:
            record = rows.to_record((await session.execute(record_of(player_id))).one())
            bought = (await session.execute(bought_by(player_id))).one()
            raises = (await session.execute(raises_of(player_id))).scalar_one()
            projects = await session.execute(projects_of(player_id))
            counted = tuple((ProjectKind(kind), count) for kind, count in projects)
        return Statistics(record=record, **bought._asdict(), raises=raises, projects=counted)

    # Links.

    async def add_share(self, new: NewShare, room: Room) -> KnownShare | None:
        """The link that a request made; stores it if it is new, and forgets those of the account that ended long ago.

        None when there is no room for another one.
        """
        async with self._writing() as connection:
            await connection.execute(one_by_one(f"history links of {new.player_id}"))
            await connection.execute(forgotten(new.player_id, room.remembered))
            made = sa.select(ShareRow, GOOD.label("good")).where(ShareRow.token_hash == new.token_hash)
            kept = (await connection.execute(made)).one_or_none()
            if kept is None:
                counts = sa.select(sa.func.count().filter(GOOD), sa.func.count())
                good, all_ = (
                    await connection.execute(counts.where(ShareRow.player_id == new.player_id))
                ).one()
                if good >= room.good or all_ >= room.all:
                    return None
                await connection.execute(new_share(new))
                kept = (await connection.execute(made)).one()
            return KnownShare(kept.request_digest, rows.to_share(kept), kept.good)

    async def share(self, token_hash: bytes) -> Share | None:
        """The link with this hash, if it is good."""
        query = sa.select(ShareRow).where(ShareRow.token_hash == token_hash, GOOD)
        async with self._reading() as session:
            row = await session.scalar(query)
        return None if row is None else rows.to_share(row)

    async def shares(self, player_id: str) -> tuple[Share, ...]:
        """The links of an account that are good, the newest first."""
        query = sa.select(ShareRow).where(ShareRow.player_id == player_id, GOOD)
        ordered = query.order_by(ShareRow.created_at.desc(), ShareRow.share_id.desc())
        async with self._reading() as session:
            return tuple(rows.to_share(row) for row in await session.scalars(ordered))

    async def withdraw(self, share_id: UUID, player_id: str) -> bool:
        """Ends a link of an account; whether it has such a link."""
        known = (ShareRow.share_id == share_id, ShareRow.player_id == player_id)
        ended = sa.func.coalesce(ShareRow.withdrawn_at, sa.func.now())
        change = sa.update(ShareRow).where(*known).values(withdrawn_at=ended).returning(ShareRow.share_id)
        async with self._writing() as connection:
            return await connection.scalar(change) is not None

    # Imported matches.

    async def add_imports(self, request: ImportRequest, matches: Sequence[NewImport]) -> Answer:
        """Stores matches, all of them or none, unless the request was answered before: then its answer.

        A match that is here already, word for word, is not stored again.
        """
        async with self._writing() as connection:
            await connection.execute(one_by_one("history imports"))
            return await add_imports(connection, request, matches)

    async def imported_text(self, match_id: UUID) -> str:
        """The text of an imported match. Raises Refusal MATCH_UNKNOWN."""
        async with self._reading() as session:
            text = await session.scalar(sa.select(ImportRow.text).where(ImportRow.match_id == match_id))
        if text is None:
            raise unknown_match(match_id)
        return text

    async def imports_after(self, after: UUID | None, limit: int) -> Sequence[tuple[UUID, str, Micros]]:
        """The texts of imported matches in order of their ids, and when they were imported, at most `limit`."""
        query = sa.select(ImportRow.match_id, ImportRow.text, ImportRow.imported_at)
        query = query.order_by(ImportRow.match_id).limit(limit)
        if after is not None:
            query = query.where(ImportRow.match_id > after)
        async with self._reading() as session:
            return [(row[0], row[1], to_micros(row[2])) for row in await session.execute(query)]

    async def tell_import(self, match_id: UUID, told: Told) -> None:
        """Replaces all that is told of an imported match, and leaves one alone that was played here."""
        async with self._writing() as connection:
            await tell_import(connection, match_id, told)

    async def ping(self) -> None:
        """Returns when the database answers."""
        async with self._reading() as session:
            await session.execute(sa.select(1))

    # What is checked.

    async def exists(self) -> bool:
        """Whether the database has a history at all."""
        async with self._reading() as session:
            return bool(await session.scalar(EXISTS))

    async def stored(self, match_id: UUID) -> StoredHistory | None:
        """All that is written of a match, as it is stored; None where nothing was told of its table yet."""
        async with self._reading() as session:
            cursor = (await session.execute(CURSORS.where(CursorRow.table_id == match_id))).one_or_none()
            if cursor is None:
                return None
            found: dict[str, list[rows.Values]] = {}
            for row in DERIVED:
                values = await session.execute(stored_of(row, match_id))
                found[row.__tablename__] = [dict(one) for one in values.mappings()]
        return StoredHistory(Cursor(*cursor), found)

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
            moved = await connection.scalar(*advance(table_id, before, told))
            if moved is None:
                return False
            await write(connection, table_id, told)
        return True

    async def record_anew(self, table_id: UUID, before: Cursor | None, told: Told) -> bool:
        """Replaces all that is written of a table by what its whole log tells, as it was read after `before`.

        Returns False, and writes nothing, when somebody else went on from there.
        """
        async with self._writing() as connection:
            moved = await connection.scalar(*replace_cursor(table_id, before, told))
            if moved is None:
                return False
            await connection.execute(sa.delete(MatchRow).where(MatchRow.match_id == table_id))
            await write(connection, table_id, told)
        return True

    async def begin_rebuild(self, *, from_scratch: bool) -> Rebuilt:
        """The rebuild that was stopped, or a new one if there is none or it is wanted `from_scratch`."""
        latest = sa.select(RebuildRow).order_by(RebuildRow.generation.desc()).limit(1)
        async with self._writing() as connection:
            await connection.execute(one_by_one("history rebuild"))
            row = (await connection.execute(latest)).one_or_none()
            if row is not None and row.finished_at is None and not from_scratch:
                return Rebuilt(row.generation, row.after, row.entries)
            begun = Rebuilt(1 if row is None else row.generation + 1)
            await connection.execute(insert(RebuildRow).values(asdict(begun) | {"started_at": sa.func.now()}))
        return begun

    async def note_rebuild(self, rebuilt: Rebuilt) -> None:
        """Writes down how far a rebuild is."""
        async with self._writing() as connection:
            known = RebuildRow.generation == rebuilt.generation
            await connection.execute(sa.update(RebuildRow).where(known).values(asdict(rebuilt)))

    async def end_rebuild(self, generation: int) -> None:
        """Writes down that a rebuild is over, and with it all that were stopped before it."""
        async with self._writing() as connection:
            open_ = (RebuildRow.generation <= generation, RebuildRow.finished_at.is_(None))
            await connection.execute(sa.update(RebuildRow).where(*open_).values(finished_at=sa.func.now()))

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
    _check_size(size)
    for name in _TEXTS:
        _check_text(getattr(chosen, name), name)
    if not chosen.player_id and (chosen.partner_id or chosen.opponent_id or chosen.outcome):
        raise missing("player_id")


_TEXTS = ("player_name", "player_id", "partner_id", "opponent_id", "ruleset_name", "event_id")


def _check_size(size: int) -> None:
    if not 1 <= size <= MAX_PAGE_SIZE:
        raise invalid("page_size", f"must be 1 to {MAX_PAGE_SIZE}")


def _check_text(text: str, path: str) -> None:
    if "\0" in text:  # the database has no such text
        raise invalid(path, "must be text")


def _check_account(player_id: str, path: str) -> None:
    if not player_id:
        raise missing(path)
    _check_text(player_id, path)


def unknown_match(match_id: UUID) -> Refusal:
    """Why a match is refused that history does not tell."""
    return Refusal(
        Reason.MATCH_UNKNOWN, f"there is no match {match_id}, or it began a moment ago", field="match_id"
    )
