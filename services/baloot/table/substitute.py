"""The port to the bots that play for absent players. A bot is given the view of its seat, and nothing else.

Whoever starts a table fills it. What goes through it is what would go over the wire: the bytes of a `TableView`, and
those of a `SubmitActionRequest` of which only the action counts.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import structlog
from baloot.core.seats import Seat
from baloot.table.decide import Action
from baloot.table.encoding import view_bytes
from baloot.table.requests import read_action
from baloot.table.state import TableState

Substitute = Callable[[bytes], Awaitable[bytes]]
"""Chooses what a seat does about its question, from the bytes of its view. It may raise anything."""

log = structlog.get_logger()


async def choice_of(substitute: Substitute, state: TableState, seat: Seat) -> Action | None:
    """What the substitute chooses for a seat that is asked; None if it fails, or chooses nothing that can be read."""
    try:
        return read_action(await substitute(view_bytes(state, seat)))
    except Exception as error:  # noqa: BLE001 - whatever it is, the table goes on
        log.warning("a bot failed", table=str(state.table_id), seat=str(seat), why=type(error).__name__)
        return None
