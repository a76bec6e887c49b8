"""Who was seated by an entry, so that the seats of somebody can be found."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("table_entry", sa.Column("holder", sa.LargeBinary))
    op.create_index(
        "table_entry_holder", "table_entry", ["holder"], postgresql_where=sa.text("holder IS NOT NULL")
    )


def downgrade() -> None:
    raise NotImplementedError("the log only goes forward")
