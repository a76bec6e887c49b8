"""Qaid: whether a claim that an opponent broke a duty is right (rules 2.33).

A claim names the card and its proof, a card that shows the duty because the offender held it then: he has played it
since, so all of it lies open. A claim that does not fit is wrong, and never refused for what is in a hand.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from baloot.core.cards import Card, mask_of
from baloot.core.errors import Reason
from baloot.core.play import CardMove, QaidGround, QaidMove
from baloot.core.seats import Seat
from baloot.play.legality import OWN_SUIT, STRONGER_PLAIN, duty, winning_place
from baloot.play.refusals import refusal
from baloot.play.state import Play


@dataclass(frozen=True, slots=True)
class _Played:
    """A card in its place: who played it, onto what, and what he held then."""

    seat: Seat
    card: Card
    before: tuple[Card, ...]
    hand: int
    later: int
    """What he has played since, as bits."""
    said_akka: bool
    lead_akka: bool
    """Whether Akka was said with the lead of its trick."""
    later_by_anybody: int
    """What anybody has played since, as bits."""


def require_claimable(play: Play, seat: Seat, claim: QaidMove) -> None:
    """Raises Refusal QAID_OFF, WRONG_PHASE after a claim that ended the round, or QAID_WINDOW for the wrong cards.

    Only what everybody sees is looked at: the card must be an opponent's and on the table or in a trick.
    """
    if not play.start.lenient:
        raise refusal(Reason.QAID_OFF)
    if play.said.sawa is not None or play.said.qaid is not None:
        raise refusal(Reason.WRONG_PHASE)
    named = claim.card is not None and claim.proof is not None and claim.ground in _SHOWS
    if not named or all(card is not claim.card or by.team is seat.team for by, card in _in_order(play)):
        raise refusal(Reason.QAID_WINDOW)


def is_right(play: Play, claim: QaidMove) -> bool:
    """Whether the card broke the duty of the ground and the proof shows it."""
    assert claim.card is not None, "a claim was found to name a card"
    assert claim.proof is not None, "a claim was found to name a proof"
    return _SHOWS[claim.ground](play, _find(play, claim.card), 1 << claim.proof)


def _in_order(play: Play) -> list[tuple[Seat, Card]]:
    """All cards played so far and by whom."""
    return [(made.seat, made.move.card) for made in play.moves if isinstance(made.move, CardMove)]


def _find(play: Play, card: Card) -> _Played:
    order = _in_order(play)
    at = next(place for place, (_, played) in enumerate(order) if played is card)
    seat = order[at][0]
    first = at - at % 4
    before = tuple(played for _, played in order[first:at])
    later = mask_of(played for by, played in order[at + 1 :] if by is seat)
    akka = {made.move.card for made in play.moves if isinstance(made.move, CardMove) and made.move.akka}
    return _Played(
        seat,
        card,
        before,
        play.hands[seat] | later | 1 << card,
        later,
        said_akka=card in akka,
        lead_akka=order[first][1] in akka,
        later_by_anybody=mask_of(played for _, played in order[at + 1 :]),
    )


def _revoked(_play: Play, played: _Played, proof: int) -> bool:
    """He held the suit led, which any card of it shows."""
    suit = OWN_SUIT[played.before[0]] if played.before else 0
    return not suit >> played.card & 1 and bool(suit & played.later & proof)


def _did_not_trump(play: Play, played: _Played, proof: int) -> bool:
    """He could not follow and had to trump, over another trump perhaps, and threw something else."""
    suit = OWN_SUIT[played.before[0]] if played.before else 0
    void = bool(suit) and not played.hand & suit
    trumped = bool(play.start.on.trumps >> played.card & 1)
    return void and not trumped and _broke(play, played, proof, Reason.MUST_TRUMP, Reason.MUST_OVER_TRUMP)


def _did_not_over_trump(play: Play, played: _Played, proof: int) -> bool:
    return _broke(play, played, proof, Reason.MUST_OVER_TRUMP)


def _led_though_locked(play: Play, played: _Played, proof: int) -> bool:
    return _broke(play, played, proof, Reason.LOCKED_LEAD)


def _broke(play: Play, played: _Played, proof: int, *duties: Reason) -> bool:
    """A duty of that name allowed him to play the proof and not the card."""
    trick = played.before
    allowed, reason = duty(
        play.start.on, played.hand, trick, winning_place(play.start.on, trick), akka=played.lead_akka
    )
    return reason in duties and not allowed >> played.card & 1 and bool(allowed & played.later & proof)


def _said_false_akka(_play: Play, played: _Played, proof: int) -> bool:
    """A higher card of the suit was still out, whoever held it."""
    return played.said_akka and bool(STRONGER_PLAIN[played.card] & played.later_by_anybody & proof)


_SHOWS: dict[QaidGround, Callable[[Play, _Played, int], bool]] = {
    QaidGround.REVOKE: _revoked,
    QaidGround.NO_TRUMP: _did_not_trump,
    QaidGround.NO_OVER_TRUMP: _did_not_over_trump,
    QaidGround.LOCKED_LEAD: _led_though_locked,
    QaidGround.FALSE_AKKA: _said_false_akka,
}
"""For each ground that a seat may claim, whether a card and its proof, as bits, make it."""
