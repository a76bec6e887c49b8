"""What a viewer sees of an entry: its events, and the questions that it leaves open."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.table import events as ev
from baloot.table.events import Entry, Event, OpenQuestion
from baloot.table.views import bidding, deals, match, play, seats
from baloot.table.views.bidding import SeenBiddingEvent
from baloot.table.views.deals import SeenDealEvent
from baloot.table.views.match import SeenMatchEvent
from baloot.table.views.play import SeenPlayEvent
from baloot.table.views.seats import SeenSeatEvent
from baloot.table.views.viewer import Viewer, Views

Seen = SeenSeatEvent | SeenMatchEvent | SeenDealEvent | SeenBiddingEvent | SeenPlayEvent

_VIEWS: Views = {**seats.VIEWS, **match.VIEWS, **deals.VIEWS, **bidding.VIEWS, **play.VIEWS}


def project(event: Event, viewer: Viewer) -> Seen | None:
    """What the viewer sees of an event; None when it is nothing."""
    show = _VIEWS.get(type(event))
    return show(event, viewer) if show else None


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """An entry as one viewer may see it. `asked` are the open questions that everybody may know of."""

    entry: Entry
    events: tuple[Seen, ...]
    asked: tuple[OpenQuestion, ...]
    question: OpenQuestion | None


def see_entry(entry: Entry, viewer: Viewer) -> SeenEntry:
    """What the viewer sees of an entry; never nothing, so that its numbers have no gaps."""
    seen = [project(event, viewer) for event in entry.events]
    return SeenEntry(
        entry,
        tuple([event for event in seen if event is not None]),
        public_questions(entry.questions),
        own_question(entry.questions, viewer),
    )


def is_public(entry: Entry) -> bool:
    """Whether all viewers see the same events of an entry; only their own questions differ then."""
    return not any(_differs(event) for event in entry.events)


_PERSONAL = frozenset((ev.RoundDealt, ev.AnswerGiven, ev.HandsCompleted, ev.PlayStarted))
"""Events of which each seat sees its own side."""


def _differs(event: Event) -> bool:
    if isinstance(event, ev.CardPlayed):
        return bool(event.move.projects)
    return type(event) in _PERSONAL


def public_questions(questions: tuple[OpenQuestion, ...]) -> tuple[OpenQuestion, ...]:
    """The questions that everybody may know to be open (not what they offer)."""
    return tuple([open_ for open_ in questions if not open_.private])


def own_question(questions: tuple[OpenQuestion, ...], viewer: Viewer) -> OpenQuestion | None:
    """The viewer's own open question."""
    for open_ in questions:
        if open_.seat is viewer:
            return open_
    return None
