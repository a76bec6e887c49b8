"""The statements that sum up what players did in finished matches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from baloot.core.contract import Mode
from baloot.core.seats import TEAMS
from baloot.history.records import MatchStatus
from baloot.history.schema import MatchRow, PairRow, ProjectRow, RaiseRow, RoundRow, SeatRow
from baloot.history.statements import EMPTY
from sqlalchemy.dialects.postgresql import aggregate_order_by

_FINISHED = sa.and_(MatchRow.status == MatchStatus.FINISHED.value, ~MatchRow.imported)
"""What is summed up: matches that were played here, to their end."""


def between(player_id: str, other_id: str) -> sa.Select[Any]:
    """What two accounts did, once as partners and once as opponents, from the side of the first one."""
    query = sa.select(PairRow.partner, *_sums(PairRow)).join(MatchRow, MatchRow.match_id == PairRow.match_id)
    chosen = query.where(PairRow.player_id == player_id, PairRow.other_id == other_id, _FINISHED)
    return chosen.group_by(PairRow.partner)


def partners_of(player_id: str, size: int, after: tuple[int, str] | None) -> sa.Select[Any]:
    """Those who sat opposite an account, with most matches first, after one with so many matches."""
    matches = sa.func.count()
    name = aggregate_order_by(SeatRow.player_name, PairRow.started_at.desc(), PairRow.match_id.desc())
    query = (
        sa.select(PairRow.other_id, sa.func.array_agg(name)[1].label("name"), *_sums(PairRow))
        .join(MatchRow, MatchRow.match_id == PairRow.match_id)
        .join(SeatRow, sa.and_(SeatRow.match_id == PairRow.match_id, SeatRow.seat == PairRow.other))
        .where(PairRow.player_id == player_id, PairRow.partner, _FINISHED)
        .group_by(PairRow.other_id)
        .order_by(matches.desc(), PairRow.other_id)
        .limit(size)
    )
    if after is None:
        return query
    most, last = after
    later = sa.and_(matches == most, PairRow.other_id > last)
    return query.having(sa.or_(matches < most, later))


def record_of(player_id: str) -> sa.Select[Any]:
    """What an account did in all matches."""
    return _played(sa.select(*_sums(SeatRow)).select_from(SeatRow), player_id)


def bought_by(player_id: str) -> sa.Select[Any]:
    """The rounds that an account bought."""
    own = RoundRow.round_winner == SeatRow.seat % len(TEAMS)
    query = sa.select(
        sa.func.count().label("bought"),
        sa.func.count().filter(own).label("bought_won"),
        sa.func.count().filter(~own).label("khosara"),
        sa.func.count().filter(RoundRow.mode == Mode.SUN.value).label("bought_sun"),
        sa.func.count().filter(RoundRow.mode == Mode.HOKUM.value).label("bought_hokum"),
    ).select_from(SeatRow)
    at = sa.and_(RoundRow.match_id == SeatRow.match_id, RoundRow.buyer == SeatRow.seat)
    return _played(query.join(RoundRow, at), player_id)


def raises_of(player_id: str) -> sa.Select[Any]:
    """How often an account raised."""
    at = sa.and_(RaiseRow.match_id == SeatRow.match_id, RaiseRow.seat == SeatRow.seat)
    return _played(sa.select(sa.func.count()).select_from(SeatRow).join(RaiseRow, at), player_id)


def projects_of(player_id: str) -> sa.Select[Any]:
    """How many projects of an account counted, by their kind."""
    at = sa.and_(ProjectRow.match_id == SeatRow.match_id, ProjectRow.seat == SeatRow.seat)
    query = sa.select(ProjectRow.kind, sa.func.count()).select_from(SeatRow).join(ProjectRow, at)
    return _played(query, player_id).group_by(ProjectRow.kind).order_by(ProjectRow.kind)


def _played(query: Any, player_id: str) -> sa.Select[Any]:
    """The query of an account's seats, in finished matches alone."""
    joined: sa.Select[Any] = query.join(MatchRow, MatchRow.match_id == SeatRow.match_id)
    return joined.where(SeatRow.player_id == player_id, SeatRow.player_id != EMPTY, _FINISHED)


def _sums(of: Any) -> list[sa.Label[Any]]:
    """A `Record` of matches, from the side of the seat that stands in each row."""
    ours, theirs = _of_side(of.seat % len(TEAMS) == 0), _of_side(of.seat % len(TEAMS) == 1)
    latest = aggregate_order_by(MatchRow.match_id, MatchRow.started_at.desc(), MatchRow.match_id.desc())
    won = MatchRow.winner == of.seat % len(TEAMS)
    return [
        sa.func.count().label("matches"),
        sa.func.count().filter(won).label("wins"),
        _sum(MatchRow.scored).label("rounds"),
        _sum(ours("score")).label("points"),
        _sum(theirs("score")).label("points_against"),
        _sum(ours("kaboots")).label("kaboots"),
        _sum(theirs("kaboots")).label("kaboots_against"),
        sa.func.array_agg(latest)[1].label("last_match"),
        sa.func.max(MatchRow.started_at).label("last_started_at"),
    ]


def _of_side(first: sa.ColumnElement[bool]) -> Callable[[str], Any]:
    def column(name: str) -> Any:
        pair = getattr(MatchRow, f"{name}_south_north"), getattr(MatchRow, f"{name}_east_west")
        return sa.case((first, pair[0]), else_=pair[1])

    return column


def _sum(column: Any) -> sa.ColumnElement[int]:
    return sa.func.coalesce(sa.func.sum(column), 0)
