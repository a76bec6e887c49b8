"""The seats of one holder at tables that have not ended."""

from __future__ import annotations

from collections.abc import Sequence

from baloot.core.seats import Seat
from baloot.table.orchestrator import Orchestrator, unavailable
from baloot.table.state import TableState
from baloot.table.store import StoreUnavailable

MOST = 100
"""Seats that are told."""


async def seats_of(orchestrator: Orchestrator, holder: bytes) -> Sequence[tuple[TableState, Seat]]:
    """The seats of a holder and their tables as they are now, the latest taken first, at most MOST."""
    try:
        tables = await orchestrator.store.held_by(holder, MOST)
    except StoreUnavailable as error:
        raise unavailable() from error
    states = [await orchestrator.state_if_any(table_id) for table_id in tables]
    return [(state, seat) for state in states if state and (seat := _seat(state, holder)) is not None]


def _seat(state: TableState, holder: bytes) -> Seat | None:
    """The seat that a holder has now: it may have been left since it was taken, and the table may have ended."""
    return None if state.status.ended else state.seat_of(holder)
