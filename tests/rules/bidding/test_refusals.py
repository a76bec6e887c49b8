"""Calls that are refused, and the reason that is told. The dealer is S4; `BD-` rows are those of the rules (4.6)."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import Auction, fold, legal_calls, make_call
from baloot.core.cards import Hand
from baloot.core.errors import RULES, Reason, Refusal

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
    told = taught(said("KH", S3_SUN, scores=(100, 40)), "S4:double")
    assert "they have 100 and 40" in told.message
    assert told.metadata == {
        "seat": "west",
        "call": "double",
        "buyers": "100",
        "defenders": "40",
        "rule": "2.16",
    }


# What a refusal teaches.


def taught(auction: Auction, call: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        make_call(auction, *moves(call)[0])
    return caught.value


HOKUM_TWICE = f"{FOUR_PASSES} {S1_HOKUM}"
TAUGHT = [
    # id, up card, auction, call, rule, what is offered
    ("first bidding", "KH", "", "S1:ashkal", "2.8", "pass,hokum,sun"),
    ("with Ashkal", "KH", "S1:pass S2:pass", "S3:qablak", "2.5", "pass,hokum,sun,ashkal"),
    ("answer", "KH", "S1:hokum", "S2:hokum", "2.5", "pass,sun"),
    ("answer not offered", "KH", "S1:hokum", "S2:confirm", "2.7", "pass,sun"),
    ("takeover", "KH", "S1:pass S2:sun", "S1:sun", "2.6", "pass,qablak"),
    ("second bidding", "KH", f"{FOUR_PASSES} S1:pass", "S2:qablak", "2.9", "pass,hokum,sun"),
    ("answer in the second", "KH", f"{FOUR_PASSES} S1:hokum", "S2:qablak", "2.9", "pass,sun"),
    ("turned on an Ace", "AH", HOKUM_TWICE, "S1:sun", "2.7", "confirm S,confirm D,confirm C"),
    ("suit", "KH", HOKUM_TWICE, "S1:confirm", "2.9", "confirm S,confirm D,confirm C,sun"),
    ("pass is no confirm", "KH", S1_HOKUM, "S1:pass", "2.7", "confirm,sun"),
    ("nor in the second", "KH", HOKUM_TWICE, "S1:pass", "2.9", "confirm S,confirm D,confirm C,sun"),
    ("lock", "KH", S1_KEEPS, "S2:double", "2.15", "pass,double open,double locked"),
    ("raise", "KH", f"{S1_KEEPS} S2:double-open", "S1:gahwa", "2.14", "pass,three"),
    ("another's raise", "KH", f"{S1_KEEPS} S2:double-open", "S3:three", "2.14", ""),
    ("raises are asked", "KH", S1_KEEPS, "S2:sun", "2.36", "pass,double open,double locked"),
    ("a cut", "KH", "", "S1:pass-go_on", "2.3", "pass,hokum,sun"),
    ("not on turn", "KH", "", "S2:pass", "2.36", ""),
    ("answered already", "KH", "S1:hokum S4:pass", "S4:sun", "2.36", ""),
    ("over", "KH", "S1:sun", "S2:pass", "2.36", ""),
]


@pytest.mark.parametrize(
    ("up", "text", "call", "rule", "offered"), [row[1:] for row in TAUGHT], ids=[row[0] for row in TAUGHT]
)
def test_a_refusal_names_the_rule_and_what_is_offered(
    up: str, text: str, call: str, rule: str, offered: str
) -> None:
    told = taught(said(up, text), call)
    assert (told.rule, told.legal) == (rule, offered)
    assert told.message.endswith(f" (rule {rule})")


RULES_OF_OPTIONS = [
    ("no Ashkal", "ashkal_seats=off", "S1:pass S2:pass", "S3:ashkal", "2.8"),
    ("none over a Hokum", "ashkal_over_hokum=no", "S1:hokum", "S4:ashkal", "2.8"),
    ("none over the partner's", "ashkal_over_hokum=opponents_only", "S1:hokum", "S3:ashkal", "2.8"),
    ("no Kawesh", "kawesh=false", "", "S1:kawesh", "2.12"),
    (
        "no turning",
        "confirm_step=off",
        f"{FOUR_PASSES} S1:hokum S2:pass S3:pass S4:pass",
        "S1:sun",
        "2.7",
    ),
    (
        "takeover in the second",
        "sun_takeover_second=earlier_opponents",
        f"{FOUR_PASSES} S1:pass S2:sun",
        "S1:sun",
        "2.10",
    ),
]


@pytest.mark.parametrize(
    ("options", "text", "call", "rule"),
    [row[1:] for row in RULES_OF_OPTIONS],
    ids=[row[0] for row in RULES_OF_OPTIONS],
)
def test_what_another_rule_set_does_not_offer_is_told_with_its_rule(
    options: str, text: str, call: str, rule: str
) -> None:
    told = taught(said("KH", text, options=options), call)
    assert (told.reason.name, told.rule) == ("CALL_NOT_OFFERED", rule)


EVERY_ROW = [
    *((up, text, (), (0, 0), call) for _, up, text, call, _ in REFUSED),
    *(("KH", text, (), scores, call) for _, text, scores, call, _ in SUN_REFUSED),
    *(("KH", text, hands, (0, 0), call) for _, text, hands, call, _ in KAWESH_REFUSED),
]


@pytest.mark.parametrize(("up", "text", "hands", "scores", "call"), EVERY_ROW)
def test_every_refusal_has_the_rule_of_its_reason_and_the_question_of_its_seat(
    up: str, text: str, hands: tuple[Hand, ...], scores: tuple[int, int], call: str
) -> None:
    auction = said(up, text, hands=hands, scores=scores)
    told = taught(auction, call)
    assert told.rule == RULES.get(told.reason, told.rule) != ""
    assert told.legal == ",".join(map(str, legal_calls(auction, moves(call)[0][0])))


def test_the_rows_have_every_reason_of_the_auction() -> None:
    in_order = list(Reason)
    of_auction = in_order[in_order.index(Reason.NOT_YOUR_TURN) : in_order.index(Reason.CARD_NOT_HELD)]
    told = {row[-1] for row in (*REFUSED, *SUN_REFUSED, *KAWESH_REFUSED)}
    assert told == {reason.name for reason in of_auction} | {"CUT_NOT_ALLOWED"}


def test_an_offer_of_kawesh_is_told_to_its_seat_alone() -> None:
    told = taught(said("KH", "", hands=S2_WORTHLESS), "S2:pass")
    assert (told.reason.name, told.legal) == ("NOT_YOUR_TURN", "kawesh")
    for other in ("S3:pass", "S4:pass"):
        with_offer = taught(said("KH", "", hands=S2_WORTHLESS), other)
        without = taught(said("KH", ""), other)
        assert (with_offer.message, with_offer.metadata) == (without.message, without.metadata)


def test_a_record_that_is_wrong_names_the_rule_and_no_calls() -> None:
    auction = said("KH", "")
    with pytest.raises(Refusal) as caught:
        fold(auction.record.after(*moves("S1:ashkal")[0]))
    assert caught.value.metadata == {"index": "0", "reason": "ASHKAL_SEAT", "rule": "2.8"}
