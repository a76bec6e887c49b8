"""Claiming a Qaid: only what the open cards prove, whatever is hidden (rules 2.33)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from baloot.api.core.v1.ruleset_pb2 import ILLEGAL_PLAY_ALLOW_WITH_QAID
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_PLAY, ROUND_PHASE_REVIEW, TableView
from baloot.bots.duties import Duty, duty_of
from baloot.bots.order import ORDERS, Order
from baloot.bots.sight import PATH, Sight, sight_of
from baloot.bots.unseen import DECK, HAND, plays
from baloot.codec.ruleset import decode_ruleset
from baloot.core.cards import SUIT_MASK, Card, cards_of, mask_of
from baloot.core.play import QaidGround, QaidMove
from baloot.core.ruleset import Ruleset
from baloot.core.seats import SEATS, Seat


def provable(view: TableView) -> QaidMove | None:
    """A claim that is sure to be right by what the viewer sees; None when there is none, or none may be made now."""
    if not may_claim(view):
        return None
    return proven(sight_of(view), decode_ruleset(view.settings.ruleset, PATH))


def may_claim(view: TableView) -> bool:
    """Whether the viewer's seat may claim something now, on turn or not."""
    return (
        view.settings.ruleset.illegal_play == ILLEGAL_PLAY_ALLOW_WITH_QAID
        and bool(view.viewer)
        and view.round.phase in (ROUND_PHASE_PLAY, ROUND_PHASE_REVIEW)
        and not view.round.HasField("qaid")
        and not any(claim.held for claim in view.round.sawa)
    )


def proven(sight: Sight, ruleset: Ruleset) -> QaidMove | None:
    """The first claim against an opponent's card that the open cards prove."""
    contract = sight.contract
    assert contract is not None, "cards are played when something is bought"
    order = ORDERS[contract.trump]
    locked = contract.locked and ruleset.locked_lead
    for played in _opponents_cards(sight, order):
        for ground, prove in _PROOFS.items():
            proof = prove(_Case(order, ruleset, locked, played))
            if proof:
                return QaidMove(ground, played.card, cards_of(proof)[0])
    return None


@dataclass(frozen=True, slots=True)
class _Played:
    """An opponent's card in its place. Sets of cards are bits.

    `since` is what he has played after it, `anybody` what anybody has, and `hidden` what he may hold besides.
    """

    card: Card
    before: tuple[Card, ...]
    since: int
    anybody: int
    hidden: int
    said_akka: bool
    lead_akka: bool


@dataclass(frozen=True, slots=True)
class _Case:
    """What a claim is judged by."""

    order: Order
    ruleset: Ruleset
    locked: bool
    played: _Played


def _opponents_cards(sight: Sight, order: Order) -> Iterator[_Played]:
    """The cards of the other side, the latest first, since most offences are seen at once."""
    since, anybody = [0] * len(SEATS), 0
    history = list(plays(sight, order))
    hidden = _hidden(sight, [(seat, card) for seat, card, _, _ in history])
    for seat, card, before, _ in reversed(history):
        if seat.team is not sight.seat.team:
            lead_akka = bool(before) and bool(sight.akkas >> before[0] & 1)
            said_akka = not before and bool(sight.akkas >> card & 1)
            yield _Played(card, before, since[seat], anybody, hidden[seat], said_akka, lead_akka)
        since[seat] |= 1 << card
        anybody |= 1 << card


def _hidden(sight: Sight, history: list[tuple[Seat, Card]]) -> list[int]:
    """What each seat may hold now. Who did not follow may hold the suit all the same: duties may have been broken."""
    unseen = DECK & ~sight.hand & ~mask_of(card for _, card in history)
    done = Counter(seat for seat, _ in history)
    known = [sight.known[seat] & unseen for seat in SEATS]
    full = [known[seat].bit_count() == HAND - done[seat] for seat in SEATS]
    return [known[seat] if full[seat] else unseen & ~_known_elsewhere(sight, seat) for seat in SEATS]


def _known_elsewhere(sight: Sight, seat: Seat) -> int:
    return sight.known[seat.next] | sight.known[seat.partner] | sight.known[seat.partner.next]


def _revoked(case: _Case) -> int:
    """A card of the suit led that he did not follow."""
    played = case.played
    suit = SUIT_MASK[played.before[0].suit] if played.before else 0
    return 0 if suit >> played.card & 1 else suit & played.since


def _did_not_trump(case: _Case) -> int:
    """A trump that he had to play where he could not follow; on a trump lead the same cards show a revoke."""
    played = case.played
    if not played.before or case.order.trumps >> played.card & 1:
        return 0
    return _owed(case, Duty.TRUMP, Duty.BEAT)


def _did_not_over_trump(case: _Case) -> int:
    return _owed(case, Duty.BEAT) if case.played.before else 0


def _owed(case: _Case, *duties: Duty) -> int:
    """What he has played since and had to play then, with the least and with the most that he can have held.

    Any hand between these two has the same duty: more cards can only let him follow, or beat a trump.
    """
    played = case.played
    least = played.since | 1 << played.card
    owed = played.since
    for hand in (least, least | played.hidden):
        duty, fulfil = duty_of(case.order, case.ruleset, hand, played.before, akka=played.lead_akka)
        owed &= 0 if duty not in duties or fulfil >> played.card & 1 else fulfil
    return owed


def _led_though_locked(case: _Case) -> int:
    """A plain card that he held when he led a trump."""
    played, trumps = case.played, case.order.trumps
    broken = case.locked and not played.before and trumps >> played.card & 1
    return played.since & ~trumps if broken else 0


def _said_false_akka(case: _Case) -> int:
    """A higher card of the suit, from whichever hand."""
    played = case.played
    return case.order.stronger[played.card] & played.anybody if played.said_akka else 0


_PROOFS: dict[QaidGround, Callable[[_Case], int]] = {
    QaidGround.REVOKE: _revoked,
    QaidGround.NO_TRUMP: _did_not_trump,
    QaidGround.NO_OVER_TRUMP: _did_not_over_trump,
    QaidGround.LOCKED_LEAD: _led_though_locked,
    QaidGround.FALSE_AKKA: _said_false_akka,
}
"""For each ground, the cards that prove it, as bits."""
