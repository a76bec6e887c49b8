"""What each option changes, value by value. The dealer is S4; `BD-` rows are the variants of those of the rules (4.6)."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import asked, default_call, legal_calls, make_call
from baloot.core.auction import KAWESH
from baloot.core.cards import Hand
from baloot.core.contract import Contract
from baloot.core.errors import Refusal

from tests.rules.bidding.told import moves, said, seat_of, tell

FOUR_PASSES = "S1:pass S2:pass S3:pass S4:pass"
S1_HOKUM = "S1:hokum S2:pass S3:pass S4:pass"
S1_KEEPS = f"{S1_HOKUM} S1:confirm"
S3_SUN = "S1:pass S2:pass S3:sun"
S4_SUN = "S1:pass S2:pass S3:pass S4:sun"
SECOND_S3_SUN = f"{FOUR_PASSES} {S3_SUN}"
SECOND_S4_SUN = f"{FOUR_PASSES} {S4_SUN}"
SECOND_S3_HOKUM = f"{FOUR_PASSES} S1:pass S2:pass S3:hokum"

ROWS = [
    # Who may say Sun over a Hokum.
    ("sun_over_hokum_first=earlier_only", "KH", "S1:hokum", "asks S1 confirm"),
    ("sun_over_hokum_first=earlier_only", "KH", "S1:pass S2:pass S3:hokum", "asks S1 answer, S2 answer"),
    ("sun_over_hokum_first=earlier_only", "AH", "S1:hokum", "hokum H by S1 first; asks S2 double"),
    # BD-21.
    ("sun_over_hokum_second=opponents_any", "9C", SECOND_S3_HOKUM, "asks S2 answer, S4 answer"),
    ("sun_over_hokum_second=anyone", "9C", SECOND_S3_HOKUM, "asks S1 answer, S2 answer, S4 answer"),
    (
        "sun_over_hokum_second=opponents_any",
        "9C",
        f"{FOUR_PASSES} S1:pass S2:hokum",
        "asks S1 answer, S3 answer, S4 answer",
    ),
    ("sun_over_hokum_second=opponents_any", "9C", f"{SECOND_S3_HOKUM} S2:sun", "sun by S2 second"),
    # Taking over a Sun of the first bidding; BD-8.
    ("sun_takeover_first=none", "10S", S3_SUN, "sun by S3 first"),
    ("sun_takeover_first=none", "KH", "S1:hokum S2:sun", "sun by S2 first"),
    ("sun_takeover_first=earlier_any", "10S", S3_SUN, "asks S1 takeover"),
    ("sun_takeover_first=earlier_any", "10S", f"{S3_SUN} S1:pass", "asks S2 takeover"),
    ("sun_takeover_first=earlier_any", "10S", f"{S3_SUN} S1:qablak", "sun by S1 first"),
    ("sun_takeover_first=earlier_any", "10S", f"{S4_SUN} S1:pass S2:pass S3:qablak", "sun by S3 first"),
    (
        "sun_takeover_first=earlier_any",
        "KH",
        "S1:pass S2:pass S3:ashkal S1:qablak",
        "sun by S1 first",
    ),
    ("sun_takeover_first=anyone_in_turn", "10S", S3_SUN, "asks S4 takeover"),
    ("sun_takeover_first=anyone_in_turn", "10S", f"{S3_SUN} S4:pass S1:pass", "asks S2 takeover"),
    ("sun_takeover_first=anyone_in_turn", "10S", f"{S3_SUN} S4:qablak", "sun by S4 first"),
    ("sun_takeover_first=anyone_in_turn", "10S", "S1:sun S2:pass S3:pass S4:pass", "sun by S1 first"),
    # Taking over a Sun of the second; BD-20.
    ("sun_takeover_second=earlier_opponents", "9C", SECOND_S3_SUN, "asks S2 takeover"),
    ("sun_takeover_second=earlier_opponents", "9C", f"{FOUR_PASSES} S1:pass S2:sun", "asks S1 takeover"),
    (
        "sun_takeover_second=earlier_opponents",
        "9C",
        f"{SECOND_S4_SUN} S1:pass S3:qablak",
        "asks S2 takeover",
    ),
    (
        "sun_takeover_second=earlier_opponents",
        "9C",
        f"{FOUR_PASSES} S1:hokum S2:sun",
        "asks S1 takeover",
    ),
    ("sun_takeover_second=thalith", "9C", SECOND_S3_SUN, "sun by S3 second"),
    ("sun_takeover_second=thalith", "AC", SECOND_S3_SUN, "asks S2 takeover"),
    ("sun_takeover_second=thalith", "AC", f"{SECOND_S3_SUN} S2:qablak", "sun by S2 second"),
    ("sun_takeover_second=thalith", "AC", SECOND_S4_SUN, "asks S1 takeover"),
    ("sun_takeover_second=thalith", "AC", f"{SECOND_S4_SUN} S1:pass", "sun by S4 second"),
    ("sun_takeover_second=thalith", "AC", f"{FOUR_PASSES} S1:pass S2:sun", "sun by S2 second"),
    (
        "sun_takeover_second=thalith",
        "AC",
        f"{FOUR_PASSES} S1:hokum S2:pass S3:sun",
        "asks S2 takeover",
    ),
    (
        "sun_takeover_second=thalith",
        "AC",
        f"{FOUR_PASSES} S1:hokum S2:pass S3:pass S4:sun",
        "sun by S4 second",
    ),
    ("sun_takeover_second=thalith", "AC", f"{FOUR_PASSES} S1:pass S2:hokum S3:sun", "sun by S3 second"),
    # The confirm step; BD-2, BD-3.
    ("confirm_step=off", "KH", S1_HOKUM, "hokum H by S1 first; asks S2 double"),
    ("confirm_step=off", "KH", f"{FOUR_PASSES} {S1_HOKUM}", "asks S1 confirm"),
    ("confirm_step=second_only", "KH", S1_HOKUM, "hokum H by S1 first; asks S2 double"),
    ("confirm_step=second_only", "KH", f"{FOUR_PASSES} {S1_HOKUM} S1:sun", "sun by S1 second"),
    ("turn_to_sun_on_ace=first_seat_only", "AH", f"{S1_HOKUM} S1:sun", "sun by S1 first"),
    (
        "turn_to_sun_on_ace=first_seat_only",
        "AH",
        "S1:pass S2:hokum S1:pass S3:pass S4:pass",
        "hokum H by S2 first; asks S3 double",
    ),
    (
        "turn_to_sun_on_ace=always",
        "AH",
        "S1:pass S2:hokum S1:pass S3:pass S4:pass S2:sun",
        "sun by S2 first",
    ),
    ("turned_sun_takeover=as_sun", "KH", f"{S1_HOKUM} S1:sun", "sun by S1 first"),
    (
        "turned_sun_takeover=as_sun",
        "KH",
        "S1:pass S2:hokum S1:pass S3:pass S4:pass S2:sun",
        "asks S1 takeover",
    ),
    (
        "turned_sun_takeover=as_sun sun_takeover_first=anyone_in_turn",
        "KH",
        f"{S1_HOKUM} S1:sun",
        "asks S2 takeover",
    ),
    (
        "turned_sun_takeover=as_sun",
        "KH",
        f"{FOUR_PASSES} S1:pass S2:hokum S3:pass S4:pass S2:sun",
        "sun by S2 second",
    ),
    (
        "turned_sun_takeover=as_sun sun_takeover_second=earlier_opponents",
        "KH",
        f"{FOUR_PASSES} S1:pass S2:hokum S3:pass S4:pass S2:sun",
        "asks S1 takeover",
    ),
    # Ashkal; BD-14.
    ("ashkal_biddings=both", "KH", f"{FOUR_PASSES} S1:pass S2:pass S3:ashkal", "sun by S3 second card to S1"),
    (
        "ashkal_biddings=both",
        "KH",
        f"{FOUR_PASSES} S1:hokum S2:pass S3:ashkal",
        "sun by S3 second card to S1",
    ),
    ("ashkal_on_ace=true", "AS", "S1:pass S2:pass S3:ashkal S2:pass", "sun by S3 first card to S1"),
    ("illegal_ashkal=forced_sun", "AS", "S1:pass S2:pass S3:ashkal S2:pass", "sun by S3 first"),
    ("illegal_ashkal=forced_sun", "KH", "S1:ashkal", "sun by S1 first"),
    ("illegal_ashkal=forced_sun", "KH", "S1:pass S2:ashkal", "asks S1 takeover"),
    ("illegal_ashkal=forced_sun", "KH", f"{FOUR_PASSES} S1:pass S2:pass S3:ashkal", "sun by S3 second"),
    ("illegal_ashkal=forced_sun", "KH", "S1:hokum S2:ashkal", "asks S1 takeover"),
    ("illegal_ashkal=forced_sun", "KH", "S1:hokum S3:ashkal S2:pass S2:pass", "sun by S3 first card to S1"),
    (
        "illegal_ashkal=forced_sun",
        "KH",
        "S1:pass S2:pass S3:pass S4:hokum S1:pass S3:ashkal S2:pass S2:pass",
        "sun by S3 first",
    ),
    # Kawesh, of S2.
    ("kawesh=false", "KH", "", "asks S1 first"),
    ("kawesh_turn=own_turn", "KH", "", "asks S1 first"),
    ("kawesh_turn=own_turn", "KH", "S1:pass S2:kawesh", "kawesh of S2"),
    ("kawesh_turn=own_turn", "KH", "S1:pass S2:pass", "asks S3 first"),
    ("kawesh_turn=as_sun_call", "KH", "", "asks S1 first"),
    ("kawesh_turn=as_sun_call", "KH", "S1:pass S2:kawesh", "kawesh of S2"),
    ("kawesh_turn=as_sun_call", "KH", "S1:hokum S2:kawesh", "kawesh of S2"),
    ("kawesh_turn=as_sun_call", "KH", "S1:hokum S4:sun S2:kawesh", "kawesh of S2"),
    (
        "kawesh_turn=as_sun_call",
        "KH",
        "S1:pass S2:pass S3:pass S4:hokum S1:pass S2:kawesh",
        "kawesh of S2",
    ),
    # The ladder; BD-27.
    (
        "three_by=team",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:pass",
        "hokum H by S1 first, S2 double open; asks S3 three",
    ),
    (
        "three_by=team",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:pass S3:three",
        "hokum H by S1 first, S2 double open, S3 three; asks S2 four",
    ),
    (
        "three_by=team",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:pass S3:pass",
        "hokum H by S1 first, S2 double open",
    ),
    (
        "four_by=team",
        "KH",
        f"{S1_KEEPS} S2:pass S4:double-open S1:three S4:pass",
        "hokum H by S1 first, S4 double open, S1 three; asks S2 four",
    ),
    (
        "gahwa_by=team three_by=team",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:pass S3:three S2:four-open S1:pass S3:gahwa",
        "hokum H by S1 first, S2 double open, S3 three, S2 four open, S3 gahwa",
    ),
    (
        "gahwa_by=team",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:three S2:four-open S1:pass",
        "hokum H by S1 first, S2 double open, S1 three, S2 four open; asks S3 gahwa",
    ),
    (
        "lock_choice=any_raiser",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:three-locked S2:pass",
        "hokum H by S1 first, S2 double open, S1 three locked",
    ),
]


WORTHLESS_S2 = tuple(
    Hand.parse(text) for text in ("AS QS JS 10S KS", "7S 7C 8C 8D 9D", "KC QC JC 10C 8H", "AD KD QD JD 10D")
)


@pytest.mark.parametrize(
    ("options", "up", "text", "then"), ROWS, ids=[f"{row[0]}: {row[1]} {row[2]}" for row in ROWS]
)
def test_what_follows_under_an_option(options: str, up: str, text: str, then: str) -> None:
    hands = WORTHLESS_S2 if "kawesh" in options else ()
    assert tell(said(up, text, hands=hands, options=options)) == then


# Options, game points of {S1, S3} and {S2, S4}, and whether a Sun of S3 is doubled.
THRESHOLDS = [
    ("gt100_le100", (101, 100), True),
    ("gt100_le100", (100, 100), False),
    ("gt100_lt100", (101, 99), True),
    ("gt100_lt100", (101, 100), False),  # BD-29
    ("gt100_lt100", (100, 99), False),
    ("ge100_lt100", (100, 40), True),  # BD-30
    ("ge100_lt100", (100, 99), True),
    ("ge100_lt100", (100, 100), False),
    ("ge100_lt100", (99, 40), False),
    ("either_direction", (60, 120), True),  # BD-32
    ("either_direction", (101, 100), True),
    ("either_direction", (100, 101), True),
    ("either_direction", (101, 101), False),
    ("either_direction", (100, 100), False),
    ("off", (151, 0), False),
    ("off", (0, 151), False),
]


@pytest.mark.parametrize(("value", "scores", "doubled"), THRESHOLDS)
def test_sun_double_threshold(value: str, scores: tuple[int, int], doubled: bool) -> None:
    auction = said("KH", f"{S3_SUN} S2:pass", scores=scores, options=f"sun_double_threshold={value}")
    assert tell(auction) == ("sun by S3 first; asks S4 double" if doubled else "sun by S3 first")


@pytest.mark.parametrize("value", ["gt100_le100", "gt100_lt100", "ge100_lt100", "either_direction"])
def test_a_hokum_is_doubled_at_any_score(value: str) -> None:
    auction = said("KH", S1_KEEPS, scores=(0, 0), options=f"sun_double_threshold={value}")
    assert tell(auction) == "hokum H by S1 first; asks S2 double"


def test_sun_raise_ceiling_full_opens_the_whole_ladder() -> None:
    options = "sun_raise_ceiling=full"
    text = f"{S3_SUN} S2:pass S4:double S3:three S4:four S3:gahwa"
    auction = said("KH", text, scores=(101, 0), options=options)
    assert tell(auction) == "sun by S3 first, S4 double, S3 three, S4 four, S3 gahwa"


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
