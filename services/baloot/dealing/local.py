"""The dealing service as plain calls in this process: what the server offers and a table may use directly.

It draws the seeds and alone holds the key that opens them, and keeps nothing else.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from uuid import UUID

from baloot.core.deal import DealEnd, Dealt, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import Ruleset, require_playable
from baloot.core.seats import Seat, Team
from baloot.dealing import rules
from baloot.dealing.sealing import NONCE_BYTES, match_key, open_sealed, seal

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
    ) -> Seat:
        """Who deals: by lot for the first deal, else from who dealt before and how that deal ended.

        `lost_before` is the team that lost the match before, for rule sets in which it deals the first deal.
        """
        require_playable(ruleset)
        if previous is None:
            randomness = secrets.token_bytes(rules.SEED_BYTES)
            return rules.first_dealer(match_id.bytes, randomness, ruleset, lost_before)
        return rules.next_dealer(*previous, ruleset)

    async def deal(
        self,
        match_id: UUID,
        number: int,
        seed: SealedSeed,
        seat_seeds: Sequence[bytes] = rules.NO_SEAT_SEEDS,
        beacon: bytes = b"",
    ) -> Dealt:
        """The deal of a sealed seed. Raises Refusal when the seed was not sealed here for this match and number."""
        opened = await self.reveal(match_id, number, seed)
        return rules.deal(match_id.bytes, number, opened, seat_seeds, beacon)

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

    def _commit(self, match_id: UUID, number: int) -> SealedSeed:
        seed = secrets.token_bytes(rules.SEED_BYTES)
        sealed = seal(self._key, seed, secrets.token_bytes(NONCE_BYTES), match_id.bytes, number)
        return SealedSeed(rules.commitment(match_id.bytes, number, 0, seed), sealed)
