"""What is asked of the links that history keeps."""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa
from baloot.history.schema import ShareRow
from baloot.history.shares import NewShare
from baloot.table.events import Micros
from sqlalchemy.dialects.postgresql import insert

GOOD = sa.and_(ShareRow.withdrawn_at.is_(None), ShareRow.expires_at > sa.func.now())
"""Which links are good, by the database's clock."""


def forgotten(player_id: str, lasts: Micros) -> sa.Executable:
    """Deletes the links of an account that ended longer ago than that."""
    ended = sa.func.least(ShareRow.withdrawn_at, ShareRow.expires_at)
    before = sa.func.now() - sa.literal(timedelta(microseconds=lasts), sa.Interval)
    return sa.delete(ShareRow).where(ShareRow.player_id == player_id, ended < before)


def new_share(new: NewShare) -> sa.Executable:
    """Stores a link, unless the same request did."""
    match_id, number, eyes, lasts = new.wanted
    now = sa.func.now()
    values = {
        "token_hash": new.token_hash,
        "share_id": new.share_id,
        "player_id": new.player_id,
        "request_digest": new.wanted.digest,
        "match_id": match_id,
        "number": number,
        "viewer": eyes.seat,
        "open": eyes.open,
        "created_at": now,
        "expires_at": now + sa.literal(timedelta(microseconds=lasts), sa.Interval),
    }
    return insert(ShareRow).values(values).on_conflict_do_nothing()
