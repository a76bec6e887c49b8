"""Some cards of a deal are opened as the deal itself was made, and each proves itself by the root alone."""

from __future__ import annotations

from random import Random

from baloot.dealing.rules import open_cards, opening, shuffle, verify_opening


def test_cards_are_opened_as_they_lay_in_the_order_asked_for() -> None:
    rng = Random(7)
    seed, match, beacon = rng.randbytes(32), rng.randbytes(16), rng.randbytes(32)
    seats = tuple(rng.randbytes(32) for _ in range(4))
    positions = rng.sample(range(32), 9)
    shuffled = shuffle(seed, match, 5, 0, seats, beacon)
    opened = open_cards(match, 5, seed, seats, beacon, positions)
    assert opened == tuple(opening(shuffled, position) for position in positions)
    assert [proof.card for proof in opened] == [shuffled.deck.cards[position] for position in positions]
    assert all(verify_opening(shuffled.deck_root, match, 5, 0, proof) for proof in opened)
    assert open_cards(match, 5, seed, seats, beacon, ()) == ()
