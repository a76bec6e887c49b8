"""What a bot plays in positions where one choice is plainly right."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from baloot.bots.order import ORDERS
from baloot.bots.playing import choose_move
from baloot.bots.sight import Sight
from baloot.bots.sureness import is_sure_of_the_rest
from baloot.bots.unseen import unseen_by
from baloot.core.cards import SUITS, Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Mode
from baloot.core.play import CardChoice, CardMove, PlayAsked, SawaMove, Trick
from baloot.core.projects import Project, ProjectKind
from baloot.core.ruleset import STANDARD
from baloot.core.seats import Seat
from baloot.play import rules
from baloot.play.legality import akka_cards, terms
from baloot.play.sawa import sawa_holds
from baloot.play.state import Play
from hypothesis import given
from hypothesis import strategies as st

from tests.bots.sights import sight_in
from tests.strategies import play as plays

SOUTH = Seat.SOUTH


def contract(trump: Suit | None, buyer: Seat = Seat.SOUTH) -> Contract:
    mode = Mode.SUN if trump is None else Mode.HOKUM
    return Contract(mode, trump, buyer, buyer, Bidding.FIRST)


def sight(hand: str, trick: str = "", trump: Suit | None = None, tricks: tuple[Trick, ...] = ()) -> Sight:
    """South's view, with nothing played before but the trick; the up card was the seven of diamonds, West's."""
    cards = tuple(Card.parse(word) for word in trick.split())
    return Sight(
        seat=SOUTH,
        dealer=Seat.WEST,
        up_card=Card.C7D,
        hand=Hand.parse(hand).mask,
        scores=(0, 0),
        calls=(),
        contract=contract(trump),
        tricks=tricks,
        leader=Seat((SOUTH - len(cards)) & 3),
        trick=cards,
        known=(0, 0, 0, 0),
    )


def asked(legal: str, *, akka: str = "", sawa: bool = False, declared: tuple[Project, ...] = ()) -> PlayAsked:
    choices = tuple(CardChoice(Card.parse(word), akka=word in akka.split()) for word in legal.split())
    ways = (declared,) if declared else ()
    return PlayAsked(SOUTH, choices, (), ways, sawa, CardMove(choices[0].card))


@pytest.mark.parametrize(
    ("trump", "trick", "hand", "chosen"),
    [
        pytest.param(None, "7S AS 8S", "10S 9S KH 7C", "9S", id="no points for an opponent's Ace"),
        pytest.param(None, "7S 8S 9S", "10S QS KH 7C", "10S", id="fourth, the ten takes the trick"),
        pytest.param(None, "8S AS 7S", "KS 9S KH 7C", "KS", id="the king goes to the partner's Ace"),
        pytest.param(Suit.HEARTS, "KS 10S 7S", "7H 9H 8C 7D", "7H", id="ruffs with the least trump"),
        pytest.param(Suit.HEARTS, "7S AS 8S", "JH 10C 7D 8D", "10C", id="feeds the partner, keeps its trump"),
    ],
)
def test_a_bot_finds_the_plain_choice(trump: Suit | None, trick: str, hand: str, chosen: str) -> None:
    led = Card.parse(trick.split(maxsplit=1)[0]).suit
    held = [word for word in hand.split() if Card.parse(word).suit is led]
    legal = " ".join(held) or hand
    if trump is not None and not held and "AS 8S" not in trick:
        legal = " ".join(word for word in hand.split() if Card.parse(word).suit is trump)
    move = choose_move(sight(hand, trick, trump), asked(legal))
    assert isinstance(move, CardMove)
    assert str(move.card) == chosen


def test_a_bot_announces_its_best_projects_with_its_first_card() -> None:
    sira = Project(ProjectKind.SIRA, (Card.C7S, Card.C8S, Card.C9S))
    move = choose_move(sight("7S 8S 9S AH"), asked("7S 8S 9S AH", declared=(sira,)))
    assert isinstance(move, CardMove)
    assert move.projects == (sira,)


ACE_GONE = Trick(SOUTH, (Card.C7S, Card.C8S, Card.CAS, Card.C9S), Seat.NORTH, 11)


@pytest.mark.parametrize(
    ("hand", "tricks", "said"),
    [
        pytest.param("10S", (ACE_GONE,), True, id="the highest that is out"),
        pytest.param("10S", (), False, id="somebody holds the Ace"),
        pytest.param("10S AS", (), False, id="its own Ace is higher"),
    ],
)
def test_a_bot_says_akka_when_it_is_true(hand: str, tricks: tuple[Trick, ...], said: bool) -> None:
    """Also where the rule set lets it be said without looking."""
    move = choose_move(sight(hand, trump=Suit.HEARTS, tricks=tricks), asked("10S", akka="10S"))
    assert isinstance(move, CardMove)
    assert move.akka is said


@given(st.randoms(use_true_random=False))
def test_what_a_bot_does_is_legal_and_accepted_under_any_rules(random: Random) -> None:
    for play in plays.moments(random, plays.of_some_rules(random)):
        question = rules.asked(play)
        if question is not None:
            move = choose_move(sight_in(play, question.seat), question)
            after = rules.move(play, question.seat, move)
            assert isinstance(move, SawaMove) or move.card in [choice.card for choice in question.legal]
            assert not isinstance(move, CardMove) or not move.akka or is_true_akka(play, move.card)
            assert after.said.baloot or not isinstance(move, CardMove) or not move.baloot


def is_true_akka(play: Play, card: Card) -> bool:
    return bool(akka_cards(play.start.on, 1 << card, play.unplayed))


def test_a_bot_shows_a_hundred_rather_than_saying_the_baloot_that_it_takes() -> None:
    hundred = Project(ProjectKind.HUNDRED, (Card.CKS, Card.CKH, Card.CKD, Card.CKC))
    question = replace(asked("KH"), legal=(CardChoice(Card.CKH, baloot=True),), showable=(hundred,))
    for scored_hundred in (True, False):
        looking = replace(sight("KH", trump=Suit.HEARTS), scored_hundred=scored_hundred)
        move = choose_move(looking, question)
        assert isinstance(move, CardMove)
        assert move.shown == (hundred,)
        assert move.baloot is not scored_hundred


@pytest.mark.parametrize(("hand", "claims"), [("AS 10S AH", True), ("AS 10S KH", False), ("AS KS AH", False)])
def test_a_bot_claims_the_rest_only_when_it_is_sure(hand: str, claims: bool) -> None:
    move = choose_move(sight(hand), asked(hand, sawa=True))
    assert isinstance(move, SawaMove) is claims


@given(st.randoms(use_true_random=False))
def test_what_a_bot_is_sure_of_always_holds(random: Random) -> None:
    """Sureness looks at the unseen cards as one hand: whatever the real hands are, such a claim is right."""
    play = plays.any_moment(random)
    for seat in Seat:
        if play.trick or play.turn is None:
            continue
        hand = play.hands[seat]
        on = play.start.on
        if is_sure_of_the_rest(ORDERS[on.trump], hand, play.unplayed & ~hand, locked=on.locked):
            assert sawa_holds(on, play.hands, seat)


@given(st.randoms(use_true_random=False))
def test_no_seat_holds_a_card_that_a_bot_thinks_it_cannot_hold(random: Random) -> None:
    play = plays.any_moment(random)
    record = play.record
    if play.turn is None:
        return
    for seat in Seat:
        seen = sight_in(play, seat)
        unseen = unseen_by(seen, ORDERS[record.contract.trump])
        for other in Seat:
            if other is not seat:
                assert not play.hands[other] & ~(unseen.may[other] | unseen.has[other])
                assert unseen.free[other] + unseen.has[other].bit_count() == play.hands[other].bit_count()


@pytest.mark.parametrize("trump", [None, *SUITS])
def test_the_order_of_cards_is_that_of_the_rules(trump: Suit | None) -> None:
    told = terms(contract(trump), STANDARD)
    order = ORDERS[trump]
    assert (order.beats, order.points, order.trumps) == (told.beats, told.points, told.trumps)
