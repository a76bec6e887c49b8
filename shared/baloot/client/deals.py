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
from baloot.api.table.v1.table_pb2 import TableView
from baloot.core.auction import CutChoice
from baloot.core.cards import CARDS, CARDS_IN_DECK, Card
from baloot.core.deal import NO_SEAT_SEEDS, Deck
from baloot.core.seats import SEATS, Seat

Seeds = tuple[bytes, ...]


class Misfit(Enum):
    """What does not fit in a deal whose seed is revealed."""

    OWN_SEED = "the table has another seed than the seat sent"
    COMMITMENT = "the revealed seed is not the one that was committed to"
    DECK = "the deck does not follow from the revealed seed"
    CARDS = "the seat's cards are not those of the deck"


class Fault(NamedTuple):
    """A deal that was not dealt as the table said, or not told as it was dealt."""

    number: int
    misfit: Misfit

    def __str__(self) -> str:
        return f"deal {self.number}: {self.misfit.value}"


@dataclass(slots=True)
class DealChecker:
    """What a seat notes while it follows a table, and the faults that it finds when seeds are revealed.

    It checks the deals that it has seen from the beginning of their block on. `own` are the seeds that the seat has sent,
    by the first number of their block.
    """

    table_id: str
    own: dict[int, bytes] = field(default_factory=dict)
    _blocks: dict[int, Seeds] = field(default_factory=dict)
    """What the seats add, by the first number of the block."""
    _commitments: dict[int, bytes] = field(default_factory=dict)
    _dealt: dict[int, Dealt] = field(default_factory=dict)

    def follow(self, view: TableView, entry: TableEntry | None) -> tuple[Fault, ...]:
        """Notes what came; `view` has moved on by the entry already. Returns what does not fit."""
        if not view.viewer:
            return ()
        if entry is None:
            self._begin(view)
            return ()
        faults: list[Fault] = []
        for event in entry.events:
            match event.WhichOneof("event"):
                case "deals_committed":
                    self._committed(event.deals_committed)
                case "seat_taken" | "seat_left" | "seed_added" if self._blocks:
                    self._blocks[max(self._blocks)] = _seeds(view)
                case "dealt":
                    self._dealt[event.dealt.number] = event.dealt
                case "seeds_revealed":
                    faults += self._revealed(view, event.seeds_revealed)
        return tuple(faults)

    def _begin(self, view: TableView) -> None:
        """From a whole view the deals of its block can be checked only while none of them has begun."""
        self._blocks, self._commitments, self._dealt = {}, {}, {}
        if view.committed and not view.HasField("round"):
            self._blocks[1] = _seeds(view)

    def _committed(self, event: DealsCommitted) -> None:
        self._blocks[event.first_number] = ()
        self._commitments.update(enumerate(event.commitments, event.first_number))

    def _revealed(self, view: TableView, event: SeedsRevealed) -> Iterator[Fault]:
        for number, seed in enumerate(event.seeds, event.first_number):
            committed, dealt = self._commitments.pop(number, None), self._dealt.pop(number, None)
            block = max((first for first in self._blocks if first <= number), default=None)
            if dealt is not None and block is not None:
                why = self._fault(view, block, dealt, seed, committed)
                if why is not None:
                    yield Fault(number, why)

    def _fault(
        self, view: TableView, block: int, dealt: Dealt, seed: bytes, committed: bytes | None
    ) -> Misfit | None:
        place = _place(self.table_id, dealt.number)
        seeds = self._blocks[block] or (b"",) * len(SEATS)
        seat = SEATS[view.viewer - 1]
        if self.own.get(block, seeds[seat]) != seeds[seat]:
            return Misfit.OWN_SEED
        commitment = sha256(b"baloot/commit/v1\0" + place + seed).digest()
        if commitment != dealt.commitment or commitment != (committed or commitment):
            return Misfit.COMMITMENT
        added = b"".join(given or none for given, none in zip(seeds, NO_SEAT_SEEDS, strict=True))
        key = digest(seed, b"baloot/deal/v1\0" + place + added + view.beacon, "sha256")
        cards = _shuffled(key)
        if _root(key, place, cards) != dealt.deck_root:
            return Misfit.DECK
        return None if _fits(cards, dealt, seat) else Misfit.CARDS


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
