"""The deals of a match, checked: commitments before, decks from the revealed seeds after."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from baloot.audit.payload import Added, Beacon, Committed, Revealed
from baloot.audit.records import Code
from baloot.core.deal import SEED_BYTES, Dealt
from baloot.core.errors import Refusal
from baloot.core.ruleset import Ruleset
from baloot.core.seats import SEATS, Seat, Team
from baloot.dealing import rules
from baloot.dealing.rules import HASH_BYTES
from baloot.table.deals import AHEAD

Wrong = Callable[[Code, str], None]
"""Told what is wrong, in a sentence."""
_NOTHING = bytes(SEED_BYTES)


class Lot(NamedTuple):
    """What the lot for the first dealer depends on besides the seed."""

    ruleset: Ruleset
    lost_before: Team | None


@dataclass(slots=True)
class _Begun:
    """A deal that has begun: its commitment as told with it, and its cards once they are dealt."""

    commitment: bytes
    dealer: Seat
    dealt: Dealt | None = None


class Deals:
    """Follows the deals of one match and says what is wrong with them."""

    def __init__(self, match: bytes, wrong: Wrong) -> None:
        self._match = match
        self._wrong = wrong
        self._committed: dict[int, bytes] = {}
        self._block_of: dict[int, int] = {}
        self._seeds: dict[int, dict[Seat, bytes]] = {}
        self.beacon = b""
        """The public random value; empty before it is given."""
        self._bound = 0
        """The last number that was committed to before the beacon was given."""
        self._begun: dict[int, _Begun] = {}
        self._revealed: int | None = None
        """The last number of which the seed is revealed; None before the first."""
        self._lot = False

    @property
    def last(self) -> int:
        """The number of the last deal that has begun; 0 for none."""
        return max(self._begun, default=0)

    @property
    def seeds_unrevealed(self) -> int:
        """How many decks follow from seeds that are not revealed."""
        return sum(number > (self._revealed or 0) for number in self._begun)

    @property
    def lot_checked(self) -> bool:
        """Whether the first dealer was seen to be drawn by the first deal's seed."""
        return self._lot

    @property
    def committed(self) -> int:
        """The number of the last deal that is committed to; 0 for none."""
        return max(self._committed, default=0)

    def commit(self, told: Committed, *, due: bool = True) -> None:
        """Commitments to further deals, in an entry in which they have to be, or not."""
        if not due:
            self._wrong(Code.COMMITMENT, f"deals {told.first} and on are committed to before their time")
        following = max(self.committed, self.last) + 1
        if told.first != following or not told.commitments:
            self._wrong(
                Code.COMMITMENT, f"deals {told.first} and on are committed to, and deal {following} had to be"
            )
        if not self._committed and told.first > 1:
            self._revealed = told.first - 1  # what was dealt before there were commitments is not revealed
        for number, commitment in enumerate(told.commitments, told.first):
            if len(commitment) != HASH_BYTES:
                self._wrong(Code.COMMITMENT, f"the commitment to deal {number} has not {HASH_BYTES} bytes")
            self._committed.setdefault(number, commitment)
            self._block_of.setdefault(number, told.first)

    def seat_taken(self, seat: Seat, seed: bytes) -> None:
        """What a player adds to the first block with its seat."""
        self._seeds.setdefault(1, {}).pop(seat, None)
        if seed:
            self._keep(Added(seat, 1, seed))

    def seat_left(self, seat: Seat) -> None:
        """What a player added is gone with its seat."""
        self._seeds.get(1, {}).pop(seat, None)

    def add(self, told: Added) -> None:
        """What a seat adds to a block of deals that has not begun."""
        if told.first not in self._block_of.values():
            self._wrong(
                Code.SEED,
                f"{told.seat} adds to deals from {told.first} on, which are no block of commitments",
            )
        elif self.last >= told.first:
            self._wrong(Code.SEED, f"{told.seat} adds to deals that have begun")
        elif told.first <= self._bound:
            self._wrong(Code.SEED, f"{told.seat} adds to deals whose beacon is known")
        elif told.seat in self._seeds.get(told.first, {}):
            self._wrong(Code.SEED, f"{told.seat} adds to the same deals again")
        else:
            self._keep(told)

    def _keep(self, told: Added) -> None:
        if len(told.seed) != SEED_BYTES:
            self._wrong(Code.SEED, f"what {told.seat} adds has not {SEED_BYTES} bytes")
        self._seeds.setdefault(told.first, {})[told.seat] = told.seed

    def give_beacon(self, told: Beacon) -> None:
        """The public random value, before the first deal."""
        if self.beacon or self._begun or len(told.value) != HASH_BYTES:
            self._wrong(Code.SEED, f"a beacon is given once, before the first deal, with {HASH_BYTES} bytes")
        if not self._committed:
            self._wrong(Code.COMMITMENT, "a beacon is given before any deal is committed to")
        self.beacon, self._bound = told.value, max(self._committed, default=0)

    def open(self, number: int, dealer: Seat, commitment: bytes) -> None:
        """A deal begins, with or without its cards."""
        if number != self.last + 1:
            self._wrong(Code.DEAL, f"deal {number} follows deal {self.last}")
        committed = self._committed.get(number, b"" if self._committed else commitment)
        if commitment != committed:
            what = "it was committed to another seed" if committed else "nobody has committed to it"
            self._wrong(Code.COMMITMENT, f"deal {number} begins, and {what}")
        self._begun[number] = _Begun(committed or commitment, dealer)

    def deal(self, dealt: Dealt) -> None:
        """The cards of a deal that has begun are dealt."""
        begun = self._begun.get(dealt.number)
        if begun is None or begun.dealt is not None:
            self._wrong(Code.DEAL, f"deal {dealt.number} is dealt, and did not begin")
            return
        if dealt.commitment != begun.commitment:
            self._wrong(Code.COMMITMENT, f"deal {dealt.number} is dealt from another seed than it began with")
        begun.dealt = dealt

    def due_after(self, number: int) -> int:
        """The first deal that has to be committed to with this one; 0 for none."""
        committed = self.committed
        return committed + 1 if committed and number + AHEAD > committed else 0

    def reveal(self, told: Revealed | None, upto: int, lot: Lot) -> None:
        """The seeds that an entry reveals, where those up to the deal `upto` have to be revealed by then."""
        if told is not None:
            self._reveal(told, lot)
        if self._committed and upto and (self._revealed or 0) < min(upto, self.last):
            self._wrong(Code.SEED, f"the seeds up to deal {upto} have to be revealed, and are not")
            self._revealed = upto

    def _reveal(self, told: Revealed, lot: Lot) -> None:
        if self._revealed is not None and told.first != self._revealed + 1:
            self._wrong(
                Code.SEED,
                f"seeds are revealed from deal {told.first} on, after those of deal {self._revealed}",
            )
        for number, seed in enumerate(told.seeds, told.first):
            begun = self._begun.get(number)
            if begun is None:
                self._wrong(Code.SEED, f"the seed of deal {number} is revealed, and that has not begun")
            else:
                self._check(number, seed, begun, lot)
        self._revealed = max(self._revealed or 0, told.first + len(told.seeds) - 1)

    def _check(self, number: int, seed: bytes, begun: _Begun, lot: Lot) -> None:
        try:
            if rules.commitment(self._match, number, 0, seed) != begun.commitment:
                self._wrong(
                    Code.SEED, f"the seed revealed for deal {number} is not the one that was committed to"
                )
                return
            shuffled = rules.shuffle(seed, self._match, number, 0, tuple(self._added(number)), self.beacon)
        except Refusal as refusal:
            self._wrong(Code.SEED, f"the seeds of deal {number} give no deck: {refusal.message}")
            return
        if number == 1:
            self._check_lot(shuffled.hand_key, begun.dealer, lot)
        if begun.dealt is not None and shuffled.deck != begun.dealt.deck:
            self._wrong(Code.DECK, f"the deck of deal {number} is not the one that its seeds give")
        if begun.dealt is not None and shuffled.deck_root != begun.dealt.deck_root:
            self._wrong(Code.DECK, f"the root of deal {number} is not that of the deck that its seeds give")

    def _added(self, number: int) -> Iterator[bytes]:
        seeds = self._seeds.get(self._block_of.get(number, 1), {})
        for seat in SEATS:
            yield seeds.get(seat, _NOTHING)

    def _check_lot(self, hand_key: bytes, dealer: Seat, lot: Lot) -> None:
        drawn = rules.first_dealer(self._match, hand_key, lot.ruleset, lot.lost_before)
        self._lot = bool(self._committed)
        if self._lot and drawn is not dealer:
            self._wrong(Code.DEALER, f"{dealer} deals first, and the lot fell on {drawn}")
