"""What history tells is compared with the logs: all its tables, column by column, as far as it has come."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from baloot.audit.history import compare
from baloot.audit.records import Audited, Code, Unchecked
from baloot.history.postgres import PostgresHistory, StoredHistory
from baloot.history.projection import Projection
from baloot.history.schema import DERIVED

from tests.audit.logs import Match, stored
from tests.history.accounts import seated
from tests.history.played import Logbook, forfeits, logbooks, owners_show, store_with
from tests.postgres import fresh_database

WHO = ("noura", "fahad", "salem", "huda")
TABLES = [table.name for table in DERIVED if table.name != "history_cursor"]
KEYS = ("match_id", "seat", "other", "number", "step", "place")
Told = dict[UUID, tuple[Match, StoredHistory]]


BEHIND = UUID(int=100)


def logs() -> list[Logbook]:
    """Logs of every kind of end, all with accounts; and a match of which the last entries are not there yet."""
    played = [*logbooks(), owners_show(), *forfeits()]
    every = [seated(log, UUID(int=number), WHO) for number, log in enumerate(played, 1)]
    return [*every, seated(logbooks()[1][:-40], BEHIND, WHO)]


@pytest.fixture(scope="module")
def told(postgres: str, migrated: str) -> Told:
    """Each log as it is stored, and what a projection tells of it."""
    return asyncio.run(_told(postgres, migrated))


async def _told(postgres: str, migrated: str) -> Told:
    found = {}
    async with fresh_database(postgres, migrated) as url, PostgresHistory(url) as history:
        await Projection(await store_with(*logs()), history).catch_up()
        for log in logs():
            match, kept = stored(log), await history.stored(log[0].table_id)
            assert kept is not None
            found[match.id] = match, kept
    return found


def findings(match: Match, kept: StoredHistory | None) -> list[tuple[Code, str]]:
    audited = Audited(match.id)
    compare(audited, match.rows, kept)
    return [(one.code, str(one)) for one in audited.findings]


def test_what_a_projection_tells_is_what_the_log_tells(told: Told) -> None:
    for match, kept in told.values():
        assert findings(match, kept) == []
    assert not [name for name in TABLES if not any(kept.rows[name] for _, kept in told.values())]


def test_every_value_that_is_changed_is_found(told: Told) -> None:
    tried = 0
    for table in TABLES:
        match, kept = having(told, table)
        rows = kept.rows[table]
        for name in rows[0].keys() - set(KEYS):
            found = findings(match, _with(kept, table, [{**rows[0], name: _other(rows[0][name])}, *rows[1:]]))
            assert [code for code, _ in found] == [_code(rows[0])], (table, name)
            assert name in found[0][1]
            assert table in found[0][1]
            tried += 1
    assert tried > 50


def test_rows_that_are_missing_or_made_up_are_found(told: Told) -> None:
    for table in TABLES:
        match, kept = having(told, table)
        rows = kept.rows[table]
        (code, sentence), *more = findings(match, _with(kept, table, rows[:-1]))
        assert (code, more) == (_code(rows[-1]), [])
        assert f"a row is missing in {table}" in sentence
        place = next(name for name in reversed(KEYS) if name in rows[-1])
        if place == "match_id":
            continue
        made_up = {**rows[-1], place: 99}
        (code, sentence), *more = findings(match, _with(kept, table, [*rows, made_up]))
        assert (code, more) == (_code(made_up), [])
        assert f"a row is told of which the log knows nothing in {table}" in sentence
        assert not made_up.get("number") or f"round {made_up['number']}: " in sentence


def test_a_history_that_is_behind_is_compared_as_far_as_it_is(told: Told) -> None:
    match, kept = told[BEHIND]
    later = stored(seated(logbooks()[1], BEHIND, WHO))
    assert len(later.rows) > len(match.rows)
    assert findings(later, kept) == []
    cursor = kept.cursor
    for wrong in (replace(cursor, sequence=cursor.sequence + 1), replace(cursor, done=True)):
        assert [code for code, _ in findings(later, kept._replace(cursor=wrong))] == [Code.HISTORY_MATCH]


def test_what_history_has_not_told_and_a_log_that_tells_nothing_are_no_findings(told: Told) -> None:
    match, kept = told[BEHIND]
    for rows, history in (
        (match.rows, None),
        (tuple(row._replace(payload=b"\xff") for row in match.rows), kept),
    ):
        audited = Audited(match.id)
        compare(audited, rows, history)
        assert (audited.findings, audited.unchecked) == ([], {Unchecked.HISTORY: 1})


def having(told: Told, table: str) -> tuple[Match, StoredHistory]:
    """A match of which there is something in a table."""
    return next(one for one in told.values() if one[1].rows[table])


def _code(row: Mapping[str, Any]) -> Code:
    return Code.HISTORY_ROUND if "number" in row else Code.HISTORY_MATCH


def _with(kept: StoredHistory, table: str, rows: Sequence[dict[str, Any]]) -> StoredHistory:
    return kept._replace(rows={**kept.rows, table: rows})


def _other(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case str():
            return value + "!"
        case list():
            return value[1:] or [7]
        case datetime():
            return value + timedelta(microseconds=1)
        case None:
            return 1
        case _:
            return UUID(int=value.int ^ 1)
