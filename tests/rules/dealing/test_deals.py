"""What holds for every deal: the deck, the way it is handed out, the openings, and who deals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from baloot.core.cards import CARDS, Card
from baloot.core.deal import DealEnd, Deck, Opening
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, FirstDealer, KaweshRedeal, Ruleset
from baloot.core.seats import SEATS, TEAMS, Seat, Team
from baloot.dealing.rules import (
    Shuffle,
    commitment,
    deal,
    first_dealer,
    next_dealer,
    opening,
    shuffle,
    verify_opening,
)
from hypothesis import given, settings
from hypothesis import strategies as st

SOUTH, EAST, NORTH, WEST = Seat
SEED, MATCH = bytes(range(32)), bytes(range(16))
seeds = st.binary(min_size=32, max_size=32)
match_ids = st.binary(min_size=16, max_size=16)
numbers = st.integers(1, 2**31 - 1)


def shuffled(number: int = 1, redeal: int = 0, seed: bytes = SEED) -> Shuffle:
    return shuffle(seed, MATCH, number, redeal, (bytes(32),) * 4, b"")


# The deck.


@given(seeds, match_ids, numbers)
def test_a_deck_is_a_permutation_of_the_32_cards(seed: bytes, match_id: bytes, number: int) -> None:
    assert sorted(deal(match_id, number, seed).deck.cards) == list(CARDS)


@given(seeds, match_ids, numbers)
@settings(max_examples=30)
def test_equal_requests_give_equal_deals(seed: bytes, match_id: bytes, number: int) -> None:
    assert deal(match_id, number, seed) == deal(match_id, number, seed)


@given(seeds, st.lists(numbers, min_size=2, max_size=6, unique=True))
def test_another_number_gives_another_deck(seed: bytes, wanted: list[int]) -> None:
    deals = [deal(MATCH, number, seed) for number in wanted]
    assert len({dealt.deck.cards for dealt in deals}) == len(wanted)
    assert len({dealt.commitment for dealt in deals}) == len(wanted)


BASE: dict[str, Any] = {
    "seed": SEED,
    "match_id": MATCH,
    "number": 1,
    "redeal": 0,
    "seat_seeds": (bytes(32),) * 4,
    "beacon": b"",
}
CHANGES: list[tuple[str, Any]] = [
    ("seed", bytes(32)),
    ("match_id", bytes(16)),
    ("number", 2),
    ("redeal", 1),
    *(("seat_seeds", tuple(b"\1" * 32 if n == seat else bytes(32) for n in range(4))) for seat in range(4)),
    ("beacon", bytes(32)),
]


@pytest.mark.parametrize(("name", "value"), CHANGES)
def test_everything_that_goes_in_changes_deck_and_root(name: str, value: object) -> None:
    first, second = shuffle(**BASE), shuffle(**(BASE | {name: value}))
    assert first.deck != second.deck
    assert first.deck_root != second.deck_root
    assert set(first.salts).isdisjoint(second.salts)


@pytest.mark.parametrize(("name", "value"), CHANGES[:4])
def test_everything_that_is_committed_to_changes_the_commitment(name: str, value: object) -> None:
    base = {field: BASE[field] for field in ("seed", "match_id", "number", "redeal")}
    assert commitment(**base) != commitment(**(base | {name: value}))


BAD: list[tuple[str, Any]] = [
    ("seed", bytes(31)),
    ("seed", bytes(33)),
    ("match_id", bytes(15)),
    ("match_id", b""),
    ("number", 0),
    ("number", -1),
    ("number", 1 << 32),
    ("redeal", -1),
    ("redeal", 1 << 32),
    ("seat_seeds", ()),
    ("seat_seeds", (bytes(32),) * 3),
    ("seat_seeds", (bytes(32),) * 5),
    ("seat_seeds", (bytes(32), bytes(32), bytes(32), bytes(31))),
    ("seat_seeds", (bytes(64), bytes(32), bytes(32), b"")),
    ("beacon", bytes(31)),
]


@pytest.mark.parametrize(("name", "value"), BAD)
def test_a_malformed_input_is_refused(name: str, value: object) -> None:
    with pytest.raises(Refusal) as refused:
        shuffle(**(BASE | {name: value}))
    assert refused.value.reason is Reason.FIELD_INVALID
    assert refused.value.field == name


@pytest.mark.parametrize(("name", "value"), BAD[:9])
def test_nothing_malformed_is_committed_to(name: str, value: object) -> None:
    base = {field: BASE[field] for field in ("seed", "match_id", "number", "redeal")}
    with pytest.raises(Refusal) as refused:
        commitment(**(base | {name: value}))
    assert refused.value.field == name


def test_what_is_secret_does_not_print() -> None:
    whole = shuffled()
    printed = repr(whole) + repr(deal(MATCH, 1, SEED)) + repr(opening(whole, 5))
    assert "██" in printed
    assert not any(card.name in printed for card in CARDS)
    assert whole.hand_key.hex() not in printed


# Handing it out.

# For each position of the deck, which place after the dealer gets it: 1 (on his right) to 4 (himself).
FIRST_TWENTY = "11122233344411223344"
LAST_ELEVEN = {1: "11222333444", 2: "11122333444", 3: "11122233444", 4: "11122233344"}


@pytest.mark.parametrize("dealer", SEATS)
@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_each_position_belongs_to_its_seat(dealer: Seat, place: int) -> None:
    deck = Deck(CARDS)
    taker = SEATS[(dealer + place) % 4]
    owners = FIRST_TWENTY + str(place) + LAST_ELEVEN[place]
    for seat in SEATS:
        own = str((seat - dealer - 1) % 4 + 1)
        assert set(deck.first_hands(dealer)[seat]) == {CARDS[n] for n in range(20) if owners[n] == own}
        assert set(deck.full_hands(dealer, taker)[seat]) == {CARDS[n] for n in range(32) if owners[n] == own}
        assert len(deck.full_hands(dealer, taker)[seat]) == 8


@given(seeds, st.sampled_from(SEATS), st.sampled_from(SEATS))
def test_the_hands_are_the_whole_deck(seed: bytes, dealer: Seat, taker: Seat) -> None:
    deck = deal(MATCH, 1, seed).deck
    first, full = deck.first_hands(dealer), deck.full_hands(dealer, taker)
    assert sorted(card for hand in full for card in hand) == list(CARDS)
    assert [len(hand) for hand in first] == [5] * 4
    assert [len(hand) for hand in full] == [8] * 4
    assert all(set(five) <= set(eight) for five, eight in zip(first, full, strict=True))
    assert deck.up_card is deck.cards[20]
    assert deck.up_card in full[taker]


# Openings.


@given(seeds, numbers)
@settings(max_examples=10)
def test_every_card_opens_at_its_position(seed: bytes, number: int) -> None:
    whole = shuffled(number, seed=seed)
    for position in range(32):
        opened = opening(whole, position)
        assert opened.card is whole.deck.cards[position]
        assert len(opened.path) == 5
        assert verify_opening(whole.deck_root, MATCH, number, 0, opened)


def tampered(opened: Opening) -> list[Opening]:
    """Every way to change one byte or one part of an opening."""
    bad_salts = [flip(opened.salt, n) for n in range(len(opened.salt))]
    bad_paths = [
        (*opened.path[:n], flip(opened.path[n], byte), *opened.path[n + 1 :])
        for n in range(5)
        for byte in (0, 13, 31)
    ]
    return [
        *(replace(opened, card=card) for card in CARDS if card is not opened.card),
        *(replace(opened, position=n) for n in range(-1, 40) if n != opened.position),
        *(replace(opened, salt=bad) for bad in (*bad_salts, opened.salt[:-1], opened.salt + b"\0", b"")),
        *(replace(opened, path=bad) for bad in bad_paths),
        replace(opened, path=opened.path[:-1]),
        replace(opened, path=(*opened.path, bytes(32))),
        replace(opened, path=opened.path[::-1]),
        replace(opened, path=()),
        replace(opened, path=(opened.path[0][:-1], *opened.path[1:])),
        replace(opened, card=99),  # type: ignore[arg-type]
    ]


def flip(value: bytes, at: int) -> bytes:
    return value[:at] + bytes([value[at] ^ 1]) + value[at + 1 :]


@pytest.mark.parametrize("position", [0, 11, 20, 31])
def test_no_changed_opening_is_believed(position: int) -> None:
    whole = shuffled()
    opened = opening(whole, position)
    for bad in tampered(opened):
        assert not verify_opening(whole.deck_root, MATCH, 1, 0, bad), bad
    assert not verify_opening(flip(whole.deck_root, 3), MATCH, 1, 0, opened)
    assert not verify_opening(whole.deck_root, bytes(16), 1, 0, opened)
    assert not verify_opening(whole.deck_root, MATCH, 2, 0, opened)
    assert not verify_opening(whole.deck_root, MATCH, 1, 1, opened)
    assert not verify_opening(shuffled(2).deck_root, MATCH, 1, 0, opened)
    assert not verify_opening(b"", MATCH, 1, 0, opened)


def root_over(opened: Opening) -> bytes:
    """A root that a dishonest dealer could publish to make this opening fit."""
    place = MATCH + bytes([0, 0, 0, 1, 0, 0, 0, 0])
    node = sha256(b"\0" + place + bytes([opened.position, opened.card]) + opened.salt).digest()
    for height, sibling in enumerate(opened.path):
        pair = sibling + node if opened.position >> height & 1 else node + sibling
        node = sha256(b"\1" + pair).digest()
    return node


@pytest.mark.parametrize(
    ("salt_length", "path", "believed"),
    [
        (16, (32, 32, 32, 32, 32), True),
        (16, (32, 32, 32, 32, 32, 32), False),
        (16, (32, 32, 32, 32), False),
        (16, (32, 32, 31, 32, 32), False),
        (16, (33, 32, 32, 32, 32), False),
        (15, (32, 32, 32, 32, 32), False),
        (17, (32, 32, 32, 32, 32), False),
    ],
)
def test_no_tree_of_another_form_is_believed(salt_length: int, path: tuple[int, ...], believed: bool) -> None:
    opened = Opening(5, Card.parse("AS"), bytes(salt_length), tuple(bytes(length) for length in path))
    assert verify_opening(root_over(opened), MATCH, 1, 0, opened) is believed


def test_an_inner_node_cannot_pass_for_a_card() -> None:
    whole = shuffled()
    opened = opening(whole, 0)
    node = sha256(b"\1" + whole.leaves[0] + whole.leaves[1]).digest()
    short = Opening(0, opened.card, node[:16], opened.path[1:])
    assert not verify_opening(whole.deck_root, MATCH, 1, 0, short)


@pytest.mark.parametrize("position", [-1, 32])
def test_only_positions_of_the_deck_open(position: int) -> None:
    with pytest.raises(Refusal) as refused:
        opening(shuffled(), position)
    assert refused.value.field == "position"


# Who deals.


def test_the_first_dealer_is_drawn_evenly() -> None:
    draws = Counter(first_dealer(MATCH, sha256(n.to_bytes(4, "big")).digest()) for n in range(8000))
    assert set(draws) == set(SEATS)
    # Chi-square with 3 degrees of freedom stays under 30.66 but once in a million.
    assert sum((seen - 2000) ** 2 / 2000 for seen in draws.values()) < 30.66


def test_the_first_dealer_follows_from_match_and_randomness_alone() -> None:
    drawn = [first_dealer(bytes([n]) * 16, SEED) for n in range(40)]
    assert drawn == [first_dealer(bytes([n]) * 16, SEED) for n in range(40)]
    assert set(drawn) == set(SEATS)


@pytest.mark.parametrize(("match_id", "randomness"), [(MATCH, bytes(31)), (b"", SEED)])
def test_the_first_dealer_needs_whole_inputs(match_id: bytes, randomness: bytes) -> None:
    with pytest.raises(Refusal) as refused:
        first_dealer(match_id, randomness)
    assert refused.value.reason is Reason.FIELD_INVALID


LOSERS_DEAL = STANDARD.with_options(first_dealer=FirstDealer.LOSING_TEAM)
HIGHEST_CARD = STANDARD.with_options(first_dealer=FirstDealer.HIGHEST_CARD)


@pytest.mark.parametrize("lost", TEAMS)
def test_losing_team_deals_first_by_a_lot_between_its_two_seats(lost: Team) -> None:
    randomness = [sha256(n.to_bytes(4, "big")).digest() for n in range(4000)]
    draws = Counter(first_dealer(MATCH, drawn, LOSERS_DEAL, lost) for drawn in randomness)
    assert set(draws) == set(lost.seats)
    # One degree of freedom: under 23.93 but once in a million.
    assert sum((seen - 2000) ** 2 / 2000 for seen in draws.values()) < 23.93


@pytest.mark.parametrize(
    ("ruleset", "lost"),
    [(LOSERS_DEAL, None), (HIGHEST_CARD, None), (HIGHEST_CARD, Team.EAST_WEST), (STANDARD, Team.EAST_WEST)],
    ids=[
        "losing_team without a match before",
        "highest_card",
        "highest_card after a match",
        "random after a match",
    ],
)
def test_otherwise_the_lot_is_the_same_among_all_four(ruleset: Ruleset, lost: Team | None) -> None:
    for n in range(60):
        drawn = sha256(bytes([n])).digest()
        assert first_dealer(MATCH, drawn, ruleset, lost) is first_dealer(MATCH, drawn)


RIGHT = {SOUTH: EAST, EAST: NORTH, NORTH: WEST, WEST: SOUTH}
ROTATING = STANDARD.with_options(kawesh_redeal=KaweshRedeal.ROTATE)


@pytest.mark.parametrize("dealer", SEATS)
@pytest.mark.parametrize("end", [DealEnd.SCORED, DealEnd.THROWN_IN])
@pytest.mark.parametrize("ruleset", [STANDARD, ROTATING], ids=["same_dealer", "rotate"])
def test_the_deal_passes_to_the_right(dealer: Seat, end: DealEnd, ruleset: Ruleset) -> None:
    assert next_dealer(dealer, end, ruleset) is RIGHT[dealer]


@pytest.mark.parametrize("dealer", SEATS)
def test_the_same_dealer_deals_again_after_a_kawesh_except_where_the_deal_rotates(dealer: Seat) -> None:
    assert next_dealer(dealer, DealEnd.KAWESH) is dealer
    assert next_dealer(dealer, DealEnd.KAWESH, ROTATING) is RIGHT[dealer]


def test_cards_of_the_core_are_numbered_as_on_the_wire_of_a_leaf() -> None:
    assert [int(Card.parse(text)) for text in ("7S", "AS", "7H", "7D", "7C", "AC")] == [0, 7, 8, 16, 24, 31]
