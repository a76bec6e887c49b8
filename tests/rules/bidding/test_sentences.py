"""What is told of a record that no auction can have led to, and of raises that a rule set does not have."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.bidding.rules import fold, make_call, start_auction
from baloot.core.auction import PASS, SUN
from baloot.core.cards import Hand
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import Seat

from tests.rules.bidding.test_laws import FIVES
from tests.rules.bidding.told import moves, record, said


def test_a_bad_call_of_a_record_is_named_with_why_it_is_refused() -> None:
    with pytest.raises(Refusal) as caught:
        fold(record("KH").after(Seat.SOUTH, PASS).after(Seat.NORTH, SUN))
    assert caught.value.metadata == {"index": "1", "reason": "NOT_YOUR_TURN", "rule": "2.36"}
    told = "call 1, sun by north, is not legal: it is not north's turn to speak"
    assert caught.value.message.startswith(told)


IMPOSSIBLE = [
    (FIVES[:3], "a record has no hands, or five cards for each of the four seats"),
    ((*FIVES[:3], FIVES[0]), "the up card and the first hands of a record are different cards"),
]


@pytest.mark.parametrize(("hands", "sentence"), IMPOSSIBLE)
def test_impossible_hands_are_told_in_a_sentence(hands: tuple[Hand, ...], sentence: str) -> None:
    with pytest.raises(Refusal) as caught:
        start_auction(replace(record("KH"), hands=hands))
    assert caught.value.message == sentence


def test_calls_at_the_start_are_told_in_a_sentence() -> None:
    with pytest.raises(Refusal) as caught:
        start_auction(record("KH").after(Seat.SOUTH, PASS))
    assert caught.value.message == "an auction starts with a record without calls"


def test_a_sun_that_is_never_doubled_says_so() -> None:
    auction = said("KH", "S1:sun", options="sun_double_threshold=off")
    with pytest.raises(Refusal) as caught:
        make_call(auction, *moves("S2:double")[0])
    assert caught.value.reason is Reason.SUN_RAISE_CEILING
    assert caught.value.message.startswith("a Sun is not raised in this rule set")


def test_only_who_bought_a_hokum_on_an_ace_is_told_that_it_is_not_turned() -> None:
    auction = said("AH", "S1:pass S2:hokum S3:pass S4:pass S1:pass")
    for seat, reason in (("S2", Reason.SUN_ON_ACE), ("S3", Reason.WRONG_PHASE)):
        with pytest.raises(Refusal) as caught:
            make_call(auction, *moves(f"{seat}:sun")[0])
        assert caught.value.reason is reason
