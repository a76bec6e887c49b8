"""The tables of history as they are now. Migrations bring a database here; a test compares the two.

Numbers stand for the members of the core's enums: seats from 0 (South), teams, suits, cards, and the others as there.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, JSONB
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column, relationship


class Base(DeclarativeBase):
    """All tables of history."""

    type_annotation_map = {  # noqa: RUF012 - SQLAlchemy reads it as it stands
        int: sa.SmallInteger,
        str: sa.Text,
        datetime: sa.TIMESTAMP(timezone=True),
        list[int]: ARRAY(sa.SmallInteger),
        list[Any]: JSONB,
    }


class CursorRow(Base):
    """How far a table's log is told. `seen` is how far it was looked at, `done` that nothing will follow."""

    __tablename__ = "history_cursor"
    table_id: Mapped[UUID] = mapped_column(primary_key=True)
    sequence: Mapped[int] = mapped_column(sa.Integer)
    seen: Mapped[int] = mapped_column(sa.Integer)
    done: Mapped[bool]

    __table_args__ = (sa.Index("history_cursor_open", "table_id", postgresql_where=sa.text("NOT done")),)


class MatchRow(Base):
    """A match."""

    __tablename__ = "history_match"
    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    status: Mapped[int]
    ruleset_name: Mapped[str]
    ruleset_hash: Mapped[str]
    score_south_north: Mapped[int]
    score_east_west: Mapped[int]
    rounds: Mapped[int]
    winner: Mapped[int | None]
    started_at: Mapped[datetime]
    ended_at: Mapped[datetime | None]
    forfeit: Mapped[int | None]
    event_id: Mapped[str] = mapped_column(server_default="")
    rematch_of: Mapped[UUID | None]
    scored: Mapped[int] = mapped_column(server_default="0")
    kaboots_south_north: Mapped[int] = mapped_column(server_default="0")
    kaboots_east_west: Mapped[int] = mapped_column(server_default="0")
    imported: Mapped[bool] = mapped_column(server_default=sa.false())

    seats: Mapped[list[SeatRow]] = relationship(order_by="SeatRow.seat", lazy="raise")
    round_rows: Mapped[list[RoundRow]] = relationship(order_by="RoundRow.number", lazy="raise")

    __table_args__ = (
        sa.Index("history_match_by_start", "started_at", "match_id"),
        sa.Index("history_match_by_status", "status", "started_at", "match_id"),
        sa.Index("history_match_by_ruleset", "ruleset_name", "started_at", "match_id"),
        sa.Index(
            "history_match_by_event",
            "event_id",
            "started_at",
            "match_id",
            postgresql_where=sa.text("event_id <> ''"),
        ),
    )


class SeatRow(Base):
    """Who sat where. `started_at` is the match's, so that the matches of a player are found in order."""

    __tablename__ = "history_seat"
    match_id: Mapped[UUID] = mapped_column(
        sa.ForeignKey("history_match.match_id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_name: Mapped[str]
    player_id: Mapped[str] = mapped_column(server_default="")
    started_at: Mapped[datetime | None]

    __table_args__ = (
        sa.Index("history_seat_by_player", "player_name", "match_id"),
        sa.Index("history_seat_by_name", "player_name", "started_at", "match_id"),
        sa.Index(
            "history_seat_by_account",
            "player_id",
            "started_at",
            "match_id",
            postgresql_where=sa.text("player_id <> ''"),
        ),
    )


class PairRow(Base):
    """Two accounts that sat at one match, told from the side of each of them; `partner` is whether they sat together."""

    __tablename__ = "history_pair"
    match_id: Mapped[UUID] = mapped_column(
        sa.ForeignKey("history_match.match_id", ondelete="CASCADE"), primary_key=True
    )
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    other: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    player_id: Mapped[str]
    other_id: Mapped[str]
    partner: Mapped[bool]
    started_at: Mapped[datetime]

    __table_args__ = (
        sa.Index("history_pair_by_players", "player_id", "partner", "other_id", "started_at", "match_id"),
    )


class RoundRow(Base):
    """A round that is over. The columns from `mode` on are those of its contract and its score sheet.

    `first_sequence` and `last_sequence` are its entries in the log; unset in rows that are older than these columns.
    """

    __tablename__ = "history_round"
    match_id: Mapped[UUID] = mapped_column(
        sa.ForeignKey("history_match.match_id", ondelete="CASCADE"), primary_key=True
    )
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    dealer: Mapped[int]
    end: Mapped[int]
    ended_at: Mapped[datetime]
    kawesh: Mapped[int | None]
    first_sequence: Mapped[int | None] = mapped_column(sa.Integer)
    last_sequence: Mapped[int | None] = mapped_column(sa.Integer)
    mode: Mapped[int | None]
    trump: Mapped[int | None]
    buyer: Mapped[int | None]
    taker: Mapped[int | None]
    bidding: Mapped[int | None]
    result: Mapped[int | None]
    round_winner: Mapped[int | None]
    card_points_south_north: Mapped[int | None]
    card_points_east_west: Mapped[int | None]
    compared_south_north: Mapped[int | None]
    compared_east_west: Mapped[int | None]
    game_points_south_north: Mapped[int | None]
    game_points_east_west: Mapped[int | None]
    total_south_north: Mapped[int | None]
    total_east_west: Mapped[int | None]
    winner: Mapped[int | None]

    raises: Mapped[list[RaiseRow]] = relationship(order_by="RaiseRow.step", lazy="raise")
    projects: Mapped[list[ProjectRow]] = relationship(order_by="ProjectRow.place", lazy="raise")
    lines: Mapped[list[LineRow]] = relationship(order_by="LineRow.place", lazy="raise")


def _round() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["match_id", "number"], ["history_round.match_id", "history_round.number"], ondelete="CASCADE"
    )


class RaiseRow(Base):
    """One step of a round's doubling ladder."""

    __tablename__ = "history_raise"
    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    step: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    level: Mapped[int]
    locked: Mapped[bool]

    __table_args__ = (_round(),)


class ProjectRow(Base):
    """A counted project."""

    __tablename__ = "history_project"
    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    kind: Mapped[int]
    cards: Mapped[list[int]]

    __table_args__ = (_round(),)


class LineRow(Base):
    """A line of a round's score sheet. `inputs` are pairs of a name and a number; the sentences may be empty."""

    __tablename__ = "history_score_line"
    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    place: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    team: Mapped[int]
    kind: Mapped[int]
    rule: Mapped[str]
    game_points: Mapped[int]
    inputs: Mapped[list[Any]]
    english: Mapped[str]
    arabic: Mapped[str]

    __table_args__ = (_round(),)


class ShareRow(Base):
    """A link to a match. It is no part of what is derived from the logs, so no match takes it away with it."""

    __tablename__ = "history_share"
    token_hash: Mapped[bytes] = mapped_column(sa.LargeBinary, primary_key=True)
    share_id: Mapped[UUID] = mapped_column(unique=True)
    player_id: Mapped[str]
    request_digest: Mapped[bytes] = mapped_column(sa.LargeBinary)
    match_id: Mapped[UUID]
    number: Mapped[int]
    viewer: Mapped[int | None]
    open: Mapped[bool]
    created_at: Mapped[datetime]
    expires_at: Mapped[datetime]
    withdrawn_at: Mapped[datetime | None]

    __table_args__ = (sa.Index("history_share_by_player", "player_id", "created_at", "share_id"),)


class ImportRow(Base):
    """A match that was taken in as a text, which is all that is told of it. `digest` is the SHA-256 of that text."""

    __tablename__ = "history_import"
    match_id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary, unique=True)
    text: Mapped[str]
    player_id: Mapped[str]
    imported_at: Mapped[datetime]


class ImportRequestRow(Base):
    """What an account was answered that brought matches, and the SHA-256 of what it brought."""

    __tablename__ = "history_import_request"
    player_id: Mapped[str] = mapped_column(primary_key=True)
    request_id: Mapped[UUID] = mapped_column(primary_key=True)
    digest: Mapped[bytes] = mapped_column(sa.LargeBinary)
    match_ids: Mapped[list[UUID]] = mapped_column(ARRAY(sa.Uuid))
    added: Mapped[int]
    created_at: Mapped[datetime]


class RebuildRow(Base):
    """How far history is told anew: `after` is the last table, `entries` are those of the logs so far."""

    __tablename__ = "history_rebuild"
    generation: Mapped[int] = mapped_column(sa.Integer, primary_key=True, autoincrement=False)
    after: Mapped[UUID | None]
    entries: Mapped[int] = mapped_column(sa.BigInteger)
    started_at: Mapped[datetime]
    finished_at: Mapped[datetime | None]


metadata = Base.metadata

_KEPT = {row.__tablename__ for row in (ShareRow, ImportRow, ImportRequestRow, RebuildRow)}
DERIVED = tuple(table for table in metadata.sorted_tables if table.name not in _KEPT)
"""The tables that hold nothing but what the logs tell, and the texts of imported matches."""
