"""What a viewer sees of a round: what everybody heard and saw, and of the hands only its own."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.auction import Call, CutChoice, SeatCall
from baloot.core.cards import Card, Hand
from baloot.core.contract import Contract
from baloot.core.play import CardMove, Qaid, Trick
from baloot.core.projects import SeatProject
from baloot.core.score import RoundScore
from baloot.core.seats import Seat, Team
from baloot.table.events import SawaClaimed
from baloot.table.state import Phase, Round, TableState
from baloot.table.views.deals import SeenRoundOpened
from baloot.table.views.play import SeenProject, see_announced
from baloot.table.views.viewer import Viewer


@dataclass(frozen=True, slots=True)
class SeenOnTable:
    """A card that lies on the table."""

    seat: Seat
    card: Card
    akka: bool


@dataclass(frozen=True, slots=True)
class SeenRound:
    """A round as one viewer may see it. `hand` is the viewer's own, `up_card` what lay face up."""

    number: int
    phase: Phase
    dealer: Seat
    up_card: Card
    commitment: bytes
    deck_root: bytes
    hand: tuple[Card, ...]
    calls: tuple[SeatCall, ...]
    answered: tuple[Seat, ...]
    own_answer: Call | None
    contract: Contract | None
    tricks: tuple[Trick, ...]
    trick: tuple[SeenOnTable, ...]
    announced: tuple[tuple[Seat, tuple[SeenProject, ...]], ...]
    projects_team: Team | None
    shown: tuple[SeatProject, ...]
    baloot: tuple[Seat, ...]
    sawa: tuple[SawaClaimed, ...]
    score: RoundScore | None
    kawesh: Seat | None
    open_hands: tuple[Hand, ...]
    cut: CutChoice | None
    accepted: tuple[Seat, ...]
    qaid: Qaid | None
    akka: tuple[Card, ...]
    revealed_seed: bytes


@dataclass(frozen=True, slots=True)
class SeenPending:
    """A round that is not dealt yet, with its seed if the table ended before it was."""

    opening: SeenRoundOpened
    revealed_seed: bytes


def see_current_round(state: TableState, viewer: Viewer) -> SeenRound | SeenPending | None:
    """The current or last round, or the next one while its deck is cut; None before the first."""
    pending, round_ = state.pending, state.round
    if pending is not None:
        opening = SeenRoundOpened(pending.number, pending.dealer, pending.sealed_seed.commitment)
        return SeenPending(opening, state.deals.revealed_seed(pending.number))
    return _see_round(round_, viewer, state.deals.revealed_seed(round_.dealt.number)) if round_ else None


def _see_round(round_: Round, viewer: Viewer, revealed_seed: bytes) -> SeenRound:
    return SeenRound(
        number=round_.dealt.number,
        phase=round_.phase,
        dealer=round_.dealer,
        up_card=round_.auction.up_card,
        commitment=round_.dealt.commitment,
        deck_root=round_.dealt.deck_root,
        hand=() if viewer is None else tuple(round_.hands[viewer]),
        calls=round_.calls,
        answered=tuple(answer.seat for answer in round_.sealed),
        own_answer=next((answer.call for answer in round_.sealed if answer.seat == viewer), None),
        contract=round_.contract,
        tricks=round_.tricks,
        trick=tuple(SeenOnTable(lying.seat, lying.move.card, lying.move.akka) for lying in round_.trick),
        announced=tuple((seat, see_announced(declared, seat, viewer)) for seat, declared in round_.announced),
        projects_team=round_.projects_team,
        shown=round_.shown,
        baloot=round_.baloot,
        sawa=round_.sawa,
        score=round_.score,
        kawesh=round_.kawesh,
        open_hands=round_.open_hands,
        cut=round_.cut,
        accepted=round_.accepted,
        qaid=round_.qaid,
        akka=_said_akka(round_),
        revealed_seed=revealed_seed,
    )


def _said_akka(round_: Round) -> tuple[Card, ...]:
    """The leads with which everybody heard Akka."""
    if round_.play is None:
        return ()
    moves = (made.move for made in round_.play.moves)
    return tuple(move.card for move in moves if isinstance(move, CardMove) and move.akka)
