"""What a seat sees, read out of its view: nothing that is not in the view, and nothing left to look up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from baloot.api.core.v1.ruleset_pb2 import BALOOT_BLOCK_SCORED_HUNDRED
from baloot.api.table.v1.events_pb2 import Question
from baloot.api.table.v1.table_pb2 import RoundView, TableView
from baloot.codec.auction import decode_asked, decode_seat_call
from baloot.codec.cards import decode_points
from baloot.codec.contract import decode_contract
from baloot.codec.enums import CARD, SEAT
from baloot.codec.play import decode_play_asked, decode_trick
from baloot.core.auction import Asked, SeatCall
from baloot.core.cards import Card
from baloot.core.contract import Contract
from baloot.core.play import PlayAsked, Trick
from baloot.core.seats import Seat

PATH = "view"


@dataclass(frozen=True, slots=True, repr=False)
class Sight:
    """A round as one seat sees it.

    `hand` is the seat's own cards as bits. `trick` are the cards on the table from `leader` on, who is the seat itself
    while there are none. `known` are the cards that others are known to hold or to have held, as bits by seat: the up
    card its taker got, and shown projects. `akkas` are the leads with which Akka was said, as bits. `scored_hundred`
    says that a hundred takes the Baloot once it is shown.
    """

    seat: Seat
    dealer: Seat
    up_card: Card
    hand: int
    scores: tuple[int, int]
    calls: tuple[SeatCall, ...]
    contract: Contract | None
    tricks: tuple[Trick, ...]
    leader: Seat
    trick: tuple[Card, ...]
    known: tuple[int, int, int, int]
    akkas: int = 0
    scored_hundred: bool = False

    def __repr__(self) -> str:
        return f"Sight({self.seat}, ██)"


def sight_of(view: TableView) -> Sight:
    """What the viewer sees; the view is that of a seat in a round. Raises Refusal when it is not."""
    table = view.round
    seat = SEAT.decode(view.viewer, f"{PATH}.viewer")
    trick = tuple(CARD.decode(lying.card, f"{PATH}.round.trick") for lying in table.trick)
    contract = decode_contract(table.contract, PATH) if table.HasField("contract") else None
    return Sight(
        seat=seat,
        dealer=SEAT.decode(table.dealer, f"{PATH}.round.dealer"),
        up_card=CARD.decode(table.up_card, f"{PATH}.round.up_card"),
        hand=_mask(table.hand),
        scores=decode_points(view.scores),
        calls=tuple(decode_seat_call(call, PATH) for call in table.calls),
        contract=contract,
        tricks=tuple(decode_trick(done, PATH) for done in table.tricks),
        leader=SEAT.decode(table.trick[0].seat, f"{PATH}.round.trick") if trick else seat,
        trick=trick,
        known=_known(table, contract),
        akkas=_mask(table.akka),
        scored_hundred=view.settings.ruleset.baloot_block == BALOOT_BLOCK_SCORED_HUNDRED,
    )


def question_of(question: Question) -> Asked | PlayAsked:
    """What a seat is asked."""
    if question.WhichOneof("question") == "play":
        return decode_play_asked(question.play, PATH)
    return decode_asked(question.call, PATH)


def _mask(numbers: Iterable[int]) -> int:
    mask = 0
    for number in numbers:
        mask |= 1 << (number - 1)
    return mask


def _known(table: RoundView, contract: Contract | None) -> tuple[int, int, int, int]:
    known = [0, 0, 0, 0]
    if contract is not None:
        known[contract.taker] |= 1 << (table.up_card - 1)
    for shown in table.shown:
        known[shown.seat - 1] |= _mask(shown.project.cards)
    return known[0], known[1], known[2], known[3]
