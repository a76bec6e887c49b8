"""What a refused request of dealing is told: which field, and what it must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from baloot.core.errors import Refusal
from baloot.dealing.rules import first_dealer, opening, shuffle
from baloot.dealing.sealing import open_sealed

from tests.rules.dealing.test_deals import BASE, MATCH, SEED, shuffled


def shuffling(**changes: Any) -> Callable[[], object]:
    return lambda: shuffle(**(BASE | changes))


TOLD: list[tuple[Callable[[], object], str, str]] = [
    (shuffling(seed=bytes(31)), "seed", "seed must have 32 bytes, not 31."),
    (shuffling(match_id=b""), "match_id", "match_id must have 16 bytes, not 0."),
    (shuffling(beacon=bytes(33)), "beacon", "beacon must have 32 bytes, not 33."),
    (shuffling(seat_seeds=(b"",) * 4), "seat_seeds", "seat_seeds must have 32 bytes, not 0."),
    (shuffling(seat_seeds=()), "seat_seeds", "A deal takes the seeds of 4 seats, not of 0."),
    (shuffling(number=0), "number", "number must be between 1 and 4294967295."),
    (shuffling(redeal=-1), "redeal", "redeal must be between 0 and 4294967295."),
    (lambda: opening(shuffled(), 32), "position", "A position of the deck is between 0 and 31."),
    (lambda: first_dealer(b"", SEED), "match_id", "match_id must have 16 bytes, not 0."),
    (lambda: first_dealer(MATCH, b""), "randomness", "randomness must have 32 bytes, not 0."),
    (
        lambda: open_sealed(bytes(32), b"", MATCH, 1),
        "seed.sealed",
        "This sealed seed was not made by this dealing service for this deal.",
    ),
]


@pytest.mark.parametrize(("asked", "field", "sentence"), TOLD, ids=[row[2] for row in TOLD])
def test_a_refusal_names_the_field_and_what_it_must_be(
    asked: Callable[[], object], field: str, sentence: str
) -> None:
    with pytest.raises(Refusal) as refused:
        asked()
    assert (refused.value.field, refused.value.message) == (field, sentence)


def test_the_last_number_there_is_can_be_dealt() -> None:
    last = (1 << 32) - 1
    assert shuffle(**(BASE | {"number": last, "redeal": last})).deck != shuffle(**BASE).deck


def test_a_shuffle_prints_as_a_block_and_nothing_else() -> None:
    assert repr(shuffled()) == "██"
