"""A round on the wire, as a viewer sees it."""

from __future__ import annotations

from baloot.api.table.v1 import table_pb2 as pb
from baloot.codec.auction import encode_call, encode_seat_call
from baloot.codec.cards import encode_cards, encode_hand, encode_seats
from baloot.codec.contract import encode_contract
from baloot.codec.enums import CARD, CUT_CHOICE, SEAT, TEAM
from baloot.codec.play import encode_qaid, encode_seat_project, encode_trick
from baloot.codec.score import encode_round_score
from baloot.core.seats import Seat
from baloot.table.codec.play import encode_announced, encode_sawa_claimed
from baloot.table.state import Phase
from baloot.table.views.play import SeenProject
from baloot.table.views.round import SeenOnTable, SeenPending, SeenRound

PHASE = {phase: pb.RoundPhase.Value(f"ROUND_PHASE_{phase.name}") for phase in Phase}


def encode_current_round(seen: SeenRound | SeenPending) -> pb.RoundView:
    """A round, or one whose deck is cut before it is dealt."""
    return _pending(seen) if isinstance(seen, SeenPending) else _round(seen)


def _pending(seen: SeenPending) -> pb.RoundView:
    opening = seen.opening
    return pb.RoundView(
        number=opening.number,
        phase=PHASE[Phase.CUT],
        dealer=SEAT.encode(opening.dealer),
        commitment=opening.commitment,
        seed=seen.revealed_seed,
    )


def _round(seen: SeenRound) -> pb.RoundView:
    return pb.RoundView(
        number=seen.number,
        phase=PHASE[seen.phase],
        dealer=SEAT.encode(seen.dealer),
        up_card=CARD.encode(seen.up_card),
        hand=encode_cards(seen.hand),
        calls=[encode_seat_call(call) for call in seen.calls],
        answered=encode_seats(seen.answered),
        own_answer=None if seen.own_answer is None else encode_call(seen.own_answer),
        contract=None if seen.contract is None else encode_contract(seen.contract),
        tricks=[encode_trick(trick) for trick in seen.tricks],
        trick=[_on_table(lying) for lying in seen.trick],
        announced=[_announced(seat, projects) for seat, projects in seen.announced],
        projects_team=TEAM.encode_optional(seen.projects_team),
        shown=[encode_seat_project(project) for project in seen.shown],
        baloot=encode_seats(seen.baloot),
        sawa=[encode_sawa_claimed(claim) for claim in seen.sawa],
        score=None if seen.score is None else encode_round_score(seen.score),
        open_hands=[encode_hand(hand) for hand in seen.open_hands],
        kawesh=SEAT.encode_optional(seen.kawesh),
        commitment=seen.commitment,
        deck_root=seen.deck_root,
        cut=CUT_CHOICE.encode_optional(seen.cut),
        accepted=encode_seats(seen.accepted),
        qaid=None if seen.qaid is None else encode_qaid(seen.qaid),
        akka=encode_cards(seen.akka),
        seed=seen.revealed_seed,
    )


def _on_table(lying: SeenOnTable) -> pb.PlayedCard:
    return pb.PlayedCard(seat=SEAT.encode(lying.seat), card=CARD.encode(lying.card), akka=lying.akka)


def _announced(seat: Seat, projects: tuple[SeenProject, ...]) -> pb.AnnouncedProjects:
    return pb.AnnouncedProjects(seat=SEAT.encode(seat), projects=encode_announced(projects))
