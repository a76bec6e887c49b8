"""The deals of a table: commitments, what seats add, the beacon, revealed seeds, and the deal of each round."""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.auction import CutChoice
from baloot.core.deal import Dealt, Deck, SealedBlock, SealedSeed
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
    seat_seed: bytes


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


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Begins a round whose deck may be cut first (2.3). The commitment to its seed stands before the cut."""

    number: int
    dealer: Seat
    sealed_seed: SealedSeed


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """Begins a round, or goes on with one whose deck was cut. `dealt` is the deck as it was shuffled."""

    dealer: Seat
    dealt: Dealt
    sealed_seed: SealedSeed
    cut: CutChoice | None = None

    @property
    def deck(self) -> Deck:
        """The deck in the order in which it is dealt."""
        return cut_deck(self.dealt, self.cut)


def cut_deck(dealt: Dealt, cut: CutChoice | None) -> Deck:
    """A shuffled deck as it is dealt after the cut.

    A plain cut lifts 1 to 31 cards. The commitment settles how many, since a screen has no hand to do it.
    """
    return dealt.deck if cut is None else dealt.deck.cut(cut, cut_depth(dealt))


def cut_depth(dealt: Dealt) -> int:
    """How many cards a plain cut lifts from a deck: 1 to 31."""
    return 1 + dealt.commitment[0] % 31


DealEvent = DealsCommitted | SeedAdded | BeaconGiven | SeedsRevealed | RoundOpened | RoundDealt
