"""Whole logs out of Postgres, as they are stored."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Self
from uuid import UUID

import sqlalchemy as sa
from baloot.audit.records import HeadRow, Row
from baloot.kit.database import Prepared, open_engine, to_micros, to_moment
from baloot.table.store import StoreUnavailable

TIMEOUT = 60.0
"""Seconds that the database has for an answer; an audit can wait longer than a player."""

_ROWS = sa.text("""
SELECT sequence, at, actor, by_default, uuid_send(request_id), request_digest, status, deadline_at, payload, secret, holder,
    NULL::bytea
FROM table_entry WHERE table_id = :table_id ORDER BY sequence
""").bindparams(sa.bindparam("table_id", type_=sa.Uuid))

_HEADS = sa.text("""
SELECT sequence, status, deadline_at FROM table_head WHERE table_id = :table_id
""").bindparams(sa.bindparam("table_id", type_=sa.Uuid))

_SINCE = sa.text("""
SELECT table_id FROM table_head
WHERE updated_at >= :since AND updated_at < :until AND (CAST(:after AS uuid) IS NULL OR table_id > :after)
ORDER BY table_id LIMIT :count
""").bindparams(
    sa.bindparam("since", type_=sa.TIMESTAMP(timezone=True)),
    sa.bindparam("until", type_=sa.TIMESTAMP(timezone=True)),
    sa.bindparam("after", type_=sa.Uuid),
    sa.bindparam("count", type_=sa.Integer),
)
