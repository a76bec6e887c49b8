"""Entries as bytes, encoded once for all who see the same.

An entry goes to the log and to every seat; most entries are the same for all but for the question to one. The wire
format allows it: fields that are appended to an encoded message merge into it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.enums import SEAT
from baloot.codec.play import play_asked_bytes
from baloot.core.auction import Asked, QuestionKind
from baloot.core.seats import SEATS, Seat
from baloot.table.codec import (
    encode_entry,
    encode_event,
    encode_question,
    encode_table,
    encode_time,
    encode_used,
    encode_who,
)
from baloot.table.events import Entry, Micros, OpenQuestion
from baloot.table.live import LiveTable
from baloot.table.state import TableState
from baloot.table.timing import told_deadline
from baloot.table.views import Seen, Viewer, is_public, see, see_entry

PUBLIC = 4
"""The place of the public bytes behind those of the four seats."""
REMEMBERED = 256
"""What is remembered of each kind: entries and questions go to the log and, a moment later, to those who watch; some
events, such as a card that is played, come again and again."""


@dataclass(frozen=True, slots=True)
class Parts:
    """What everybody sees of an entry, encoded part by part: each `TableEvent`, `Asked` and `TimeUsed`."""

    events: tuple[bytes, ...]
    asked: tuple[bytes, ...]
    time_used: tuple[bytes, ...]


@lru_cache(maxsize=REMEMBERED)
def public_parts(entry: Entry) -> Parts:
    """The parts of an entry that everybody sees."""
    seen = see_entry(entry, None)
    return Parts(
        tuple([_event_bytes(event) for event in seen.events]),
        tuple([_asked_bytes(open_) for open_ in seen.asked]),
        tuple([encode_used(used).SerializeToString() for used in entry.time_used]),
    )


@lru_cache(maxsize=REMEMBERED)
def time_bytes(moment: Micros) -> bytes:
    """A `Timestamp`: the same moment stands in several places of an entry, and in the log."""
    return encode_time(moment).SerializeToString()


def _asked_bytes(open_: OpenQuestion) -> bytes:
    told = _who_bytes(open_.seat, open_.kind)
    if open_.clock is None:
        return told
    return (
        told
        + field_bytes(pb.Asked.OWN_UNTIL_FIELD_NUMBER, time_bytes(open_.clock.own_until))
        + field_bytes(pb.Asked.DEADLINE_FIELD_NUMBER, time_bytes(open_.clock.deadline))
    )


@lru_cache(maxsize=REMEMBERED)
def _who_bytes(seat: Seat, kind: QuestionKind) -> bytes:
    return encode_who(seat, kind).SerializeToString()


@lru_cache(maxsize=REMEMBERED)
def _event_bytes(event: Seen) -> bytes:
    return encode_event(event).SerializeToString()


@lru_cache(maxsize=REMEMBERED)
def question_bytes(open_: OpenQuestion) -> bytes:
    """A `Question`, with everything that it offers: for its own seat only."""
    question = open_.question
    if isinstance(question, Asked):
        return encode_question(open_).SerializeToString()
    asked_at = pb.Question(asked_at=open_.asked_at).SerializeToString()
    return asked_at + field_bytes(pb.Question.PLAY_FIELD_NUMBER, play_asked_bytes(question))


def entry_bytes(live: LiveTable | None, entry: Entry, viewer: Viewer) -> bytes:
    """The `TableEntry` as the viewer sees it, kept beside the table's recent entries if the table is in memory."""
    known = None if live is None else live.encoded.get(entry.sequence)
    if known is None:
        known = _encoded(entry)
        if live is not None and live.recent and live.recent[0].sequence <= entry.sequence:
            live.encoded[entry.sequence] = known
    return known[PUBLIC if viewer is None else viewer]


def view_bytes(state: TableState, viewer: Viewer) -> bytes:
    """The `TableView` as the viewer sees it."""
    return encode_table(see(state, viewer)).SerializeToString()


def field_bytes(number: int, message: bytes) -> bytes:
    """An encoded message as the field `number` of another one."""
    return _head(number, len(message)) + message


def time_field(number: int, moment: Micros | None) -> bytes:
    """A moment as the field `number` of a message; nothing for none."""
    return b"" if moment is None else field_bytes(number, time_bytes(moment))


def fields_bytes(number: int, messages: Iterable[bytes]) -> bytes:
    """Encoded messages as the repeated field `number` of another one."""
    return b"".join([field_bytes(number, message) for message in messages])


@lru_cache(maxsize=4096)
def _head(number: int, length: int) -> bytes:
    head = [number << 3 | 2]
    while length > 0x7F:
        head.append(length & 0x7F | 0x80)
        length >>= 7
    head.append(length)
    return bytes(head)


def _encoded(entry: Entry) -> tuple[bytes, ...]:
    """What each seat sees of an entry, in order of seats, and then what everybody sees."""
    if not is_public(entry):
        return tuple(encode_entry(see_entry(entry, viewer)).SerializeToString() for viewer in (*SEATS, None))
    public = _public(entry)
    seen = [public] * (len(SEATS) + 1)
    for open_ in entry.questions:
        seen[open_.seat] = public + field_bytes(pb.TableEntry.QUESTION_FIELD_NUMBER, question_bytes(open_))
    return tuple(seen)


def _public(entry: Entry) -> bytes:
    parts = public_parts(entry)
    deadline = told_deadline(entry.questions, entry.deadline)
    frame = pb.TableEntry(
        sequence=entry.sequence, actor=SEAT.encode_optional(entry.actor), by_default=entry.by_default
    )
    return (
        frame.SerializeToString()
        + field_bytes(pb.TableEntry.TIME_FIELD_NUMBER, time_bytes(entry.at))
        + time_field(pb.TableEntry.DEADLINE_FIELD_NUMBER, deadline)
        + time_field(pb.TableEntry.RECEIVED_FIELD_NUMBER, entry.received)
        + fields_bytes(pb.TableEntry.EVENTS_FIELD_NUMBER, parts.events)
        + fields_bytes(pb.TableEntry.ASKED_FIELD_NUMBER, parts.asked)
        + fields_bytes(pb.TableEntry.TIME_USED_FIELD_NUMBER, parts.time_used)
    )
