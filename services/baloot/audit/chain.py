"""The hash chain of a log, followed from its first entry to its last."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import error
from uuid import UUID

from baloot.audit.records import Row
from baloot.table.chain import START, link


def broken(match: UUID, rows: Sequence[Row]) -> list[int]:
    """The numbers of the entries whose link does not follow from the one before. Each break is told once.

    A log may begin without links, where it is older than they are; from the first link on each entry has one.
    """
    wrong, before, begun = [], START, False
    for row in rows:
        if row.chain is None:
            if begun:
                wrong.append(row.sequence)
            continue
        begun = True
        if not _follows(before, match, row):
            wrong.append(row.sequence)
        before = row.chain
    return wrong


def _follows(before: bytes, match: UUID, row: Row) -> bool:
    number, at, actor, by_default = row.sequence, row.at, row.actor, row.by_default
    secret = sha256(row.secret).digest()
    try:
        wanted = link(before, match, number, at, actor, row.payload, secret, by_default=by_default)
    except (error, ValueError):  # a number that no entry has, which cannot even be hashed
        return False
    return wanted == row.chain
