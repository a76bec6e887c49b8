"""Which cards may be played, and why the others may not (rules, sections 2.15 and 2.18 to 2.20).

Everything here is asked about a hand and a trick of any length, not about a round, so it holds for the end of a round
as well. `hand` is a set of bits, `trick` the cards so far from the leader on, `best` the place in it of the card that
is winning (0 for the lead), `akka` whether Akka was said with the lead.
"""

from __future__ import annotations

from dataclasses import dataclass

from baloot.core.cards import (
    CARDS,
    PLAIN_POINTS,
    PLAIN_STRENGTH,
    SUIT_MASK,
    SUITS,
    TRUMP_POINTS,
    TRUMP_STRENGTH,
    Card,
    Rank,
    Suit,
    cards_of,
    mask_of,
)
from baloot.core.contract import Contract
from baloot.core.errors import Reason
from baloot.core.ruleset import Ruleset

OWN_SUIT: tuple[int, ...] = tuple(SUIT_MASK[card.suit] for card in CARDS)
"""For each card, the eight cards of its suit."""
_ACES = mask_of(Card.of(suit, Rank.ACE) for suit in SUITS)


def _stronger(strength: tuple[int, ...], card: Card) -> int:
    return mask_of(other for other in CARDS if other.suit is card.suit and strength[other] > strength[card])


STRONGER_PLAIN: tuple[int, ...] = tuple(_stronger(PLAIN_STRENGTH, card) for card in CARDS)
"""For each card, the cards of its suit that beat it while the suit is plain."""
STRONGER_TRUMP: tuple[int, ...] = tuple(_stronger(TRUMP_STRENGTH, card) for card in CARDS)
"""For each card, the cards of its suit that beat it while the suit is trump."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the duties look at all through a round: its contract and rule set, laid out for quick questions.

    `trumps` is the trump suit as a set of bits (none in Sun). For each card, `beats` are the cards that win over it
    while it is winning a trick, `points` its card points, and `cost` what is compared to find the default card.
    """

    trump: Suit | None
    trumps: int
    locked: bool
    beats: tuple[int, ...]
    points: tuple[int, ...]
    cost: tuple[tuple[int, bool, int, int], ...]


def _terms(trump: Suit | None, *, locked: bool) -> Terms:
    trumps = SUIT_MASK[trump] if trump is not None else 0
    own = tuple(bool(trumps >> card & 1) for card in CARDS)
    points = tuple(TRUMP_POINTS[card] if own[card] else PLAIN_POINTS[card] for card in CARDS)
    strength = tuple(TRUMP_STRENGTH[card] if own[card] else PLAIN_STRENGTH[card] for card in CARDS)
    return Terms(
        trump,
        trumps,
        locked,
        tuple(STRONGER_TRUMP[card] if own[card] else STRONGER_PLAIN[card] | trumps for card in CARDS),
        points,
        tuple((points[card], own[card], strength[card], card.suit) for card in CARDS),
    )


_TERMS = {
    (trump, locked): _terms(trump, locked=locked) for trump in (None, *SUITS) for locked in (False, True)
}


def terms(contract: Contract, ruleset: Ruleset) -> Terms:
    """The terms a contract is played under."""
    return _TERMS[contract.trump, contract.locked and ruleset.locked_lead]


Duty = tuple[int, Reason]
"""The cards of a hand that may be played, and the reason that forbids its others."""


def duty(on: Terms, hand: int, trick: tuple[Card, ...], best: int, *, akka: bool) -> Duty:
    """What a hand may play to a trick; never empty for a hand that holds a card (2.19)."""
    if not trick:
        return _lead(on, hand)
    follow = hand & OWN_SUIT[trick[0]]
    if follow:
        return _follow(on, follow, trick, best)
    return _void(on, hand, trick, best, akka=akka)


def _lead(on: Terms, hand: int) -> Duty:
    """In a locked round no trump is led while another card is held (2.15)."""
    if on.locked:
        return hand & ~on.trumps or hand, Reason.LOCKED_LEAD
    return hand, Reason.CARD_NOT_HELD


def _follow(on: Terms, follow: int, trick: tuple[Card, ...], best: int) -> Duty:
    """A led trump that an opponent is winning with is beaten if it can be; a plain suit need only be followed."""
    if follow & on.trumps and _opponent_wins(trick, best):
        higher = follow & on.beats[trick[best]]
        if higher:
            return higher, Reason.MUST_OVER_TRUMP
    return follow, Reason.MUST_FOLLOW


def _void(on: Terms, hand: int, trick: tuple[Card, ...], best: int, *, akka: bool) -> Duty:
    """Without the led suit: an opponent's card is trumped, and his trump over-trumped, if that can be.

    Who cannot over-trump is free: there is no duty to throw a lower trump under it.
    """
    trumps = hand & on.trumps
    if not trumps:
        return hand, Reason.CARD_NOT_HELD
    if not _opponent_wins(trick, best):
        free = _freed_by_partner(trick, akka=akka)
        return (hand, Reason.CARD_NOT_HELD) if free else (trumps, Reason.MUST_TRUMP)
    if on.trumps >> trick[best] & 1:
        higher = trumps & on.beats[trick[best]]
        return (higher, Reason.MUST_OVER_TRUMP) if higher else (hand, Reason.CARD_NOT_HELD)
    return trumps, Reason.MUST_TRUMP


def _opponent_wins(trick: tuple[Card, ...], best: int) -> bool:
    """Whether an opponent of the next player is winning: partners sit two places apart."""
    return (len(trick) - best) & 1 == 1


def _freed_by_partner(trick: tuple[Card, ...], *, akka: bool) -> bool:
    """Whether a winning partner frees from trumping: in fourth hand, or if he led an Ace or said Akka (2.19, 2.20)."""
    return len(trick) == 3 or akka or bool(_ACES >> trick[0] & 1)


def refusal_reason(
    on: Terms,
    hand: int,
    trick: tuple[Card, ...],
    best: int,
    card: Card,
    *,
    akka: bool = False,
) -> Reason | None:
    """Why a card may not be played; None when it may."""
    if not hand >> card & 1:
        return Reason.CARD_NOT_HELD
    held = duty(on, hand, trick, best, akka=akka)
    return None if held[0] >> card & 1 else broken_duty(held, trick, card)


def broken_duty(held: Duty, trick: tuple[Card, ...], card: Card) -> Reason:
    """Why a card of the hand may not be played, given what the hand's duty is and that it does not allow the card."""
    allowed, reason = held
    if trick and allowed & OWN_SUIT[trick[0]] and card >> 3 != trick[0] >> 3:
        return Reason.MUST_FOLLOW
    return reason


def akka_cards(on: Terms, hand: int, unplayed: int) -> int:
    """The cards of a hand that Akka may be said with when they are led (2.20).

    They are plain, not Aces (whose Akka goes without saying), and the highest unplayed of their suit; the leader's
    own cards count as unplayed. None in Sun.
    """
    if on.trump is None:
        return 0
    return mask_of(
        card for card in cards_of(hand & ~on.trumps & ~_ACES) if not STRONGER_PLAIN[card] & unplayed
    )


def winning_place(on: Terms, cards: tuple[Card, ...]) -> int:
    """The place, from the leader on, of the card that wins (2.18)."""
    best = 0
    for place in range(1, len(cards)):
        if on.beats[cards[best]] >> cards[place] & 1:
            best = place
    return best


def default_card(on: Terms, allowed: int) -> Card:
    """What is played for a seat that does not answer.

    The cheapest in card points, of those the lowest in a trick with plain cards before trumps, then by suit S H D C.
    """
    return min(cards_of(allowed), key=on.cost.__getitem__)
