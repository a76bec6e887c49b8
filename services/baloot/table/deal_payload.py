"""How what happens around deals is written in the two halves of an entry in the log, and read again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.deal import decode_hash
from baloot.codec.enums import SEAT
from baloot.codec.fields import invalid
from baloot.core.deal import SealedBlock
from baloot.store.v1 import entry_pb2 as log
from baloot.table.deal_events import BeaconGiven, DealsCommitted, SeedAdded, SeedsRevealed
from baloot.table.events import Event


def hide_seeds(event: DealsCommitted, _payload: log.Entry, secret: log.Secret) -> None:
    """Puts the sealed seeds of a block into the secret half."""
    secret.sealed_seeds = event.block.sealed


def _committed(message: wire.DealsCommitted, _payload: log.Entry, secret: log.Secret) -> Event:
    commitments = b"".join(decode_hash(value, "commitments") for value in message.commitments)
    try:
        return DealsCommitted(SealedBlock(message.first_number, commitments, secret.sealed_seeds))
    except ValueError as error:
        raise invalid("sealed_seeds", str(error)) from error


def _seed_added(message: wire.SeedAdded, *_: object) -> Event:
    seat, seed = SEAT.decode(message.seat, "seat"), decode_hash(message.seed, "seed")
    return SeedAdded(seat, message.first_number, seed)


def _beacon_given(message: wire.BeaconGiven, *_: object) -> Event:
    return BeaconGiven(decode_hash(message.value, "value"))


def _seeds_revealed(message: wire.SeedsRevealed, *_: object) -> Event:
    seeds = tuple(decode_hash(seed, "seeds") for seed in message.seeds)
    return SeedsRevealed(message.first_number, seeds)


DECODE_DEALS: Mapping[str, Callable[[Any, log.Entry, log.Secret], Event]] = {
    "deals_committed": _committed,
    "seed_added": _seed_added,
    "beacon_given": _beacon_given,
    "seeds_revealed": _seeds_revealed,
}
"""How each of these events is read, by its field in a `TableEvent`."""
