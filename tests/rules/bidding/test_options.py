"""What each option changes, value by value. The dealer is S4; `BD-` rows are the variants of those of the rules (4.6)."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import asked, make_call
from baloot.core.auction import PASS, QuestionKind
from baloot.core.cards import Hand

from tests.rules.bidding.told import said, tell

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
    ("kammelna", "9C", SECOND_S3_HOKUM, "asks S2 answer, S4 answer"),
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
    ("wikipedia", "10S", S3_SUN, "asks S1 takeover"),
    ("wikipedia", "10S", f"{S3_SUN} S1:pass", "asks S2 takeover"),
    ("gamerules", "10S", f"{S3_SUN} S4:pass S1:pass", "asks S2 takeover"),
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
    ("kammelna", "9C", SECOND_S3_SUN, "asks S2 takeover"),
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
    ("federation", "AH", f"{S1_HOKUM} S1:sun", "sun by S1 first"),
    (
        "federation",
        "AH",
        "S1:pass S2:hokum S1:pass S3:pass S4:pass",
        "hokum H by S2 first; asks S3 double",
    ),
    ("gamerules", "AH", f"{S1_HOKUM} S1:sun S2:pass S3:pass S4:pass", "sun by S1 first"),
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
    ("wikipedia", "AS", "S1:pass S2:pass S3:ashkal S1:pass S2:pass", "sun by S3 first"),
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
        "pagat",
        "KH",
        f"{S1_KEEPS} S2:pass S4:double-open S1:pass S3:three",
        "hokum H by S1 first, S4 double open, S3 three; asks S4 four",
    ),
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


BY_NAME = [
    ("BD-29", "gamerules", (101, 100), False),
    ("BD-29", "pagat", (101, 100), False),
    ("BD-29", "jawaker", (101, 100), False),
    ("BD-29", "federation", (101, 100), True),
    ("BD-32", "wikipedia", (60, 120), True),
    ("BD-32", "federation", (60, 120), False),
]


@pytest.mark.parametrize(
    ("name", "scores", "doubled"), [row[1:] for row in BY_NAME], ids=[f"{row[0]} {row[1]}" for row in BY_NAME]
)
def test_a_double_of_sun_under_a_rule_set_that_ships(
    name: str, scores: tuple[int, int], doubled: bool
) -> None:
    auction = said("KH", f"{FOUR_PASSES} S1:pass S2:pass S3:sun", scores=scores, options=name)
    while asked(auction) and asked(auction)[0].kind is QuestionKind.TAKEOVER:
        auction = make_call(auction, asked(auction)[0].seat, PASS)
    assert tell(auction) == ("sun by S3 second; asks S4 double" if doubled else "sun by S3 second")


@pytest.mark.parametrize("value", ["gt100_le100", "gt100_lt100", "ge100_lt100", "either_direction"])
def test_a_hokum_is_doubled_at_any_score(value: str) -> None:
    auction = said("KH", S1_KEEPS, scores=(0, 0), options=f"sun_double_threshold={value}")
    assert tell(auction) == "hokum H by S1 first; asks S2 double"


def test_sun_raise_ceiling_full_opens_the_whole_ladder() -> None:
    options = "sun_raise_ceiling=full"
    text = f"{S3_SUN} S2:pass S4:double S3:three S4:four S3:gahwa"
    auction = said("KH", text, scores=(101, 0), options=options)
    assert tell(auction) == "sun by S3 first, S4 double, S3 three, S4 four, S3 gahwa"
