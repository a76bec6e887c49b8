"""The dealing service as plain calls in this process: what the server offers and a table may use directly.

It draws the seeds and alone holds the key that opens them, and keeps nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from uuid import UUID

from baloot.core.cards import CARDS_IN_DECK
from baloot.core.deal import NO_SEAT_SEEDS, SEED_BYTES, DealEnd, Dealt, Opening, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.keys import StoreKey
from baloot.core.playable import require_playable
from baloot.core.ruleset import Ruleset
from baloot.core.seats import Seat, Team
from baloot.dealing import rules
from baloot.dealing.sealing import NONCE_BYTES, match_key, open_sealed, seal, store_key

MAX_COMMITMENTS = 64


class LocalDealing:
    """Answers like the remote service, with the same refusals. `key` seals the seeds: 32 bytes, secret."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    async def commit_deals(self, match_id: UUID, first_number: int, count: int) -> Sequence[SealedSeed]:
        """Fresh sealed seeds for `count` deals, 1 to 64, the first numbered `first_number`."""
        if not 1 <= count <= MAX_COMMITMENTS:
            raise Refusal(
                Reason.FIELD_INVALID, f"count must be between 1 and {MAX_COMMITMENTS}", field="count"
            )
        if first_number < 1:
            raise Refusal(Reason.FIELD_INVALID, "deals are numbered from 1", field="first_number")
        return [self._commit(match_id, number) for number in range(first_number, first_number + count)]

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
        require_playable(ruleset)
        if previous is not None:
            return rules.next_dealer(*previous, ruleset)
        lot = await self._lot(match_id, seed, seat_seeds, beacon)
        return rules.first_dealer(match_id.bytes, lot, ruleset, lost_before)

    async def _lot(
        self, match_id: UUID, seed: SealedSeed | None, seat_seeds: Sequence[bytes], beacon: bytes
    ) -> bytes:
        if seed is None:
            return secrets.token_bytes(SEED_BYTES)
        opened = await self.reveal(match_id, 1, seed)
        return rules.hand_key(opened, match_id.bytes, 1, 0, seat_seeds, beacon)

    async def deal(
        self,
        match_id: UUID,
        number: int,
        seed: SealedSeed,
        seat_seeds: Sequence[bytes] = NO_SEAT_SEEDS,
        beacon: bytes = b"",
    ) -> Dealt:
        """The deal of a sealed seed. Raises Refusal when the seed was not sealed here for this match and number."""
        opened = await self.reveal(match_id, number, seed)
        return rules.deal(match_id.bytes, number, opened, seat_seeds, beacon)

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
        if len(positions) > CARDS_IN_DECK:
            message = f"at most {CARDS_IN_DECK} positions are opened at once"
            raise Refusal(Reason.FIELD_INVALID, message, field="positions")
        opened = await self.reveal(match_id, number, seed)
        return rules.open_cards(match_id.bytes, number, opened, seat_seeds, beacon, positions)

    async def reveal(self, match_id: UUID, number: int, seed: SealedSeed) -> bytes:
        """The seed itself, 32 bytes."""
        opened = open_sealed(self._key, seed.sealed, match_id.bytes, number)
        if rules.commitment(match_id.bytes, number, 0, opened) != seed.commitment:
            raise Refusal(
                Reason.RECORD_INVALID, "the commitment belongs to another seed", field="seed.commitment"
            )
        return opened

    async def match_key(self, match_id: UUID) -> bytes:
        """The key that the secrets of a match are sealed with in the log: 32 bytes, secret."""
        return match_key(self._key, match_id.bytes)

    async def store_key(self) -> StoreKey:
        """The key that seals what a database keeps for all its tables, and whose it is."""
        return store_key(self._key)

    def _commit(self, match_id: UUID, number: int) -> SealedSeed:
        seed = secrets.token_bytes(SEED_BYTES)
        sealed = seal(self._key, seed, secrets.token_bytes(NONCE_BYTES), match_id.bytes, number)
        return SealedSeed(rules.commitment(match_id.bytes, number, 0, seed), sealed)
