"""The tables of identity as they are now. Migrations bring a database here; a test compares the two.

No password, token or key stands in them: of passwords and secrets there are hashes, and signing keys are sealed.
"""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import ARRAY, TIMESTAMP

metadata = sa.MetaData()

_MOMENT = TIMESTAMP(timezone=True)


def _owner() -> sa.Column[object]:
    return sa.Column("account_id", sa.Uuid, sa.ForeignKey("identity_account.account_id"), nullable=False)


account = sa.Table(
    "identity_account",
    metadata,
    sa.Column("account_id", sa.Uuid, primary_key=True),
    sa.Column("name", sa.Text, nullable=False),
    sa.Column("folded", sa.Text, nullable=False, unique=True),
    sa.Column("password_hash", sa.Text, nullable=False),
    sa.Column("roles", ARRAY(sa.Text), nullable=False),
    sa.Column("created_at", _MOMENT, nullable=False),
    sa.Column("disabled", sa.Boolean, nullable=False),
)

family = sa.Table(
    "identity_family",
    metadata,
    sa.Column("family_id", sa.Uuid, primary_key=True),
    _owner(),
    sa.Column("current", sa.LargeBinary, nullable=False),
    sa.Column("previous", sa.LargeBinary),
    sa.Column("used_at", _MOMENT, nullable=False),
    sa.Column("ended", sa.SmallInteger),
    sa.Index("identity_family_by_account", "account_id", "used_at"),
)

api_key = sa.Table(
    "identity_api_key",
    metadata,
    sa.Column("key_id", sa.Uuid, primary_key=True),
    _owner(),
    sa.Column("label", sa.Text, nullable=False),
    sa.Column("roles", ARRAY(sa.Text), nullable=False),
    sa.Column("scopes", ARRAY(sa.Text), nullable=False),
    sa.Column("rate", sa.Text, nullable=False),
    sa.Column("secret_hash", sa.LargeBinary, nullable=False),
    sa.Column("request_digest", sa.LargeBinary, nullable=False),
    sa.Column("created_at", _MOMENT, nullable=False),
    sa.Column("expires_at", _MOMENT),
    sa.Column("revoked_at", _MOMENT),
    sa.Index("identity_api_key_by_account", "account_id", "created_at"),
)

signing_key = sa.Table(
    "identity_signing_key",
    metadata,
    sa.Column("kid", sa.Text, primary_key=True),
    sa.Column("public", sa.LargeBinary, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    sa.Column("created_at", _MOMENT, nullable=False),
    sa.Column("replaced_at", _MOMENT),
)
