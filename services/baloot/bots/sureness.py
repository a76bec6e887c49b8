"""Knowing that the rest is one's own, whoever holds the cards that are out (rules 2.34)."""

from __future__ import annotations

from baloot.bots.order import Order
from baloot.core.cards import SUIT_MASK, cards_of


def is_sure_of_the_rest(order: Order, hand: int, unseen: int, *, locked: bool) -> bool:
    """Whether a hand on lead wins every remaining trick even if one opponent could choose among all unseen cards."""
    plain = hand & ~order.trumps
    drawn = 0 if locked else (hand & order.trumps).bit_count()
    if plain and (unseen & order.trumps).bit_count() > drawn:
        return False
    return all(_suit_is_sure(order, hand & suit, unseen & suit) for suit in SUIT_MASK if hand & suit)


def _suit_is_sure(order: Order, held: int, out: int) -> bool:
    """Led from the top, each of the seat's cards beats the best one that is out while that has to follow."""
    if not out:
        return True
    own = sorted((order.strength[card] for card in cards_of(held)), reverse=True)
    best_out = max(order.strength[card] for card in cards_of(out))
    return own[min(len(own), out.bit_count()) - 1] > best_out
