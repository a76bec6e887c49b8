"""Cards, suits and ranks: their order of strength and their card points (rules, section 1)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

CARDS_IN_DECK = 32
LAST_TRICK_POINTS = 10
"""Card points (abnat) for winning the last trick, the *ard*."""


class Suit(IntEnum):
    """A suit. The number is its place in every card number: `card = suit * 8 + rank`."""

    SPADES = 0
    HEARTS = 1
    DIAMONDS = 2
    CLUBS = 3

    __hash__ = int.__hash__

    def __str__(self) -> str:
        return "SHDC"[self]


class Rank(IntEnum):
    """A rank, numbered by its place in a sequence (7 lowest, A highest)."""

    SEVEN = 0
    EIGHT = 1
    NINE = 2
    TEN = 3
    JACK = 4
    QUEEN = 5
    KING = 6
    ACE = 7

    __hash__ = int.__hash__

    def __str__(self) -> str:
        return ("7", "8", "9", "10", "J", "Q", "K", "A")[self]


class Card(IntEnum):
    """One of the 32 cards. `str(card)` is its notation (`10S`, `JH`); `Card.parse` reads it back."""

    C7S, C8S, C9S, C10S, CJS, CQS, CKS, CAS = range(8)
    C7H, C8H, C9H, C10H, CJH, CQH, CKH, CAH = range(8, 16)
    C7D, C8D, C9D, C10D, CJD, CQD, CKD, CAD = range(16, 24)
    C7C, C8C, C9C, C10C, CJC, CQC, CKC, CAC = range(24, 32)

    __hash__ = int.__hash__

    @property
    def suit(self) -> Suit:
        return SUIT_OF[self]

    @property
    def rank(self) -> Rank:
        return RANK_OF[self]

    def __str__(self) -> str:
        return self.name[1:]

    @classmethod
    def of(cls, suit: Suit, rank: Rank) -> Card:
        return CARDS[suit * 8 + rank]

    @classmethod
    def parse(cls, text: str) -> Card:
        """Reads `10S`, `TS` or `js`. Raises ValueError for anything else."""
        card = _BY_NOTATION.get(text.strip().upper())
        if card is None:
            raise ValueError(f"not a card: {text!r} (rank 7 8 9 10 J Q K A, then suit S H D C)")
        return card


CARDS: tuple[Card, ...] = tuple(Card)
SUITS: tuple[Suit, ...] = tuple(Suit)
SUIT_OF: tuple[Suit, ...] = tuple(Suit(card >> 3) for card in range(CARDS_IN_DECK))
RANK_OF: tuple[Rank, ...] = tuple(Rank(card & 7) for card in range(CARDS_IN_DECK))
_BY_NOTATION = {str(card): card for card in CARDS} | {f"T{suit}": Card.of(suit, Rank.TEN) for suit in SUITS}

SUIT_MASK: tuple[int, ...] = tuple(0xFF << (suit * 8) for suit in range(4))
"""For each suit, the bits of its eight cards; bit `n` stands for card number `n`."""

_PLAIN_ORDER = ["7", "8", "9", "J", "Q", "K", "10", "A"]
_TRUMP_ORDER = ["7", "8", "Q", "K", "10", "A", "9", "J"]
_PLAIN_POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2}
_TRUMP_POINTS = {"J": 20, "9": 14, "A": 11, "10": 10, "K": 4, "Q": 3}

PLAIN_STRENGTH: tuple[int, ...] = tuple(_PLAIN_ORDER.index(str(rank)) for rank in RANK_OF)
"""For each card, 0 (weakest) to 7 within a plain suit: A 10 K Q J 9 8 7."""
TRUMP_STRENGTH: tuple[int, ...] = tuple(_TRUMP_ORDER.index(str(rank)) for rank in RANK_OF)
"""For each card, 0 (weakest) to 7 within the trump suit: J 9 A 10 K Q 8 7."""
PLAIN_POINTS: tuple[int, ...] = tuple(_PLAIN_POINTS.get(str(rank), 0) for rank in RANK_OF)
"""For each card, its card points in a plain suit or in Sun (30 a suit)."""
TRUMP_POINTS: tuple[int, ...] = tuple(_TRUMP_POINTS.get(str(rank), 0) for rank in RANK_OF)
"""For each card, its card points in the trump suit (62 in all)."""


def card_points(card: Card, trump: Suit | None) -> int:
    """The card points (abnat) of one card; `trump` is None in Sun."""
    return TRUMP_POINTS[card] if card >> 3 == trump else PLAIN_POINTS[card]


def mask_of(cards: Iterable[Card]) -> int:
    """The cards as a set of bits. A card that comes twice raises ValueError."""
    mask = 0
    for card in cards:
        bit = 1 << card
        if mask & bit:
            raise ValueError("a card comes twice")
        mask |= bit
    return mask


def cards_of(mask: int) -> tuple[Card, ...]:
    """The cards of a set of bits, in order of their numbers."""
    return (
        _SPADES[mask & 0xFF]
        + _HEARTS[mask >> 8 & 0xFF]
        + _DIAMONDS[mask >> 16 & 0xFF]
        + _CLUBS[mask >> 24 & 0xFF]
    )


_SPADES, _HEARTS, _DIAMONDS, _CLUBS = (
    tuple(
        tuple(card for rank, card in enumerate(CARDS[8 * suit : 8 * suit + 8]) if ranks >> rank & 1)
        for ranks in range(256)
    )
    for suit in SUITS
)
"""For each suit, its cards by which of its ranks there are, as bits: to look four up is faster than to go bit by bit."""


class Hand:
    """The cards a seat holds: an immutable set, secret, so it prints as `██`.

    Iterates in order of card numbers. Use `str(card)` on its cards where showing them is meant.
    """

    __slots__ = ("mask",)

    mask: int
    """Bit `n` is set when card number `n` is held."""

    def __init__(self, mask: int = 0) -> None:
        object.__setattr__(self, "mask", mask)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a hand does not change")

    @classmethod
    def of(cls, cards: Iterable[Card]) -> Hand:
        """Raises ValueError when a card comes twice."""
        return cls(mask_of(cards))

    @classmethod
    def parse(cls, text: str) -> Hand:
        """Reads cards separated by spaces: `AS 10H 7C`. Raises ValueError."""
        return cls.of(Card.parse(word) for word in text.split())

    def __iter__(self) -> Iterator[Card]:
        return iter(cards_of(self.mask))

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, card: object) -> bool:
        return isinstance(card, int) and bool(self.mask >> card & 1)

    def __or__(self, other: Hand) -> Hand:
        return Hand(self.mask | other.mask)

    def without(self, card: Card) -> Hand:
        return Hand(self.mask & ~(1 << card))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Hand) and self.mask == other.mask

    def __hash__(self) -> int:
        return hash(self.mask)

    def __repr__(self) -> str:
        return "██"

    __str__ = __repr__
