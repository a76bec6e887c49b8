"""Which cards may be played, and why the others may not (rules, sections 2.15 and 2.18 to 2.20).

Everything here is asked about a hand and a trick of any length, not about a round, so it holds for the end of a round
as well. `hand` is a set of bits, `trick` the cards so far from the leader on, `best` the place in it of the card that
is winning (0 for the lead), `akka` whether Akka was said with the lead.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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
from baloot.core.ruleset import PartnerWinningExemption, Ruleset

OWN_SUIT: tuple[int, ...] = tuple(SUIT_MASK[card.suit] for card in CARDS)
"""For each card, the eight cards of its suit."""
_ACES = mask_of(Card.of(suit, Rank.ACE) for suit in SUITS)


def _stronger(strength: tuple[int, ...], card: Card) -> int:
    return mask_of(other for other in CARDS if other.suit is card.suit and strength[other] > strength[card])


STRONGER_PLAIN: tuple[int, ...] = tuple(_stronger(PLAIN_STRENGTH, card) for card in CARDS)
"""For each card, the cards of its suit that beat it while the suit is plain."""
STRONGER_TRUMP: tuple[int, ...] = tuple(_stronger(TRUMP_STRENGTH, card) for card in CARDS)
"""For each card, the cards of its suit that beat it while the suit is trump."""


_FREED_AT = {
    PartnerWinningExemption.ANY_POSITION: 2,
    PartnerWinningExemption.FOURTH_OR_AKKA: 3,
    PartnerWinningExemption.NONE: 4,
}
"""How many cards must lie for a winning partner to free by that alone; the second player has no winning partner."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the duties look at all through a round: its contract and rule set, laid out for quick questions.

    `trumps` is the trump suit as a set of bits (none in Sun), `duties` the same where there is a duty to trump at all.
    For each card, `beats` are the cards that win over it while it is winning a trick, `points` its card points, and
    `cost` what is compared to find the default card.
    """

    trump: Suit | None
    trumps: int
    locked: bool
    beats: tuple[int, ...]
    points: tuple[int, ...]
    cost: tuple[tuple[int, bool, int, int], ...]
    duties: int
    freed_at: int
    """How many cards must lie for a winning partner to free from trumping, whatever he led."""
    freed_by_lead: bool
    """Whether a winning partner who led an Ace or said Akka frees as well."""
    undertrump: bool
    """Whether who cannot beat a trump must still play one."""
    any_ruff: bool
    """Whether any trump will do over a ruff."""
    beats_partner: bool
    """Whether the partner's trump must be beaten like an opponent's."""


_Costs = tuple[tuple[int, bool, int, int], ...]
_Laid = tuple[tuple[int, ...], tuple[int, ...], _Costs]


def _laid(trump: Suit | None) -> _Laid:
    """For each card, what beats it, its points and its cost."""
    trumps = SUIT_MASK[trump] if trump is not None else 0
    own = tuple(bool(trumps >> card & 1) for card in CARDS)
    points = tuple(TRUMP_POINTS[card] if own[card] else PLAIN_POINTS[card] for card in CARDS)
    strength = tuple(TRUMP_STRENGTH[card] if own[card] else PLAIN_STRENGTH[card] for card in CARDS)
    beats = tuple(STRONGER_TRUMP[card] if own[card] else STRONGER_PLAIN[card] | trumps for card in CARDS)
    return beats, points, tuple((points[card], own[card], strength[card], card.suit) for card in CARDS)


_LAID = {trump: _laid(trump) for trump in (None, *SUITS)}


@lru_cache(maxsize=1024)
def _terms(trump: Suit | None, locked: bool, ruleset: Ruleset) -> Terms:  # noqa: FBT001 - a part of the key
    trumps = SUIT_MASK[trump] if trump is not None else 0
    beats, points, cost = _LAID[trump]
    exemption = ruleset.partner_winning_exemption
    return Terms(
        trump,
        trumps,
        locked and ruleset.locked_lead,
        beats,
        points,
        cost,
        duties=trumps if ruleset.must_trump else 0,
        freed_at=_FREED_AT[exemption],
        freed_by_lead=exemption is PartnerWinningExemption.FOURTH_OR_AKKA,
        undertrump=ruleset.undertrump_obligation,
        any_ruff=not ruleset.over_ruff,
        beats_partner=ruleset.overtrump_partner,
    )


def terms(contract: Contract, ruleset: Ruleset) -> Terms:
    """The terms a contract is played under."""
    return _terms(contract.trump, contract.locked, ruleset)


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
    if follow & on.duties and (on.beats_partner or _opponent_wins(trick, best)):
        higher = follow & on.beats[trick[best]]
        if higher:
            return higher, Reason.MUST_OVER_TRUMP
    return follow, Reason.MUST_FOLLOW


def _void(on: Terms, hand: int, trick: tuple[Card, ...], best: int, *, akka: bool) -> Duty:
    """Without the led suit: a card that is winning is trumped, unless a partner who holds it frees from that."""
    trumps = hand & on.duties
    if not trumps:
        return hand, Reason.CARD_NOT_HELD
    opponent = _opponent_wins(trick, best)
    if not opponent and _freed_by_partner(on, trick, akka=akka):
        return hand, Reason.CARD_NOT_HELD
    if on.trumps >> trick[best] & 1 and not on.any_ruff:
        return _over_ruff(on, hand, trick[best], beaten=opponent or on.beats_partner)
    return trumps, Reason.MUST_TRUMP


def _over_ruff(on: Terms, hand: int, ruff: Card, *, beaten: bool) -> Duty:
    """A ruff that has to be `beaten` is, if it can be; who cannot beat a ruff throws what he likes.

    Only under an obligation to undertrump must a lower trump be thrown under it.
    """
    trumps = hand & on.trumps
    higher = trumps & on.beats[ruff]
    if not higher and not on.undertrump:
        return hand, Reason.CARD_NOT_HELD
    return (higher, Reason.MUST_OVER_TRUMP) if higher and beaten else (trumps, Reason.MUST_TRUMP)


def _opponent_wins(trick: tuple[Card, ...], best: int) -> bool:
    """Whether an opponent of the next player is winning: partners sit two places apart."""
    return (len(trick) - best) & 1 == 1


def _freed_by_partner(on: Terms, trick: tuple[Card, ...], *, akka: bool) -> bool:
    """Whether a winning partner frees from trumping: by the player's place, or by an Ace or Akka led (2.19, 2.20)."""
    return len(trick) >= on.freed_at or (on.freed_by_lead and (akka or bool(_ACES >> trick[0] & 1)))


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


def plain_cards(on: Terms, hand: int) -> int:
    """The cards of a hand that Akka is about: in Hokum, plain ones but Aces, whose Akka goes without saying (2.20)."""
    return hand & ~on.trumps & ~_ACES if on.trumps else 0


def akka_cards(on: Terms, hand: int, unplayed: int) -> int:
    """The cards of a hand that Akka is true of when they are led: the highest unplayed of their suit (2.20).

    The leader's own cards count as unplayed.
    """
    return mask_of(card for card in cards_of(plain_cards(on, hand)) if not STRONGER_PLAIN[card] & unplayed)


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
