"""Looks at tables with all hands open, as they are written down."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import UUID

from baloot.table.events import Micros

MOST = 1000
"""Looks at one table that are told, at most."""


@dataclass(frozen=True, slots=True)
class Look:
    """Who looked at a table, when, after which of its entries, why, and whether it looked on from there.

    `id` tells looks apart: one that is written twice is written once.
    """

    id: UUID
    table_id: UUID
    player_id: str
    at: Micros
    sequence: int
    reason: str = field(repr=False)
    watched: bool = False
