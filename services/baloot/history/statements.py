"""History's statements: what is asked of its tables, and how what was told is written into them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from baloot.core.score import RoundResult
from baloot.core.seats import TEAMS, Team
from baloot.history import rows
from baloot.history.fold import MatchOver, Told
from baloot.history.imports import Answer, ImportRequest, NewImport
from baloot.history.records import Cursor, MatchFilter, MatchStatus, Outcome, RoundHistory
from baloot.history.schema import (
    Base,
    CursorRow,
    ImportRequestRow,
    ImportRow,
    LineRow,
    MatchRow,
    PairRow,
    ProjectRow,
    RaiseRow,
    RoundRow,
    SeatRow,
)
from baloot.history.tokens import Place
from baloot.kit.database import to_moment
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.orm import aliased, selectinload

DERIVED = MatchRow, SeatRow, PairRow, RoundRow, RaiseRow, ProjectRow, LineRow
"""What is told of a match, in tables that have its id."""

CURSORS = sa.select(CursorRow.table_id, CursorRow.sequence, CursorRow.seen, CursorRow.done)

WHOLE_MATCH = sa.select(MatchRow).options(
    selectinload(MatchRow.seats),
    selectinload(MatchRow.round_rows).options(
        selectinload(RoundRow.raises), selectinload(RoundRow.projects), selectinload(RoundRow.lines)
    ),
)


EXISTS = sa.select(sa.func.to_regclass(CursorRow.__tablename__).is_not(None))

LIST_TIMEOUT = 1000
"""Milliseconds that the reading of a page may take. Filters that hardly anything fits make it go through many matches."""
IN_ORDER = sa.select(
    sa.func.set_config("enable_sort", "off", sa.true()),
    sa.func.set_config("statement_timeout", str(LIST_TIMEOUT), sa.true()),
)
"""Lets a page be read in the order of an index. Where filters are hard to estimate, all matches would be sorted first."""

EMPTY = sa.literal_column("''", sa.Text)
"""As the indices of what is not empty have it: of a parameter, no plan could know that it is."""


def page_of(chosen: MatchFilter, size: int, after: Place | None) -> sa.Select[MatchRow]:
    """The first matches after a place, with their seats.

    One index gives them in their order: that of the two players, of the player, of the name, or of the matches.
    """
    walked = _walked(chosen)
    query = sa.select(MatchRow).options(selectinload(MatchRow.seats))
    if walked is not MatchRow:
        query = query.join(walked, _columns(walked).match_id == MatchRow.match_id)
    query = query.where(*_fitting(chosen), *_of_player(chosen, walked), *_since(chosen, walked, after))
    place = _columns(walked)
    return query.order_by(place.started_at.desc(), place.match_id.desc()).limit(size)


def _walked(chosen: MatchFilter) -> Any:
    """What is gone through in order: something with `started_at` and `match_id`, each match once."""
    if chosen.partner_id or chosen.opponent_id:
        return PairRow
    if chosen.player_id:
        return SeatRow
    if chosen.player_name:  # namesakes may sit at one match
        columns = (SeatRow.started_at, SeatRow.match_id)
        named = sa.select(*columns).where(SeatRow.player_name == chosen.player_name)
        ordered = named.distinct().order_by(*(column.desc() for column in columns))
        return ordered.subquery()
    return MatchRow


def _columns(walked: Any) -> Any:
    return walked.c if isinstance(walked, sa.Subquery) else walked


def _fitting(chosen: MatchFilter) -> Iterator[sa.ColumnElement[bool]]:
    if chosen.status is not None:
        yield MatchRow.status == chosen.status.value
    if chosen.ruleset_name:
        yield MatchRow.ruleset_name == chosen.ruleset_name
    if chosen.event_id:
        yield MatchRow.event_id == chosen.event_id
        yield MatchRow.event_id != EMPTY
    if chosen.player_name and chosen.player_id:
        named = aliased(SeatRow)
        yield sa.exists().where(named.match_id == MatchRow.match_id, named.player_name == chosen.player_name)


def _of_player(chosen: MatchFilter, walked: Any) -> Iterator[sa.ColumnElement[bool]]:
    """That the rows which are gone through are those of the player, and of the other one."""
    if not chosen.player_id:
        return
    yield walked.player_id == chosen.player_id
    if walked is SeatRow:
        yield SeatRow.player_id != EMPTY
    if walked is PairRow:
        yield PairRow.partner == bool(chosen.partner_id)
        yield PairRow.other_id == (chosen.partner_id or chosen.opponent_id)
    if chosen.partner_id and chosen.opponent_id:
        against = aliased(PairRow)
        yield sa.exists().where(
            against.match_id == PairRow.match_id,
            against.seat == PairRow.seat,
            against.other_id == chosen.opponent_id,
            ~against.partner,
        )
    if chosen.outcome is not None:
        yield MatchRow.status == MatchStatus.FINISHED.value
        won = MatchRow.winner == walked.seat % len(TEAMS)
        yield won if chosen.outcome is Outcome.WON else ~won


def _since(chosen: MatchFilter, walked: Any, after: Place | None) -> Iterator[sa.ColumnElement[bool]]:
    place = _columns(walked)
    yield place.started_at.is_not(None)
    if chosen.started_after is not None:
        yield place.started_at >= to_moment(chosen.started_after)
    if chosen.started_before is not None:
        yield place.started_at < to_moment(chosen.started_before)
    if after is not None:
        last = sa.tuple_(sa.literal(to_moment(after.started_at)), sa.literal(after.match_id))
        yield sa.tuple_(place.started_at, place.match_id) < last


def cursor_values(table_id: UUID, told: Told) -> dict[str, Any]:
    return {"table_id": table_id, "sequence": told.sequence, "seen": told.seen, "done": told.done}


def stored_of(row: type[Base], match_id: UUID) -> sa.Select[Any]:
    """All rows of a match in one of the tables that are derived from the logs, column by column."""
    columns = row.__table__.c
    return sa.select(*columns).where(columns.match_id == match_id)


Filled = tuple[sa.Executable, dict[str, Any]]
"""A statement and the values for its parameters: what is written for each round is put together once."""

_AT = (CursorRow.table_id == sa.bindparam("table"), CursorRow.sequence == sa.bindparam("before"))
_BEGIN = insert(CursorRow).on_conflict_do_nothing().returning(CursorRow.table_id)
_REPLACE = (
    sa.update(CursorRow)
    .where(*_AT)
    .values({name: sa.bindparam(f"new_{name}") for name in ("sequence", "seen", "done")})
    .returning(CursorRow.table_id)
)
_ADVANCE = _REPLACE.values(seen=sa.func.greatest(CursorRow.seen, sa.bindparam("new_seen")))


def advance(table_id: UUID, before: Cursor | None, told: Told) -> Filled:
    """Moves the cursor on from where it was, and returns a row if it was there."""
    return _moving(_ADVANCE, table_id, before, told)


def replace_cursor(table_id: UUID, before: Cursor | None, told: Told) -> Filled:
    """Sets the cursor, and returns a row if it was where it is said to be."""
    return _moving(_REPLACE, table_id, before, told)


def _moving(statement: sa.Executable, table_id: UUID, before: Cursor | None, told: Told) -> Filled:
    values = cursor_values(table_id, told)
    if before is None:
        return _BEGIN, values
    place = {"table": values.pop("table_id"), "before": before.sequence}
    return statement, place | _new(values)


def _new(values: dict[str, Any]) -> dict[str, Any]:
    return {f"new_{name}": value for name, value in values.items()}


async def write(connection: AsyncConnection, match_id: UUID, told: Told) -> None:
    """Adds what was told to the rows of a match."""
    if told.begun is not None:
        await _add(connection, MatchRow, [rows.match_values(told.begun)])
        await _add(connection, SeatRow, rows.seat_values(told.begun))
        await _add(connection, PairRow, rows.pair_values(told.begun))
    await _add(connection, RoundRow, (rows.round_values(match_id, over) for over in told.rounds))
    for row, values in (
        (RaiseRow, rows.raise_values),
        (ProjectRow, rows.project_values),
        (LineRow, rows.line_values),
    ):
        await _add(connection, row, chain.from_iterable(values(match_id, over) for over in told.rounds))
    changes = _changes(told.rounds, told.over)
    if changes:
        await connection.execute(_changing(tuple(changes)), {"match": match_id, **_new(changes)})


_COUNTED = ("rounds", "scored", "kaboots_south_north", "kaboots_east_west")
"""Columns of a match that are added to."""


@cache
def _changing(columns: tuple[str, ...]) -> sa.Executable:
    """Changes columns of a match."""
    new = {name: sa.bindparam(f"new_{name}", type_=MatchRow.__table__.c[name].type) for name in columns}
    values = {
        name: getattr(MatchRow, name) + new[name] if name in _COUNTED else new[name] for name in columns
    }
    return sa.update(MatchRow).where(MatchRow.match_id == sa.bindparam("match")).values(values)


def _changes(rounds: tuple[RoundHistory, ...], over: MatchOver | None) -> dict[str, Any]:
    """What changes in the columns of a match: how much is added where it is counted, else the new value."""
    changes: dict[str, Any] = {}
    if rounds:
        changes["rounds"] = len(rounds)
    scores = [round_.score for round_ in rounds if round_.score is not None]
    if scores:
        changes["scored"] = len(scores)
        changes["score_south_north"], changes["score_east_west"] = scores[-1].totals
    kaboots = [score.round_winner for score in scores if score.result is RoundResult.KABOOT]
    if kaboots:
        changes["kaboots_south_north"] = kaboots.count(Team.SOUTH_NORTH)
        changes["kaboots_east_west"] = kaboots.count(Team.EAST_WEST)
    if over is not None:
        changes |= {"status": over.status.value, "winner": over.winner, "ended_at": to_moment(over.ended_at)}
        changes["forfeit"] = over.forfeit and over.forfeit.value
    return changes


async def _add(connection: AsyncConnection, row: type[Base], values: Iterable[dict[str, Any]]) -> None:
    listed = list(values)
    if listed:
        await connection.execute(_adding(row), listed)


@cache
def _adding(row: type[Base]) -> sa.Executable:
    return sa.insert(row)


# Imported matches.


async def add_imports(
    connection: AsyncConnection, request: ImportRequest, matches: Sequence[NewImport]
) -> Answer:
    """Stores matches, unless the request was answered before: then its answer."""
    keys = {"player_id": request.player_id, "request_id": request.request_id}
    kept = (await connection.execute(sa.select(ImportRequestRow).filter_by(**keys))).one_or_none()
    if kept is not None:
        return Answer(kept.digest, tuple(kept.match_ids), kept.added)
    stored = [await _add_import(connection, request, one) for one in matches]
    answer = Answer(request.digest, tuple(id_ for id_, _ in stored), sum(new for _, new in stored))
    values = {**keys, **answer._asdict(), "created_at": to_moment(request.at)}
    await connection.execute(insert(ImportRequestRow).values(values))
    return answer


async def _add_import(
    connection: AsyncConnection, request: ImportRequest, one: NewImport
) -> tuple[UUID, bool]:
    """The id of a match, and whether it is new."""
    known = sa.select(ImportRow.match_id).where(ImportRow.digest == one.digest)
    match_id = await connection.scalar(known)
    if match_id is not None:
        return match_id, False
    match_id = await _free(connection, one.ids)
    values = {"match_id": match_id, "digest": one.digest, "text": one.text}
    by = {"player_id": request.player_id, "imported_at": to_moment(request.at)}
    await connection.execute(insert(ImportRow).values(values | by))
    await write(connection, match_id, one.told(match_id, request.at))
    return match_id, True


async def _free(connection: AsyncConnection, ids: Sequence[UUID]) -> UUID:
    """The first of some ids that no match has."""
    taken = sa.union(
        sa.select(MatchRow.match_id).where(MatchRow.match_id.in_(ids)),
        sa.select(ImportRow.match_id).where(ImportRow.match_id.in_(ids)),
    )
    known = set((await connection.scalars(taken)).all())
    return next(match_id for match_id in ids if match_id not in known)


async def tell_import(connection: AsyncConnection, match_id: UUID, told: Told) -> None:
    """Replaces all that is told of an imported match, unless one that was played here has its id."""
    await connection.execute(sa.delete(MatchRow).where(MatchRow.match_id == match_id, MatchRow.imported))
    if await connection.scalar(sa.select(MatchRow.match_id).where(MatchRow.match_id == match_id)) is None:
        await write(connection, match_id, told)


# Locks.


def one_by_one(name: str) -> sa.Select[Any]:
    """Lets one process at a time do something with what has this name, until the transaction ends."""
    return sa.select(sa.func.pg_advisory_xact_lock(sa.func.hashtextextended(name, 0)))
