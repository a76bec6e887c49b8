"""Where a round begins and ends in its log. Of rounds that are here already, `baloot history rebuild` tells it."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    for name in ("first_sequence", "last_sequence"):
        op.add_column("history_round", sa.Column(name, sa.Integer))


def downgrade() -> None:
    raise NotImplementedError("history only goes forward; rebuild it from the log instead")
