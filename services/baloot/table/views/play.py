"""What a viewer sees of the play of a round: no hand and no cards of announced projects but its own."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.cards import Card
from baloot.core.contract import Contract
from baloot.core.projects import Declaration, ProjectKind
from baloot.core.seats import Seat
from baloot.table import events as ev
from baloot.table.views.viewer import Viewer, Views, whole


@dataclass(frozen=True, slots=True)
class SeenPlayStarted:
    """The last cards, with the viewer's own hand only."""

    contract: Contract
    leader: Seat
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeenProject:
    """An announced project; `cards` are empty unless they are the viewer's own."""

    kind: ProjectKind
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenCardPlayed:
    """A card played, with what everybody hears."""

    seat: Seat
    card: Card
    projects: tuple[SeenProject, ...]
    akka: bool
    baloot: bool


SeenPlayEvent = (
    SeenPlayStarted
    | SeenCardPlayed
    | ev.TrickWon
    | ev.ProjectsDecided
    | ev.ProjectsShown
    | ev.SawaClaimed
    | ev.RoundAccepted
    | ev.QaidClaimed
    | ev.RoundScored
)


def _play_started(event: ev.PlayStarted, viewer: Viewer) -> SeenPlayStarted:
    hand = () if viewer is None else tuple(event.hands[viewer])
    return SeenPlayStarted(event.contract, event.leader, hand)


def _card_played(event: ev.CardPlayed, viewer: Viewer) -> SeenCardPlayed:
    move = event.move
    announced = see_announced(move.projects, event.seat, viewer)
    return SeenCardPlayed(event.seat, move.card, announced, move.akka, event.baloot)


def see_announced(declaration: Declaration, owner: Seat, viewer: Viewer) -> tuple[SeenProject, ...]:
    """Announced projects: everybody hears their kinds, only their owner knows the cards."""
    own = viewer == owner
    return tuple([SeenProject(project.kind, project.cards if own else ()) for project in declaration])


VIEWS: Views = {
    ev.PlayStarted: _play_started,
    ev.CardPlayed: _card_played,
    ev.TrickWon: whole,
    ev.ProjectsDecided: whole,
    ev.ProjectsShown: whole,
    ev.SawaClaimed: whole,
    ev.RoundAccepted: whole,
    ev.QaidClaimed: whole,
    ev.RoundScored: whole,
}
