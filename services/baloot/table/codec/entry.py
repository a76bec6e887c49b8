"""An entry on the wire, as a viewer sees it: its events, and who is asked what from then on."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.auction import encode_asked
from baloot.codec.enums import QUESTION_KIND, SEAT
from baloot.codec.play import encode_play_asked
from baloot.core.auction import Asked, QuestionKind
from baloot.core.seats import Seat
from baloot.table.codec import bidding, deals, match, play, seats
from baloot.table.codec.encoders import Encoders
from baloot.table.codec.times import encode_duration, encode_optional_time, encode_time
from baloot.table.events import OpenQuestion, TimeUsed
from baloot.table.timing import told_deadline
from baloot.table.views import Seen, SeenEntry

_ENCODERS: Encoders = {
    **seats.ENCODERS,
    **match.ENCODERS,
    **deals.ENCODERS,
    **bidding.ENCODERS,
    **play.ENCODERS,
}


def encode_event(event: Seen) -> pb.TableEvent:
    """One fact, as the viewer sees it."""
    name, encode = _ENCODERS[type(event)]
    return pb.TableEvent(**{name: encode(event)})


def encode_entry(seen: SeenEntry) -> pb.TableEntry:
    """One entry, as the viewer sees it."""
    entry = seen.entry
    return pb.TableEntry(
        sequence=entry.sequence,
        time=encode_time(entry.at),
        actor=SEAT.encode_optional(entry.actor),
        by_default=entry.by_default,
        events=[encode_event(event) for event in seen.events],
        asked=[encode_public(open_) for open_ in seen.asked],
        deadline=encode_optional_time(told_deadline(entry.questions, entry.deadline)),
        question=None if seen.question is None else encode_question(seen.question),
        received=encode_optional_time(entry.received),
        time_used=[encode_used(used) for used in entry.time_used],
    )


def encode_public(open_: OpenQuestion) -> pb.Asked:
    """That somebody is asked something, and until when."""
    asked = encode_who(open_.seat, open_.kind)
    if open_.clock is not None:
        asked.own_until.CopyFrom(encode_time(open_.clock.own_until))
        asked.deadline.CopyFrom(encode_time(open_.clock.deadline))
    return asked


def encode_who(seat: Seat, kind: QuestionKind) -> pb.Asked:
    """That somebody is asked something, without a clock."""
    return pb.Asked(seat=SEAT.encode(seat), kind=QUESTION_KIND.encode(kind))


def encode_question(open_: OpenQuestion) -> pb.Question:
    """A question with everything it offers: for its own seat only."""
    question = open_.question
    if isinstance(question, Asked):
        return pb.Question(asked_at=open_.asked_at, call=encode_asked(question))
    return pb.Question(asked_at=open_.asked_at, play=encode_play_asked(question))


def encode_used(used: TimeUsed) -> pb.TimeUsed:
    return pb.TimeUsed(
        seat=SEAT.encode(used.seat),
        used=encode_duration(used.used),
        bank=encode_duration(used.bank),
    )
