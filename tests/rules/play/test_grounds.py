"""Which ground a broken duty is claimed on: each fits its own only (rules 2.33)."""

from __future__ import annotations

from baloot.core.seats import Seat

from tests.rules.play.rounds import after
from tests.rules.play.test_qaid import lenient, verdict


def test_a_trump_that_beats_none_is_claimed_as_that_and_not_as_no_trump() -> None:
    held = {1: "AS 7C", 2: "QH 8C", 3: "9H 7H KC QC JC 10C AC 9D", 4: "8S 9C"}
    play = after(lenient("hokum H", held), "AS QH 7H 8S 8C 9H")
    assert verdict(play, Seat.EAST, "no_over_trump 7H 9H")
    assert not verdict(play, Seat.EAST, "no_trump 7H 9H")
