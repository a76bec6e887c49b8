"""The battery: all that is counted in deals before any bidding, and the verdicts on it.

Cards that were played would tell nothing: what is bought and how is chosen by players who look at their cards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from operator import add

from baloot.core.cards import CARDS_IN_DECK, PLAIN_POINTS, SUITS, Hand
from baloot.core.deal import Deck, FourHands
from baloot.core.seats import SEATS, Seat
from baloot.monitor import odds, orders
from baloot.monitor.repeats import Repeats
from baloot.monitor.verdicts import (
    About,
    Cell,
    Verdict,
    of_classes,
    of_count,
    of_events,
    of_mean,
    of_repeats,
    of_shares,
    of_table,
)

WHOLE = About("whole decks", "decks that are not the 32 cards, each once")
REPEATED = About("repeated decks", "decks that had come before")
REUSED = About("reused seeds", "revealed seeds that had come before")
POSITIONS = About("card by position", "each card at each position of the deck")
FIXED = About("fixed points", "decks by how many cards lie at their own number")
FIXED_MEAN = About("mean of fixed points", "cards at their own number, for each deck")
ADJACENT = About("adjacent pairs", "decks by how many cards follow the one before them in number")
CYCLES = About("longest cycle", "decks by the longest cycle, those of half the deck or less taken together")
RISING = About("rising sequences", "decks by how many heaps of rising numbers they are made of")
FOUR_ACES = About("four aces", "deals in which some seat holds all four aces (400 in Sun)")
PROJECTS = About("best project", "hands of south by their best project in Sun")
BALOOTS = About("king and queen", "for each suit, deals in which one hand holds king and queen")
VOIDS = About("voids", "for each suit, hands of south without it")
ACES = About("aces", "hands of south by how many aces they hold")
SHAPES = About("shapes", "hands of south by the lengths of their suits")
WORTHLESS = About("worthless first hand", "first five cards of S1 that are all sevens, eights and nines")
SAME_SEAT = About(
    "same card, same seat", "cards that come to the seat that held them in the deal before of the match"
)
SEATS_ALIKE = About("points by seat", "for each seat, the card points in its hands")

_ROWS = range(0, CARDS_IN_DECK**2, CARDS_IN_DECK)
_ACE_BITS = Hand.parse("AS AH AD AC").mask
_SMALL = sum(0b111 << 8 * suit for suit in SUITS)
_EACH_SUIT = 0x01010101
_SUIT_POINTS = tuple(
    sum(PLAIN_POINTS[rank] for rank in range(8) if ranks >> rank & 1) for ranks in range(256)
)


@dataclass(frozen=True, slots=True, repr=False)
class Deal:
    """A deck as it was shuffled, and its place. `seed` is given once it is revealed. Prints as `██`."""

    match: bytes
    number: int
    dealer: Seat
    deck: Deck
    seed: bytes | None = None

    def __repr__(self) -> str:
        return "██"


class Battery:
    """Counts deals one by one. Those of a match come in order of their numbers; whichever are missing may be.

    The up card is counted to the player after the dealer, S1, as if he had taken it.
    """

    def __init__(self) -> None:
        self.size = 0
        """Whole decks that were counted."""
        self._broken = 0
        self._decks, self._seeds = Repeats(), Repeats()
        self._positions: Counter[int] = Counter()
        self._fixed: Counter[int] = Counter()
        self._adjacent: Counter[int] = Counter()
        self._cycles: Counter[int] = Counter()
        self._rising: Counter[int] = Counter()
        self._four_aces = self._worthless = 0
        self._projects: Counter[str] = Counter()
        self._baloots: Counter[int] = Counter()
        self._voids: Counter[int] = Counter()
        self._aces: Counter[int] = Counter()
        self._shapes: Counter[str] = Counter()
        self._points = [0] * len(SEATS)
        self._pairs = self._same = 0
        self._before: tuple[Deal, FourHands] | None = None

    def add(self, deal: Deal) -> None:
        """Counts a deal. A deck that is not the 32 cards counts as that alone."""
        if deal.seed is not None:
            self._seeds.add(deal.seed)
        cards = deal.deck.cards
        if not len(cards) == len(set(cards)) == CARDS_IN_DECK:
            self._broken += 1
            return
        self.size += 1
        self._add_order(bytes(cards))
        hands = deal.deck.full_hands(deal.dealer, deal.dealer.next)
        self._add_hands(hands)
        self._add_first_hand(deal.deck)
        self._add_pair(deal, hands)

    def _add_order(self, order: bytes) -> None:
        self._decks.add(order)
        self._positions.update(map(add, order, _ROWS))
        self._fixed[orders.fixed_points(order)] += 1
        self._adjacent[orders.adjacent_pairs(order)] += 1
        self._cycles[orders.longest_cycle(order)] += 1
        self._rising[orders.rising_sequences(order)] += 1

    def _add_hands(self, hands: FourHands) -> None:
        south = hands[Seat.SOUTH].mask
        self._projects[odds.best_project(south)] += 1
        self._aces[(south & _ACE_BITS).bit_count()] += 1
        self._shapes[odds.shape(south)] += 1
        self._voids[_suits_missing(south)] += 1
        baloots = 0
        for seat, hand in enumerate(hands):
            mask = hand.mask
            baloots |= mask >> 5 & mask >> 6 & _EACH_SUIT
            self._four_aces += mask & _ACE_BITS == _ACE_BITS
            self._points[seat] += sum(map(_SUIT_POINTS.__getitem__, mask.to_bytes(4, "little")))
        self._baloots[baloots] += 1

    def _add_first_hand(self, deck: Deck) -> None:
        # With WEST dealing, SOUTH is S1; which seat it is makes no difference to the five positions.
        self._worthless += not deck.first_hands(Seat.WEST)[Seat.SOUTH].mask & ~_SMALL

    def _add_pair(self, deal: Deal, hands: FourHands) -> None:
        if self._before is not None:
            before, held = self._before
            if before.match == deal.match and before.number + 1 == deal.number:
                self._pairs += 1
                self._same += sum(
                    (mine.mask & then.mask).bit_count() for mine, then in zip(hands, held, strict=True)
                )
        self._before = deal, hands

    def verdicts(self) -> list[Verdict]:
        """The verdict of each test, always in the same order."""
        return [*self._of_decks(), *self._of_orders(), *self._of_hands(), *self._of_seats()]

    def _of_decks(self) -> Iterator[Verdict]:
        yield of_count(WHOLE, self._broken, self.size + self._broken, 0)
        yield of_repeats(REPEATED, self._decks.count(), self._decks.size, odds.DECKS)
        yield of_repeats(REUSED, self._seeds.count(), self._seeds.size, 1 << 256)

    def _of_orders(self) -> Iterator[Verdict]:
        table = [self._positions[cell] for cell in range(CARDS_IN_DECK**2)]
        yield of_table(POSITIONS, table, self.size, CARDS_IN_DECK)
        yield of_classes(FIXED, self._fixed, orders.fixed_points_odds())
        fixed = sum(points * decks for points, decks in self._fixed.items())
        yield of_mean(FIXED_MEAN, fixed, self.size, 1, 1)
        yield of_classes(ADJACENT, self._adjacent, orders.adjacent_pairs_odds())
        yield of_classes(CYCLES, self._cycles, orders.longest_cycle_odds())
        yield of_classes(RISING, self._rising, orders.rising_sequences_odds())

    def _of_hands(self) -> Iterator[Verdict]:
        size = self.size
        yield of_count(FOUR_ACES, self._four_aces, size, odds.FOUR_ACES_ANYWHERE)
        yield of_classes(PROJECTS, self._projects, odds.best_projects())
        baloots, voids = _by_suit(self._baloots, odds.BALOOT), _by_suit(self._voids, odds.VOID)
        yield of_events(BALOOTS, baloots, size, odds.BALOOT, odds.TWO_BALOOTS)
        yield of_events(VOIDS, voids, size, odds.VOID, odds.TWO_VOIDS)
        yield of_classes(ACES, self._aces, odds.aces())
        yield of_classes(SHAPES, self._shapes, odds.shapes())
        yield of_count(WORTHLESS, self._worthless, size, odds.WORTHLESS)

    def _of_seats(self) -> Iterator[Verdict]:
        yield of_mean(SAME_SEAT, self._same, self._pairs, odds.SAME_SEAT, odds.same_seat_variance())
        points = [Cell(str(seat), self._points[seat], self.size * odds.POINTS) for seat in SEATS]
        yield of_shares(SEATS_ALIKE, points, self.size, odds.points_variance())


def _suits_missing(mask: int) -> int:
    """The suits that a hand lacks: the lowest bit of each."""
    mask |= mask >> 4 & 0x0F0F0F0F
    mask |= mask >> 2 & 0x33333333
    mask |= mask >> 1
    return ~mask & _EACH_SUIT


def _by_suit(patterns: Counter[int], chance: float) -> list[Cell]:
    """How often each suit was among the suits of a deal."""
    size = sum(patterns.values())
    return [
        Cell(suit.name.lower(), sum(n for bits, n in patterns.items() if bits >> 8 * suit & 1), size * chance)
        for suit in SUITS
    ]
