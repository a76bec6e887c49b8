"""History's statements: what is asked of its tables, and how what was told is written into them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from baloot.history import rows
from baloot.history.fold import MatchOver, Told
from baloot.history.records import Cursor, MatchFilter, RoundHistory
from baloot.history.schema import (
    Base,
    CursorRow,
    LineRow,
    MatchRow,
    ProjectRow,
    RaiseRow,
    RoundRow,
    SeatRow,
)
from baloot.history.tokens import Place
from baloot.kit.database import to_moment
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import selectinload

CURSORS = sa.select(CursorRow.table_id, CursorRow.sequence, CursorRow.seen, CursorRow.done)

WHOLE_MATCH = sa.select(MatchRow).options(
    selectinload(MatchRow.seats),
    selectinload(MatchRow.round_rows).options(
        selectinload(RoundRow.raises), selectinload(RoundRow.projects), selectinload(RoundRow.lines)
    ),
)


def page_of(chosen: MatchFilter, size: int, after: Place | None) -> sa.Select[MatchRow]:
    """The first matches after a place, with their seats."""
    query = (
        sa.select(MatchRow)
        .options(selectinload(MatchRow.seats))
        .order_by(MatchRow.started_at.desc(), MatchRow.match_id.desc())
        .limit(size)
    )
    if chosen.status is not None:
        query = query.where(MatchRow.status == chosen.status.value)
    if chosen.player_name:
        played = sa.select(SeatRow.match_id).where(SeatRow.player_name == chosen.player_name)
        query = query.where(MatchRow.match_id.in_(played))
    if after is not None:
        place = sa.tuple_(sa.literal(to_moment(after.started_at)), sa.literal(after.match_id))
        query = query.where(sa.tuple_(MatchRow.started_at, MatchRow.match_id) < place)
    return query


def cursor_values(table_id: UUID, told: Told) -> dict[str, Any]:
    return {"table_id": table_id, "sequence": told.sequence, "seen": told.seen, "done": told.done}


def advance(table_id: UUID, before: Cursor | None, told: Told) -> sa.Executable:
    """Moves the cursor on from where it was, and returns a row if it was there."""
    values = cursor_values(table_id, told)
    if before is None:
        return insert(CursorRow).values(values).on_conflict_do_nothing().returning(CursorRow.table_id)
    return (
        sa.update(CursorRow)
        .where(CursorRow.table_id == table_id, CursorRow.sequence == before.sequence)
        .values(values | {"seen": sa.func.greatest(CursorRow.seen, told.seen)})
        .returning(CursorRow.table_id)
    )


async def write(connection: AsyncConnection, match_id: UUID, told: Told) -> None:
    """Adds what was told to the rows of a match."""
    if told.begun is not None:
        await _add(connection, MatchRow, [rows.match_values(told.begun)])
        await _add(connection, SeatRow, rows.seat_values(told.begun))
    await _add(connection, RoundRow, (rows.round_values(match_id, over) for over in told.rounds))
    for row, values in (
        (RaiseRow, rows.raise_values),
        (ProjectRow, rows.project_values),
        (LineRow, rows.line_values),
    ):
        await _add(connection, row, chain.from_iterable(values(match_id, over) for over in told.rounds))
    changes = _changes(told.rounds, told.over)
    if changes:
        await connection.execute(sa.update(MatchRow).where(MatchRow.match_id == match_id).values(changes))


def _changes(rounds: tuple[RoundHistory, ...], over: MatchOver | None) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if rounds:
        changes["rounds"] = MatchRow.rounds + len(rounds)
    for score in (round_.score for round_ in rounds if round_.score is not None):
        changes["score_south_north"], changes["score_east_west"] = score.totals
    if over is not None:
        changes |= {"status": over.status.value, "winner": over.winner, "ended_at": to_moment(over.ended_at)}
        changes["forfeit"] = over.forfeit and over.forfeit.value
    return changes


async def _add(connection: AsyncConnection, row: type[Base], values: Iterable[dict[str, Any]]) -> None:
    listed = list(values)
    if listed:
        await connection.execute(sa.insert(row), listed)
