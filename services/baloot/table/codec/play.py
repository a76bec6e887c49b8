"""What is seen of the play of a round, on the wire."""

from __future__ import annotations

from baloot.api.core.v1 import play_pb2
from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.cards import encode_cards
from baloot.codec.contract import encode_contract
from baloot.codec.enums import CARD, PROJECT_KIND, SEAT, TEAM
from baloot.codec.play import encode_qaid, encode_seat_project, encode_trick
from baloot.codec.score import encode_round_score
from baloot.table import events as ev
from baloot.table.codec.encoders import Encoders
from baloot.table.views.play import SeenCardPlayed, SeenPlayStarted, SeenProject


def _play_started(event: SeenPlayStarted) -> pb.PlayStarted:
    return pb.PlayStarted(
        contract=encode_contract(event.contract),
        leader=SEAT.encode(event.leader),
        hand=encode_cards(event.hand),
    )


def _card_played(event: SeenCardPlayed) -> pb.CardPlayed:
    return pb.CardPlayed(
        seat=SEAT.encode(event.seat),
        card=CARD.encode(event.card),
        projects=encode_announced(event.projects),
        akka=event.akka,
        baloot=event.baloot,
    )


def encode_announced(projects: tuple[SeenProject, ...]) -> list[play_pb2.Project]:
    """Announced projects, with the cards that the viewer may see."""
    return [
        play_pb2.Project(kind=PROJECT_KIND.encode(project.kind), cards=encode_cards(project.cards))
        for project in projects
    ]


def _trick_won(event: ev.TrickWon) -> pb.TrickWon:
    return pb.TrickWon(trick=encode_trick(event.trick))


def _projects_decided(event: ev.ProjectsDecided) -> pb.ProjectsDecided:
    return pb.ProjectsDecided(team=TEAM.encode(event.team))


def _projects_shown(event: ev.ProjectsShown) -> pb.ProjectsShown:
    return pb.ProjectsShown(projects=[encode_seat_project(owned) for owned in event.projects])


def encode_sawa_claimed(event: ev.SawaClaimed) -> pb.SawaClaimed:
    return pb.SawaClaimed(
        seat=SEAT.encode(event.seat),
        held=event.held,
        cards=encode_cards(event.cards),
        baloot=SEAT.encode_optional(event.baloot),
    )


def _round_accepted(event: ev.RoundAccepted) -> pb.RoundAccepted:
    return pb.RoundAccepted(seat=SEAT.encode(event.seat))


def _qaid_claimed(event: ev.QaidClaimed) -> pb.QaidClaimed:
    return pb.QaidClaimed(qaid=encode_qaid(event.qaid))


def _round_scored(event: ev.RoundScored) -> pb.RoundScored:
    return pb.RoundScored(score=encode_round_score(event.score))


ENCODERS: Encoders = {
    SeenPlayStarted: ("play_started", _play_started),
    SeenCardPlayed: ("card_played", _card_played),
    ev.TrickWon: ("trick_won", _trick_won),
    ev.ProjectsDecided: ("projects_decided", _projects_decided),
    ev.ProjectsShown: ("projects_shown", _projects_shown),
    ev.SawaClaimed: ("sawa_claimed", encode_sawa_claimed),
    ev.RoundAccepted: ("round_accepted", _round_accepted),
    ev.QaidClaimed: ("qaid_claimed", _qaid_claimed),
    ev.RoundScored: ("round_scored", _round_scored),
}
