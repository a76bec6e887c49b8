"""What a viewer sees of the buying of a round: no sealed answer and no hand but its own."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.auction import Call
from baloot.core.cards import Card
from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table.views.viewer import Viewer, Views, whole


@dataclass(frozen=True, slots=True)
class SeenAnswerGiven:
    """A sealed answer; the call is the viewer's own or None."""

    seat: Seat
    call: Call | None


@dataclass(frozen=True, slots=True)
class SeenHandsCompleted:
    """The last cards, with the viewer's own hand only."""

    hand: tuple[Card, ...]


SeenBiddingEvent = (
    ev.CallMade
    | SeenAnswerGiven
    | ev.AnswersOpened
    | ev.AskedAgain
    | ev.Bought
    | ev.DealVoid
    | SeenHandsCompleted
)


def _answer_given(event: ev.AnswerGiven, viewer: Viewer) -> SeenAnswerGiven:
    return SeenAnswerGiven(event.seat, event.call if viewer == event.seat else None)


def _hands_completed(event: ev.HandsCompleted, viewer: Viewer) -> SeenHandsCompleted:
    return SeenHandsCompleted(() if viewer is None else tuple(event.hands[viewer]))


VIEWS: Views = {
    ev.CallMade: whole,
    ev.AnswerGiven: _answer_given,
    ev.AnswersOpened: whole,
    ev.AskedAgain: whole,
    ev.Bought: whole,
    ev.DealVoid: whole,
    ev.HandsCompleted: _hands_completed,
}
