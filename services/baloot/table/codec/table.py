"""A whole table on the wire, as a viewer sees it."""

from __future__ import annotations

from baloot.api.table.v1 import table_pb2 as pb
from baloot.codec.cards import encode_points
from baloot.codec.enums import SEAT, TEAM
from baloot.core.seats import SEATS
from baloot.table.codec.entry import encode_public, encode_question
from baloot.table.codec.match import ABANDON_REASON, FORFEIT_REASON
from baloot.table.codec.round import encode_current_round
from baloot.table.codec.seats import PRESENCE
from baloot.table.codec.settings import encode_settings
from baloot.table.codec.times import encode_duration, encode_optional_time
from baloot.table.events import Micros, Settings, Status
from baloot.table.views import SeenTable
from google.protobuf.duration_pb2 import Duration

STATUS = {status: pb.TableStatus.Value(f"TABLE_STATUS_{status.name}") for status in Status}


def encode_table(seen: SeenTable) -> pb.TableView:
    """A whole table, as the viewer sees it."""
    return pb.TableView(
        table_id=str(seen.table_id),
        sequence=seen.sequence,
        status=STATUS[seen.status],
        settings=encode_settings(seen.settings),
        seats=_seats(seen),
        viewer=SEAT.encode_optional(seen.viewer),
        scores=encode_points(seen.scores),
        round=None if seen.round is None else encode_current_round(seen.round),
        asked=[encode_public(open_) for open_ in seen.asked],
        deadline=encode_optional_time(seen.deadline),
        question=None if seen.question is None else encode_question(seen.question),
        winner=TEAM.encode_optional(seen.winner),
        abandon_reason=ABANDON_REASON.encode_optional(seen.abandoned),
        forfeit_reason=FORFEIT_REASON.encode_optional(seen.forfeited),
        committed=seen.committed,
        beacon=seen.beacon,
    )


def _seats(seen: SeenTable) -> list[pb.SeatView]:
    banks: list[Duration | None] = [*encode_banks(seen.settings, seen.banks)] or [None] * len(SEATS)
    return [
        pb.SeatView(
            seat=SEAT.encode(seat),
            taken=name is not None,
            player_name=name or "",
            bank=bank,
            bot_plays=seat in seen.bots,
            missed=seen.missed[seat],
            presence=PRESENCE.encode_optional(presence),
            player_id=player_id,
            seed=seat_seed,
        )
        for seat, name, bank, presence, player_id, seat_seed in zip(
            SEATS, seen.names, banks, seen.presence, seen.player_ids, seen.seat_seeds, strict=True
        )
    ]


def encode_banks(settings: Settings, banks: tuple[Micros, ...]) -> list[Duration]:
    """What the seats have in their banks; none where the table has none."""
    return [encode_duration(bank) for bank in banks] if settings.control.bank else []
