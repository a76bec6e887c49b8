"""What the cutter, S3, may do with the deck (2.3), told card by card."""

from __future__ import annotations

import pytest
from baloot.core.auction import CutChoice
from baloot.core.cards import CARDS, Card
from baloot.core.deal import Deck, dealing_order
from baloot.core.seats import SEATS, Position, Seat
from hypothesis import given
from hypothesis import strategies as st

decks = st.permutations(CARDS).map(lambda cards: Deck(tuple(cards)))
depths = st.integers(1, 31)
dealers = st.sampled_from(SEATS)
choices = st.sampled_from(CutChoice)


def packet_of_three(deck: Deck, place: Position) -> tuple[Card, ...]:
    return deck.cards[3 * place - 3 : 3 * place]


def without(cards: tuple[Card, ...], gone: tuple[Card, ...]) -> tuple[Card, ...]:
    return tuple(card for card in cards if card not in gone)


@given(decks, choices, depths)
def test_whatever_the_cutter_does_all_32_cards_are_dealt(deck: Deck, choice: CutChoice, depth: int) -> None:
    assert sorted(deck.cut(choice, depth).cards) == list(CARDS)
    order = dealing_order(choice, depth)
    assert deck.cut(choice, depth).cards == tuple(deck.cards[position] for position in order)


@given(decks, choices, depths, dealers, dealers)
def test_every_seat_gets_five_cards_and_then_eight(
    deck: Deck, choice: CutChoice, depth: int, dealer: Seat, taker: Seat
) -> None:
    cut = deck.cut(choice, depth)
    first, full = cut.first_hands(dealer), cut.full_hands(dealer, taker)
    assert [len(hand) for hand in first] == [5] * 4
    assert sorted(card for hand in full for card in hand) == list(CARDS)
    assert cut.up_card in full[taker]
    assert all(not hand.mask & 1 << cut.up_card for hand in first)


@pytest.mark.parametrize("choice", [CutChoice.GO_ON, CutChoice.RESHUFFLE])
@given(deck=decks)
def test_without_a_cut_the_deck_is_dealt_as_it_lies(choice: CutChoice, deck: Deck) -> None:
    assert deck.cut(choice) == deck


@given(decks, depths)
def test_a_cut_puts_the_upper_part_under_the_lower(deck: Deck, depth: int) -> None:
    cut = deck.cut(CutChoice.CUT, depth)
    assert cut.cards[0] == deck.cards[depth]
    assert cut.cards[32 - depth :] == deck.cards[:depth]
    assert cut.cut(CutChoice.CUT, 32 - depth) == deck


@pytest.mark.parametrize("depth", [-1, 0, 32])
def test_a_cut_leaves_cards_in_both_parts(depth: int) -> None:
    with pytest.raises(ValueError, match="1 to 31"):
        Deck(CARDS).cut(CutChoice.CUT, depth)


@given(decks)
def test_top_up_makes_the_top_card_the_up_card_and_deals_on_from_the_next(deck: Deck) -> None:
    cut = deck.cut(CutChoice.TOP_UP)
    assert cut.up_card == deck.cards[0]
    assert without(cut.cards, (cut.up_card,)) == deck.cards[1:]


@pytest.mark.parametrize(
    ("choice", "place", "bottom"),
    [
        (CutChoice.BOTTOM_TO_PARTNER, Position.S1, True),
        (CutChoice.BOTTOM_KEPT, Position.S3, True),
        (CutChoice.TOP_KEPT, Position.S3, False),
    ],
)
@given(deck=decks, dealer=dealers)
def test_three_cards_become_a_packet_and_the_rest_is_dealt_in_order(
    choice: CutChoice, place: Position, bottom: bool, deck: Deck, dealer: Seat
) -> None:
    three = deck.cards[29:] if bottom else deck.cards[:3]
    cut = deck.cut(choice)
    assert packet_of_three(cut, place) == three
    assert set(three) <= set(cut.first_hands(dealer)[place.seat(dealer)])
    assert without(cut.cards, three) == without(deck.cards, three)


def test_the_partner_of_the_cutter_sits_at_the_dealers_right() -> None:
    for dealer in SEATS:
        assert Position.S3.seat(dealer).partner is Position.S1.seat(dealer)
