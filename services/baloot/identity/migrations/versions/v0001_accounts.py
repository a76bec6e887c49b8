"""Accounts, their sign-ins and API keys, and the keys that sign access tokens."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import ARRAY

revision = "0001"
down_revision = None


def _moment(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.TIMESTAMP(timezone=True), nullable=nullable)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text, nullable=False)


def _texts(name: str) -> sa.Column[object]:
    return sa.Column(name, ARRAY(sa.Text), nullable=False)


def _bytes(name: str, *, nullable: bool = False) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=nullable)


def _owner() -> sa.Column[object]:
    return sa.Column("account_id", sa.Uuid, sa.ForeignKey("identity_account.account_id"), nullable=False)


def upgrade() -> None:
    op.create_table(
        "identity_account",
        sa.Column("account_id", sa.Uuid, primary_key=True),
        _text("name"),
        sa.Column("folded", sa.Text, nullable=False, unique=True),
        _text("password_hash"),
        _texts("roles"),
        _moment("created_at"),
        sa.Column("disabled", sa.Boolean, nullable=False),
    )
    _families()
    _keys()


def _families() -> None:
    op.create_table(
        "identity_family",
        sa.Column("family_id", sa.Uuid, primary_key=True),
        _owner(),
        _bytes("current"),
        _bytes("previous", nullable=True),
        _moment("used_at"),
        sa.Column("ended", sa.SmallInteger),
    )
    op.create_index("identity_family_by_account", "identity_family", ["account_id", "used_at"])


def _keys() -> None:
    op.create_table(
        "identity_api_key",
        sa.Column("key_id", sa.Uuid, primary_key=True),
        _owner(),
        _text("label"),
        _texts("roles"),
        _texts("scopes"),
        _text("rate"),
        _bytes("secret_hash"),
        _bytes("request_digest"),
        _moment("created_at"),
        _moment("expires_at", nullable=True),
        _moment("revoked_at", nullable=True),
    )
    op.create_index("identity_api_key_by_account", "identity_api_key", ["account_id", "created_at"])
    op.create_table(
        "identity_signing_key",
        sa.Column("kid", sa.Text, primary_key=True),
        _bytes("public"),
        _bytes("sealed"),
        _moment("created_at"),
        _moment("replaced_at", nullable=True),
    )


def downgrade() -> None:
    raise NotImplementedError("accounts only go forward; restore a copy of the database instead")
