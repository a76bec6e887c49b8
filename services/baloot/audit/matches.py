"""The audit of one match: its numbers, its chain, its columns, and its game."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from baloot.audit import chain
from baloot.audit.course import Open
from baloot.audit.journal import Journal
from baloot.audit.judge import Judge
from baloot.audit.records import Audited, Code, HeadRow, Row, Unchecked


def audit_rows(match: UUID, rows: Sequence[Row], head: HeadRow | None, open_: Open | None = None) -> Audited:
    """What is wrong with a match, by all its rows in their order and its head. Never raises, whatever the rows hold.

    Without `open_` nothing that is sealed is judged.
    """
    audited = Audited(match, entries=len(rows))
    journal = Journal(audited)
    _check_numbers(rows, journal)
    _check_chain(match, rows, audited, journal)
    _check_head(rows, head, journal)
    Judge(match, audited, journal, open_).judge(rows)
    journal.close()
    return audited


def _check_numbers(rows: Sequence[Row], journal: Journal) -> None:
    if not rows:
        journal.at(0, Code.GAP, "the log has no entries")
    for number, row in enumerate(rows, 1):
        if row.sequence != number:
            journal.at(row.sequence, Code.GAP, f"entry {row.sequence} stands where entry {number} had to")
            return


def _check_chain(match: UUID, rows: Sequence[Row], audited: Audited, journal: Journal) -> None:
    if rows and all(row.chain is None for row in rows):
        audited.could_not(Unchecked.CHAIN)
        return
    for sequence in chain.broken(match, rows):
        journal.at(sequence, Code.CHAIN, "the hash of the entry does not follow from it and the hash before")


def _check_head(rows: Sequence[Row], head: HeadRow | None, journal: Journal) -> None:
    if not rows:
        return
    last = rows[-1]
    if head is None:
        journal.at(last.sequence, Code.HEAD, "the table has no head")
    elif head != HeadRow(last.sequence, last.status, last.deadline):
        journal.at(
            last.sequence,
            Code.HEAD,
            f"the head tells of entry {head.sequence} with status {head.status}, and the last one is {last.sequence} "
            f"with status {last.status}",
        )
