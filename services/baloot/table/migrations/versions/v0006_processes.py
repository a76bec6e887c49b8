"""When each process was last at work on the tables, so that others notice one that died."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"

_MOMENT = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "table_process",
        sa.Column("id", sa.LargeBinary, primary_key=True),
        sa.Column("attended_at", _MOMENT, nullable=False),
        sa.Column("leased_until", _MOMENT),
    )


def downgrade() -> None:
    raise NotImplementedError("the log only goes forward")
