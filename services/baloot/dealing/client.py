"""The dealing service asked over gRPC, with the functions of the local one."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import grpc.aio
from baloot.api.dealing.v1 import dealing_pb2 as pb
from baloot.api.dealing.v1.dealing_pb2_grpc import DealingServiceStub
from baloot.core.deal import NO_SEAT_SEEDS, DealEnd, Dealt, Opening, SealedSeed
from baloot.core.keys import StoreKey
from baloot.core.ruleset import Ruleset
from baloot.core.seats import Seat, Team
from baloot.dealing import codec
from baloot.kit.calling import call


class RemoteDealing:
    """Answers like `LocalDealing`, with the same refusals; also UNAVAILABLE and DEADLINE_EXCEEDED."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = DealingServiceStub(channel)

    async def commit_deals(self, match_id: UUID, first_number: int, count: int) -> Sequence[SealedSeed]:
        """Fresh sealed seeds for `count` deals, 1 to 64, the first numbered `first_number`."""
        request = codec.encode_commit_deals(match_id, first_number, count)
        return codec.decode_committed(await call(self._stub.CommitDeals, request))

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

        `lost_before` is the team that lost the match before, for rule sets in which it deals the first deal. The lot is
        drawn from the key of deal 1, whose sealed seed `seed` is, and afresh without one.
        """
        request = codec.encode_choose_dealer(
            match_id, ruleset, previous, lost_before, seed, seat_seeds, beacon
        )
        return codec.decode_chosen(await call(self._stub.ChooseDealer, request))

    async def deal(
        self,
        match_id: UUID,
        number: int,
        seed: SealedSeed,
        seat_seeds: Sequence[bytes] = NO_SEAT_SEEDS,
        beacon: bytes = b"",
    ) -> Dealt:
        """The deal of a sealed seed. Raises Refusal when the seed was not sealed there for this match and number."""
        request = codec.encode_deal(match_id, number, seed, seat_seeds, beacon)
        return codec.decode_dealt_answer(await call(self._stub.Deal, request))

    async def open_cards(
        self,
        match_id: UUID,
        number: int,
        seed: SealedSeed,
        seat_seeds: Sequence[bytes],
        beacon: bytes,
        positions: Sequence[int],
    ) -> Sequence[Opening]:
        """Proofs of where some cards of a deal lay: at most 32 positions of the shuffled deck, each 0 to 31."""
        request = codec.encode_open_cards(match_id, number, seed, seat_seeds, beacon, positions)
        return codec.decode_opened(await call(self._stub.OpenCards, request))

    async def reveal(self, match_id: UUID, number: int, seed: SealedSeed) -> bytes:
        """The seed itself, 32 bytes."""
        return codec.decode_revealed(
            await call(self._stub.Reveal, codec.encode_reveal(match_id, number, seed))
        )

    async def match_key(self, match_id: UUID) -> bytes:
        """The key that the secrets of a match are sealed with in the log: 32 bytes, secret."""
        return codec.decode_match_key(
            await call(self._stub.GetMatchKey, codec.encode_get_match_key(match_id))
        )

    async def store_key(self) -> StoreKey:
        """The key that seals what a database keeps for all its tables, and whose it is."""
        return codec.decode_store_key(await call(self._stub.GetStoreKey, pb.GetStoreKeyRequest()))
