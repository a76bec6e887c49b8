"""Rounds in which somebody has broken a duty, as the seat sees them that may claim it."""

from __future__ import annotations

from baloot.api.core.v1.cards_pb2 import Card
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_PLAY, PlayedCard, RoundView, SeatView, TableView
from baloot.codec.cards import encode_cards
from baloot.codec.contract import encode_contract
from baloot.codec.enums import CARD, SEAT
from baloot.codec.play import encode_trick
from baloot.codec.ruleset import encode_ruleset
from baloot.core.cards import cards_of
from baloot.core.play import CardMove
from baloot.core.ruleset import Akka
from baloot.core.seats import SEATS, Seat, from_seat
from baloot.play.state import Play

from tests.app.scenes import NAMES
from tests.rules.play.rounds import after
from tests.rules.play.test_qaid import lenient


def view_of(play: Play, seat: Seat) -> TableView:
    """What this seat sees of a round of play, but for what a claim has nothing to do with."""
    record = play.record
    akka = [made.move.card for made in play.moves if isinstance(made.move, CardMove) and made.move.akka]
    view = TableView(viewer=SEAT.encode(seat))
    view.settings.ruleset.CopyFrom(encode_ruleset(record.ruleset))
    view.seats.extend(SeatView(seat=SEAT.encode(one), taken=True, player_name=NAMES[one]) for one in SEATS)
    view.round.CopyFrom(
        RoundView(
            phase=ROUND_PHASE_PLAY,
            dealer=SEAT.encode(record.dealer),
            up_card=Card.CARD_7D,
            hand=encode_cards(cards_of(play.hands[seat])),
            contract=encode_contract(record.contract),
            tricks=[encode_trick(trick) for trick in play.tricks],
            trick=_lying(play),
            akka=encode_cards(tuple(akka)),
        )
    )
    return view


def _lying(play: Play) -> list[PlayedCard]:
    seats = from_seat(play.leader)
    return [
        PlayedCard(seat=SEAT.encode(seat), card=CARD.encode(card))
        for seat, card in zip(seats, play.trick, strict=False)
    ]


def offence() -> TableView:
    """Fahad did not follow with the eight of diamonds, and has played a spade since; Noura looks."""
    held = {1: "JS 7C", 2: "KS 8D AC", 3: "7S 8C", 4: "8S 9C"}
    play = after(lenient("sun", held, akka=Akka.MANUAL_UNCHECKED), "JS 8D 7S 8S 7C KS")
    return view_of(play, Seat.SOUTH)
