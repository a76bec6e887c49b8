"""How the play of a round is written in the log: hands hidden, and of announced projects the cards."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.cards import decode_cards, decode_four_hands
from baloot.codec.contract import decode_contract
from baloot.codec.enums import CARD, SEAT, TEAM
from baloot.codec.play import (
    decode_announced,
    decode_project,
    decode_qaid,
    decode_seat_project,
    decode_trick,
    encode_project,
)
from baloot.codec.score import decode_round_score
from baloot.core.deal import FourHands
from baloot.core.play import CardMove
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.payload.halves import NO_HANDS, Hiders, Readers, each, hide_hands


def _play_started(message: wire.PlayStarted, _payload: log.Entry, secret: log.Secret) -> ev.PlayStarted:
    return _start(message, decode_four_hands(secret.hands, "hands"))


def _open_play_started(message: wire.PlayStarted, *_: object) -> ev.PlayStarted:
    return _start(message, NO_HANDS)


def _start(message: wire.PlayStarted, hands: FourHands) -> ev.PlayStarted:
    contract = decode_contract(message.contract, "contract")
    return ev.PlayStarted(contract, SEAT.decode(message.leader, "leader"), hands)


def _hide_card_played(event: ev.CardPlayed, _payload: log.Entry, secret: log.Secret) -> None:
    secret.projects.extend(encode_project(announced) for announced in event.move.projects)
    secret.shown.extend(encode_project(shown) for shown in event.move.shown)
    secret.baloot_said = event.move.baloot


def _card_played(message: wire.CardPlayed, _payload: log.Entry, secret: log.Secret) -> ev.CardPlayed:
    projects = each(decode_project, secret.projects)
    shown = each(decode_project, secret.shown)
    move = CardMove(CARD.decode(message.card, "card"), projects, message.akka, secret.baloot_said, shown)
    return ev.CardPlayed(SEAT.decode(message.seat, "seat"), move, message.baloot)


def _open_card_played(message: wire.CardPlayed, *_: object) -> ev.CardPlayed:
    projects = each(decode_announced, message.projects)
    move = CardMove(CARD.decode(message.card, "card"), projects, message.akka, message.baloot)
    return ev.CardPlayed(SEAT.decode(message.seat, "seat"), move, message.baloot)


def _trick_won(message: wire.TrickWon, *_: object) -> ev.TrickWon:
    return ev.TrickWon(decode_trick(message.trick, "trick"))


def _projects_decided(message: wire.ProjectsDecided, *_: object) -> ev.ProjectsDecided:
    return ev.ProjectsDecided(TEAM.decode(message.team, "team"))


def _projects_shown(message: wire.ProjectsShown, *_: object) -> ev.ProjectsShown:
    return ev.ProjectsShown(each(decode_seat_project, message.projects))


def _sawa_claimed(message: wire.SawaClaimed, *_: object) -> ev.SawaClaimed:
    return ev.SawaClaimed(
        SEAT.decode(message.seat, "seat"),
        message.held,
        decode_cards(message.cards, "cards"),
        SEAT.decode_optional(message.baloot, "baloot"),
    )


def _round_accepted(message: wire.RoundAccepted, *_: object) -> ev.RoundAccepted:
    return ev.RoundAccepted(SEAT.decode(message.seat, "seat"))


def _qaid_claimed(message: wire.QaidClaimed, *_: object) -> ev.QaidClaimed:
    return ev.QaidClaimed(decode_qaid(message.qaid, "qaid"))


def _round_scored(message: wire.RoundScored, *_: object) -> ev.RoundScored:
    return ev.RoundScored(decode_round_score(message.score, "score"))


HIDERS: Hiders = {
    ev.PlayStarted: ("hands", hide_hands),
    ev.CardPlayed: ("said", _hide_card_played),
}

READERS: Readers = {
    "play_started": _play_started,
    "card_played": _card_played,
    "trick_won": _trick_won,
    "projects_decided": _projects_decided,
    "projects_shown": _projects_shown,
    "sawa_claimed": _sawa_claimed,
    "round_accepted": _round_accepted,
    "qaid_claimed": _qaid_claimed,
    "round_scored": _round_scored,
}

OPEN_READERS: Readers = {
    "play_started": _open_play_started,
    "card_played": _open_card_played,
}
