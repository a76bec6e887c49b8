"""What a play asks next, how it ended, and what its last move brought about. Nothing here changes it."""

from __future__ import annotations

from baloot.core.cards import CARDS, LAST_TRICK_POINTS, Card, cards_of
from baloot.core.errors import Reason
from baloot.core.play import CardChoice, CardMove, CardRefused, PlayAsked, PlayOutcome, PlayStep, SawaMove
from baloot.core.projects import SeatProject
from baloot.core.ruleset import Sawa
from baloot.core.seats import Seat
from baloot.play.legality import Terms, broken_duty, default_card, duty
from baloot.play.refusals import refusal
from baloot.play.sawa import winning_order
from baloot.play.saying import akka_mask, baloot_mask, declarable
from baloot.play.showing import counted, laid_open, showable
from baloot.play.state import Play

TRICKS_IN_ROUND = 8

SILENT: tuple[CardMove, ...] = tuple(CardMove(card) for card in CARDS)
"""For each card, the move that plays it and says nothing."""


def legal_mask(play: Play) -> int:
    """The cards that the seat on turn may play, as bits; 0 when the round is over (2.19)."""
    return play.legal


def legal_cards(play: Play, seat: Seat) -> tuple[Card, ...]:
    """What this seat may play now, in order of card numbers; empty when it is not its turn (2.19)."""
    return cards_of(legal_mask(play)) if seat == play.turn else ()


def default_move(play: Play) -> CardMove:
    """What is played for a seat that does not answer: its cheapest legal card, and nothing said with it.

    Raises Refusal WRONG_PHASE when the round is over.
    """
    if play.turn is None:
        raise refusal(Reason.WRONG_PHASE)
    return SILENT[default_card(play.start.on, legal_mask(play))]


_CHOICES = {
    (akka, baloot): tuple(CardChoice(card, akka, baloot) for card in CARDS)
    for akka in (False, True)
    for baloot in (False, True)
}
_SILENT_CHOICES = _CHOICES[False, False]
_REFUSED = {
    reason: tuple(CardRefused(card, reason) for card in CARDS)
    for reason in (Reason.MUST_FOLLOW, Reason.MUST_TRUMP, Reason.MUST_OVER_TRUMP, Reason.LOCKED_LEAD)
}


def asked(play: Play) -> PlayAsked | None:
    """The question to the seat on turn with everything it may do; None when the round is over."""
    seat = play.turn
    if seat is None:
        return None
    start, hand = play.start, play.hands[seat]
    held = duty(start.on, hand, play.trick, play.best, akka=play.akka)
    legal = held[0]
    akka, baloot = akka_mask(play, seat), baloot_mask(play, seat)
    return PlayAsked(
        seat,
        _choices(legal, akka, baloot),
        tuple(_REFUSED[broken_duty(held, play.trick, card)][card] for card in cards_of(hand & ~legal)),
        declarable(play, seat),
        sawa_bar(play, seat) is None,
        SILENT[default_card(start.on, legal)],
        showable(start, play.said, play.hands, seat),
    )


def _choices(legal: int, akka: int, baloot: int) -> tuple[CardChoice, ...]:
    cards = cards_of(legal)
    if not akka and not baloot:
        return tuple(map(_SILENT_CHOICES.__getitem__, cards))
    return tuple(_CHOICES[bool(akka >> card & 1), bool(baloot >> card & 1)][card] for card in cards)


def turn_bar(play: Play, seat: Seat) -> Reason | None:
    """Why a seat may not play now, whatever its cards."""
    if play.turn is None:
        return Reason.WRONG_PHASE
    return Reason.NOT_YOUR_TURN if seat != play.turn else None


def sawa_bar(play: Play, seat: Seat) -> Reason | None:
    """Why a seat may not claim the rest now, whether or not its claim would hold (2.34)."""
    bar = turn_bar(play, seat)
    ruleset = play.start.record.ruleset
    held = play.hands[seat].bit_count()
    if bar is None and (
        play.trick or not play.tricks or ruleset.sawa is Sawa.OFF or held > ruleset.sawa_max_cards
    ):
        bar = Reason.SAWA_WINDOW
    if bar is None and seat in play.said.refused:
        bar = Reason.SAWA_REPEATED
    return bar


def outcome(play: Play) -> PlayOutcome | None:
    """The finished round; None while it goes on.

    The ten of the last trick goes to its winner; what a Sawa left unplayed goes with it to the claimer, who was on lead
    and so had won the last trick himself (2.34). A Qaid grants nobody what is unplayed (2.33).
    """
    if play.turn is not None:
        return None
    said, finished = play.said, play.tricks
    tricks, card_points = [0, 0], [0, 0]
    for trick in finished:
        side = trick.winner & 1
        tricks[side] += 1
        card_points[side] += trick.points
    left = TRICKS_IN_ROUND - len(finished)
    if said.sawa is not None or not left:
        side = finished[-1].winner & 1
        tricks[side] += left
        card_points[side] += LAST_TRICK_POINTS + (_points_of(play.start.on, play.unplayed) if left else 0)
    return PlayOutcome(
        (tricks[0], tricks[1]),
        (card_points[0], card_points[1]),
        counted(play.start, said, play.hands) if said.announced else (),
        said.baloot,
        said.sawa,
        said.qaid,
    )


def _points_of(on: Terms, cards: int) -> int:
    return sum(on.points[card] for card in cards_of(cards))


def step(play: Play, *, ask: bool = True) -> PlayStep:
    """The record with all that follows from it, and what its last move brought about.

    The question is left out unless it is to be asked: it takes longest.
    """
    question = asked(play) if ask else None
    if not play.moves:
        return PlayStep(play.record, question, None)
    move = play.moves[-1].move
    return _after_card(play, move, question) if isinstance(move, CardMove) else _after_claim(play, question)


def _after_card(play: Play, move: CardMove, question: PlayAsked | None) -> PlayStep:
    finished = not play.trick
    return PlayStep(
        play.record,
        question,
        outcome(play),
        play.tricks[-1] if finished else None,
        play.said.counting if finished and len(play.tricks) == 1 else None,
        _shown_with(play, play.moves[-1].seat, move),
        bool(play.said.baloot) and bool(play.start.royals >> move.card & 1),
    )


def _shown_with(play: Play, seat: Seat, move: CardMove) -> tuple[SeatProject, ...]:
    """What is laid open with this seat's last card: what it shows itself, or the table with its second card (2.22)."""
    if play.start.owners_show:
        return tuple(SeatProject(seat, project) for project in move.shown)
    if len(play.tricks) - (not play.trick) != 1:
        return ()
    return tuple(one for one in counted(play.start, play.said, play.hands) if one.seat is seat)


def _after_claim(play: Play, question: PlayAsked | None) -> PlayStep:
    """A claim that ends the round shows what counts and was not shown yet, and credits a Baloot that was held."""
    seat, move = play.moves[-1].seat, play.moves[-1].move
    ended = play.turn is None
    held = play.said.sawa is not None
    return PlayStep(
        play.record,
        question,
        outcome(play),
        shown=_still_hidden(play) if ended else (),
        baloot=ended and bool(play.said.baloot) and bool(play.unplayed & play.start.royals),
        sawa=held if isinstance(move, SawaMove) else None,
        proof=winning_order(play.start.on, play.hands[seat]) if held else (),
    )


def _still_hidden(play: Play) -> tuple[SeatProject, ...]:
    seen = laid_open(play.start, play.said, play.hands)
    return tuple(one for one in counted(play.start, play.said, play.hands) if one not in seen)
