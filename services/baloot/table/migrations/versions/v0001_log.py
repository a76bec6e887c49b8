"""The log of the tables, their heads, and the server's keys."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

PARTITIONS = 16

_MOMENT = sa.TIMESTAMP(timezone=True)


def upgrade() -> None:
    op.create_table(
        "table_entry",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", _MOMENT, nullable=False),
        sa.Column("actor", sa.SmallInteger),
        sa.Column("by_default", sa.Boolean, nullable=False),
        sa.Column("request_id", sa.Uuid, nullable=False),
        sa.Column("request_digest", sa.LargeBinary, nullable=False),
        sa.Column("status", sa.SmallInteger, nullable=False),
        sa.Column("deadline_at", _MOMENT),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        postgresql_partition_by="HASH (table_id)",
    )
    for number in range(PARTITIONS):
        op.execute(
            f"CREATE TABLE table_entry_{number:02} PARTITION OF table_entry"
            f" FOR VALUES WITH (MODULUS {PARTITIONS}, REMAINDER {number})"
        )
    op.create_table(
        "table_head",
        sa.Column("table_id", sa.Uuid, primary_key=True),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("status", sa.SmallInteger, nullable=False),
        sa.Column("deadline_at", _MOMENT),
        sa.Column("leased_until", _MOMENT),
        sa.Column("updated_at", _MOMENT, nullable=False),
    )
    op.create_index(
        "table_head_due", "table_head", ["deadline_at"], postgresql_where=sa.text("deadline_at IS NOT NULL")
    )
    op.create_table(
        "server_key",
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
    )


def downgrade() -> None:
    raise NotImplementedError("the log only goes forward")
