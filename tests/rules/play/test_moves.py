"""Turns, phases, what is asked and what a move brings about (rules 2.17 to 2.20, 2.36)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.cards import CARDS, Card, Hand, Suit
from baloot.core.contract import Bidding, Contract, Mode
from baloot.core.errors import RULES, Reason, Refusal
from baloot.core.play import CardChoice, CardMove, CardRefused, PlayRecord, SawaMove, SeatMove
from baloot.core.seats import SEATS, Seat
from baloot.play import rules
from baloot.play.state import Play
from hypothesis import given

from tests.rules.play.rounds import DEALER, after, cards, contract, dealt_around, reason, started, to_the_end
from tests.strategies.cards import seats
from tests.strategies.play import starts


@given(starts(), seats(), seats())
def test_s1_leads_whoever_bought_and_whoever_took_the_up_card(
    start: PlayRecord, dealer: Seat, buyer: Seat
) -> None:
    bought = Contract(Mode.SUN, None, buyer, buyer.partner, Bidding.FIRST)
    play = rules.start_play(PlayRecord(bought, dealer, start.hands))
    assert play.turn is play.leader is dealer.next


def test_play_passes_to_the_right() -> None:
    play = started("sun", {1: "AS", 2: "7S", 3: "8S", 4: "9S"})
    turns = [play.turn]
    for card in ("AS", "7S", "8S"):
        play = after(play, card)
        turns.append(play.turn)
    assert turns == [Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST]


def test_a_card_out_of_turn_is_refused() -> None:
    play = started("sun", {2: "AS"})
    assert reason(play, Seat.EAST, CardMove(Card.parse("AS"))) is Reason.NOT_YOUR_TURN
    assert rules.legal_cards(play, Seat.EAST) == ()


def test_nothing_may_be_done_when_the_round_is_over() -> None:
    over = to_the_end(started("sun", {}))
    assert over.turn is None
    assert rules.asked(over) is None
    assert rules.legal_mask(over) == 0
    for seat in SEATS:
        assert reason(over, seat, CardMove(CARDS[0])) is Reason.WRONG_PHASE
        assert reason(over, seat, SawaMove()) is Reason.WRONG_PHASE
        assert rules.legal_cards(over, seat) == ()
    with pytest.raises(Refusal) as refused:
        rules.default_move(over)
    assert refused.value.reason is Reason.WRONG_PHASE


def test_a_played_card_cannot_be_played_again() -> None:
    play = after(started("sun", {1: "AS", 2: "7S", 3: "8S", 4: "9S"}), "AS 7S 8S 9S")
    assert play.turn is Seat.SOUTH
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("AS"))) is Reason.CARD_NOT_HELD


def test_a_question_lists_every_held_card_with_its_reason() -> None:
    held = {1: "KS", 2: "9H 7H KC QC JC 10D 9D 8D", 3: "7S"}
    asked = rules.asked(after(started("hokum H", held), "KS"))
    assert asked is not None
    assert asked.seat is Seat.EAST
    assert asked.legal == (CardChoice(Card.parse("7H")), CardChoice(Card.parse("9H")))
    assert asked.refused == tuple(
        CardRefused(card, Reason.MUST_TRUMP) for card in cards("8D 9D 10D JC QC KC")
    )
    assert asked.default == CardMove(Card.parse("7H"))


def test_a_locked_lead_is_refused_also_for_the_opening_lead_of_a_defender() -> None:
    start = started("hokum H locked", {1: "JH 9H 10H KH AS 7S 8C 9C"})
    bought = replace(start.start.record.contract, buyer=Seat.EAST, taker=Seat.EAST)
    play = rules.start_play(replace(start.start.record, contract=bought))
    assert rules.legal_cards(play, Seat.SOUTH) == cards("7S AS 8C 9C")
    assert reason(play, Seat.SOUTH, CardMove(Card.parse("JH"))) is Reason.LOCKED_LEAD


# Akka in a round (2.20).


AKKA_HELD = {1: "AS 10S KS AC", 2: "7S 8S 10C KC QC JC 9C 8C", 3: "9S 7H 8H QD JD 10D 9D 8D", 4: "JS QS"}
"""After the Ace S1 may lead the ten, now the highest spade, to a partner who has none."""


def ace_gone() -> Play:
    return after(started("hokum H", AKKA_HELD), "AS 7S 9S JS")


def test_akka_is_offered_with_exactly_the_lead_that_it_is_true_of() -> None:
    for play, offered in [(started("hokum H", AKKA_HELD), []), (ace_gone(), [Card.parse("10S")])]:
        asked = rules.asked(play)
        assert asked is not None
        assert [choice.card for choice in asked.legal if choice.akka] == offered
        for choice in asked.legal:
            why = None if choice.akka else Reason.AKKA_NOT_ALLOWED
            assert reason(play, Seat.SOUTH, CardMove(choice.card, akka=True)) is why


def test_akka_frees_the_partner_from_trumping() -> None:
    assert rules.legal_cards(after(ace_gone(), "10S 8S"), Seat.NORTH) == cards("7H 8H")
    assert len(rules.legal_cards(after(ace_gone(), "10S! 8S"), Seat.NORTH)) == 7


def test_akka_is_for_one_trick() -> None:
    play = after(ace_gone(), "10S! 8S QD QS")
    assert play.turn is Seat.SOUTH
    assert not play.akka
    assert rules.legal_cards(after(play, "KS 8C"), Seat.NORTH) == cards("7H 8H")


def test_akka_is_not_for_a_card_that_follows() -> None:
    play = after(started("hokum H", {1: "AS", 2: "10S KC"}), "AS")
    assert reason(play, Seat.EAST, CardMove(Card.parse("10S"), akka=True)) is Reason.AKKA_NOT_ALLOWED


# Records.


def test_a_record_without_moves_is_where_a_play_starts() -> None:
    record = started("sun", {1: "AS"}).start.record
    with pytest.raises(Refusal) as refused:
        rules.start_play(record.after(Seat.SOUTH, CardMove(Card.parse("AS"))))
    assert (refused.value.reason, refused.value.field) == (Reason.RECORD_INVALID, "record.moves")


def hands_of(*texts: str) -> tuple[Hand, Hand, Hand, Hand]:
    south, east, north, west = (Hand.parse(text) for text in texts)
    return south, east, north, west


SPADES, HEARTS, DIAMONDS, CLUBS = (
    " ".join(str(card) for card in CARDS if card.suit is suit) for suit in Suit
)


@pytest.mark.parametrize(
    "hands",
    [
        hands_of(SPADES, HEARTS, DIAMONDS, ""),
        hands_of(SPADES, HEARTS, DIAMONDS, DIAMONDS),
        hands_of(SPADES, HEARTS, DIAMONDS.replace("7D ", ""), f"{CLUBS} 7D"),
        hands_of(SPADES, HEARTS, DIAMONDS.replace("7D", "7C"), CLUBS),
        hands_of(SPADES, HEARTS, DIAMONDS, CLUBS)[:3],
    ],
    ids=["an empty hand", "a hand twice", "nine and seven", "a card twice", "three hands"],
)
def test_the_hands_of_a_record_are_the_32_cards_in_four_times_eight(
    hands: tuple[Hand, Hand, Hand, Hand],
) -> None:
    for make in (rules.start_play, rules.fold):
        with pytest.raises(Refusal) as refused:
            make(PlayRecord(contract("sun"), DEALER, hands))
        assert (refused.value.reason, refused.value.field) == (Reason.RECORD_INVALID, "record.hands")


@pytest.mark.parametrize(("mode", "trump"), [(Mode.SUN, Suit.HEARTS), (Mode.HOKUM, None)])
def test_the_trump_of_a_record_fits_its_mode(mode: Mode, trump: Suit | None) -> None:
    bought = Contract(mode, trump, Seat.SOUTH, Seat.SOUTH, Bidding.FIRST)
    with pytest.raises(Refusal) as refused:
        rules.start_play(PlayRecord(bought, DEALER, dealt_around({})))
    assert (refused.value.reason, refused.value.field) == (Reason.RECORD_INVALID, "record.contract.trump")


@pytest.mark.parametrize(
    ("moves", "index", "why"),
    [
        ("south AS, east 7S, north AH", 2, Reason.MUST_FOLLOW),
        ("south AS, north 8S", 1, Reason.NOT_YOUR_TURN),
        ("south AS, east AS", 1, Reason.CARD_NOT_HELD),
        ("south sawa", 0, Reason.SAWA_WINDOW),
    ],
)
def test_a_record_names_its_first_illegal_move(moves: str, index: int, why: Reason) -> None:
    record = started("sun", {1: "AS", 2: "7S", 3: "8S AH", 4: "9S"}).start.record
    for made in moves.split(", "):
        seat, what = made.split()
        move = SawaMove() if what == "sawa" else CardMove(Card.parse(what))
        record = record.after(Seat[seat.upper()], move)
    with pytest.raises(Refusal) as refused:
        rules.fold(record)
    assert refused.value.reason is Reason.RECORD_INVALID
    assert refused.value.field == f"record.moves[{index}]"
    assert refused.value.metadata == {"index": str(index), "reason": why.name, "rule": RULES[why]}
    assert not any(str(card) in refused.value.message.split() for card in CARDS)


# What a step tells.


def test_a_step_tells_the_trick_that_the_last_card_completed() -> None:
    play = started("sun", {1: "AS", 2: "7S", 3: "8S", 4: "9S"})
    assert rules.step(play).trick is None
    for card in ("AS", "7S", "8S"):
        play = after(play, card)
        assert rules.step(play).trick is None
    play = after(play, "9S")
    trick = rules.step(play).trick
    assert trick is not None
    assert (trick.leader, trick.cards, trick.winner, trick.points) == (
        Seat.SOUTH,
        cards("AS 7S 8S 9S"),
        Seat.SOUTH,
        11,
    )


def test_a_step_asks_until_the_outcome_is_there() -> None:
    play = started("hokum S", {})
    while play.turn is not None:
        step = rules.step(play)
        assert step.outcome is None
        assert step.asked is not None
        assert step.asked.seat is play.turn
        play = rules.move(play, play.turn, step.asked.default)
    step = rules.step(play)
    assert step.asked is None
    assert step.outcome is not None
    assert step.trick == play.tricks[7]
    assert step.record.moves == play.moves


def test_every_move_is_in_the_record_as_it_was_made() -> None:
    play = started("sun", {1: "AS KS QS"})
    asked = rules.asked(play)
    assert asked is not None
    said = CardMove(Card.parse("AS"), asked.declarations[0])
    assert rules.play_card(play, Seat.SOUTH, said).record.moves == (SeatMove(Seat.SOUTH, said),)
