"""An entry as it is written in the log, in two halves that together give it back as it was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.auction import decode_asked
from baloot.codec.enums import SEAT
from baloot.codec.play import decode_play_asked
from baloot.core.errors import Refusal
from baloot.core.seats import SEATS
from baloot.store.v1 import entry_pb2 as log
from baloot.table.codec.times import decode_duration, decode_time
from baloot.table.encoding import field_bytes, fields_bytes, public_parts, question_bytes, time_field
from baloot.table.events import Entry, Event, Micros, OpenQuestion, SeatClock, TimeUsed
from baloot.table.payload import bidding, deals, match, play, seats
from baloot.table.payload.halves import Hiders, Readers
from google.protobuf.message import DecodeError


class Unreadable(ValueError):
    """What the log holds is not what this version writes: it is damaged, or a later version's."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What of an entry is written in its two halves. The rest has columns of its own."""

    events: tuple[Event, ...]
    questions: tuple[OpenQuestion, ...]
    received: Micros | None = None
    time_used: tuple[TimeUsed, ...] = ()


def encode(entry: Entry) -> tuple[bytes, bytes]:
    """The open half and the secret half. Raises ValueError for an entry that could not be given back as it is."""
    public = public_parts(entry)
    if len(public.events) != len(entry.events):
        raise ValueError("nobody may see some event of the entry, so it cannot be written")
    payload, secret = log.Entry(), log.Secret()
    _hide(entry.events, payload, secret)
    return (
        fields_bytes(log.Entry.EVENTS_FIELD_NUMBER, public.events)
        + fields_bytes(log.Entry.ASKED_FIELD_NUMBER, public.asked)
        + time_field(log.Entry.RECEIVED_FIELD_NUMBER, entry.received)
        + fields_bytes(log.Entry.TIME_USED_FIELD_NUMBER, public.time_used)
        + payload.SerializeToString(),
        secret.SerializeToString()
        + fields_bytes(log.Secret.QUESTIONS_FIELD_NUMBER, map(_open_question, entry.questions)),
    )


_HIDERS: Hiders = {**seats.HIDERS, **deals.HIDERS, **bidding.HIDERS, **play.HIDERS}


def _hide(events: Sequence[Event], payload: log.Entry, secret: log.Secret) -> None:
    hiding = [(event, *_HIDERS[type(event)]) for event in events if type(event) in _HIDERS]
    if len({place for _, place, _ in hiding}) != len(hiding):
        raise ValueError("an entry has at most one event of a kind that hides something")
    for event, _, hide in hiding:
        hide(event, payload, secret)


def _open_question(open_: OpenQuestion) -> bytes:
    return _ASKED[open_.seat] + field_bytes(log.OpenQuestion.QUESTION_FIELD_NUMBER, question_bytes(open_))


_ASKED = tuple(log.OpenQuestion(seat=SEAT.encode(seat)).SerializeToString() for seat in SEATS)
"""For each seat, an open question that does not say yet what it asks."""


def decode(payload: bytes, secret: bytes | None) -> Facts:
    """The facts of both halves; without the secret one, as everybody may see them. Raises Unreadable."""
    try:
        open_half = log.Entry.FromString(payload)
        hidden = None if secret is None else log.Secret.FromString(secret)
        events = (_event(message, open_half, hidden) for message in open_half.events)
        return Facts(
            tuple(event for event in events if event is not None),
            () if hidden is None else _questions(open_half, hidden),
            decode_time(open_half.received) if open_half.HasField("received") else None,
            tuple(_used(message) for message in open_half.time_used),
        )
    except (DecodeError, Refusal) as error:
        raise Unreadable(str(error)) from error


_READERS: Readers = {**seats.READERS, **match.READERS, **deals.READERS, **bidding.READERS, **play.READERS}

_OPEN_READERS: Readers = {**_READERS, **deals.OPEN_READERS, **bidding.OPEN_READERS, **play.OPEN_READERS}
"""How each event is read without its secrets."""

_NO_SECRET = log.Secret()


def _event(message: wire.TableEvent, payload: log.Entry, secret: log.Secret | None) -> Event | None:
    name = message.WhichOneof("event")
    if name is None:
        raise Unreadable("the entry holds an event that this version does not know")
    if secret is None:
        return _OPEN_READERS[name](getattr(message, name), payload, _NO_SECRET)
    return _READERS[name](getattr(message, name), payload, secret)


def _questions(open_half: log.Entry, hidden: log.Secret) -> tuple[OpenQuestion, ...]:
    clocks = {asked.seat: _clock(asked) for asked in open_half.asked}
    return tuple(_question(message, clocks) for message in hidden.questions)


def _question(message: log.OpenQuestion, clocks: Mapping[Any, SeatClock | None]) -> OpenQuestion:
    question, clock = message.question, clocks.get(message.seat)
    if question.WhichOneof("question") == "call":
        return OpenQuestion(question.asked_at, decode_asked(question.call, "call"), clock)
    return OpenQuestion(question.asked_at, decode_play_asked(question.play, "play"), clock)


def _clock(asked: wire.Asked) -> SeatClock | None:
    """The clock of an open question; None where the entry is older than time controls."""
    if not asked.HasField("own_until"):
        return None
    return SeatClock(decode_time(asked.own_until), decode_time(asked.deadline))


def _used(message: wire.TimeUsed) -> TimeUsed:
    seat = SEAT.decode(message.seat, "seat")
    return TimeUsed(seat, decode_duration(message.used), decode_duration(message.bank))
