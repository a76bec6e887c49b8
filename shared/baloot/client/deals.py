"""Checking the deals of a table from a seat: whether a revealed seed gives the cards that were dealt.

The recipe of DEALS.md, told for clients on its own: nothing here trusts, or shares code with, the service that deals.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum
from hashlib import sha256
from hmac import digest
from typing import NamedTuple

from baloot.api.core.v1.deal_pb2 import Opening
from baloot.api.table.v1.events_pb2 import DealsCommitted, Dealt, SeedsRevealed, TableEntry
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_AUCTION, ROUND_PHASE_CUT, RoundView, TableView
from baloot.core.auction import CutChoice
from baloot.core.cards import CARDS, CARDS_IN_DECK, Card
from baloot.core.deal import NO_SEAT_SEEDS, Deck
from baloot.core.seats import SEATS, Seat

Seeds = tuple[bytes, ...]

FIRST_CARDS = 5
"""How many cards each seat has before the buying is over."""


class Misfit(Enum):
    """What does not fit in a deal: SEED_REFUSED before it begins, all else when its seed is revealed."""

    OWN_SEED = "the table has another seed than the seat sent"
    COMMITMENT = "the revealed seed is not the one that was committed to"
    DECK = "the deck does not follow from the revealed seed"
    CARDS = "the seat's cards are not those of the deck"
    SEED_REFUSED = "the table refused what the seat adds to it and the deals after it, and it had not begun"


class Fault(NamedTuple):
    """A deal that was not dealt as the table said, or not told as it was dealt."""

    number: int
    misfit: Misfit

    def __str__(self) -> str:
        return f"deal {self.number}: {self.misfit.value}"


@dataclass(slots=True)
class DealChecker:
    """What a seat notes while it follows a table, and the faults that it finds when seeds are revealed.

    It holds a deal to the commitment that it was shown first: to one that the seat saw before it sent its own seed, a
    table cannot fit its seeds. `own` are the seeds that the seat has sent, by the first number of their block, and
    `sending` those of them that nobody has confirmed yet. `unchecked` are the deals of which it lacks something, such as
    their commitment or how they began: nothing is wrong there that is known, and nothing is proved.
    """

    table_id: str
    own: dict[int, bytes] = field(default_factory=dict)
    sending: set[int] = field(default_factory=set)
    unchecked: list[int] = field(default_factory=list)
    _blocks: dict[int, Seeds | None] = field(default_factory=dict)
    """What the seats add, by the first number of the block; None where that is not known."""
    _commitments: dict[int, bytes] = field(default_factory=dict)
    _opened: dict[int, bytes] = field(default_factory=dict)
    """The commitments with which deals began whose deck may be cut first."""
    _dealt: dict[int, Dealt] = field(default_factory=dict)
    _last: int = 0
    """The number of the last deal that is known to be committed to."""
    _begun: int = 0
    _told: int = 0
    _reported: list[Fault] = field(default_factory=list)

    def note_commitments(self, entry: TableEntry) -> None:
        """Notes what a table committed to in an entry; for the one that opened it, before a seat is taken."""
        for event in entry.events:
            if event.HasField("deals_committed"):
                self._committed(event.deals_committed)

    def report(self, fault: Fault) -> None:
        """Has a fault that was found elsewhere told with what follows next."""
        self._reported.append(fault)

    def has_begun(self, number: int) -> bool:
        """Whether a deal, or a later one, is known to have begun."""
        return self._begun >= number

    def follow(self, view: TableView, entry: TableEntry | None) -> tuple[Fault, ...]:
        """Notes what came; `view` has moved on by the entry already. Returns what does not fit."""
        if not view.viewer:
            return ()
        faults, self._reported = self._reported, []
        if entry is None:
            return (*faults, *self._caught_up(view))
        for event in entry.events:
            match event.WhichOneof("event"):
                case "deals_committed":
                    self._committed(event.deals_committed)
                case "seat_taken" | "seat_left" | "seed_added" if self._is_open():
                    self._blocks[max(self._blocks)] = _seeds(view)
                case "round_opened":
                    self._open(event.round_opened.number, event.round_opened.commitment)
                case "dealt":
                    self._deal(view, event.dealt)
                case "seeds_revealed":
                    faults += self._revealed(view, event.seeds_revealed)
        return tuple(faults)

    def _is_open(self) -> bool:
        """Whether seats can still add to the latest block: what is told later was not there when its deals were made."""
        return self._begun < max(self._blocks, default=0)

    def _caught_up(self, view: TableView) -> Iterator[Fault]:
        """Goes on from a whole view with all that is known already; what was told meanwhile and is not in it is missed."""
        self._catch_up_block(view)
        round_ = view.round
        if not view.HasField("round") or round_.number <= self._told:
            return
        if round_.phase == ROUND_PHASE_CUT:
            self._open(round_.number, round_.commitment)
        elif round_.phase == ROUND_PHASE_AUCTION and len(round_.hand) == FIRST_CARDS:
            self._deal(view, _begun_as(round_))
        self._begun = max(self._begun, round_.number)
        self._miss_before(round_.number)
        if round_.seed:
            yield from self._judged(view, round_.number, round_.seed)

    def _catch_up_block(self, view: TableView) -> None:
        latest = max(self._blocks, default=0)
        if not latest and view.committed and not view.HasField("round"):
            self._blocks[1], self._last = _seeds(view), view.committed
        elif view.committed == self._last and self._is_open():
            self._blocks[latest] = _seeds(view)
        elif view.committed > self._last:
            if latest and self._is_open():
                self._blocks[latest] = None
            self._blocks[self._last + 1], self._last = None, view.committed

    def _committed(self, event: DealsCommitted) -> None:
        """What was committed to first stands, whatever is told later."""
        self._blocks.setdefault(event.first_number, ())
        for number, commitment in enumerate(event.commitments, event.first_number):
            self._commitments.setdefault(number, commitment)
            self._last = max(self._last, number)

    def _open(self, number: int, commitment: bytes) -> None:
        self._opened.setdefault(number, commitment)
        self._begun = max(self._begun, number)

    def _deal(self, view: TableView, dealt: Dealt) -> None:
        """Notes a deal. One that nobody committed to before is revealed by nobody either."""
        self._begun = max(self._begun, dealt.number)
        if dealt.number > view.committed:
            self._told = max(self._told, dealt.number)
            self.unchecked.append(dealt.number)
        else:
            self._dealt.setdefault(dealt.number, dealt)

    def _miss_before(self, number: int) -> None:
        """Gives up the deals before one whose seeds have been revealed unseen."""
        for missed in range(self._told + 1, number):
            self._dealt.pop(missed, None)
            self.unchecked.append(missed)
        self._told = max(self._told, number - 1)

    def _revealed(self, view: TableView, event: SeedsRevealed) -> Iterator[Fault]:
        self._miss_before(event.first_number)
        for number, seed in enumerate(event.seeds, event.first_number):
            if number > self._told:
                yield from self._judged(view, number, seed)

    def _judged(self, view: TableView, number: int, seed: bytes) -> Iterator[Fault]:
        self._told = number
        seeds = self._seeds_of(number)
        known = _Known(
            self._commitments.pop(number, None), self._opened.pop(number, None), self._dealt.pop(number, None)
        )
        why = self._own_missing(view, number, seeds) or self._misfit(view, number, seed, known, seeds)
        if why is not None:
            yield Fault(number, why)
        elif known.committed is None or seeds is None or (known.opened or known.dealt) is None:
            self.unchecked.append(number)

    def _block_of(self, number: int) -> int:
        return max((first for first in self._blocks if first <= number), default=0)

    def _seeds_of(self, number: int) -> Seeds | None:
        """What the seats add to a deal; None where that is not known."""
        seeds = self._blocks.get(self._block_of(number))
        return (b"",) * len(SEATS) if seeds == () else seeds

    def _own_missing(self, view: TableView, number: int, seeds: Seeds | None) -> Misfit | None:
        block = self._block_of(number)
        sent = self.own.get(block)
        if seeds is None or sent is None:
            return None
        told = seeds[view.viewer - 1]
        fits = told == sent or (block in self.sending and not told)
        return None if fits else Misfit.OWN_SEED

    def _misfit(
        self, view: TableView, number: int, seed: bytes, known: _Known, seeds: Seeds | None
    ) -> Misfit | None:
        place, dealt = _place(self.table_id, number), known.dealt
        commitment = sha256(b"baloot/commit/v1\0" + place + seed).digest()
        told = (known.committed, known.opened, dealt and dealt.commitment)
        if any(one is not None and one != commitment for one in told):
            return Misfit.COMMITMENT
        if dealt is None or seeds is None:
            return None
        added = b"".join(given or none for given, none in zip(seeds, NO_SEAT_SEEDS, strict=True))
        key = digest(seed, b"baloot/deal/v1\0" + place + added + view.beacon, "sha256")
        cards = _shuffled(key)
        if _root(key, place, cards) != dealt.deck_root:
            return Misfit.DECK
        return None if _fits(cards, dealt, SEATS[view.viewer - 1]) else Misfit.CARDS


class _Known(NamedTuple):
    """What a seat was told of a deal before its seed: its commitment, beforehand and as it was opened, and its cards."""

    committed: bytes | None
    opened: bytes | None
    dealt: Dealt | None


def _begun_as(round_: RoundView) -> Dealt:
    """A deal as it began, from a view in which nobody has more than the first cards."""
    return Dealt(
        number=round_.number,
        dealer=round_.dealer,
        up_card=round_.up_card,
        hand=round_.hand,
        commitment=round_.commitment,
        deck_root=round_.deck_root,
        cut=round_.cut,
    )


def _seeds(view: TableView) -> Seeds:
    return tuple(seat.seed for seat in view.seats)


def _fits(cards: tuple[Card, ...], dealt: Dealt, seat: Seat) -> bool:
    """Whether the up card and the first cards of a seat are those of the deck, after the cut."""
    deck = Deck(cards)
    if dealt.cut:
        deck = deck.cut(CutChoice(dealt.cut), 1 + dealt.commitment[0] % (CARDS_IN_DECK - 1))
    hand = deck.first_hands(SEATS[dealt.dealer - 1])[seat]
    return deck.up_card == dealt.up_card - 1 and sorted(card + 1 for card in hand) == sorted(dealt.hand)


def proves(opening: Opening, table_id: str, number: int, deck_root: bytes) -> bool:
    """Whether an opening leads to the root of a deal, so that its card lay at its position."""
    at = opening.position
    node = _leaf(_place(table_id, number), at, opening.card - 1, opening.salt)
    for beside in opening.path:
        node = _node(beside, node) if at & 1 else _node(node, beside)
        at >>= 1
    return len(opening.path) == 5 and at == 0 and node == deck_root


def _place(table_id: str, number: int) -> bytes:
    return uuid.UUID(table_id).bytes + number.to_bytes(4, "big") + bytes(4)


def _shuffled(key: bytes) -> tuple[Card, ...]:
    """The deck of a hand key: from the last card on, each changes places with one that the stream chooses."""
    cards, stream = list(CARDS), _stream(key)
    for last in range(CARDS_IN_DECK - 1, 0, -1):
        chosen = next(byte % (last + 1) for byte in stream if byte < 256 - 256 % (last + 1))
        cards[last], cards[chosen] = cards[chosen], cards[last]
    return tuple(cards)


def _stream(key: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from digest(key, b"stream\0" + block.to_bytes(4, "big"), "sha256")
        block += 1


def _root(key: bytes, place: bytes, cards: Sequence[Card]) -> bytes:
    level = [
        _leaf(place, at, card, digest(key, b"salt\0" + bytes([at]), "sha256")[:16])
        for at, card in enumerate(cards)
    ]
    while len(level) > 1:
        level = [_node(level[at], level[at + 1]) for at in range(0, len(level), 2)]
    return level[0]


def _leaf(place: bytes, position: int, card: int, salt: bytes) -> bytes:
    return sha256(b"\0" + place + bytes([position, card]) + salt).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()
