"""The tables of the log as they are now. Migrations bring a database here; a test compares the two."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import TIMESTAMP

metadata = sa.MetaData()

_MOMENT = TIMESTAMP(timezone=True)

entry = sa.Table(
    "table_entry",
    metadata,
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
    sa.Column("holder", sa.LargeBinary),
    sa.Column("chain", sa.LargeBinary),
    postgresql_partition_by="HASH (table_id)",
)

sa.Index("table_entry_holder", entry.c.holder, postgresql_where=entry.c.holder.is_not(None))

head = sa.Table(
    "table_head",
    metadata,
    sa.Column("table_id", sa.Uuid, primary_key=True),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("status", sa.SmallInteger, nullable=False),
    sa.Column("deadline_at", _MOMENT),
    sa.Column("leased_until", _MOMENT),
    sa.Column("updated_at", _MOMENT, nullable=False),
)
sa.Index("table_head_due", head.c.deadline_at, postgresql_where=head.c.deadline_at.is_not(None))

attendance = sa.Table(
    "attendance",
    metadata,
    sa.Column("id", sa.SmallInteger, primary_key=True, autoincrement=False),
    sa.Column("attended_at", _MOMENT, nullable=False),
    sa.Column("resumed_at", _MOMENT),
)

process = sa.Table(
    "table_process",
    metadata,
    sa.Column("id", sa.LargeBinary, primary_key=True),
    sa.Column("attended_at", _MOMENT, nullable=False),
    sa.Column("leased_until", _MOMENT),
)

key = sa.Table(
    "server_key",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.LargeBinary, nullable=False),
)

event = sa.Table(
    "table_event",
    metadata,
    sa.Column("event_id", sa.Text, primary_key=True),
    sa.Column("table_id", sa.Uuid, primary_key=True),
)

look = sa.Table(
    "table_look",
    metadata,
    sa.Column("id", sa.Uuid, primary_key=True),
    sa.Column("table_id", sa.Uuid, nullable=False),
    sa.Column("player_id", sa.Text, nullable=False),
    sa.Column("at", _MOMENT, nullable=False),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("watched", sa.Boolean, nullable=False),
)
sa.Index("table_look_of_table", look.c.table_id, look.c.at)
