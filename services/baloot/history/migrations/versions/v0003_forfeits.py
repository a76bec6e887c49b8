"""Why a side forfeited a match."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("history_match", sa.Column("forfeit", sa.SmallInteger))


def downgrade() -> None:
    raise NotImplementedError("history only goes forward; rebuild it from the log instead")
