"""What happens around the deals of a table, as facts: commitments, what seats add, the beacon, and revealed seeds."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.deal import SealedBlock
from baloot.core.seats import Seat


@dataclass(frozen=True, slots=True)
class DealsCommitted:
    """Commits to the seeds of the deals to come, before any seat has told what it adds to them."""

    block: SealedBlock


@dataclass(frozen=True, slots=True)
class SeedAdded:
    """Tells what a seat adds to the deals that are committed to from `first_number` on: 32 bytes."""

    seat: Seat
    first_number: int
    seed: bytes


@dataclass(frozen=True, slots=True)
class BeaconGiven:
    """Tells the public random value that the table waited for: 32 bytes."""

    value: bytes


@dataclass(frozen=True, slots=True)
class SeedsRevealed:
    """Tells the seeds of consecutive deals that are over: 32 bytes each, the first of deal `first_number`."""

    first_number: int
    seeds: tuple[bytes, ...]

    @property
    def last_number(self) -> int:
        return self.first_number + len(self.seeds) - 1
