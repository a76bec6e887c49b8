"""The sentences that explain each line of a score sheet."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

LANGUAGES = ("english", "arabic")


def upgrade() -> None:
    for language in LANGUAGES:
        op.add_column("history_score_line", sa.Column(language, sa.Text, nullable=False, server_default=""))
        op.alter_column("history_score_line", language, server_default=None)


def downgrade() -> None:
    raise NotImplementedError("history only goes forward; rebuild it from the log instead")
