"""Matches, their rounds, and how far each table's log is told."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY, JSONB

revision = "0001"
down_revision = None


def _id() -> sa.Column[object]:
    return sa.Column("match_id", sa.Uuid, primary_key=True)


def _key(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.SmallInteger, primary_key=True, autoincrement=False)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.SmallInteger, nullable=nullable)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.TIMESTAMP(timezone=True), nullable=nullable)


def _of_match() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["match_id"], ["history_match.match_id"], ondelete="CASCADE")


def _of_round() -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["match_id", "number"], ["history_round.match_id", "history_round.number"], ondelete="CASCADE"
    )


OF_CONTRACT_AND_SCORE = (
    "mode",
    "trump",
    "buyer",
    "taker",
    "bidding",
    "result",
    "round_winner",
    "card_points_south_north",
    "card_points_east_west",
    "compared_south_north",
    "compared_east_west",
    "game_points_south_north",
    "game_points_east_west",
    "total_south_north",
    "total_east_west",
    "winner",
)


def upgrade() -> None:
    _cursor()
    _matches()
    _rounds()
    _parts_of_rounds()


def _cursor() -> None:
    op.create_table(
        "history_cursor",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("seen", sa.Integer, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False),
    )
    op.create_index(
        "history_cursor_open", "history_cursor", ["table_id"], postgresql_where=sa.text("NOT done")
    )


def _matches() -> None:
    op.create_table(
        "history_match",
        _id(),
        _number("status"),
        _text("ruleset_name"),
        _text("ruleset_hash"),
        _number("score_south_north"),
        _number("score_east_west"),
        _number("rounds"),
        _number("winner", nullable=True),
        _moment("started_at"),
        _moment("ended_at", nullable=True),
    )
    op.create_index("history_match_by_start", "history_match", ["started_at", "match_id"])
    op.create_index("history_match_by_status", "history_match", ["status", "started_at", "match_id"])
    op.create_table("history_seat", _id(), _key("seat"), _text("player_name"), _of_match())
    op.create_index("history_seat_by_player", "history_seat", ["player_name", "match_id"])


def _rounds() -> None:
    op.create_table(
        "history_round",
        _id(),
        _key("number"),
        _number("dealer"),
        _number("end"),
        _moment("ended_at"),
        _number("kawesh", nullable=True),
        *(_number(name, nullable=True) for name in OF_CONTRACT_AND_SCORE),
        _of_match(),
    )


def _parts_of_rounds() -> None:
    op.create_table(
        "history_raise",
        _id(),
        _key("number"),
        _key("step"),
        _number("seat"),
        _number("level"),
        sa.Column("locked", sa.Boolean, nullable=False),
        _of_round(),
    )
    op.create_table(
        "history_project",
        _id(),
        _key("number"),
        _key("place"),
        _number("seat"),
        _number("kind"),
        sa.Column("cards", ARRAY(sa.SmallInteger), nullable=False),
        _of_round(),
    )
    op.create_table(
        "history_score_line",
        _id(),
        _key("number"),
        _key("place"),
        _number("team"),
        _number("kind"),
        _text("rule"),
        _number("game_points"),
        sa.Column("inputs", JSONB, nullable=False),
        _of_round(),
    )


def downgrade() -> None:
    raise NotImplementedError("history only goes forward; rebuild it from the log instead")
