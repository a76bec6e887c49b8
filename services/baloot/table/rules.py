"""The port to the rule services: what a table asks them. Whoever starts a table fills it, locally or over gRPC."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol
from uuid import UUID

from baloot.core.auction import AuctionRecord, AuctionStep, Call
from baloot.core.deal import NO_SEAT_SEEDS, DealEnd, Dealt, Opening, SealedSeed
from baloot.core.keys import StoreKey
from baloot.core.play import Move, PlayRecord, PlayStep
from baloot.core.ruleset import Ruleset
from baloot.core.score import RoundRecord, RoundScore
from baloot.core.seats import Seat, Team


class Dealing(Protocol):
    """The dealing service. Every method may raise Refusal."""

    async def commit_deals(self, match_id: UUID, first_number: int, count: int) -> Sequence[SealedSeed]:
        """Fresh sealed seeds for `count` deals, the first numbered `first_number`."""
        ...

    async def choose_dealer(
        self,
        match_id: UUID,
        ruleset: Ruleset,
        previous: tuple[Seat, DealEnd] | None,
        lost_before: Team | None = None,
        seed: SealedSeed | None = None,
        seat_seeds: Sequence[bytes] = NO_SEAT_SEEDS,
        beacon: bytes = b"",
    ) -> Seat:
        """Who deals: by lot for the first deal, else from who dealt before and how that deal ended.

        `lost_before` is the side that lost the match before, for rule sets in which it deals first. The lot is drawn from
        deal 1, to which the rest belongs.
        """
        ...

    async def deal(
        self,
        match_id: UUID,
        number: int,
        seed: SealedSeed,
        seat_seeds: Sequence[bytes] = NO_SEAT_SEEDS,
        beacon: bytes = b"",
    ) -> Dealt:
        """The deal of a sealed seed."""
        ...

    async def open_cards(
        self,
        match_id: UUID,
        number: int,
        seed: SealedSeed,
        seat_seeds: Sequence[bytes],
        beacon: bytes,
        positions: Sequence[int],
    ) -> Sequence[Opening]:
        """Proofs of where some cards of a deal lay in the shuffled deck."""
        ...

    async def reveal(self, match_id: UUID, number: int, seed: SealedSeed) -> bytes:
        """The seed itself: 32 bytes."""
        ...

    async def match_key(self, match_id: UUID) -> bytes:
        """The key that the secrets of a match are sealed with in the log: 32 bytes, secret."""
        ...

    async def store_key(self) -> StoreKey:
        """The key that seals what a database keeps for all its tables, and whose it is."""
        ...


class Bidding(Protocol):
    """The bidding service. Every method may raise Refusal."""

    async def get_auction(self, record: AuctionRecord) -> AuctionStep:
        """What follows from a record."""
        ...

    async def make_call(self, record: AuctionRecord, seat: Seat, call: Call) -> AuctionStep:
        """What follows from one call more."""
        ...


class Play(Protocol):
    """The play service. Every method may raise Refusal."""

    async def get_play(self, record: PlayRecord) -> PlayStep:
        """What follows from a record."""
        ...

    async def make_move(self, record: PlayRecord, seat: Seat, move: Move) -> PlayStep:
        """What follows from one move more."""
        ...


class Scoring(Protocol):
    """The scoring service. Every method may raise Refusal."""

    async def score_round(self, record: RoundRecord) -> RoundScore:
        """The sheet of a finished round."""
        ...


class Rules(Protocol):
    """The four services together."""

    @property
    def dealing(self) -> Dealing: ...

    @property
    def bidding(self) -> Bidding: ...

    @property
    def play(self) -> Play: ...

    @property
    def scoring(self) -> Scoring: ...
