"""What may be played in a round and what follows from it (rules, sections 2.17 to 2.25 and 2.34).

A `Play` carries the moves and the facts that the next question needs. `start_play` and `fold` make one, `play_card`
and `claim_sawa` make the next, all else only reads. Bulk users ask `legal_mask` and play `SILENT` moves.
"""

from __future__ import annotations

from dataclasses import replace

from baloot.core.cards import CARDS, CARDS_IN_DECK, LAST_TRICK_POINTS, Card, Rank, cards_of, mask_of
from baloot.core.contract import Mode
from baloot.core.errors import Reason, Refusal
from baloot.core.play import (
    CardChoice,
    CardMove,
    CardRefused,
    Move,
    PlayAsked,
    PlayOutcome,
    PlayRecord,
    PlayStep,
    QaidMove,
    SawaMove,
    SeatMove,
    Trick,
)
from baloot.core.projects import Declaration, ProjectKind, SeatProject
from baloot.core.seats import SEATS, Position, Seat
from baloot.play.legality import Terms, akka_cards, broken_duty, default_card, duty, refusal_reason, terms
from baloot.play.projects import declarations, require_declarable, winning_team
from baloot.play.sawa import sawa_holds
from baloot.play.state import Play, Said, Start

TRICKS_IN_ROUND = 8
_NOTHING_SAID = Said()
_WHOLE_DECK = (1 << CARDS_IN_DECK) - 1

SILENT: tuple[CardMove, ...] = tuple(CardMove(card) for card in CARDS)
"""For each card, the move that plays it and says nothing."""
_SILENT_BY_SEAT = tuple(tuple(SeatMove(seat, move) for move in SILENT) for seat in SEATS)


# Making a play.


def start_play(record: PlayRecord) -> Play:
    """The play before its first move: S1, on the dealer's right, leads, whoever bought (2.17).

    Raises Refusal RECORD_INVALID when the record has moves, hands that are not the 32 cards in four times eight, or a
    contract whose trump does not fit its mode.
    """
    if record.moves:
        raise _invalid("a play starts with a record without moves", "moves")
    contract = record.contract
    if (contract.trump is None) is not (contract.mode is Mode.SUN):
        raise _invalid("a Hokum has a trump suit, a Sun has none", "contract.trump")
    hands = tuple(hand.mask for hand in record.hands)
    _require_whole_deck(hands)
    on = terms(contract, record.ruleset)
    first = Position.S1.seat(record.dealer)
    start = Start(record, on, _royals(on, hands))
    legal = duty(on, hands[first], (), 0, akka=False)[0]
    return Play(start, (), hands, first, first, (), 0, akka=False, tricks=(), said=_NOTHING_SAID, legal=legal)


def fold(record: PlayRecord) -> Play:
    """The play after all moves of a record. Raises Refusal RECORD_INVALID naming the first move that is not legal."""
    play = start_play(replace(record, moves=()))
    for index, made in enumerate(record.moves):
        try:
            play = move(play, made.seat, made.move)
        except Refusal as refusal:
            raise _invalid(
                f"move {index}, by {made.seat}, is not legal: {refusal.message}",
                f"moves[{index}]",
                {"index": str(index), "reason": refusal.reason.name},
            ) from refusal
    return play


def _invalid(message: str, field: str, metadata: dict[str, str] | None = None) -> Refusal:
    return Refusal(Reason.RECORD_INVALID, message, field=f"record.{field}", metadata=metadata)


def _require_whole_deck(hands: tuple[int, ...]) -> None:
    whole = 0
    for hand in hands:
        whole |= hand
    if (
        len(hands) != len(SEATS)
        or any(hand.bit_count() != TRICKS_IN_ROUND for hand in hands)
        or whole != _WHOLE_DECK
    ):
        raise _invalid("the four hands of a record are the 32 cards, eight each", "hands")


def _royals(on: Terms, hands: tuple[int, ...]) -> int:
    """The K and Q of trumps if one hand holds both (2.25)."""
    if on.trump is None:
        return 0
    both = mask_of((Card.of(on.trump, Rank.QUEEN), Card.of(on.trump, Rank.KING)))
    return both if any(hand & both == both for hand in hands) else 0


# Reading it.


def legal_mask(play: Play) -> int:
    """The cards that the seat on turn may play, as bits; 0 when the round is over (2.19)."""
    return play.legal


def legal_cards(play: Play, seat: Seat) -> tuple[Card, ...]:
    """What this seat may play now, in order of card numbers; empty when it is not its turn (2.19)."""
    return tuple(cards_of(legal_mask(play))) if seat == play.turn else ()


def default_move(play: Play) -> CardMove:
    """What is played for a seat that does not answer: its cheapest legal card, and nothing announced with it.

    Raises Refusal WRONG_PHASE when the round is over.
    """
    if play.turn is None:
        raise Refusal(Reason.WRONG_PHASE, "the round is over")
    return SILENT[default_card(play.start.on, legal_mask(play))]


_CHOICES = tuple(tuple(CardChoice(card, akka) for card in CARDS) for akka in (False, True))
_REFUSED = {
    reason: tuple(CardRefused(card, reason) for card in CARDS)
    for reason in (Reason.MUST_FOLLOW, Reason.MUST_TRUMP, Reason.MUST_OVER_TRUMP, Reason.LOCKED_LEAD)
}


def asked(play: Play) -> PlayAsked | None:
    """The question to the seat on turn with everything it may do; None when the round is over."""
    seat = play.turn
    if seat is None:
        return None
    hand = play.hands[seat]
    held = duty(play.start.on, hand, play.trick, play.best, akka=play.akka)
    legal = held[0]
    akka = _akka_mask(play, seat)
    return PlayAsked(
        seat,
        tuple(_CHOICES[akka >> card & 1][card] for card in cards_of(legal)),
        tuple(_REFUSED[broken_duty(held, play.trick, card)][card] for card in cards_of(hand & ~legal)),
        _declarations(play, seat),
        _sawa_bar(play, seat) is None,
        SILENT[default_card(play.start.on, legal)],
    )


def _akka_mask(play: Play, seat: Seat) -> int:
    """The cards that this seat on turn may say Akka with: only leads (2.20)."""
    return 0 if play.trick else akka_cards(play.start.on, play.hands[seat], play.unplayed)


def _card_bar(play: Play, seat: Seat, card: Card) -> Reason | None:
    return refusal_reason(play.start.on, play.hands[seat], play.trick, play.best, card, akka=play.akka)


def _declarations(play: Play, seat: Seat) -> tuple[Declaration, ...]:
    """What may be announced: only with one's first card (2.22)."""
    record = play.start.record
    if play.tricks:
        return ()
    return declarations(play.hands[seat], record.contract.mode, record.ruleset.max_projects_per_player)


def outcome(play: Play) -> PlayOutcome | None:
    """The finished round; None while it goes on.

    The ten of the last trick goes to its winner; what a Sawa left unplayed goes with it to the claimer, who was on lead
    and so had won the last trick himself (2.34).
    """
    if play.turn is not None:
        return None
    said = play.said
    tricks, card_points = [0, 0], [0, 0]
    for trick in play.tricks:
        tricks[trick.winner & 1] += 1
        card_points[trick.winner & 1] += trick.points
    last = play.tricks[-1].winner
    tricks[last & 1] += TRICKS_IN_ROUND - len(play.tricks)
    card_points[last & 1] += LAST_TRICK_POINTS + _points_of(play.start.on, play.unplayed)
    return PlayOutcome(
        (tricks[0], tricks[1]), (card_points[0], card_points[1]), _counted(said), said.baloot, said.sawa
    )


def _points_of(on: Terms, cards: int) -> int:
    return sum(on.points[card] for card in cards_of(cards))


def _counted(said: Said) -> tuple[SeatProject, ...]:
    """The projects of the side that has the best one (2.23)."""
    return tuple(project for project in said.announced if project.team is said.counting)


def step(play: Play) -> PlayStep:
    """The record with all that follows from it, and what its last move brought about."""
    record, question, end = play.record, asked(play), outcome(play)
    if not play.moves:
        return PlayStep(record, question, end)
    last = play.moves[-1]
    if not isinstance(last.move, CardMove):
        held = play.said.sawa is not None
        credited = bool(play.said.baloot) and bool(play.unplayed & play.start.royals)
        shown = _shown_by_sawa(play) if held else ()
        return PlayStep(record, question, end, shown=shown, baloot=credited, sawa=held)
    finished = not play.trick
    return PlayStep(
        record,
        question,
        end,
        play.tricks[-1] if finished else None,
        play.said.counting if finished and len(play.tricks) == 1 else None,
        _shown(play, last.seat),
        bool(play.said.baloot) and bool(play.start.royals >> last.move.card & 1),
    )


def _shown(play: Play, seat: Seat) -> tuple[SeatProject, ...]:
    """What is laid open with this seat's last card: its projects that count, with its second card (2.22)."""
    second = len(play.tricks) - (not play.trick) == 1
    return tuple(project for project in _counted(play.said) if project.seat is seat) if second else ()


def _shown_by_sawa(play: Play) -> tuple[SeatProject, ...]:
    """A round that ends before the second cards shows with its claim what they would have shown."""
    return _counted(play.said) if len(play.tricks) == 1 else ()


# What follows from a move.


def move(play: Play, seat: Seat, move: Move) -> Play:
    """The play after one move more, of either kind. Raises what `play_card` and `claim_sawa` raise."""
    if isinstance(move, QaidMove):
        raise Refusal(Reason.QAID_OFF, _SENTENCES[Reason.QAID_OFF])
    return claim_sawa(play, seat) if isinstance(move, SawaMove) else play_card(play, seat, move)


def play_card(play: Play, seat: Seat, move: CardMove) -> Play:
    """The play after one card more.

    Raises Refusal WRONG_PHASE when the round is over, NOT_YOUR_TURN, CARD_NOT_HELD, MUST_FOLLOW, MUST_TRUMP,
    MUST_OVER_TRUMP or LOCKED_LEAD for the card, and PROJECT_WINDOW, PROJECT_LIMIT, PROJECT_NOT_HELD, PROJECT_OVERLAP,
    AKKA_NOT_ALLOWED or BALOOT_AUTOMATIC for what is said with it.
    """
    start, moves, hands, turn, leader, trick, best, akka, tricks, said, legal = play
    on = start.on
    card = move.card
    hand = hands[seat]
    if seat != turn or not legal >> card & 1:
        raise _refusal(play, seat, card)
    if move.projects or move.akka or move.baloot or move.shown:
        _require_sayable(play, seat, move)
        said = _with_projects(said, seat, move.projects)
        akka = akka or move.akka
        made = SeatMove(seat, move)
    else:
        made = _SILENT_BY_SEAT[seat][card]
    bit = 1 << card
    hand ^= bit
    if start.royals & bit and not start.royals & hand:
        said = _with_baloot(start, said, seat)
    rest = (*hands[:seat], hand, *hands[seat + 1 :])
    if trick and on.beats[trick[best]] >> card & 1:
        best = len(trick)
    trick = (*trick, card)
    moves = (*moves, made)
    if len(trick) < 4:
        following = SEATS[(seat + 1) & 3]
        legal = duty(on, rest[following], trick, best, akka=akka)[0]
        return Play(start, moves, rest, following, leader, trick, best, akka, tricks, said, legal)
    winner = SEATS[(leader + best) & 3]
    first, second, third, fourth = trick
    points = on.points[first] + on.points[second] + on.points[third] + on.points[fourth]
    if said.announced and not tricks:
        said = replace(said, counting=winning_team(said.announced, start.record.dealer))
    tricks = (*tricks, Trick(leader, (first, second, third, fourth), winner, points))
    if len(tricks) == TRICKS_IN_ROUND:
        return Play(start, moves, rest, None, winner, (), 0, akka=False, tricks=tricks, said=said, legal=0)
    legal = duty(on, rest[winner], (), 0, akka=False)[0]
    return Play(start, moves, rest, winner, winner, (), 0, akka=False, tricks=tricks, said=said, legal=legal)


_SENTENCES = {
    Reason.WRONG_PHASE: "the round is over",
    Reason.NOT_YOUR_TURN: "it is not your turn",
    Reason.CARD_NOT_HELD: "you do not hold this card",
    Reason.MUST_FOLLOW: "you hold the suit that was led and must follow it",
    Reason.MUST_TRUMP: "you cannot follow and must play a trump",
    Reason.MUST_OVER_TRUMP: "an opponent's trump is winning and you must beat it",
    Reason.LOCKED_LEAD: "the round is locked: no trump is led while another card is held",
    Reason.PROJECT_WINDOW: "projects are announced with one's first card",
    Reason.AKKA_NOT_ALLOWED: "Akka is said in Hokum, leading the highest unplayed card of a plain suit that is no Ace",
    Reason.BALOOT_AUTOMATIC: "a Baloot is credited by itself and need not be said",
    Reason.PROJECT_SHOW: "projects are shown by the table, with the second card of the side whose projects count",
    Reason.QAID_OFF: "illegal cards are refused here, so there is nothing to claim",
    Reason.SAWA_WINDOW: "Sawa is claimed on lead, after the first trick and before playing a card",
    Reason.SAWA_REPEATED: "your Sawa was refused before, and only one claim a round is heard",
}


def _turn_bar(play: Play, seat: Seat) -> Reason | None:
    if play.turn is None:
        return Reason.WRONG_PHASE
    return Reason.NOT_YOUR_TURN if seat != play.turn else None


def _refusal(play: Play, seat: Seat, card: Card) -> Refusal:
    reason = _turn_bar(play, seat) or _card_bar(play, seat, card)
    assert reason is not None, "asked why a legal card is refused"
    return Refusal(reason, _SENTENCES[reason])


def _require_sayable(play: Play, seat: Seat, move: CardMove) -> None:
    """Raises Refusal when something may not be said with a card that may be played."""
    if move.projects:
        _require_declaration(play, seat, move.projects)
    if move.akka and not _akka_mask(play, seat) >> move.card & 1:
        raise Refusal(Reason.AKKA_NOT_ALLOWED, _SENTENCES[Reason.AKKA_NOT_ALLOWED])
    if move.shown:
        raise Refusal(Reason.PROJECT_SHOW, _SENTENCES[Reason.PROJECT_SHOW])
    if move.baloot:
        raise Refusal(Reason.BALOOT_AUTOMATIC, _SENTENCES[Reason.BALOOT_AUTOMATIC])


def _require_declaration(play: Play, seat: Seat, declaration: Declaration) -> None:
    if play.tricks:
        raise Refusal(Reason.PROJECT_WINDOW, _SENTENCES[Reason.PROJECT_WINDOW])
    record = play.start.record
    limit = record.ruleset.max_projects_per_player
    require_declarable(declaration, play.hands[seat], record.contract.mode, limit)


def _with_projects(said: Said, seat: Seat, declaration: Declaration) -> Said:
    if not declaration:
        return said
    announced = tuple(SeatProject(seat, project) for project in declaration)
    return replace(said, announced=(*said.announced, *announced))


def _with_baloot(start: Start, said: Said, seat: Seat) -> Said:
    """A Baloot is credited unless its K or Q is part of a hundred that was announced, counted or not (2.25)."""
    blocked = any(
        said_one.project.kind is ProjectKind.HUNDRED and said_one.project.mask & start.royals
        for said_one in said.announced
    )
    return said if blocked else replace(said, baloot=(seat,))


def claim_sawa(play: Play, seat: Seat) -> Play:
    """The play after a claim of all remaining tricks: over if it holds, else the same question again (2.34).

    Raises Refusal WRONG_PHASE when the round is over, NOT_YOUR_TURN, SAWA_WINDOW before the end of the first trick or
    in the middle of a trick, and SAWA_REPEATED after a refused claim of the same seat.
    """
    reason = _sawa_bar(play, seat)
    if reason is not None:
        raise Refusal(reason, _SENTENCES[reason])
    moves = (*play.moves, SeatMove(seat, SawaMove()))
    if sawa_holds(play.start.on, play.hands, seat):
        said = _with_unplayed_baloot(play, replace(play.said, sawa=seat))
        return play._replace(moves=moves, turn=None, said=said, legal=0)
    return play._replace(moves=moves, said=replace(play.said, refused=(*play.said.refused, seat)))


def _sawa_bar(play: Play, seat: Seat) -> Reason | None:
    """Why a seat may not claim now, whether or not its claim would hold."""
    bar = _turn_bar(play, seat)
    if bar is None and (play.trick or not play.tricks):
        bar = Reason.SAWA_WINDOW
    if bar is None and seat in play.said.refused:
        bar = Reason.SAWA_REPEATED
    return bar


def _with_unplayed_baloot(play: Play, said: Said) -> Said:
    """A Baloot whose second card is not played yet is credited with the claim that ends the round."""
    royals = play.start.royals
    for seat, hand in zip(SEATS, play.hands, strict=True):
        if hand & royals:
            return _with_baloot(play.start, said, seat)
    return said
