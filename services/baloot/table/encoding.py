"""Entries as bytes, encoded once for all who see the same.

Most of an entry is public, so a seat's bytes are the public ones followed by its own question: fields that are
appended to an encoded message merge into it.
"""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.table.codec import encode_entry, encode_public_entry, encode_question
from baloot.table.events import Entry
from baloot.table.live import LiveTable
from baloot.table.views import Viewer, is_public, own_question, see_entry

PUBLIC = 4
"""The place of the public bytes beside those of the four seats."""


def entry_bytes(live: LiveTable | None, entry: Entry, viewer: Viewer) -> bytes:
    """The `TableEntry` as the viewer sees it, kept beside the table's recent entries if the table is in memory."""
    if live is None:
        return encode_entry(see_entry(entry, viewer)).SerializeToString()
    key = entry.sequence, PUBLIC if viewer is None else int(viewer)
    known = live.encoded.get(key)
    if known is None:
        known = _encoded(live, entry, viewer)
        if live.recent and live.recent[0].sequence <= entry.sequence:
            live.encoded[key] = known
    return known


def field_bytes(number: int, message: bytes) -> bytes:
    """An encoded message as the field `number` of another one."""
    head = [number << 3 | 2]
    length = len(message)
    while length > 0x7F:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head) + message


def _encoded(live: LiveTable, entry: Entry, viewer: Viewer) -> bytes:
    if viewer is None:
        return encode_public_entry(entry).SerializeToString()
    if not is_public(entry):
        return encode_entry(see_entry(entry, viewer)).SerializeToString()
    public = entry_bytes(live, entry, None)
    question = own_question(entry.questions, viewer)
    if question is None:
        return public
    return public + pb.TableEntry(question=encode_question(question)).SerializeToString()
