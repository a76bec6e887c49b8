"""A bug to be found: a server whose log tells of a card."""

from __future__ import annotations

from typing import Any


def plant() -> None:
    """Has the server log what South holds whenever anybody acts."""
    import structlog
    from baloot.table.orchestrator import Orchestrator

    submit = Orchestrator.submit

    async def talking(self: Any, table_id: Any, *arguments: Any) -> Any:
        live = self.tables.get(table_id)
        if live is not None and live.state is not None and live.state.round is not None:
            for card in live.state.round.hands[0]:
                structlog.get_logger().debug("deciding", about=str(card))
        return await submit(self, table_id, *arguments)

    Orchestrator.submit = talking  # type: ignore[assignment,method-assign]
