"""Matches that were not played here, and the texts that they came as."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column(
        "history_match", sa.Column("imported", sa.Boolean, nullable=False, server_default=sa.false())
    )
    op.create_table(
        "history_import",
        sa.Column("match_id", sa.Uuid, primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False, unique=True),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("imported_at", sa.TIMESTAMP(timezone=True), nullable=False),
    )
    op.create_table(
        "history_import_request",
        sa.Column("player_id", sa.Text, primary_key=True),
        sa.Column("request_id", sa.Uuid, primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("match_ids", ARRAY(sa.Uuid), nullable=False),
        sa.Column("added", sa.SmallInteger, nullable=False),
        sa.Column("created_at", sa.TIMESTAMP(timezone=True), nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("history only goes forward; rebuild it from the log instead")
