"""Bots for absent players: the same as those that sit down by themselves, asked with the view of the seat."""

from __future__ import annotations

from baloot.api.table.v1.table_pb2 import TableView
from baloot.bots.choosing import choose
from baloot.client.table import submission


async def substitute(view: bytes) -> bytes:
    """What a bot does about the question in a view. Implements `baloot.table.substitute.Substitute`."""
    return submission(choose(TableView.FromString(view))).SerializeToString()
