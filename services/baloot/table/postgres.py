"""The log in Postgres: appended in batches, read by table, with the heads beside it.

The database is the only truth. A process may lose it at any moment and comes back without a restart.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, Self
from uuid import UUID

import sqlalchemy as sa
from baloot.core.errors import Refusal
from baloot.core.seats import SEATS, Seat
from baloot.kit.database import TIMEOUT, Prepared, is_lost, open_engine, sqlstate, to_micros, to_moment
from baloot.table.entries import holder_of
from baloot.table.events import LATE, Entry, Micros, Status
from baloot.table.looks import Look
from baloot.table.payload import Facts, decode, encode
from baloot.table.schema import entry as entries
from baloot.table.schema import event as events
from baloot.table.schema import head as heads
from baloot.table.schema import look as looks
from baloot.table.sealing import MatchKey, Seal, Seals, is_sealed
from baloot.table.server_keys import AskStoreKey, ServerKeys
from baloot.table.statements import APPEND, ATTEND, LEASE, MUSTER, STRIKE_OFF
from baloot.table.store import Head, RawEntry, SecretsSealed, Stored, StoreUnavailable, saying_unavailable
from baloot.table.store_clock import StoreClock
from baloot.table.writer import PACE, GroupWriter
from sqlalchemy.dialects.postgresql import insert

READERS = 4
"""Connections for reading; the writer has one of its own, so that no crowd of readers keeps it waiting."""
ATTEMPTS = 4
_ROLLED_BACK = ("40001", "40P01")
"""SQLSTATEs of a statement that did nothing because of others, and may be tried again."""

_PLAN_CHANGED = "0A000"
"""SQLSTATE of a statement that was prepared before a migration."""

_CLOCK = sa.select(sa.func.clock_timestamp())
_ENTRIES = sa.select(
    entries.c.sequence,
    entries.c.at,
    entries.c.actor,
    entries.c.by_default,
    entries.c.request_id,
    entries.c.request_digest,
    entries.c.deadline_at,
    entries.c.chain,
    entries.c.payload,
    entries.c.secret,
).order_by(entries.c.sequence)
_OPEN = _ENTRIES.with_only_columns(
    *(column for column in _ENTRIES.selected_columns if column.name != "secret")
)
_HEADS = sa.select(heads.c.table_id, heads.c.sequence, heads.c.status, heads.c.deadline_at)
_ENDED = [status.value for status in Status if status.ended]
_HELD = (
    sa.select(entries.c.table_id)
    .join(heads, heads.c.table_id == entries.c.table_id)
    .where(entries.c.holder == sa.bindparam("holder"), heads.c.status.not_in(_ENDED))
    .group_by(entries.c.table_id)
    .order_by(sa.func.max(entries.c.at).desc(), entries.c.table_id.desc())
)
_OF_EVENT = sa.select(events.c.table_id).where(events.c.event_id == sa.bindparam("event"))
_HELD_IN = _HELD.where(entries.c.table_id.in_(_OF_EVENT)).order_by(None).order_by(entries.c.table_id)


@dataclass(frozen=True, slots=True)
class Row:
    """An entry as it is written, ready for the statement; `values` are in the order of its columns."""

    table_id: UUID
    sequence: int
    values: tuple[Any, ...] = field(repr=False)


class PostgresStore:
    """Implements `Store` on a migrated database. Use it as `async with`, or `open` it and `close` it in the end.

    `match_key` asks for the keys that secrets are sealed with, and `store_key` for the one that the server's own key is
    sealed with. Without them nothing is sealed that is written, and nothing that is sealed can be read.
    """

    def __init__(
        self,
        url: str,
        match_key: MatchKey | None = None,
        *,
        store_key: AskStoreKey | None = None,
        readers: int = READERS,
        timeout: float = TIMEOUT,
    ) -> None:
        self._keys = ServerKeys(self._ask, store_key)
        self._match_key = match_key
        self._seals = None if match_key is None else Seals(self._key_of)
        self._readers = open_engine(url, "baloot table", size=readers, autocommit=True, timeout=timeout)
        self._writing = open_engine(url, "baloot table writer", size=1, autocommit=True, timeout=timeout)
        self._appending = Prepared(self._writing, APPEND)
        self._clock = StoreClock()
        self._writer: GroupWriter[Row, Stored] | None = None

    async def open(self) -> None:
        """Reads the database's clock and starts to write. Raises StoreUnavailable; it can be tried again."""
        await self.ping()
        self._writer = self._writer or GroupWriter(self._write, pace=PACE)

    async def close(self) -> None:
        """Writes what is under way, then lets go of the database."""
        if self._writer is not None:
            await self._writer.close()
        await self._appending.close()
        await self._readers.dispose()
        await self._writing.dispose()

    async def __aenter__(self) -> Self:
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        if self._writer is None:
            raise StoreUnavailable("the store is not open")
        seal = None if self._seals is None else await _of(self._seals, entry.table_id)
        return await self._writer.append(_row(entry, status, seal))

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        query = _ENTRIES if secrets else _OPEN
        rows = await self._ask(_page(query, table_id, after, limit))
        if not secrets:
            return tuple(_entry(table_id, row, None) for row in rows)
        seal = None
        if self._seals is not None and any(is_sealed(row.secret) for row in rows):
            seal = await _of(self._seals, table_id)
        return tuple(_entry(table_id, row, _opened(seal, row)) for row in rows)

    async def raw(self, table_id: UUID, after: int = 0, limit: int | None = None) -> Sequence[RawEntry]:
        return tuple(_raw(row) for row in await self._ask(_page(_ENTRIES, table_id, after, limit)))

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        rows = await self._ask(_HEADS.where(heads.c.table_id == sa.func.any(_uuids(table_ids))))
        return {row.table_id: _head(row) for row in rows}

    async def heads_after(self, after: UUID | None, limit: int, *, live: bool) -> Sequence[Head]:
        query = _HEADS.order_by(heads.c.table_id).limit(limit)
        if after is not None:
            query = query.where(heads.c.table_id > after)
        if live:
            query = query.where(heads.c.status.not_in(_ENDED))
        return tuple(_head(row) for row in await self._ask(query))

    async def held_by(self, holder: bytes, limit: int) -> Sequence[UUID]:
        rows = await self._ask(_HELD.limit(limit), {"holder": holder})
        return tuple(row.table_id for row in rows)

    async def claim_due(self, limit: int, lease: Micros) -> Sequence[UUID]:
        rows = await self._ask_the_time(LEASE, {"limit": limit, "lease": timedelta(microseconds=lease)})
        return tuple(table_id for _, table_id in rows if table_id is not None)

    async def key(self, name: str, fresh: bytes, *, sealed: bool = False) -> bytes:
        return await (self._keys.sealed if sealed else self._keys.kept)(name, fresh)

    async def check_keys(self) -> None:
        """Raises WrongDealingKey when the dealing service has another key than this database was begun with.

        Raises StoreUnavailable when it cannot be asked.
        """
        await self._keys.check()

    async def _key_of(self, table_id: UUID) -> bytes:
        assert self._match_key is not None
        await self.check_keys()  # so that nothing is ever sealed with the key of a stranger
        return await self._match_key(table_id)

    async def enrol(self, table_id: UUID, event_id: str) -> None:
        await self._ask(insert(events).values(event_id=event_id, table_id=table_id).on_conflict_do_nothing())

    async def held_in(self, event_id: str, holder: bytes) -> Sequence[UUID]:
        rows = await self._ask(_HELD_IN, {"event": event_id, "holder": holder})
        return tuple(row.table_id for row in rows)

    async def write_look(self, look: Look) -> None:
        await self._ask(
            insert(looks).values(asdict(look) | {"at": to_moment(look.at)}).on_conflict_do_nothing()
        )

    async def looks(self, table_id: UUID, limit: int) -> Sequence[Look]:
        query = sa.select(looks).where(looks.c.table_id == table_id).order_by(looks.c.at, looks.c.id)
        rows = await self._ask(query.limit(limit))
        return tuple(Look(**(row._asdict() | {"at": to_micros(row.at)})) for row in rows)

    async def attend(self, gap: Micros) -> Micros:
        ((_, resumed),) = await self._ask_the_time(ATTEND, {"gap": timedelta(microseconds=gap)})
        return 0 if resumed is None else to_micros(resumed)

    async def muster(self, process: bytes, silence: Micros, lease: Micros) -> Sequence[bytes]:
        spans = {"silence": silence, "late": LATE, "lease": lease}
        values = {name: timedelta(microseconds=span) for name, span in spans.items()}
        rows = await self._ask_the_time(MUSTER, {"process": process, **values})
        return tuple(lost for _, lost in rows if lost is not None)

    async def strike_off(self, process: bytes, silence: Micros) -> None:
        await self._ask(STRIKE_OFF, {"process": process, "silence": timedelta(microseconds=silence)})

    async def ping(self) -> None:
        await self._ask_the_time(_CLOCK)

    def now(self) -> Micros:
        return self._clock.now()

    async def _ask_the_time(
        self, statement: sa.Executable, values: dict[str, Any] | None = None
    ) -> Sequence[Any]:
        """What a statement returns whose first column is the time."""
        asked = self._clock.local()
        rows = await self._ask(statement, values)
        self._learn(asked, rows)
        return rows

    async def _ask(self, statement: sa.Executable, values: dict[str, Any] | None = None) -> Sequence[Any]:
        """The rows of a statement that may as well run twice."""
        try:
            return await self._ask_once(statement, values)
        except StoreUnavailable as error:
            if not _was_lost_unnoticed(error):
                raise
        return await self._ask_once(statement, values)

    async def _ask_once(self, statement: sa.Executable, values: dict[str, Any] | None) -> Sequence[Any]:
        with saying_unavailable():
            async with self._readers.connect() as connection:
                result = await connection.execute(statement, values)
                return result.all() if result.returns_rows else ()

    def _learn(self, asked: Micros, rows: Sequence[Any]) -> None:
        self._clock.learn(asked, self._clock.local(), to_micros(rows[0][0]))

    async def _write(self, batch: Sequence[Row]) -> dict[UUID, Stored]:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return await self._write_once(batch)
            except StoreUnavailable as error:
                if attempt == ATTEMPTS or sqlstate(error) not in _ROLLED_BACK:
                    raise
                await asyncio.sleep(0.002 * attempt)
        raise AssertionError("the loop always returns or raises")

    async def _write_once(self, batch: Sequence[Row]) -> dict[UUID, Stored]:
        columns = zip(*(row.values for row in batch), strict=True)
        values = dict(zip(_COLUMNS, map(list, columns), strict=True))
        asked = self._clock.local()
        with saying_unavailable():
            rows = await self._appending.run(values)
        self._learn(asked, rows)
        return {table_id: Stored(link or b"") for _, table_id, link in rows if table_id is not None}


_COLUMNS = (
    "table_ids",
    "sequences",
    "ats",
    "actors",
    "defaults",
    "request_ids",
    "digests",
    "statuses",
    "deadlines",
    "payloads",
    "secrets",
    "holders",
)


def _was_lost_unnoticed(error: StoreUnavailable) -> bool:
    """Whether a new connection may do better at once. After a time-out it would only take as long again."""
    timeouts = (TimeoutError, sa.exc.TimeoutError)
    stale = is_lost(error) or sqlstate(error) == _PLAN_CHANGED
    return stale and not isinstance(error.__cause__, timeouts)


async def _of(seals: Seals, table_id: UUID) -> Seal:
    """The seal of a match. Raises StoreUnavailable when its key cannot be had now."""
    try:
        return await seals.of(table_id)
    except Refusal as refusal:
        raise StoreUnavailable("the key of the match cannot be had") from refusal


def _opened(seal: Seal | None, row: Any) -> bytes:
    """The secret half of a row, opened where it is sealed."""
    stored: bytes = row.secret
    if not is_sealed(stored):
        return stored
    if seal is None:
        raise SecretsSealed("the secrets of this log are sealed, and there is no key to open them")
    return seal.open(row.sequence, stored)


def _row(entry: Entry, status: Status, seal: Seal | None) -> Row:
    payload, secret = encode(entry)
    if seal is not None:
        secret = seal.seal(entry.sequence, secret)
    return Row(
        entry.table_id,
        entry.sequence,
        (
            entry.table_id,
            entry.sequence,
            to_moment(entry.at),
            entry.actor,
            entry.by_default,
            entry.request_id,
            entry.request_digest,
            status.value,
            None if entry.deadline is None else to_moment(entry.deadline),
            payload,
            secret,
            holder_of(entry),
        ),
    )


def _page(query: sa.Select[Any], table_id: UUID, after: int, limit: int | None) -> sa.Select[Any]:
    return query.where(entries.c.table_id == table_id, entries.c.sequence > after).limit(limit)


def _raw(row: Any) -> RawEntry:
    return RawEntry(
        row.sequence,
        to_micros(row.at),
        _actor(row),
        row.by_default,
        row.payload,
        row.secret,
        row.chain or b"",
    )


def _actor(row: Any) -> Seat | None:
    return None if row.actor is None else SEATS[row.actor]


def _entry(table_id: UUID, row: Any, secret: bytes | None) -> Entry:
    facts: Facts = decode(row.payload, secret)
    return Entry(
        table_id,
        row.sequence,
        to_micros(row.at),
        _actor(row),
        row.request_id,
        row.request_digest,
        facts.events,
        facts.questions,
        _deadline(row),
        row.by_default,
        facts.received,
        facts.time_used,
        row.chain or b"",
    )


def _head(row: Any) -> Head:
    return Head(row.table_id, row.sequence, Status(row.status), _deadline(row))


def _deadline(row: Any) -> Micros | None:
    return None if row.deadline_at is None else to_micros(row.deadline_at)


def _uuids(table_ids: Iterable[UUID]) -> sa.BindParameter[Any]:
    uuids: Any = sa.ARRAY(sa.Uuid)
    return sa.bindparam(None, list(table_ids), type_=uuids)
