"""Which tables belong to an event, and who has looked at tables with all hands open."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.create_table(
        "table_event",
        sa.Column("event_id", sa.Text, primary_key=True),
        sa.Column("table_id", sa.Uuid, primary_key=True),
    )
    op.create_table(
        "table_look",
        sa.Column("id", sa.Uuid, primary_key=True),
        sa.Column("table_id", sa.Uuid, nullable=False),
        sa.Column("player_id", sa.Text, nullable=False),
        sa.Column("at", sa.TIMESTAMP(timezone=True), nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("watched", sa.Boolean, nullable=False),
    )
    op.create_index("table_look_of_table", "table_look", ["table_id", "at"])


def downgrade() -> None:
    raise NotImplementedError("the log only goes forward")
