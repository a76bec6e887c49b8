"""Accounts at matches, links to matches, and how far history is told anew.

Who had which seat stands in the logs alone: `baloot history rebuild` tells it of the matches that are here already.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

COUNTED = """
UPDATE history_match AS match
SET scored = sums.scored, kaboots_south_north = sums.south_north, kaboots_east_west = sums.east_west
FROM (
    SELECT match_id, count(result) AS scored,
        count(*) FILTER (WHERE result = 3 AND round_winner = 0) AS south_north,
        count(*) FILTER (WHERE result = 3 AND round_winner = 1) AS east_west
    FROM history_round GROUP BY match_id
) AS sums
WHERE sums.match_id = match.match_id
"""
STARTED = """
UPDATE history_seat AS seat SET started_at = match.started_at
FROM history_match AS match WHERE match.match_id = seat.match_id
"""


def upgrade() -> None:
    _matches()
    _seats()
    _pairs()
    _shares()
    _rebuilds()


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.TIMESTAMP(timezone=True), nullable=nullable)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _matches() -> None:
    op.add_column("history_match", sa.Column("event_id", sa.Text, nullable=False, server_default=""))
    op.add_column("history_match", sa.Column("rematch_of", sa.Uuid))
    for name in ("scored", "kaboots_south_north", "kaboots_east_west"):
        op.add_column("history_match", sa.Column(name, sa.SmallInteger, nullable=False, server_default="0"))
    op.execute(COUNTED)
    op.create_index("history_match_by_ruleset", "history_match", ["ruleset_name", "started_at", "match_id"])
    op.create_index(
        "history_match_by_event",
        "history_match",
        ["event_id", "started_at", "match_id"],
        postgresql_where=sa.text("event_id <> ''"),
    )


def _seats() -> None:
    op.add_column("history_seat", sa.Column("player_id", sa.Text, nullable=False, server_default=""))
    op.add_column("history_seat", _moment("started_at", nullable=True))
    op.execute(STARTED)
    op.create_index("history_seat_by_name", "history_seat", ["player_name", "started_at", "match_id"])
    op.create_index(
        "history_seat_by_account",
        "history_seat",
        ["player_id", "started_at", "match_id"],
        postgresql_where=sa.text("player_id <> ''"),
    )


def _pairs() -> None:
    op.create_table(
        "history_pair",
        sa.Column("match_id", sa.Uuid, primary_key=True),
        sa.Column("seat", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("other", sa.SmallInteger, primary_key=True, autoincrement=False),
        _text("player_id"),
        _text("other_id"),
        sa.Column("partner", sa.Boolean, nullable=False),
        _moment("started_at"),
        sa.ForeignKeyConstraint(["match_id"], ["history_match.match_id"], ondelete="CASCADE"),
    )
    op.create_index(
        "history_pair_by_players",
        "history_pair",
        ["player_id", "partner", "other_id", "started_at", "match_id"],
    )


def _shares() -> None:
    op.create_table(
        "history_share",
        sa.Column("token_hash", sa.LargeBinary, primary_key=True),
        sa.Column("share_id", sa.Uuid, nullable=False, unique=True),
        _text("player_id"),
        sa.Column("request_digest", sa.LargeBinary, nullable=False),
        sa.Column("match_id", sa.Uuid, nullable=False),
        sa.Column("number", sa.SmallInteger, nullable=False),
        sa.Column("viewer", sa.SmallInteger),
        sa.Column("open", sa.Boolean, nullable=False),
        _moment("created_at"),
        _moment("expires_at"),
        _moment("withdrawn_at", nullable=True),
    )
    op.create_index("history_share_by_player", "history_share", ["player_id", "created_at", "share_id"])


def _rebuilds() -> None:
    op.create_table(
        "history_rebuild",
        sa.Column("generation", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("after", sa.Uuid),
        sa.Column("entries", sa.BigInteger, nullable=False),
        _moment("started_at"),
        _moment("finished_at", nullable=True),
    )


def downgrade() -> None:
    raise NotImplementedError("history only goes forward; rebuild it from the log instead")
