"""Short ways to write contracts, hands and rounds of play in tests."""

from __future__ import annotations

from random import Random

from baloot.core.cards import CARDS, Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Level, Mode, Raise
from baloot.core.errors import Reason, Refusal
from baloot.core.play import CardMove, Move, PlayRecord
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import POSITIONS, SEATS, Seat
from baloot.play import rules
from baloot.play.legality import Terms, terms
from baloot.play.state import Play

DEALER = Seat.WEST
"""So that S1 is SOUTH, S2 EAST, S3 NORTH and S4 WEST."""


def cards(text: str) -> tuple[Card, ...]:
    return tuple(Card.parse(word) for word in text.split())


def contract(text: str) -> Contract:
    """Reads `sun`, `hokum H` or `hokum H locked`; S1 is the buyer."""
    mode, *rest = text.split()
    trump = Suit("SHDC".index(rest[0])) if rest else None
    raises = (Raise(Seat.EAST, Level.DOUBLE, locked=True),) if "locked" in rest else ()
    return Contract(Mode[mode.upper()], trump, Seat.SOUTH, Seat.SOUTH, Bidding.FIRST, raises)


def terms_of(text: str, ruleset: Ruleset = STANDARD) -> Terms:
    return terms(contract(text), ruleset)


def rules_with(**options: object) -> Ruleset:
    """The standard rule set with some options changed."""
    return STANDARD.with_options(name="changed", **options)


def dealt_around(held: dict[int, str], seed: int = 0) -> tuple[Hand, Hand, Hand, Hand]:
    """Four hands of eight in which S1 to S4 hold at least these cards; the others are dealt at random."""
    wanted = {position: list(cards(held.get(position, ""))) for position in POSITIONS}
    rest = [card for card in CARDS if all(card not in hand for hand in wanted.values())]
    Random(seed).shuffle(rest)
    hands = [Hand()] * 4
    for position, hand in wanted.items():
        while len(hand) < 8:
            hand.append(rest.pop())
        hands[position.seat(DEALER)] = Hand.of(hand)
    return hands[0], hands[1], hands[2], hands[3]


def started(text: str, held: dict[int, str], seed: int = 0, ruleset: Ruleset = STANDARD) -> Play:
    return rules.start_play(PlayRecord(contract(text), DEALER, dealt_around(held, seed), (), ruleset))


def after(play: Play, text: str) -> Play:
    """Plays these cards silently, each by the seat on turn; `!` behind a card says Akka."""
    for word in text.split():
        assert play.turn is not None
        made = CardMove(Card.parse(word.rstrip("!")), akka=word.endswith("!"))
        play = rules.play_card(play, play.turn, made)
    return play


def to_the_end(play: Play) -> Play:
    """Plays default cards until the round is over."""
    while play.turn is not None:
        play = rules.play_card(play, play.turn, rules.default_move(play))
    return play


def reason(play: Play, seat: Seat, move: Move) -> Reason | None:
    """Why a move is refused; None when it is accepted."""
    try:
        rules.move(play, seat, move)
    except Refusal as refusal:
        return refusal.reason
    return None


def rotated(record: PlayRecord, by: int) -> PlayRecord:
    """The same round with everybody sitting some seats further."""

    def moved(seat: Seat) -> Seat:
        return SEATS[(seat + by) % 4]

    bought = record.contract
    hands = [record.hands[(seat - by) % 4] for seat in SEATS]
    return PlayRecord(
        Contract(
            bought.mode,
            bought.trump,
            moved(bought.buyer),
            moved(bought.taker),
            bought.bidding,
            tuple(Raise(moved(made.seat), made.level, made.locked) for made in bought.raises),
        ),
        moved(record.dealer),
        (hands[0], hands[1], hands[2], hands[3]),
        tuple(type(made)(moved(made.seat), made.move) for made in record.moves),
        record.ruleset,
    )
