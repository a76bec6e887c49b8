"""A deal: one shuffled deck and the way it is handed out (rules, sections 2.4 and 2.13)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from baloot.core.auction import CutChoice
from baloot.core.cards import CARDS_IN_DECK, Card, Hand
from baloot.core.seats import Seat, from_dealer


class DealEnd(Enum):
    """How a deal ended, which decides who deals next."""

    SCORED = 1
    THROWN_IN = 2
    KAWESH = 3


FourHands = tuple[Hand, Hand, Hand, Hand]
"""A hand of each seat, in order of seats."""

UP_CARD_POSITION = 20
FIRST_CARDS = 5
SEED_BYTES = 32
NO_SEAT_SEEDS = (bytes(SEED_BYTES),) * 4
"""What four seats that add nothing contribute to a deal."""

_PACKETS = tuple((3 * n, 3 * n + 1, 3 * n + 2, 12 + 2 * n, 13 + 2 * n) for n in range(4))
"""The positions of the first five cards of S1 to S4."""


@dataclass(frozen=True, slots=True, repr=False)
class Deck:
    """The 32 cards in dealing order. Secret, so it prints as `██`.

    Positions 0 to 11 are the packets of three to S1..S4, 12 to 19 the packets of two, 20 the up card; from 21 on the
    rest is dealt from S1: three each, two to the taker of the up card.
    """

    cards: tuple[Card, ...]

    @property
    def up_card(self) -> Card:
        return self.cards[UP_CARD_POSITION]

    def first_hands(self, dealer: Seat) -> FourHands:
        """The first five cards of each seat, in order of seats."""
        return _by_seat(dealer, self._first_masks())

    def full_hands(self, dealer: Seat, taker: Seat) -> FourHands:
        """The eight cards of each seat once the up card is taken, in order of seats."""
        masks = self._first_masks()
        at = UP_CARD_POSITION + 1
        for n, seat in enumerate(from_dealer(dealer)):
            if seat == taker:
                masks[n] |= 1 << self.up_card | _mask(self.cards[at : at + 2])
                at += 2
            else:
                masks[n] |= _mask(self.cards[at : at + 3])
                at += 3
        return _by_seat(dealer, masks)

    def cut(self, choice: CutChoice, depth: int = 0) -> Deck:
        """The deck in dealing order after the cut; see `dealing_order`."""
        return Deck(tuple(self.cards[position] for position in dealing_order(choice, depth)))

    def _first_masks(self) -> list[int]:
        """The first five cards of S1 to S4, as bits."""
        cards = self.cards
        return [
            1 << cards[a] | 1 << cards[b] | 1 << cards[c] | 1 << cards[d] | 1 << cards[e]
            for a, b, c, d, e in _PACKETS
        ]

    def __repr__(self) -> str:
        return "██"


def dealing_order(choice: CutChoice, depth: int = 0) -> tuple[int, ...]:
    """The positions of the shuffled deck in the order in which they are dealt once S3 has cut (2.3).

    `depth` is how many cards, 1 to 31, CUT moves from the top to the bottom; nothing else needs it. TOP_UP makes the top
    card the up card, the three other privileges put three cards in the place of a packet of three, and the rest is dealt
    in its order. A deck that was shuffled once more is dealt as it lies. Raises ValueError for another depth.
    """
    if choice is not CutChoice.CUT:
        return _ORDERS[choice]
    if depth not in range(1, CARDS_IN_DECK):
        raise ValueError(f"a cut moves 1 to {CARDS_IN_DECK - 1} cards, not {depth}")
    return (*range(depth, CARDS_IN_DECK), *range(depth))


def dealt_positions(dealer: Seat, seat: Seat, taker: Seat | None = None) -> tuple[int, ...]:
    """Where the cards of a seat lie in dealing order: its first five, or all eight once somebody takes the up card."""
    order = from_dealer(dealer)
    place = order.index(seat)
    if taker is None:
        return _PACKETS[place]
    at = UP_CARD_POSITION + 1 + 3 * place - (order.index(taker) < place)
    last = (UP_CARD_POSITION, at, at + 1) if seat is taker else (at, at + 1, at + 2)
    return (*_PACKETS[place], *last)


def _moved(taken: range, to: int) -> tuple[int, ...]:
    """All positions in their order, but those taken as a block that begins at `to`."""
    others = [position for position in range(CARDS_IN_DECK) if position not in taken]
    return (*others[:to], *taken, *others[to:])


_TOP, _TOP_THREE, _BOTTOM_THREE = range(1), range(3), range(CARDS_IN_DECK - 3, CARDS_IN_DECK)
_PACKET_OF_S1, _PACKET_OF_S3 = 0, 6

_AS_IT_LIES = tuple(range(CARDS_IN_DECK))
_ORDERS = {
    CutChoice.GO_ON: _AS_IT_LIES,
    CutChoice.RESHUFFLE: _AS_IT_LIES,
    CutChoice.TOP_UP: _moved(_TOP, UP_CARD_POSITION),
    CutChoice.BOTTOM_TO_PARTNER: _moved(_BOTTOM_THREE, _PACKET_OF_S1),
    CutChoice.BOTTOM_KEPT: _moved(_BOTTOM_THREE, _PACKET_OF_S3),
    CutChoice.TOP_KEPT: _moved(_TOP_THREE, _PACKET_OF_S3),
}


def _mask(cards: tuple[Card, ...]) -> int:
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def _by_seat(dealer: Seat, masks: list[int]) -> FourHands:
    """The hands of S1 to S4 in order of seats."""
    s1 = 3 - dealer  # how far S1 sits before SOUTH
    south, east, north, west = masks[s1:] + masks[:s1]
    return Hand(south), Hand(east), Hand(north), Hand(west)


@dataclass(frozen=True, slots=True, repr=False)
class SealedSeed:
    """A committed seed. `commitment` is public; `sealed` can be opened by the dealing service alone."""

    commitment: bytes
    sealed: bytes

    def __repr__(self) -> str:
        return f"SealedSeed({self.commitment.hex()[:12]}…)"


@dataclass(frozen=True, slots=True, repr=False)
class SealedBlock:
    """The committed seeds of consecutive deals, packed: a table keeps them as long as it may deal from them.

    `commitments` are 32 bytes of each deal, `sealed` equally many bytes of each, as only the dealing service can open them.
    Raises ValueError when the two do not fit.
    """

    first_number: int
    commitments: bytes
    sealed: bytes

    def __post_init__(self) -> None:
        if not self.count or len(self.commitments) % SEED_BYTES or len(self.sealed) % self.count:
            raise ValueError("a block has a commitment and a sealed seed of each of its deals")

    @classmethod
    def of(cls, first_number: int, seeds: Sequence[SealedSeed]) -> SealedBlock:
        """The block of these seeds, the first of which is for the deal `first_number`."""
        commitments = b"".join(seed.commitment for seed in seeds)
        return cls(first_number, commitments, b"".join(seed.sealed for seed in seeds))

    @property
    def count(self) -> int:
        return len(self.commitments) // SEED_BYTES

    @property
    def last_number(self) -> int:
        return self.first_number + self.count - 1

    def __contains__(self, number: int) -> bool:
        return self.first_number <= number <= self.last_number

    def seed(self, number: int) -> SealedSeed:
        """The committed seed of one deal. Raises ValueError for a deal that is not among them."""
        if number not in self:
            raise ValueError(f"deal {number} is not among {self.first_number} to {self.last_number}")
        at = number - self.first_number
        return SealedSeed(
            _nth(self.commitments, at, SEED_BYTES), _nth(self.sealed, at, len(self.sealed) // self.count)
        )

    def __repr__(self) -> str:
        return f"SealedBlock({self.first_number} to {self.last_number})"


def _nth(packed: bytes, at: int, length: int) -> bytes:
    return packed[at * length : (at + 1) * length]


@dataclass(frozen=True, slots=True)
class Dealt:
    """What the dealing service hands out for one deal: the deck, and the public root of its cards."""

    number: int
    deck: Deck
    commitment: bytes
    deck_root: bytes


@dataclass(frozen=True, slots=True, repr=False)
class Opening:
    """The proof that a card lay at a position (0 to 31) of the deck behind a public root.

    `salt` (16 bytes) hides the card until it is opened, `path` are the five hashes from the card up to the root.
    """

    position: int
    card: Card
    salt: bytes
    path: tuple[bytes, ...]

    def __repr__(self) -> str:
        return f"Opening(position={self.position}, ██)"
