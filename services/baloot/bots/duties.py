"""What a seat had to play, once illegal cards are accepted and may be claimed (rules 2.15, 2.19)."""

from __future__ import annotations

from enum import Enum, auto

from baloot.bots.order import Order, winning_place
from baloot.core.cards import SUIT_MASK, Card, Rank
from baloot.core.ruleset import PartnerWinningExemption, Ruleset


class Duty(Enum):
    """What binds a hand."""

    FREE = auto()
    FOLLOW = auto()
    TRUMP = auto()
    BEAT = auto()


def duty_of(
    order: Order, ruleset: Ruleset, hand: int, trick: tuple[Card, ...], *, akka: bool
) -> tuple[Duty, int]:
    """The duty of a hand, as bits, that plays onto a trick, and the cards that fulfil it."""
    best = winning_place(order, trick)
    partner_wins = (len(trick) - best) % 2 == 0
    trumps = hand & order.trumps if ruleset.must_trump else 0
    higher = trumps & order.beats[trick[best]]
    beat = higher if ruleset.overtrump_partner or not partner_wins else 0
    suit = SUIT_MASK[trick[0].suit]
    if hand & suit:
        return (Duty.BEAT, beat) if suit == order.trumps and beat else (Duty.FOLLOW, hand & suit)
    if not trumps or (partner_wins and _frees(ruleset, trick, akka=akka)):
        return Duty.FREE, hand
    if not order.trumps >> trick[best] & 1 or not ruleset.over_ruff:
        return Duty.TRUMP, trumps
    if beat:
        return Duty.BEAT, beat
    return (Duty.TRUMP, trumps) if higher or ruleset.undertrump_obligation else (Duty.FREE, hand)


def _frees(ruleset: Ruleset, trick: tuple[Card, ...], *, akka: bool) -> bool:
    """Whether a partner who is winning frees from trumping."""
    if ruleset.partner_winning_exemption is PartnerWinningExemption.FOURTH_OR_AKKA:
        return len(trick) == 3 or akka or trick[0].rank is Rank.ACE
    return ruleset.partner_winning_exemption is PartnerWinningExemption.ANY_POSITION
