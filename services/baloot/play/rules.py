"""What may be played in a round and what follows from it (rules, sections 2.17 to 2.25, 2.33 and 2.34).

A `Play` carries the moves and the facts that the next question needs. `start_play` and `fold` make one, `play_card`,
`claim_sawa` and `claim_qaid` make the next, all else only reads. Bulk users ask `legal_mask` and play `SILENT` moves.
"""

from __future__ import annotations

from dataclasses import replace

from baloot.core.cards import CARDS_IN_DECK, Card, Rank, mask_of
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal, record_invalid
from baloot.core.play import CardMove, Move, PlayRecord, Qaid, QaidGround, QaidMove, SawaMove, SeatMove, Trick
from baloot.core.ruleset import Akka, FirstLeader, IllegalPlay, ProjectShow, Sawa, SawaPenalty
from baloot.core.seats import SEATS, Position, Seat
from baloot.play.baloot import with_baloot, with_unplayed_baloot
from baloot.play.legality import Terms, duty, refusal_reason, terms
from baloot.play.projects import order_of, winning_team
from baloot.play.qaid import is_right, require_claimable
from baloot.play.reading import (
    SILENT,
    TRICKS_IN_ROUND,
    asked,
    default_move,
    legal_cards,
    legal_mask,
    outcome,
    sawa_bar,
    step,
    turn_bar,
)
from baloot.play.refusals import refusal, spelled_cards
from baloot.play.sawa import sawa_holds
from baloot.play.saying import spoken, with_said
from baloot.play.state import CARDS_IN_HAND, Hands, Play, Said, Start

__all__ = [
    "SILENT",
    "TRICKS_IN_ROUND",
    "asked",
    "claim_qaid",
    "claim_sawa",
    "default_move",
    "fold",
    "legal_cards",
    "legal_mask",
    "move",
    "outcome",
    "play_card",
    "start_play",
    "step",
]

_NOTHING_SAID = Said()
_new = tuple.__new__
"""Makes a `Play` or a `Trick` in half the time that calling it takes: bulk simulation makes one for every card."""
_WHOLE_DECK = (1 << CARDS_IN_DECK) - 1
_SILENT_BY_SEAT = tuple(tuple(SeatMove(seat, move) for move in SILENT) for seat in SEATS)


# Making a play.


def start_play(record: PlayRecord) -> Play:
    """The play before its first move: S1, on the dealer's right, leads, whoever bought (2.17).

    Where the buyer leads (`first_leader`), in Ashkal that is who called it.

    Raises Refusal RECORD_INVALID when the record has moves, hands that are not the 32 cards in four times eight, or a
    contract whose trump does not fit its mode.
    """
    if record.moves:
        raise record_invalid("a play starts with a record without moves", "moves")
    contract, ruleset = record.contract, record.ruleset
    if (contract.trump is None) is not (contract.mode is Mode.SUN):
        raise record_invalid("a Hokum has a trump suit, a Sun has none", "contract.trump")
    hands = tuple(hand.mask for hand in record.hands)
    _require_whole_deck(hands)
    on = terms(contract, ruleset)
    buyer_leads = ruleset.first_leader is FirstLeader.BUYER
    first = contract.buyer if buyer_leads else Position.S1.seat(record.dealer)
    start = _start(record, on, _royals(on, hands))
    legal = duty(on, hands[first], (), 0, akka=False)[0]
    return Play(start, (), hands, first, first, (), 0, akka=False, tricks=(), said=_NOTHING_SAID, legal=legal)


def _start(record: PlayRecord, on: Terms, royals: int) -> Start:
    ruleset = record.ruleset
    return Start(
        record,
        on,
        royals,
        order_of(record.contract, ruleset),
        prompts=ruleset.project_auto or ruleset.akka is Akka.AUTO,
        lenient=ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID,
        owners_show=ruleset.project_show is ProjectShow.MANUAL_SECOND_TRICK,
    )


def fold(record: PlayRecord) -> Play:
    """The play after all moves of a record. Raises Refusal RECORD_INVALID naming the first move that is not legal."""
    play = start_play(replace(record, moves=()))
    for index, made in enumerate(record.moves):
        try:
            play = move(play, made.seat, made.move)
        except Refusal as refusal:
            raise record_invalid(
                f"move {index}, by {made.seat}, is not legal: {refusal.message}",
                f"moves[{index}]",
                {"index": str(index), "reason": refusal.reason.name, "rule": refusal.rule},
            ) from refusal
    return play


def _require_whole_deck(hands: Hands) -> None:
    whole = 0
    for hand in hands:
        whole |= hand
    if (
        len(hands) != len(SEATS)
        or any(hand.bit_count() != CARDS_IN_HAND for hand in hands)
        or whole != _WHOLE_DECK
    ):
        raise record_invalid("the four hands of a record are the 32 cards, eight each", "hands")


def _royals(on: Terms, hands: Hands) -> int:
    """The K and Q of trumps if one hand holds both (2.25)."""
    if on.trump is None:
        return 0
    both = mask_of((Card.of(on.trump, Rank.QUEEN), Card.of(on.trump, Rank.KING)))
    return both if any(hand & both == both for hand in hands) else 0


# What follows from a move.


def move(play: Play, seat: Seat, move: Move) -> Play:
    """The play after one move more, of any kind. Raises what `play_card`, `claim_sawa` and `claim_qaid` raise."""
    if isinstance(move, CardMove):
        return play_card(play, seat, move)
    return claim_sawa(play, seat) if isinstance(move, SawaMove) else claim_qaid(play, seat, move)


def play_card(play: Play, seat: Seat, move: CardMove) -> Play:
    """The play after one card more, with what the server says for its player.

    Raises Refusal WRONG_PHASE when the round is over, NOT_YOUR_TURN, CARD_NOT_HELD, MUST_FOLLOW, MUST_TRUMP,
    MUST_OVER_TRUMP or LOCKED_LEAD for the card (the duties only where illegal cards are refused), and PROJECT_WINDOW,
    PROJECT_LIMIT, PROJECT_NOT_HELD, PROJECT_OVERLAP, PROJECT_SHOW, AKKA_NOT_ALLOWED, BALOOT_AUTOMATIC or
    BALOOT_NOT_ALLOWED for what is said with it.
    """
    start, moves, hands, turn, leader, trick, best, akka, tricks, said, legal = play
    on = start.on
    card = move.card
    hand = hands[seat]
    if seat != turn or not legal >> card & 1:
        _require_playable(play, seat, card)
    if move is SILENT[card] and not start.prompts:
        made = _SILENT_BY_SEAT[seat][card]
    else:
        move = spoken(play, seat, move)
        said = with_said(said, seat, move)
        akka = akka or move.akka
        made = SeatMove(seat, move)
    bit = 1 << card
    hand ^= bit
    rest = (*hands[:seat], hand, *hands[seat + 1 :])
    if start.royals & bit and not start.royals & hand:
        said = with_baloot(start, said, rest, seat, spoken=move.baloot)
    if trick and on.beats[trick[best]] >> card & 1:
        best = len(trick)
    trick = (*trick, card)
    moves = (*moves, made)
    if len(trick) < 4:
        following = SEATS[(seat + 1) & 3]
        legal = duty(on, rest[following], trick, best, akka=akka)[0]
        return _new(Play, (start, moves, rest, following, leader, trick, best, akka, tricks, said, legal))
    winner = SEATS[(leader + best) & 3]
    first, second, third, fourth = trick
    points = on.points[first] + on.points[second] + on.points[third] + on.points[fourth]
    if said.announced and not tricks:
        said = _compared(start, said)
    tricks = (*tricks, _new(Trick, (leader, trick, winner, points)))
    if len(tricks) == TRICKS_IN_ROUND:
        return _new(Play, (start, moves, rest, None, winner, (), 0, False, tricks, said, 0))
    legal = duty(on, rest[winner], (), 0, akka=False)[0]
    return _new(Play, (start, moves, rest, winner, winner, (), 0, False, tricks, said, legal))


def _require_playable(play: Play, seat: Seat, card: Card) -> None:
    """Raises Refusal for a card that may not be played; where illegal cards are accepted it need only be held."""
    bar = turn_bar(play, seat)
    if bar is not None:
        raise refusal(bar)
    on, hand = play.start.on, play.hands[seat]
    reason = refusal_reason(on, hand, play.trick, play.best, card, akka=play.akka)
    if play.start.lenient and reason is not Reason.CARD_NOT_HELD:
        return
    assert reason is not None, "asked why a legal card is refused"
    raise refusal(reason, legal=spelled_cards(play.legal))


def _compared(start: Start, said: Said) -> Said:
    """What is said once the projects are compared (2.23)."""
    return said._replace(counting=winning_team(said.announced, start.record.dealer, start.order))


def claim_sawa(play: Play, seat: Seat) -> Play:
    """The play after a claim of all remaining tricks: over if it holds, else the same question again (2.34).

    With `sawa_penalty: qaid` a claim that does not hold ends the round too, against the claimer.

    Raises Refusal WRONG_PHASE when the round is over, NOT_YOUR_TURN, SAWA_WINDOW before the end of the first trick, in
    the middle of a trick, with more cards than the rule set allows or where it has no Sawa, and SAWA_REPEATED after a
    refused claim of the same seat.
    """
    reason = sawa_bar(play, seat)
    if reason is not None:
        raise _sawa_window(play) if reason is Reason.SAWA_WINDOW else refusal(reason)
    said = play.said
    if sawa_holds(play.start.on, play.hands, seat):
        return _ended(play, seat, SawaMove(), said._replace(sawa=seat))
    said = said._replace(refused=(*said.refused, seat))
    if play.start.record.ruleset.sawa_penalty is SawaPenalty.QAID:
        qaid = Qaid(seat, QaidMove(QaidGround.WRONG_SAWA), right=False)
        return _ended(play, seat, SawaMove(), said._replace(qaid=qaid))
    return play._replace(moves=(*play.moves, SeatMove(seat, SawaMove())), said=said)


def _sawa_window(play: Play) -> Refusal:
    ruleset = play.start.record.ruleset
    if ruleset.sawa is Sawa.OFF:
        return refusal(Reason.SAWA_WINDOW, "there is no Sawa in this rule set")
    if play.trick or not play.tricks:
        return refusal(Reason.SAWA_WINDOW)
    most = str(ruleset.sawa_max_cards)
    return refusal(Reason.SAWA_WINDOW, f"Sawa is claimed with {most} cards at most", facts={"limit": most})


def claim_qaid(play: Play, seat: Seat, claim: QaidMove) -> Play:
    """The play after the claim that an opponent broke a duty: over, whether it is right or wrong (2.33).

    It may be made by any seat at any time, also when all cards are played.

    Raises Refusal QAID_OFF where illegal cards are refused, WRONG_PHASE when a claim has ended the round, and
    QAID_WINDOW when the card is not an opponent's that was played, when there is no proof, or for a wrong Sawa, which
    only the server tells.
    """
    require_claimable(play, seat, claim)
    qaid = Qaid(seat, claim, right=is_right(play, claim))
    return _ended(play, seat, claim, play.said._replace(qaid=qaid))


def _ended(play: Play, seat: Seat, claim: SawaMove | QaidMove, said: Said) -> Play:
    """The play that a claim has ended. Projects are compared now if they were not; a Baloot still held is credited."""
    start = play.start
    if said.announced and said.counting is None:
        said = _compared(start, said)
    said = with_unplayed_baloot(start, said, play.hands)
    return play._replace(moves=(*play.moves, SeatMove(seat, claim)), turn=None, said=said, legal=0)
