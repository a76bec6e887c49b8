"""What happens around deals, and proofs of cards, on the wire."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baloot.api.table.v1 import events_pb2 as pb
from baloot.api.table.v1 import table_pb2
from baloot.codec.deal import HASH_BYTES, encode_opening
from baloot.codec.enums import SEAT
from baloot.table.deal_events import BeaconGiven, SeedAdded, SeedsRevealed
from baloot.table.openings import Openings
from baloot.table.views import Seen, SeenCommitted


def _committed(event: SeenCommitted) -> pb.DealsCommitted:
    packed = event.commitments
    each = [packed[at : at + HASH_BYTES] for at in range(0, len(packed), HASH_BYTES)]
    return pb.DealsCommitted(first_number=event.first_number, commitments=each)


def _seed_added(event: SeedAdded) -> pb.SeedAdded:
    return pb.SeedAdded(seat=SEAT.encode(event.seat), first_number=event.first_number, seed=event.seed)


def _seeds_revealed(event: SeedsRevealed) -> pb.SeedsRevealed:
    return pb.SeedsRevealed(first_number=event.first_number, seeds=event.seeds)


DEAL_EVENTS: Mapping[type[Seen], tuple[str, Callable[[Any], Any]]] = {
    SeenCommitted: ("deals_committed", _committed),
    SeedAdded: ("seed_added", _seed_added),
    BeaconGiven: ("beacon_given", lambda event: pb.BeaconGiven(value=event.value)),
    SeedsRevealed: ("seeds_revealed", _seeds_revealed),
}
"""For each of these events, its field in a `TableEvent` and how it is written there."""


def encode_openings(openings: Openings) -> table_pb2.GetOpeningsResponse:
    return table_pb2.GetOpeningsResponse(
        number=openings.number, openings=[encode_opening(opening) for opening in openings.openings]
    )
