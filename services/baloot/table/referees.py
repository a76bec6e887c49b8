"""Referees: who may look at a table with all hands open, and the record of every look.

A look is written down before anything is shown; what cannot be written down is not shown.
"""

from __future__ import annotations

from uuid import UUID, uuid4

import structlog
from baloot.core.errors import Reason, Refusal
from baloot.table.identity import account_hash
from baloot.table.live import LiveTable
from baloot.table.looks import Look
from baloot.table.orchestrator import Orchestrator
from baloot.table.state import TableState
from baloot.table.store import StoreUnavailable

log = structlog.get_logger()


class Referees:
    """Lets accounts look at the tables of one process. What role they need is checked before."""

    def __init__(self, orchestrator: Orchestrator) -> None:
        self._orchestrator = orchestrator

    async def look(
        self, table_id: UUID, player_id: str, reason: str, *, watched: bool = False
    ) -> tuple[LiveTable, TableState]:
        """Writes a look down and returns the table, with the state that was looked at.

        Raises Refusal TABLE_UNKNOWN, REFEREE_PLAYS, and UNAVAILABLE when the look cannot be written down.
        """
        live = await self._orchestrator.current(table_id)
        await self.require_outside(live, player_id)
        state = live.state
        assert state is not None
        look = Look(
            uuid4(), table_id, player_id, self._orchestrator.now(), state.sequence, reason, watched=watched
        )
        await self._write(look)
        return live, state

    async def looks(self, table_id: UUID, limit: int, player_id: str) -> list[Look]:
        """The looks at a table, the first one first. Raises Refusal TABLE_UNKNOWN, REFEREE_PLAYS or UNAVAILABLE.

        What a referee wrote may tell of hands, so it is told to nobody who plays there.
        """
        await self.require_outside(await self._orchestrator.current(table_id), player_id)
        try:
            return list(await self._orchestrator.store.looks(table_id, limit))
        except StoreUnavailable as error:
            raise Refusal(Reason.UNAVAILABLE, "the looks cannot be read now") from error

    async def require_outside(self, live: LiveTable, player_id: str) -> None:
        """Raises Refusal REFEREE_PLAYS when an account plays in what it looks at: at the table or in its event."""
        state = live.state
        assert state is not None
        require_no_seat(state, player_id)
        if not state.settings.event_id:
            return
        for other in await self._held_in(state.settings.event_id, player_id):
            require_no_seat(await self._orchestrator.state(other), player_id)  # it may have been left since

    async def _held_in(self, event_id: str, player_id: str) -> list[UUID]:
        try:
            return list(await self._orchestrator.store.held_in(event_id, account_hash(player_id)))
        except StoreUnavailable as error:
            raise Refusal(Reason.UNAVAILABLE, "who plays in the event cannot be read now") from error

    async def _write(self, look: Look) -> None:
        try:
            await self._orchestrator.store.write_look(look)
        except StoreUnavailable as error:
            raise Refusal(
                Reason.UNAVAILABLE, "the look cannot be written down now, so nothing is shown"
            ) from error
        log.info(
            "a table was looked at with all hands open",
            table=str(look.table_id),
            player=look.player_id,
            sequence=look.sequence,
            watched=look.watched,
        )


def require_no_seat(state: TableState, player_id: str) -> None:
    """Raises Refusal REFEREE_PLAYS when an account has a seat of the table."""
    if state.seat_of(account_hash(player_id)) is not None:
        raise Refusal(Reason.REFEREE_PLAYS, "you play in this event, and may not see what others hold")
