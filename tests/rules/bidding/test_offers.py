"""What may be said under each option, what may not and why, and what stands for silence. The dealer is S4."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import asked, default_call, legal_calls, make_call
from baloot.core.auction import KAWESH
from baloot.core.cards import Hand
from baloot.core.contract import Contract
from baloot.core.errors import Refusal

from tests.rules.bidding.told import moves, said, seat_of

FOUR_PASSES = "S1:pass S2:pass S3:pass S4:pass"
S1_HOKUM = "S1:hokum S2:pass S3:pass S4:pass"
S1_KEEPS = f"{S1_HOKUM} S1:confirm"
S3_SUN = "S1:pass S2:pass S3:sun"
WORTHLESS_S2 = tuple(
    Hand.parse(text) for text in ("AS QS JS 10S KS", "7S 7C 8C 8D 9D", "KC QC JC 10C 8H", "AD KD QD JD 10D")
)

LEGAL = [
    ("ashkal_seats=off", "KH", "S1:pass S2:pass", "S3", "pass, hokum, sun"),
    ("ashkal_seats=off", "KH", "S1:hokum", "S4", "pass, sun"),
    ("ashkal_biddings=both", "KH", f"{FOUR_PASSES} S1:pass S2:pass", "S3", "pass, hokum, sun, ashkal"),
    ("ashkal_biddings=both", "KH", f"{FOUR_PASSES} S1:pass", "S2", "pass, hokum, sun"),
    ("ashkal_biddings=both", "KH", f"{FOUR_PASSES} S1:hokum", "S4", "pass, sun, ashkal"),
    (
        "ashkal_biddings=both sun_over_hokum_second=anyone",
        "KH",
        f"{FOUR_PASSES} S1:pass S2:pass S3:pass S4:hokum",
        "S3",
        "pass, sun",
    ),
    ("ashkal_biddings=both", "AH", f"{FOUR_PASSES} S1:pass S2:pass", "S3", "pass, hokum, sun"),
    ("ashkal_on_ace=true", "AH", "S1:hokum", "S3", "pass, sun, ashkal"),
    ("illegal_ashkal=forced_sun", "KH", "", "S1", "pass, hokum, sun"),
    ("ashkal_over_hokum=no", "KH", "S1:hokum", "S4", "pass, sun"),
    ("ashkal_over_hokum=no", "KH", "S1:pass S2:pass", "S3", "pass, hokum, sun, ashkal"),
    ("ashkal_over_hokum=opponents_only", "KH", "S1:hokum", "S3", "pass, sun"),
    ("ashkal_over_hokum=opponents_only", "KH", "S1:hokum", "S4", "pass, sun, ashkal"),
    ("confirm_step=off", "KH", f"{FOUR_PASSES} {S1_HOKUM}", "S1", "confirm S, confirm D, confirm C"),
    ("turn_to_sun_on_ace=always", "AH", S1_HOKUM, "S1", "confirm, sun"),
    (
        "turn_to_sun_on_ace=first_seat_only",
        "AS",
        f"{FOUR_PASSES} {S1_HOKUM}",
        "S1",
        "confirm H, confirm D, confirm C, sun",
    ),
    ("lock_choice=always", "KH", S1_KEEPS, "S2", "pass, double locked"),
    ("lock_choice=always", "KH", f"{S1_KEEPS} S2:double-locked", "S1", "pass, three"),
    ("lock_choice=always", "KH", f"{S1_KEEPS} S2:double-locked S1:three", "S2", "pass, four locked"),
    ("lock_choice=any_raiser", "KH", f"{S1_KEEPS} S2:double-open", "S1", "pass, three open, three locked"),
    (
        "lock_choice=any_raiser",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:three-open S2:four-open",
        "S1",
        "pass, gahwa",
    ),
    ("lock_choice=off", "KH", S1_KEEPS, "S2", "pass, double"),
    ("lock_choice=off", "KH", f"{S1_KEEPS} S2:double S1:three", "S2", "pass, four"),
]


@pytest.mark.parametrize(
    ("options", "up", "text", "place", "calls"), LEGAL, ids=[f"{row[0]}: {row[2]}" for row in LEGAL]
)
def test_what_a_seat_may_say_under_an_option(
    options: str, up: str, text: str, place: str, calls: str
) -> None:
    auction = said(up, text, options=options)
    assert ", ".join(str(call) for call in legal_calls(auction, seat_of(place))) == calls


# What is said for a buyer who does not name a suit; BD-18.
DEFAULTS = [
    ("unnamed_suit=sun", "KH", "sun"),
    ("unnamed_suit=reprompt", "KH", "confirm S"),
    ("unnamed_suit=reprompt", "KS", "confirm H"),
    ("unnamed_suit=sun", "AH", "confirm S"),
    ("unnamed_suit=sun turn_to_sun_on_ace=always", "AH", "sun"),
    ("unnamed_suit=sun confirm_step=off", "KS", "confirm H"),
]


@pytest.mark.parametrize(("options", "up", "call"), DEFAULTS)
def test_what_is_said_for_a_buyer_who_names_no_suit(options: str, up: str, call: str) -> None:
    auction = said(up, f"{FOUR_PASSES} {S1_HOKUM}", options=options)
    assert str(default_call(auction, seat_of("S1"))) == call


REFUSED = [
    ("sun_takeover_first=none", "KH", S3_SUN, "S2:qablak", "WRONG_PHASE"),
    ("sun_over_hokum_first=earlier_only", "KH", "S1:pass S2:hokum", "S3:sun", "NOT_YOUR_TURN"),
    ("confirm_step=off", "KH", f"{FOUR_PASSES} {S1_HOKUM}", "S1:sun", "CALL_NOT_OFFERED"),
    ("turn_to_sun_on_ace=first_seat_only", "AH", "S1:pass S2:hokum", "S2:sun", "SUN_ON_ACE"),
    ("ashkal_seats=off", "KH", "S1:pass S2:pass", "S3:ashkal", "CALL_NOT_OFFERED"),
    ("ashkal_biddings=both", "AH", f"{FOUR_PASSES} S1:pass S2:pass", "S3:ashkal", "ASHKAL_ON_ACE"),
    ("ashkal_biddings=both", "KH", f"{FOUR_PASSES} S1:pass", "S2:ashkal", "ASHKAL_SEAT"),
    ("ashkal_over_hokum=no", "KH", "S1:hokum", "S4:ashkal", "CALL_NOT_OFFERED"),
    ("ashkal_over_hokum=opponents_only", "KH", "S1:hokum", "S3:ashkal", "CALL_NOT_OFFERED"),
    ("illegal_ashkal=forced_sun", "KH", "", "S2:ashkal", "NOT_YOUR_TURN"),
    ("illegal_ashkal=forced_sun", "KH", S1_HOKUM, "S1:ashkal", "CALL_NOT_OFFERED"),
    ("illegal_ashkal=forced_sun", "KH", "S1:pass S2:sun", "S1:ashkal", "CALL_NOT_OFFERED"),
    ("illegal_ashkal=forced_sun", "KH", "", "S1:ashkal-locked", "CALL_NOT_OFFERED"),
    ("illegal_ashkal=forced_sun", "KH", S1_KEEPS, "S2:ashkal", "WRONG_PHASE"),
    ("kawesh=false", "KH", "S1:pass", "S2:kawesh", "CALL_NOT_OFFERED"),
    ("kawesh_turn=own_turn", "KH", "", "S2:kawesh", "NOT_YOUR_TURN"),
    ("kawesh_turn=own_turn", "KH", "S1:hokum", "S2:kawesh", "KAWESH_WINDOW"),
    ("kawesh_turn=as_sun_call", "KH", "", "S2:kawesh", "NOT_YOUR_TURN"),
    ("kawesh_turn=as_sun_call", "KH", "S1:hokum", "S3:kawesh", "KAWESH_HAND"),
    ("kawesh_turn=as_sun_call", "KH", "S1:hokum S2:pass", "S2:kawesh", "NOT_YOUR_TURN"),
    ("kawesh_turn=as_sun_call", "KH", "S1:pass S2:pass S3:sun", "S2:kawesh", "KAWESH_WINDOW"),
    ("kawesh_turn=as_sun_call", "KH", f"{FOUR_PASSES} S1:pass", "S2:kawesh", "KAWESH_WINDOW"),
    ("kawesh_turn=as_sun_call", "KH", f"{FOUR_PASSES} S1:hokum", "S2:kawesh", "KAWESH_WINDOW"),
    (
        "kawesh_turn=as_sun_call",
        "KH",
        "S1:pass S2:hokum S1:pass S3:pass S4:pass",
        "S2:kawesh",
        "KAWESH_WINDOW",
    ),
    ("three_by=team", "KH", f"{S1_KEEPS} S2:double-open", "S3:three", "NOT_YOUR_TURN"),
    ("three_by=team", "KH", f"{S1_KEEPS} S2:double-open", "S4:three", "RAISE_NOT_YOURS"),
    ("four_by=team", "KH", f"{S1_KEEPS} S2:double-open S1:three", "S4:four-open", "NOT_YOUR_TURN"),
    ("lock_choice=always", "KH", S1_KEEPS, "S2:double", "LOCK_REQUIRED"),
    ("lock_choice=always", "KH", S1_KEEPS, "S2:double-open", "LOCK_NOT_ALLOWED"),
    ("lock_choice=any_raiser", "KH", f"{S1_KEEPS} S2:double-open", "S1:three", "LOCK_REQUIRED"),
    ("lock_choice=off", "KH", S1_KEEPS, "S2:double-locked", "LOCK_NOT_ALLOWED"),
    ("sun_double_threshold=gt100_lt100", "KH", "S1:sun", "S2:double", "SUN_DOUBLE_SCORES"),
    ("sun_double_threshold=off", "KH", "S1:sun", "S2:double", "SUN_RAISE_CEILING"),
    ("sun_raise_ceiling=full", "KH", "S1:sun", "S2:double", "SUN_DOUBLE_SCORES"),
]


@pytest.mark.parametrize(
    ("options", "up", "text", "call", "reason"),
    REFUSED,
    ids=[f"{row[0]}: {row[2]} {row[3]}" for row in REFUSED],
)
def test_what_is_refused_under_an_option(options: str, up: str, text: str, call: str, reason: str) -> None:
    hands = WORTHLESS_S2 if "kawesh" in options else ()
    with pytest.raises(Refusal) as caught:
        make_call(said(up, text, hands=hands, options=options), *moves(call)[0])
    assert caught.value.reason.name == reason


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ("gt100_lt100", "the buyers have more than 100 and the defenders less; they have 60 and 40"),
        ("ge100_lt100", "the buyers have at least 100 and the defenders less; they have 60 and 40"),
        ("either_direction", "only the buyers or only the defenders have more than 100; they have 60 and 40"),
    ],
)
def test_a_refused_double_tells_the_condition_of_its_rule_set(value: str, sentence: str) -> None:
    auction = said("KH", "S1:sun", scores=(60, 40), options=f"sun_double_threshold={value}")
    with pytest.raises(Refusal, match=sentence):
        make_call(auction, *moves("S2:double")[0])


def test_a_wrong_ashkal_stays_in_the_record_as_it_was_said() -> None:
    auction = said("AS", "S1:pass S2:pass S3:ashkal", options="illegal_ashkal=forced_sun")
    assert str(auction.record.calls[-1].call) == "ashkal"


def test_a_kawesh_over_a_hokum_is_asked_of_its_holder_alone_and_told_to_nobody_else() -> None:
    auction = said("KH", "S1:hokum", hands=WORTHLESS_S2, options="kawesh_turn=as_sun_call")
    holds = {question.seat: KAWESH in question.legal for question in asked(auction)}
    assert holds == {seat_of("S2"): True, seat_of("S3"): False, seat_of("S4"): False}


@pytest.mark.parametrize("level", ["double", "four"])
def test_lock_choice_always_locks_the_contract(level: str) -> None:
    text = f"{S1_KEEPS} S2:double-locked"
    if level == "four":
        text += " S1:three S2:four-locked"
    contract = said("KH", text, options="lock_choice=always").contract
    assert isinstance(contract, Contract)
    assert contract.locked
    assert contract.level.name.lower() == level


def test_lock_choice_off_leaves_the_contract_open() -> None:
    contract = said("KH", f"{S1_KEEPS} S2:double", options="lock_choice=off").contract
    assert contract is not None
    assert [raised.locked for raised in contract.raises] == [False]
