"""The hash chain of a log, followed from its first entry to its last."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from struct import error
from uuid import UUID

from baloot.audit.records import Row
from baloot.table.chain import START, linked


def broken(match: UUID, rows: Sequence[Row]) -> list[int]:
    """The numbers of the entries whose link does not follow from the one before. Each break is told once.

    A log may begin without links, where it is older than they are; from the first link on each entry has one.
    """
    wrong, before, table_id = [], START, match.bytes
    for sequence, at, actor, by_default, _, _, _, _, payload, secret, _, chain in rows:
        if chain is None:
            if before is not START:
                wrong.append(sequence)
            continue
        hashes = sha256(payload).digest(), sha256(secret).digest()
        try:
            wanted = linked(before, table_id, sequence, at, actor, by_default, *hashes)
        except error:  # a number that no entry has, which cannot even be hashed
            wanted = b""
        if wanted != chain:
            wrong.append(sequence)
        before = chain
    return wrong
