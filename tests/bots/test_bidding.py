"""What a bot says with hands that leave no doubt."""

from __future__ import annotations

import pytest
from baloot.bots.bidding import choose_call, hokum_worth, sun_worth
from baloot.bots.sight import Sight
from baloot.core.auction import (
    ASHKAL,
    CONFIRM,
    HOKUM,
    KAWESH,
    PASS,
    QABLAK,
    SUN,
    Asked,
    Call,
    CallKind,
    QuestionKind,
    SeatCall,
)
from baloot.core.cards import Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Mode
from baloot.core.seats import Position, Seat

LOCKED, OPEN = (Call(CallKind.DOUBLE, locked=locked) for locked in (True, False))
NAMED = tuple(Call(CallKind.CONFIRM, suit) for suit in (Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS))
EAST_HOKUM = Contract(Mode.HOKUM, Suit.HEARTS, Seat.EAST, Seat.EAST, Bidding.FIRST)


def sight(hand: str, up_card: str, contract: Contract | None = None, *calls: SeatCall) -> Sight:
    """South's view; West deals, so South is S1."""
    return Sight(
        seat=Seat.SOUTH,
        dealer=Seat.WEST,
        up_card=Card.parse(up_card),
        hand=Hand.parse(hand).mask,
        scores=(0, 0),
        calls=calls,
        contract=contract,
        tricks=(),
        leader=Seat.SOUTH,
        trick=(),
        known=(0, 0, 0, 0),
    )


def said(hand: str, up_card: str, kind: QuestionKind, *legal: Call, contract: Contract | None = None) -> Call:
    hokum = SeatCall(Seat.EAST, HOKUM)
    return choose_call(sight(hand, up_card, contract, hokum), Asked(Seat.SOUTH, kind, legal, legal[0]))


TRUMPS = "JH 9H 10H AS 7C"
ACES = "AS AH AD 10S 10H"
NOTHING = "7S 8H QD 9C 8C"


@pytest.mark.parametrize(
    ("hand", "up_card", "kind", "legal", "call"),
    [
        pytest.param(NOTHING, "QS", QuestionKind.FIRST, (PASS, HOKUM, SUN), PASS, id="first, nothing"),
        pytest.param(TRUMPS, "AH", QuestionKind.FIRST, (PASS, HOKUM, SUN), HOKUM, id="first, trumps"),
        pytest.param(ACES, "KS", QuestionKind.FIRST, (PASS, HOKUM, SUN), SUN, id="first, aces"),
        pytest.param(
            "7S 8H 9D 9C 8C", "QS", QuestionKind.FIRST, (PASS, HOKUM, SUN, KAWESH), KAWESH, id="worthless"
        ),
        pytest.param("7S 8H 9D 9C 8C", "QS", QuestionKind.KAWESH, (KAWESH,), KAWESH, id="worthless, unasked"),
        pytest.param(ACES, "KS", QuestionKind.ANSWER, (PASS, SUN), SUN, id="sun over an opponent's hokum"),
        pytest.param("JH 8H 10H AS 7C", "QD", QuestionKind.ANSWER, (PASS, SUN), PASS, id="no sun over hokum"),
        pytest.param(ACES, "KS", QuestionKind.TAKEOVER, (PASS, QABLAK), QABLAK, id="takes the sun"),
        pytest.param(NOTHING, "KS", QuestionKind.TAKEOVER, (PASS, QABLAK), PASS, id="leaves the sun"),
        pytest.param(NOTHING, "QS", QuestionKind.SECOND, (PASS, HOKUM, SUN), PASS, id="second, nothing"),
        pytest.param(
            "JC 9C 10C AC AS", "7H", QuestionKind.SECOND, (PASS, HOKUM, SUN), HOKUM, id="second, trumps"
        ),
        pytest.param(
            "JC 9C 10C AS 7S", "7H", QuestionKind.CONFIRM, (*NAMED, SUN), NAMED[2], id="names clubs"
        ),
        pytest.param(TRUMPS, "KH", QuestionKind.CONFIRM, (CONFIRM, SUN), CONFIRM, id="keeps the hokum"),
    ],
)
def test_a_bot_says_what_its_hand_says(
    hand: str, up_card: str, kind: QuestionKind, legal: tuple[Call, ...], call: Call
) -> None:
    assert said(hand, up_card, kind, *legal) == call


def test_a_bot_doubles_only_a_hokum_that_it_can_break_and_locks_it() -> None:
    strong, weak = "JH 9H AH 10H AS", "7H 8H AS KS 7C"
    legal = (PASS, OPEN, LOCKED)
    assert said(strong, "KH", QuestionKind.DOUBLE, *legal, contract=EAST_HOKUM) == LOCKED
    assert said(weak, "KH", QuestionKind.DOUBLE, *legal, contract=EAST_HOKUM) == PASS


def test_a_bot_never_says_what_it_may_not() -> None:
    assert said(ACES, "KS", QuestionKind.FIRST, PASS, HOKUM) == PASS
    assert said(ACES, "7C", QuestionKind.FIRST, PASS, HOKUM, ASHKAL) in (PASS, ASHKAL)


@pytest.mark.parametrize("better", ["JH", "9H", "AH", "AS", "10H"])
def test_a_hand_is_worth_more_with_a_good_card_in_place_of_a_bad_one(better: str) -> None:
    with_bad = Hand.parse("KH QH 7D 8C 9C")
    with_good = Hand.parse(f"KH QH {better} 8C 9C")
    assert hokum_worth(with_good.mask, Suit.HEARTS) > hokum_worth(with_bad.mask, Suit.HEARTS)


def test_aces_are_what_sun_is_bought_with() -> None:
    aces, none = Hand.parse("AS AH AD 7C 8C"), Hand.parse("KS KH KD 7C 8C")
    assert sun_worth(aces.mask, Position.S2) > 8 > sun_worth(none.mask, Position.S2)
