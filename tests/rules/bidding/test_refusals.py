"""Calls that are refused, and the reason that is told. The dealer is S4; `BD-` rows are those of the rules (4.6)."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import make_call
from baloot.core.cards import Hand
from baloot.core.errors import Refusal

from tests.rules.bidding.told import moves, said

S2_WORTHLESS = tuple(
    Hand.parse(text) for text in ("AS KS QS JS 10S", "7S 7C 8C 8D 9D", "KC QC JC 10C AC", "AD KD QD JD 10D")
)
FOUR_PASSES = "S1:pass S2:pass S3:pass S4:pass"
S1_HOKUM = "S1:hokum S2:pass S3:pass S4:pass"
S1_KEEPS = f"{S1_HOKUM} S1:confirm"
S3_SUN = "S1:pass S2:pass S3:sun S2:pass"

REFUSED = [
    # Section 4.6.
    ("BD-3", "AH", S1_HOKUM, "S1:sun", "SUN_ON_ACE"),
    ("BD-14", "AS", "S1:pass S2:pass", "S3:ashkal", "ASHKAL_ON_ACE"),
    ("BD-15", "KH", "S1:hokum", "S2:hokum", "HOKUM_OVER_HOKUM"),
    ("BD-17", "KH", f"{FOUR_PASSES} S1:pass S2:hokum S3:pass S4:pass", "S2:confirm-H", "SUIT_NOT_ALLOWED"),
    ("BD-20", "9C", f"{FOUR_PASSES} S1:pass S2:pass S3:sun", "S2:qablak", "WRONG_PHASE"),
    ("BD-21", "9C", f"{FOUR_PASSES} S1:pass S2:pass S3:hokum", "S2:sun", "NOT_YOUR_TURN"),
    ("BD-27", "KH", f"{S1_KEEPS} S2:pass S4:double-open", "S3:three", "RAISE_NOT_YOURS"),
    ("BD-30", "KH", S3_SUN, "S4:double", "SUN_DOUBLE_SCORES"),
    # Turns.
    ("not yet", "KH", "", "S2:pass", "NOT_YOUR_TURN"),
    ("already said", "KH", "S1:pass", "S1:sun", "NOT_YOUR_TURN"),
    ("already answered", "KH", "S1:hokum S4:pass", "S4:sun", "NOT_YOUR_TURN"),
    ("partner of a Sun", "KH", "S1:pass S2:pass S3:sun", "S1:qablak", "NOT_YOUR_TURN"),
    ("later opponent of a Sun", "KH", "S1:pass S2:pass S3:sun", "S4:qablak", "NOT_YOUR_TURN"),
    # What does not belong where it is said.
    ("over", "KH", "S1:sun", "S2:pass", "WRONG_PHASE"),
    ("over, thrown in", "KH", f"{FOUR_PASSES} {FOUR_PASSES}", "S1:sun", "WRONG_PHASE"),
    ("double while buying", "KH", "S1:hokum", "S2:double-open", "WRONG_PHASE"),
    ("sun in the ladder", "KH", S1_KEEPS, "S2:sun", "WRONG_PHASE"),
    ("qablak without a Sun", "KH", "S1:pass", "S2:qablak", "CALL_NOT_OFFERED"),
    ("confirm without a Hokum", "KH", "S1:pass", "S2:confirm", "CALL_NOT_OFFERED"),
    ("a confirm is no pass", "KH", S1_HOKUM, "S1:pass", "CALL_NOT_OFFERED"),
    ("take over by qablak", "KH", "S1:pass S2:sun", "S1:sun", "CALL_NOT_OFFERED"),
    (
        "turn by sun",
        "KH",
        "S1:pass S2:pass S3:hokum S1:pass S2:pass S4:pass",
        "S3:ashkal",
        "CALL_NOT_OFFERED",
    ),
    ("turn on an Ace", "AH", f"{FOUR_PASSES} {S1_HOKUM}", "S1:sun", "SUN_ON_ACE"),
    # Ashkal.
    ("ashkal of S1", "KH", "", "S1:ashkal", "ASHKAL_SEAT"),
    ("ashkal of S2", "KH", "S1:pass", "S2:ashkal", "ASHKAL_SEAT"),
    ("ashkal of S2 as an answer", "KH", "S1:hokum", "S2:ashkal", "ASHKAL_SEAT"),
    ("ashkal over a Hokum on an Ace", "AH", "S1:hokum", "S4:ashkal", "ASHKAL_ON_ACE"),
    ("ashkal after a pass", "KH", "S1:pass S2:pass S3:pass S4:hokum", "S3:ashkal", "ASHKAL_AFTER_PASS"),
    ("ashkal in the second", "KH", f"{FOUR_PASSES} S1:pass S2:pass", "S3:ashkal", "ASHKAL_BIDDING"),
    ("ashkal over a second Hokum", "KH", f"{FOUR_PASSES} S1:hokum", "S3:ashkal", "ASHKAL_BIDDING"),
    # Suits and locks.
    ("hokum is not named yet", "KH", "", "S1:hokum-H", "SUIT_NOT_ALLOWED"),
    ("pass has no suit", "KH", "", "S1:pass-S", "SUIT_NOT_ALLOWED"),
    ("the first Hokum has its suit", "KH", S1_HOKUM, "S1:confirm-H", "SUIT_NOT_ALLOWED"),
    ("a suit is due", "KH", f"{FOUR_PASSES} {S1_HOKUM}", "S1:confirm", "SUIT_REQUIRED"),
    ("sun has no lock", "KH", "", "S1:sun-locked", "LOCK_NOT_ALLOWED"),
    ("a lock is due", "KH", S1_KEEPS, "S2:double", "LOCK_REQUIRED"),
    ("a lock is due again", "KH", f"{S1_KEEPS} S2:double-open S1:three", "S2:four", "LOCK_REQUIRED"),
    ("three is open", "KH", f"{S1_KEEPS} S2:double-open", "S1:three-locked", "LOCK_NOT_ALLOWED"),
    (
        "gahwa is open",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:three S2:four-open",
        "S1:gahwa-open",
        "LOCK_NOT_ALLOWED",
    ),
    ("a pass cuts nothing", "KH", "", "S1:pass-go_on", "CUT_NOT_ALLOWED"),
    ("the deck is dealt", "KH", "", "S1:cut-go_on", "CALL_NOT_OFFERED"),
    # Raises.
    ("the buyer's partner doubles", "KH", S1_KEEPS, "S3:double-open", "RAISE_NOT_YOURS"),
    ("the buyer doubles", "KH", S1_KEEPS, "S1:double-open", "RAISE_NOT_YOURS"),
    ("the second defender first", "KH", S1_KEEPS, "S4:double-open", "NOT_YOUR_TURN"),
    ("three before a double", "KH", S1_KEEPS, "S2:three", "RAISE_NOT_YOURS"),
    ("a second double", "KH", f"{S1_KEEPS} S2:double-open", "S4:double-open", "NOT_YOUR_TURN"),
    ("the doubler's three", "KH", f"{S1_KEEPS} S2:double-open", "S2:three", "RAISE_NOT_YOURS"),
    ("gahwa too early", "KH", f"{S1_KEEPS} S2:double-open", "S1:gahwa", "CALL_NOT_OFFERED"),
    ("four by the other", "KH", f"{S1_KEEPS} S2:double-open S1:three", "S4:four-open", "RAISE_NOT_YOURS"),
    (
        "gahwa by the partner",
        "KH",
        f"{S1_KEEPS} S2:double-open S1:three S2:four-open",
        "S3:gahwa",
        "RAISE_NOT_YOURS",
    ),
    ("a Sun has no three", "KH", S3_SUN, "S3:three", "SUN_RAISE_CEILING"),
    ("the partner of a Sun", "KH", S3_SUN, "S1:double", "RAISE_NOT_YOURS"),
]


@pytest.mark.parametrize(
    ("up", "text", "call", "reason"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED]
)
def test_a_call_is_refused_for_its_most_telling_reason(up: str, text: str, call: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        make_call(said(up, text), *moves(call)[0])
    assert caught.value.reason.name == reason


SUN_REFUSED = [
    ("BD-32", "S1:pass S2:sun S1:pass", (120, 60), "S3:double", "SUN_DOUBLE_SCORES"),
    ("BD-33", f"{S3_SUN} S4:double", (101, 100), "S3:three", "SUN_RAISE_CEILING"),
    ("three at once", S3_SUN, (101, 100), "S4:three", "SUN_RAISE_CEILING"),
    ("locked", S3_SUN, (101, 100), "S4:double-locked", "LOCK_NOT_ALLOWED"),
    ("said open", S3_SUN, (101, 100), "S4:double-open", "LOCK_NOT_ALLOWED"),
    ("S2 before S4", S3_SUN, (101, 100), "S2:double", "NOT_YOUR_TURN"),
    ("the buyers", S3_SUN, (101, 100), "S1:double", "RAISE_NOT_YOURS"),
    ("too late", f"{S3_SUN} S4:pass S2:pass", (101, 100), "S4:double", "WRONG_PHASE"),
]


@pytest.mark.parametrize(
    ("text", "scores", "call", "reason"),
    [row[1:] for row in SUN_REFUSED],
    ids=[row[0] for row in SUN_REFUSED],
)
def test_a_raise_of_a_sun_is_refused(text: str, scores: tuple[int, int], call: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        make_call(said("KH", text, scores=scores), *moves(call)[0])
    assert caught.value.reason.name == reason


KAWESH_REFUSED = [
    ("BD-24", f"{FOUR_PASSES} S1:pass", S2_WORTHLESS, "S2:kawesh", "KAWESH_WINDOW"),
    ("over a Hokum", "S1:hokum", S2_WORTHLESS, "S2:kawesh", "KAWESH_WINDOW"),
    ("over", "S1:sun", S2_WORTHLESS, "S2:kawesh", "KAWESH_WINDOW"),
    ("twice", "S2:kawesh", S2_WORTHLESS, "S2:kawesh", "KAWESH_WINDOW"),
    ("another hand", "", S2_WORTHLESS, "S1:kawesh", "KAWESH_HAND"),
    ("another hand out of turn", "", S2_WORTHLESS, "S3:kawesh", "KAWESH_HAND"),
    ("hands unknown", "S1:pass", (), "S2:kawesh", "KAWESH_HAND"),
    ("with a suit", "S1:pass", S2_WORTHLESS, "S2:kawesh-S", "SUIT_NOT_ALLOWED"),
    ("with a suit out of turn", "", S2_WORTHLESS, "S2:kawesh-S", "SUIT_NOT_ALLOWED"),
    ("a pass out of turn", "", S2_WORTHLESS, "S2:pass", "NOT_YOUR_TURN"),
]


@pytest.mark.parametrize(
    ("text", "hands", "call", "reason"),
    [row[1:] for row in KAWESH_REFUSED],
    ids=[row[0] for row in KAWESH_REFUSED],
)
def test_a_kawesh_is_refused(text: str, hands: tuple[Hand, ...], call: str, reason: str) -> None:
    with pytest.raises(Refusal) as caught:
        make_call(said("KH", text, hands=hands), *moves(call)[0])
    assert caught.value.reason.name == reason


def test_a_refused_double_of_a_sun_names_both_scores() -> None:
    with pytest.raises(Refusal) as caught:
        make_call(said("KH", S3_SUN, scores=(100, 40)), *moves("S4:double")[0])
    assert "they have 100 and 40" in caught.value.message
    assert caught.value.metadata == {"seat": "west", "call": "double", "buyers": "100", "defenders": "40"}
