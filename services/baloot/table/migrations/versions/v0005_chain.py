"""The hash chain over each table's log. Tables that are older than it have none and go on without."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.add_column("table_entry", sa.Column("chain", sa.LargeBinary))


def downgrade() -> None:
    raise NotImplementedError("the log only goes forward")
