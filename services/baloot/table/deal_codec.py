"""Proofs of cards on the wire."""

from __future__ import annotations

from baloot.api.table.v1 import table_pb2
from baloot.codec.deal import encode_opening
from baloot.table.openings import Openings


def encode_openings(openings: Openings) -> table_pb2.GetOpeningsResponse:
    return table_pb2.GetOpeningsResponse(
        number=openings.number, openings=[encode_opening(opening) for opening in openings.openings]
    )
