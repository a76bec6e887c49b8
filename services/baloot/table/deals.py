"""The deals that a table has committed to: their seeds, what the seats add to them, and which seeds are revealed.

A table has one block of them to deal from, and towards its end the next one, to which the seats can add.
"""

from __future__ import annotations

from typing import NamedTuple

from baloot.core.deal import NO_SEAT_SEEDS, SealedBlock, SealedSeed
from baloot.core.seats import SEATS, Seat
from baloot.table.events import SeedsRevealed

BLOCK = 64
"""How many deals are committed to at once."""
AHEAD = 8
"""So many deals before the last one that is committed to, the next block is."""

SeatSeeds = tuple[bytes, ...]
NONE_ADDED: SeatSeeds = (b"",) * len(SEATS)


class DealInputs(NamedTuple):
    """What one deal follows from: its sealed seed, what the four seats add, 32 bytes each, and the beacon if there is one."""

    sealed_seed: SealedSeed
    seat_seeds: tuple[bytes, ...] = NO_SEAT_SEEDS
    beacon: bytes = b""


class Block(NamedTuple):
    """Deals that are committed to, and what each seat adds to all of them; empty where it has not told."""

    sealed: SealedBlock
    seat_seeds: SeatSeeds = NONE_ADDED


class Deals(NamedTuple):
    """All that a table knows of the deals that it has committed to.

    `current` is the block that is dealt from, `coming` the one whose first deal has not begun. `begun` is the number of
    the last deal that has begun, `told` of the last one whose seed is revealed; deals that are older than commitments
    count as neither. `last` is what was revealed last.
    """

    current: Block | None = None
    coming: Block | None = None
    beacon: bytes = b""
    begun: int = 0
    told: int = 0
    last: SeedsRevealed | None = None

    @property
    def latest(self) -> Block | None:
        """The block that was committed to last."""
        return self.coming or self.current

    @property
    def committed(self) -> int:
        """The number of the last deal that is committed to; 0 for none."""
        return self.latest.sealed.last_number if self.latest else 0

    @property
    def open(self) -> Block | None:
        """The block to which seats can still add: none of its deals has begun, and no beacon is known for its first one."""
        return None if self.beacon and self.current is None else self.coming

    def inputs(self, number: int) -> DealInputs | None:
        """What a deal follows from; None when it is not committed to."""
        for block in (self.current, self.coming):
            if block is not None and number in block.sealed:
                added = zip(block.seat_seeds, NO_SEAT_SEEDS, strict=True)
                seat_seeds = tuple(seat_seed or none for seat_seed, none in added)
                return DealInputs(block.sealed.seed(number), seat_seeds, self.beacon)
        return None

    def revealed_seed(self, number: int) -> bytes:
        """The seed of a deal if it was revealed last; empty otherwise."""
        if self.last is None or not self.last.first_number <= number <= self.last.last_number:
            return b""
        return self.last.seeds[number - self.last.first_number]

    # The fold.

    def after_commitment(self, sealed: SealedBlock) -> Deals:
        """With one block more, to which nobody has added yet."""
        if self.latest is not None:
            return self._replace(coming=Block(sealed))
        before = sealed.first_number - 1
        return self._replace(coming=Block(sealed), begun=before, told=before)

    def after_seat_seed(self, seat: Seat, seat_seed: bytes) -> Deals:
        """With what a seat adds to the coming block; empty for nothing any more."""
        if self.coming is None:
            return self
        before = self.coming.seat_seeds
        seat_seeds = (*before[:seat], seat_seed, *before[seat + 1 :])
        return self._replace(coming=self.coming._replace(seat_seeds=seat_seeds))

    def after_begin(self, number: int) -> Deals:
        """With one deal more that has begun."""
        if self.coming is not None and number in self.coming.sealed:
            return self._replace(current=self.coming, coming=None, begun=number)
        if self.current is not None and number in self.current.sealed:
            return self._replace(begun=number)
        return self

    def after_reveal(self, revealed: SeedsRevealed) -> Deals:
        """With some seeds more that everybody knows."""
        return self._replace(told=revealed.last_number, last=revealed)
