"""Who looks at a table, and how an event is shown to him."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baloot.core.seats import Seat
from baloot.table.events import Event

Viewer = Seat | None
"""A seat, or None for everybody else."""

Views = Mapping[type[Event], Callable[[Any, Viewer], Any]]
"""For each event, what makes of it what a viewer sees."""


def whole(event: Any, _viewer: Viewer) -> Any:
    """An event of which everybody may see all."""
    return event
