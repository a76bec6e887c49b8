"""What a viewer sees of a whole table: the same as by following its entries."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from baloot.core.seats import Seat, Team
from baloot.table.deals import NONE_ADDED
from baloot.table.events import AbandonReason, Micros, OpenQuestion, Presence, Settings, Status
from baloot.table.policy import ForfeitReason
from baloot.table.state import TableState
from baloot.table.timing import told_deadline
from baloot.table.views.entry import own_question, public_questions
from baloot.table.views.round import SeenPending, SeenRound, see_current_round
from baloot.table.views.viewer import Viewer


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table as one viewer may see it. `names` are the players' in order of seats, None where a seat is free;
    `player_ids` their accounts, empty for guests; `seat_seeds` what the seats add to the deals that were committed to last.
    """

    table_id: UUID
    sequence: int
    status: Status
    settings: Settings
    names: tuple[str | None, ...]
    viewer: Viewer
    scores: tuple[int, int]
    round: SeenRound | SeenPending | None
    asked: tuple[OpenQuestion, ...]
    question: OpenQuestion | None
    deadline: Micros | None
    winner: Team | None
    abandoned: AbandonReason | None
    banks: tuple[Micros, ...]
    missed: tuple[int, ...]
    bots: tuple[Seat, ...]
    forfeited: ForfeitReason | None
    presence: tuple[Presence | None, ...]
    player_ids: tuple[str, ...]
    committed: int
    beacon: bytes
    seat_seeds: tuple[bytes, ...]


def see(state: TableState, viewer: Viewer) -> SeenTable:
    """The whole table for one viewer. It equals the fold of that viewer's entries."""
    return SeenTable(
        table_id=state.table_id,
        sequence=state.sequence,
        status=state.status,
        settings=state.settings,
        names=tuple(player.name if player else None for player in state.seats),
        viewer=viewer,
        scores=state.scores,
        round=see_current_round(state, viewer),
        asked=public_questions(state.questions),
        question=own_question(state.questions, viewer),
        deadline=told_deadline(state.questions, state.deadline),
        winner=state.winner,
        abandoned=state.abandoned,
        banks=state.banks,
        missed=state.missed,
        bots=state.bots,
        forfeited=state.forfeited,
        presence=tuple(known.presence if known else None for known in state.connections),
        player_ids=tuple(player.player_id if player else "" for player in state.seats),
        committed=state.deals.committed,
        beacon=state.deals.beacon,
        seat_seeds=state.deals.latest.seat_seeds if state.deals.latest else NONE_ADDED,
    )
