"""Committed seeds, packed, and where the cards of a seat lie."""

from __future__ import annotations

import pytest
from baloot.core.cards import CARDS
from baloot.core.deal import Deck, SealedBlock, SealedSeed, dealt_positions
from baloot.core.seats import SEATS, Seat
from hypothesis import given
from hypothesis import strategies as st

seeds = st.builds(SealedSeed, st.binary(min_size=32, max_size=32), st.binary(min_size=60, max_size=60))


@given(st.integers(1, 10_000), st.lists(seeds, min_size=1, max_size=64))
def test_a_block_gives_back_each_seed_by_its_number(first: int, committed: list[SealedSeed]) -> None:
    block = SealedBlock.of(first, committed)
    assert (block.count, block.last_number) == (len(committed), first + len(committed) - 1)
    assert [block.seed(number) for number in range(first, block.last_number + 1)] == committed
    assert [number in block for number in (first - 1, first, block.last_number, block.last_number + 1)] == [
        False,
        True,
        True,
        False,
    ]
    for outside in (first - 1, block.last_number + 1):
        with pytest.raises(ValueError, match=f"deal {outside}"):
            block.seed(outside)


def test_a_block_tells_no_seed_when_it_is_printed() -> None:
    assert repr(SealedBlock(65, bytes(64), bytes(120))) == "SealedBlock(65 to 66)"


@pytest.mark.parametrize(("commitments", "sealed"), [(0, 0), (33, 60), (64, 61), (31, 60)])
def test_a_block_of_another_form_is_none(commitments: int, sealed: int) -> None:
    with pytest.raises(ValueError, match="of each of its deals"):
        SealedBlock(1, bytes(commitments), bytes(sealed))


@given(st.permutations(CARDS), st.sampled_from(SEATS), st.sampled_from(SEATS), st.sampled_from(SEATS))
def test_positions_are_those_of_the_cards_that_a_seat_is_dealt(
    cards: list[int], dealer: Seat, taker: Seat, seat: Seat
) -> None:
    deck = Deck(tuple(CARDS[card] for card in cards))
    first = [deck.cards[at] for at in dealt_positions(dealer, seat)]
    assert sorted(first) == sorted(deck.first_hands(dealer)[seat])
    full = [deck.cards[at] for at in dealt_positions(dealer, seat, taker)]
    assert sorted(full) == sorted(deck.full_hands(dealer, taker)[seat])
