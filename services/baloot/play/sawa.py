"""Sawa: whether the player on lead is sure of every remaining trick (rules, section 2.34).

A claim holds when some one fixed order of the claimer's cards wins every remaining trick whatever legal cards the
other three play. No search is needed to know:

* Until somebody beats the claimer's card, what a seat may play depends on its own hand and the led card alone, so the
  three others are three separate threats, and the claim holds when none of them can ever beat a card.
* A seat keeps the best card of a suit as long as it can follow with others, so the claimer's n-th lead of a suit must
  beat it while the seat still has to follow: he leads each suit from the top, and as many of his best cards as the
  seat holds must each beat the seat's best.
* A seat that holds a trump has no card to throw away: it follows, or it ruffs and the claim is lost. So it is out of a
  plain suit after following as often as it holds cards of it, and must have lost its trumps to the claimer's trump
  leads before. Leading all trumps first is therefore best; in a locked round they come last, and no trump may be out.
* A seat without trumps throws what it likes, but the best card of a suit last of all.

So one order wins whenever any does, and is the proof of a claim: trumps first, or last in a locked round, then suit by
suit, each from the top.

The work is bounded by three seats times four suits.
"""

from __future__ import annotations

from collections.abc import Sequence

from baloot.core.cards import PLAIN_STRENGTH, SUIT_MASK, SUITS, TRUMP_STRENGTH, Card, cards_of
from baloot.play.legality import Terms


def sawa_holds(on: Terms, hands: Sequence[int], claimer: int) -> bool:
    """Whether a claim of the seat on lead is right. `hands` are equally many cards of each seat, as bits."""
    claimed = hands[claimer]
    return all(_harmless(on, claimed, hand) for seat, hand in enumerate(hands) if seat != claimer)


def winning_order(on: Terms, claimed: int) -> tuple[Card, ...]:
    """The claimer's cards, as bits, in an order that wins every remaining trick if the claim holds (2.34)."""
    return tuple(sorted(cards_of(claimed), key=lambda card: _turn(on, card)))


def _turn(on: Terms, card: Card) -> tuple[bool, int, int]:
    """What a card comes before or after others by: trumps or plain, the suit, the strength."""
    trump = card.suit == on.trump
    strength = TRUMP_STRENGTH if trump else PLAIN_STRENGTH
    return trump is on.locked, card.suit, -strength[card]


def _harmless(on: Terms, claimed: int, hand: int) -> bool:
    return all(_suit_is_sure(on, claimed, hand, suit) for suit in SUITS if claimed & SUIT_MASK[suit])


def _suit_is_sure(on: Terms, claimed: int, hand: int, suit: int) -> bool:
    strength = TRUMP_STRENGTH if suit == on.trump else PLAIN_STRENGTH
    leads = sorted((strength[card] for card in cards_of(claimed & SUIT_MASK[suit])), reverse=True)
    held = [strength[card] for card in cards_of(hand & SUIT_MASK[suit])]
    followed = min(len(leads), len(held))
    if followed and max(held) > leads[followed - 1]:
        return False
    return suit == on.trump or followed == len(leads) or _trumps_drawn(on, claimed, hand)


def _trumps_drawn(on: Terms, claimed: int, hand: int) -> bool:
    """Whether a seat has no trump left when the claimer leads plain cards."""
    drawn = 0 if on.locked else (claimed & on.trumps).bit_count()
    return (hand & on.trumps).bit_count() <= drawn
