"""Claiming a Qaid: what the open cards prove whatever is hidden, and what they can prove (rules 2.33)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from baloot.api.core.v1.ruleset_pb2 import ILLEGAL_PLAY_ALLOW_WITH_QAID
from baloot.api.table.v1.table_pb2 import ROUND_PHASE_PLAY, ROUND_PHASE_REVIEW, TableView
from baloot.bots.duties import Duty, duty_of
from baloot.bots.order import ORDERS, Order
from baloot.bots.sight import PATH, Sight, sight_of
from baloot.bots.unseen import plays, unseen_by
from baloot.codec.ruleset import decode_ruleset
from baloot.core.cards import SUIT_MASK, Card, cards_of
from baloot.core.play import QaidGround, QaidMove
from baloot.core.ruleset import Ruleset
from baloot.core.seats import SEATS


def provable(view: TableView) -> QaidMove | None:
    """A claim that is sure to be right by what the viewer sees; None when there is none, or none may be made now."""
    if not may_claim(view):
        return None
    return proven(sight_of(view), decode_ruleset(view.settings.ruleset, PATH))


def is_lenient(view: TableView) -> bool:
    """Whether cards against a duty are accepted at this table, and may be claimed."""
    return view.settings.ruleset.illegal_play == ILLEGAL_PLAY_ALLOW_WITH_QAID


def may_claim(view: TableView) -> bool:
    """Whether the viewer's seat may claim something now, on turn or not."""
    return (
        is_lenient(view)
        and bool(view.viewer)
        and view.round.phase in (ROUND_PHASE_PLAY, ROUND_PHASE_REVIEW)
        and not view.round.HasField("qaid")
        and not any(claim.held for claim in view.round.sawa)
    )


def proven(sight: Sight, ruleset: Ruleset) -> QaidMove | None:
    """The first claim against an opponent's card that the open cards prove."""
    for case in _cases(sight, ruleset, sure=True):
        for ground, proofs in _proofs(case):
            return QaidMove(ground, case.played.card, cards_of(proofs)[0])
    return None


@dataclass(frozen=True, slots=True)
class Suspect:
    """An opponent's card that may have broken a duty: by ground, the open cards that show it unless a hidden one excuses.

    Without any there is nothing yet to claim it with.
    """

    card: Card
    proofs: Mapping[QaidGround, tuple[Card, ...]]


def suspects(view: TableView) -> list[Suspect]:
    """The cards of the viewer's opponents, the latest first, with what the open cards can prove against each.

    Raises Refusal when the view is not that of a seat in a round.
    """
    return suspects_in(sight_of(view), decode_ruleset(view.settings.ruleset, PATH))


def suspects_in(sight: Sight, ruleset: Ruleset) -> list[Suspect]:
    """The same of what a seat sees."""
    return [
        Suspect(case.played.card, {ground: cards_of(proofs) for ground, proofs in _proofs(case)})
        for case in _cases(sight, ruleset, sure=False)
    ]


def _cases(sight: Sight, ruleset: Ruleset, *, sure: bool) -> Iterator[_Case]:
    contract = sight.contract
    assert contract is not None, "cards are played when something is bought"
    order = ORDERS[contract.trump]
    locked = contract.locked and ruleset.locked_lead
    for played in _opponents_cards(sight, order):
        yield _Case(order, ruleset, locked, sure, played)


def _proofs(case: _Case) -> Iterator[tuple[QaidGround, int]]:
    """Each ground for which there are proofs, with these as bits."""
    for ground, prove in _PROOFS.items():
        proofs = prove(case)
        if proofs:
            yield ground, proofs


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
    """What a claim is judged by. `sure` is whether it must hold whatever is hidden, or only may."""

    order: Order
    ruleset: Ruleset
    locked: bool
    sure: bool
    played: _Played


def _opponents_cards(sight: Sight, order: Order) -> Iterator[_Played]:
    """The cards of the other side, the latest first, since most offences are seen at once."""
    since, anybody = [0] * len(SEATS), 0
    hidden = unseen_by(sight, order).held_whatever_was_played
    for seat, card, before, _ in reversed(list(plays(sight, order))):
        if seat.team is not sight.seat.team:
            lead_akka = bool(before) and bool(sight.akkas >> before[0] & 1)
            said_akka = not before and bool(sight.akkas >> card & 1)
            yield _Played(card, before, since[seat], anybody, hidden[seat], said_akka, lead_akka)
        since[seat] |= 1 << card
        anybody |= 1 << card


def _revoked(case: _Case) -> int:
    """A card of the suit led that he did not follow."""
    played = case.played
    suit = _suit_led(played)
    return 0 if suit >> played.card & 1 else suit & played.since


def _did_not_trump(case: _Case) -> int:
    """A trump that he had to play where he could not follow."""
    played = case.played
    if not played.before or case.order.trumps >> played.card & 1 or _suit_led(played) & _least(played):
        return 0
    return _owed(case, Duty.TRUMP, Duty.BEAT)


def _did_not_over_trump(case: _Case) -> int:
    return _owed(case, Duty.BEAT) if case.played.before else 0


def _owed(case: _Case, *duties: Duty) -> int:
    """What he has played since and had to play then: with whatever he can have held besides, or with something of it.

    The least and the most of it tell for all between: more cards can only let him follow, or beat a trump.
    """
    played = case.played
    least = _least(played)
    if case.sure:
        return _fulfilling(case, least, duties) & _fulfilling(case, least | played.hidden, duties)
    void = least | played.hidden & ~_suit_led(played)
    return _fulfilling(case, least, duties) | _fulfilling(case, void, duties)


def _fulfilling(case: _Case, hand: int, duties: tuple[Duty, ...]) -> int:
    """What he has played since, and had to play with this hand by one of the duties; nothing where his card would do."""
    played = case.played
    duty, fulfil = duty_of(case.order, case.ruleset, hand, played.before, akka=played.lead_akka)
    return 0 if duty not in duties or fulfil >> played.card & 1 else fulfil & played.since


def _suit_led(played: _Played) -> int:
    """The cards of the suit that was led to him; none for a lead."""
    return SUIT_MASK[played.before[0].suit] if played.before else 0


def _least(played: _Played) -> int:
    """What he held for sure."""
    return played.since | 1 << played.card


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
