"""Which ground a broken duty is claimed on: each fits its own only (rules 2.33)."""

from __future__ import annotations

from baloot.core.ruleset import Akka
from baloot.core.seats import Seat

from tests.rules.play.rounds import after
from tests.rules.play.test_qaid import lenient, verdict


def test_a_trump_that_beats_none_is_claimed_as_that_and_not_as_no_trump() -> None:
    held = {1: "AS 7C", 2: "QH 8C", 3: "9H 7H KC QC JC 10C AC 9D", 4: "8S 9C"}
    play = after(lenient("hokum H", held), "AS QH 7H 8S 8C 9H")
    assert verdict(play, Seat.EAST, "no_over_trump 7H 9H")
    assert not verdict(play, Seat.EAST, "no_trump 7H 9H")


def test_the_very_next_card_can_be_the_proof() -> None:
    held = {1: "AS 7C", 2: "8S 8C", 3: "9S 9C", 4: "7H KS"}
    play = after(lenient("hokum H", held), "AS 8S 9S 7H KS")
    assert play.moves[3].seat is play.moves[4].seat is Seat.WEST
    assert verdict(play, Seat.SOUTH, "revoke 7H KS")


def test_the_very_next_card_can_show_a_false_akka() -> None:
    held = {1: "10S", 2: "AS"}
    play = after(lenient("hokum H", held, akka=Akka.MANUAL_UNCHECKED), "10S! AS")
    assert verdict(play, Seat.EAST, "false_akka 10S AS")
