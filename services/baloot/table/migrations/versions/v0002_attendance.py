"""When a process was last at work on the tables, and when the last outage ended: one row for all processes."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_MOMENT = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "attendance",
        sa.Column("id", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("attended_at", _MOMENT, nullable=False),
        sa.Column("resumed_at", _MOMENT),
    )


def downgrade() -> None:
    raise NotImplementedError("the log only goes forward")
