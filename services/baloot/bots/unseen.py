"""What a seat can tell about the cards that it does not see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from baloot.bots.order import Order
from baloot.bots.sight import Sight
from baloot.core.cards import SUIT_MASK, Card
from baloot.core.seats import Seat

DECK = (1 << 32) - 1
HAND = 8


@dataclass(frozen=True, slots=True)
class Unseen:
    """The cards in the hands of the three others.

    `cards` are all of them as bits. By seat: `may` are those that it can hold after all that it did, `has` those that
    it is known to hold, and `free` how many of its cards are not known.
    """

    cards: int
    may: tuple[int, ...]
    has: tuple[int, ...]
    free: tuple[int, ...]

    @property
    def held_whatever_was_played(self) -> tuple[int, ...]:
        """What each seat may hold where duties may have been broken: who did not follow may hold the suit all the same."""
        return tuple(
            self.cards & ~_held_by_others(self.has, seat) if self.free[seat] else self.has[seat]
            for seat in Seat
        )

    def chance(self, seat: Seat, wanted: int) -> float:
        """How likely a seat holds at least one of these cards of one suit, as if the rest were dealt at random."""
        if self.has[seat] & wanted:
            return 1.0
        candidates = wanted & self.may[seat]
        if not candidates:
            return 0.0
        shared = sum(free for free, may in zip(self.free, self.may, strict=True) if may & candidates)
        return 1.0 - (1.0 - self.free[seat] / max(shared, 1)) ** candidates.bit_count()


def unseen_by(sight: Sight, order: Order) -> Unseen:
    """What follows from the cards played so far, from who could not follow, and from what was laid open."""
    may, sizes, played = _told_by_play(sight, order)
    cards = DECK & ~played & ~sight.hand
    has = [known & cards for known in sight.known]
    has[sight.seat] = 0
    may[sight.seat] = 0
    for seat in Seat:
        may[seat] &= cards & ~_held_by_others(has, seat)
    free = tuple(0 if seat is sight.seat else sizes[seat] - has[seat].bit_count() for seat in Seat)
    return Unseen(cards, tuple(may), tuple(has), free)


def _held_by_others(has: Sequence[int], seat: Seat) -> int:
    return has[seat.next] | has[seat.partner] | has[seat.partner.next]


def _told_by_play(sight: Sight, order: Order) -> tuple[list[int], list[int], int]:
    """What each seat may hold and how many cards it has left, and the cards played so far."""
    may, sizes, played = [DECK] * 4, [HAND] * 4, 0
    for seat, card, before, best in plays(sight, order):
        played |= 1 << card
        sizes[seat] -= 1
        if before:
            may[seat] &= ~_denied(order, before, best, card)
    return may, sizes, played


def plays(sight: Sight, order: Order) -> Iterator[tuple[Seat, Card, tuple[Card, ...], int]]:
    """Every card played, with the trick before it and the place of the card that was winning it."""
    tricks = [(trick.leader, trick.cards) for trick in sight.tricks]
    for leader, cards in (*tricks, (sight.leader, sight.trick)):
        best = 0
        for place, card in enumerate(cards):
            yield Seat((leader + place) & 3), card, cards[:place], best
            if place and order.beats[cards[best]] >> card & 1:
                best = place


def _denied(order: Order, before: tuple[Card, ...], best: int, card: Card) -> int:
    """The cards that a seat cannot have held when it played this card (rules 2.19)."""
    led, winning = before[0], before[best]
    denied = 0 if card.suit is led.suit else SUIT_MASK[led.suit]
    opponent_wins = (len(before) - best) & 1
    forced = denied or order.trumps >> led & 1
    if opponent_wins and forced and not order.beats[winning] >> card & 1:
        denied |= order.trumps & order.beats[winning]
    return denied
