"""Sequences of calls and what follows, row by row. The dealer is S4; `BD-` rows are those of the rules (4.6)."""

from __future__ import annotations

import pytest
from baloot.bidding.rules import asked, default_call, legal_calls
from baloot.core.cards import Hand
from baloot.core.errors import Reason, Refusal

from tests.rules.bidding.told import said, seat_of, tell

WORTHLESS = Hand.parse("7S 7C 8C 8D 9D")
OTHERS = tuple(Hand.parse(text) for text in ("AS KS QS JS 10S", "KC QC JC 10C AC", "AD KD QD JD 10D"))
S2_WORTHLESS = (OTHERS[0], WORTHLESS, OTHERS[1], OTHERS[2])
TWO_WORTHLESS = (Hand.parse("7D 8S 9S 9C 8H"), WORTHLESS, OTHERS[1], OTHERS[2])
FOUR_PASSES = "S1:pass S2:pass S3:pass S4:pass"
S1_HOKUM = "S1:hokum S2:pass S3:pass S4:pass"
S1_KEEPS = f"{S1_HOKUM} S1:confirm"

ROWS = [
    # Section 4.6.
    ("BD-2", "KH", f"{S1_HOKUM} S1:sun", "sun by S1 first"),
    ("BD-3", "AH", S1_HOKUM, "hokum H by S1 first; asks S2 double"),
    ("BD-5", "9C", "S1:hokum S2:pass S3:sun", "asks S2 takeover"),
    ("BD-5 taken", "9C", "S1:hokum S2:pass S3:sun S2:pass", "sun by S3 first"),
    ("BD-6", "9C", "S1:pass S2:hokum S1:pass S3:sun S2:qablak", "asks S1 takeover"),
    ("BD-6 kept", "9C", "S1:pass S2:hokum S1:pass S3:sun S2:qablak S1:pass", "sun by S2 first"),
    ("BD-8", "10S", "S1:pass S2:pass S3:sun", "asks S2 takeover"),
    ("BD-9", "10S", "S1:pass S2:pass S3:sun S2:pass", "sun by S3 first"),
    ("BD-11", "KH", "S1:pass S2:pass S3:ashkal", "asks S2 takeover"),
    ("BD-11 bought", "KH", "S1:pass S2:pass S3:ashkal S2:pass", "sun by S3 first card to S1"),
    ("BD-12", "KH", "S1:pass S2:pass S3:pass S4:ashkal", "asks S1 takeover"),
    ("BD-12 next", "KH", "S1:pass S2:pass S3:pass S4:ashkal S1:pass", "asks S3 takeover"),
    ("BD-12 bought", "KH", "S1:pass S2:pass S3:pass S4:ashkal S1:pass S3:pass", "sun by S4 first card to S2"),
    ("BD-17", "KH", f"{FOUR_PASSES} S1:pass S2:hokum S3:pass S4:pass", "asks S2 confirm"),
    ("BD-20", "9C", f"{FOUR_PASSES} S1:pass S2:pass S3:sun", "sun by S3 second"),
    ("BD-21", "9C", f"{FOUR_PASSES} S1:pass S2:pass S3:hokum", "asks S4 answer"),
    (
        "BD-26",
        "KH",
        f"{S1_KEEPS} S2:double-locked S1:three S2:four-locked S1:gahwa",
        "hokum H by S1 first, S2 double locked, S1 three, S2 four locked, S1 gahwa",
    ),
    (
        "BD-27",
        "KH",
        f"{S1_KEEPS} S2:pass S4:double-open",
        "hokum H by S1 first, S4 double open; asks S1 three",
    ),
    # The first bidding.
    ("start", "KH", "", "asks S1 first"),
    ("pass", "KH", "S1:pass", "asks S2 first"),
    ("to the second", "KH", FOUR_PASSES, "asks S1 second"),
    ("S1 sun", "KH", "S1:sun", "sun by S1 first"),
    ("S2 sun", "KH", "S1:pass S2:sun", "asks S1 takeover"),
    ("S4 sun", "KH", "S1:pass S2:pass S3:pass S4:sun", "asks S1 takeover"),
    ("hokum asks all others", "KH", "S1:hokum", "asks S2 answer, S3 answer, S4 answer"),
    (
        "also those who passed",
        "KH",
        "S1:pass S2:pass S3:pass S4:hokum",
        "asks S1 answer, S2 answer, S3 answer",
    ),
    # Takeovers: nobody twice in one chain, always against the holder.
    ("qablak", "KH", "S1:pass S2:sun S1:qablak", "sun by S1 first"),
    ("qablak ends ashkal", "KH", "S1:pass S2:pass S3:ashkal S2:qablak S1:pass", "sun by S2 first"),
    ("S1 over S4", "KH", "S1:pass S2:pass S3:pass S4:sun S1:qablak", "sun by S1 first"),
    ("S3 over S4", "KH", "S1:pass S2:pass S3:pass S4:sun S1:pass S3:qablak", "asks S2 takeover"),
    (
        "S1 not asked twice",
        "KH",
        "S1:pass S2:pass S3:pass S4:sun S1:pass S3:qablak S2:qablak",
        "sun by S2 first",
    ),
    (
        "S3 keeps",
        "KH",
        "S1:pass S2:pass S3:pass S4:sun S1:pass S3:qablak S2:pass",
        "sun by S3 first",
    ),
    ("the bidder may qablak", "KH", "S1:hokum S2:sun S1:qablak", "sun by S1 first"),
    ("the bidder may qablak, Ace", "AH", "S1:hokum S2:sun S1:qablak", "sun by S1 first"),
    # Answers: any order, the earliest claim wins, and nobody is waited for in vain.
    ("a late claim waits", "KH", "S1:hokum S4:sun", "asks S2 answer, S3 answer"),
    ("and still waits", "KH", "S1:hokum S4:sun S2:pass", "asks S3 answer"),
    ("the earlier claim wins", "KH", "S1:hokum S4:sun S2:pass S3:sun", "asks S2 takeover"),
    ("whoever was first to say it", "KH", "S1:hokum S4:sun S3:sun S2:pass", "asks S2 takeover"),
    ("the late claim alone", "KH", "S1:hokum S4:sun S3:pass S2:pass", "asks S1 takeover"),
    ("first seat settles", "KH", "S1:pass S2:hokum S1:sun", "sun by S1 first"),
    ("not waited for", "KH", "S1:hokum S2:sun", "asks S1 takeover"),
    (
        "asked on though it cannot matter",
        "KH",
        "S1:hokum S3:sun",
        "asks S2 answer, S4 answer",
    ),
    ("ashkal claimed", "KH", "S1:hokum S2:pass S3:ashkal S2:pass", "sun by S3 first card to S1"),
    ("dealer's ashkal", "KH", "S1:pass S2:hokum S1:pass S3:pass S4:ashkal", "asks S1 takeover"),
    ("nobody claims", "KH", "S1:hokum S4:pass S2:pass S3:pass", "asks S1 confirm"),
    ("kept", "KH", S1_KEEPS, "hokum H by S1 first; asks S2 double"),
    # The second bidding.
    ("thrown in", "KH", f"{FOUR_PASSES} {FOUR_PASSES}", "thrown in"),
    (
        "second hokum",
        "KH",
        f"{FOUR_PASSES} S1:hokum",
        "asks S2 answer, S3 answer, S4 answer",
    ),
    ("second hokum claimed", "KH", f"{FOUR_PASSES} S1:hokum S2:pass S3:sun", "sun by S3 second"),
    ("second hokum, late claim", "KH", f"{FOUR_PASSES} S1:hokum S3:sun", "asks S2 answer, S4 answer"),
    ("second hokum, earlier claim", "KH", f"{FOUR_PASSES} S1:hokum S3:sun S2:sun", "sun by S2 second"),
    ("dealer's hokum", "KH", f"{FOUR_PASSES} S1:pass S2:pass S3:pass S4:hokum", "asks S4 confirm"),
    (
        "named",
        "KH",
        f"{FOUR_PASSES} S1:pass S2:pass S3:pass S4:hokum S4:confirm-D",
        "hokum D by S4 second; asks S1 double",
    ),
    (
        "turned",
        "KH",
        f"{FOUR_PASSES} S1:pass S2:pass S3:pass S4:hokum S4:sun",
        "sun by S4 second",
    ),
    ("second on an Ace asks", "AH", f"{FOUR_PASSES} {S1_HOKUM}", "asks S1 confirm"),
    # The ladder.
    ("nobody doubles", "KH", f"{S1_KEEPS} S2:pass S4:pass", "hokum H by S1 first"),
    ("the other is asked", "KH", f"{S1_KEEPS} S2:pass", "hokum H by S1 first; asks S4 double"),
    ("one double only", "KH", f"{S1_KEEPS} S2:double-open S1:pass", "hokum H by S1 first, S2 double open"),
    (
        "three",
        "KH",
        f"{S1_KEEPS} S2:double-locked S1:three",
        "hokum H by S1 first, S2 double locked, S1 three; asks S2 four",
    ),
    (
        "three stands",
        "KH",
        f"{S1_KEEPS} S2:double-locked S1:three S2:pass",
        "hokum H by S1 first, S2 double locked, S1 three",
    ),
    (
        "four by that doubler",
        "KH",
        f"{S1_KEEPS} S2:pass S4:double-open S1:three S4:four-open",
        "hokum H by S1 first, S4 double open, S1 three, S4 four open; asks S1 gahwa",
    ),
    (
        "four stands",
        "KH",
        f"{S1_KEEPS} S2:pass S4:double-open S1:three S4:four-open S1:pass",
        "hokum H by S1 first, S4 double open, S1 three, S4 four open",
    ),
]


@pytest.mark.parametrize(("up", "text", "then"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_what_follows_from_a_sequence_of_calls(up: str, text: str, then: str) -> None:
    assert tell(said(up, text)) == then


S3_SUN = "S1:pass S2:pass S3:sun S2:pass"
SUN_DOUBLES = [
    ("BD-29", "KH", S3_SUN, (101, 100), "sun by S3 first; asks S4 double"),
    ("BD-29 then S2", "KH", f"{S3_SUN} S4:pass", (101, 100), "sun by S3 first; asks S2 double"),
    ("BD-30", "KH", S3_SUN, (100, 40), "sun by S3 first"),
    ("BD-32", "KH", "S1:pass S2:sun S1:pass", (120, 60), "sun by S2 first"),
    ("BD-33", "KH", f"{S3_SUN} S4:double", (101, 100), "sun by S3 first, S4 double"),
    ("both over", "KH", S3_SUN, (101, 101), "sun by S3 first"),
    ("both at 100", "KH", S3_SUN, (100, 100), "sun by S3 first"),
    ("both under", "KH", S3_SUN, (0, 0), "sun by S3 first"),
    ("far ahead", "KH", S3_SUN, (151, 0), "sun by S3 first; asks S4 double"),
    ("the dealer's team", "KH", "S1:pass S2:sun S1:pass", (100, 101), "sun by S2 first; asks S3 double"),
    ("nobody", "KH", f"{S3_SUN} S4:pass S2:pass", (101, 100), "sun by S3 first"),
    ("turned", "KH", f"{S1_HOKUM} S1:sun", (101, 100), "sun by S1 first; asks S2 double"),
    (
        "ashkal",
        "KH",
        "S1:pass S2:pass S3:ashkal S2:pass",
        (101, 0),
        "sun by S3 first card to S1; asks S4 double",
    ),
    ("second", "KH", f"{FOUR_PASSES} S1:sun", (101, 0), "sun by S1 second; asks S2 double"),
    ("hokum at once", "KH", S1_KEEPS, (0, 151), "hokum H by S1 first; asks S2 double"),
]


@pytest.mark.parametrize(
    ("up", "text", "scores", "then"), [row[1:] for row in SUN_DOUBLES], ids=[row[0] for row in SUN_DOUBLES]
)
def test_a_sun_is_doubled_only_under_the_condition_of_100(
    up: str, text: str, scores: tuple[int, int], then: str
) -> None:
    assert tell(said(up, text, scores=scores)) == then


KAWESH = [
    ("offered out of turn", "", "asks S1 first, S2 kawesh"),
    ("BD-23", "S1:pass S2:kawesh", "kawesh of S2"),
    ("out of turn", "S2:kawesh", "kawesh of S2"),
    ("on turn it is among the calls", "S1:pass", "asks S2 first"),
    ("after one's own pass", "S1:pass S2:pass", "asks S3 first, S2 kawesh"),
    ("said so", "S1:pass S2:pass S3:pass S2:kawesh", "kawesh of S2"),
    ("closed by a Hokum", "S1:hokum", "asks S2 answer, S3 answer, S4 answer"),
    ("closed by a Sun", "S1:pass S2:sun", "asks S1 takeover"),
    ("closed by the second bidding", FOUR_PASSES, "asks S1 second"),
]


@pytest.mark.parametrize(("text", "then"), [row[1:] for row in KAWESH], ids=[row[0] for row in KAWESH])
def test_a_worthless_hand_is_shown_until_somebody_says_more_than_a_pass(text: str, then: str) -> None:
    assert tell(said("KH", text, hands=S2_WORTHLESS)) == then


def test_two_worthless_hands_are_offered_each() -> None:
    assert tell(said("KH", "S1:pass S2:pass", hands=TWO_WORTHLESS)) == "asks S3 first, S1 kawesh, S2 kawesh"


LEGAL = [
    ("start", "KH", "", "S1", "pass, hokum, sun"),
    ("no ashkal for S2", "KH", "S1:pass", "S2", "pass, hokum, sun"),
    ("ashkal for S3", "KH", "S1:pass S2:pass", "S3", "pass, hokum, sun, ashkal"),
    ("ashkal for S4", "KH", "S1:pass S2:pass S3:pass", "S4", "pass, hokum, sun, ashkal"),
    ("BD-14", "AS", "S1:pass S2:pass", "S3", "pass, hokum, sun"),
    ("not on turn", "KH", "S1:pass", "S3", ""),
    ("answer of S2", "KH", "S1:hokum", "S2", "pass, sun"),
    ("answer of S3", "KH", "S1:hokum", "S3", "pass, sun, ashkal"),
    ("answer of S4", "KH", "S1:hokum", "S4", "pass, sun, ashkal"),
    ("answer on an Ace", "AH", "S1:hokum", "S3", "pass, sun"),
    ("the bidder waits", "KH", "S1:hokum", "S1", ""),
    ("no second answer", "KH", "S1:hokum S4:pass", "S4", ""),
    ("S3 passed before", "KH", "S1:pass S2:pass S3:pass S4:hokum", "S3", "pass, sun"),
    ("S4 never passed", "KH", "S1:pass S2:pass S3:hokum", "S4", "pass, sun, ashkal"),
    ("takeover", "KH", "S1:pass S2:sun", "S1", "pass, qablak"),
    ("keep or turn", "KH", S1_HOKUM, "S1", "confirm, sun"),
    ("no ashkal in the second", "KH", f"{FOUR_PASSES} S1:pass S2:pass", "S3", "pass, hokum, sun"),
    ("answer in the second", "KH", f"{FOUR_PASSES} S1:hokum", "S3", "pass, sun"),
    ("name", "KH", f"{FOUR_PASSES} {S1_HOKUM}", "S1", "confirm S, confirm D, confirm C, sun"),
    ("name on an Ace", "AS", f"{FOUR_PASSES} {S1_HOKUM}", "S1", "confirm H, confirm D, confirm C"),
    ("double", "KH", S1_KEEPS, "S2", "pass, double open, double locked"),
    ("three", "KH", f"{S1_KEEPS} S2:double-open", "S1", "pass, three"),
    ("four", "KH", f"{S1_KEEPS} S2:double-open S1:three", "S2", "pass, four open, four locked"),
    ("gahwa", "KH", f"{S1_KEEPS} S2:double-open S1:three S2:four-open", "S1", "pass, gahwa"),
    ("over", "KH", f"{S1_KEEPS} S2:pass S4:pass", "S1", ""),
]


@pytest.mark.parametrize(
    ("up", "text", "place", "calls"), [row[1:] for row in LEGAL], ids=[row[0] for row in LEGAL]
)
def test_what_a_seat_may_say(up: str, text: str, place: str, calls: str) -> None:
    assert ", ".join(str(call) for call in legal_calls(said(up, text), seat_of(place))) == calls


def test_a_double_of_a_sun_has_no_lock() -> None:
    auction = said("KH", S3_SUN, scores=(101, 100))
    assert [str(call) for call in legal_calls(auction, seat_of("S4"))] == ["pass", "double"]


def test_kawesh_is_among_the_calls_on_turn_and_alone_out_of_turn() -> None:
    asked_out_of_turn = said("KH", "", hands=S2_WORTHLESS)
    on_turn = said("KH", "S1:pass", hands=S2_WORTHLESS)
    assert [str(call) for call in legal_calls(asked_out_of_turn, seat_of("S2"))] == ["kawesh"]
    assert [str(call) for call in legal_calls(on_turn, seat_of("S2"))] == ["pass", "hokum", "sun", "kawesh"]


DEFAULTS = [
    ("first", "KH", "", "S1", "pass"),
    ("answer", "KH", "S1:hokum", "S3", "pass"),
    ("takeover", "KH", "S1:pass S2:sun", "S1", "pass"),
    ("second", "KH", FOUR_PASSES, "S1", "pass"),
    ("the Hokum is kept", "KH", S1_HOKUM, "S1", "confirm"),
    ("BD-18", "KH", f"{FOUR_PASSES} S1:pass S2:hokum S3:pass S4:pass", "S2", "sun"),
    ("on an Ace the first suit", "AH", f"{FOUR_PASSES} {S1_HOKUM}", "S1", "confirm S"),
    ("the first other suit", "AS", f"{FOUR_PASSES} {S1_HOKUM}", "S1", "confirm H"),
    ("double", "KH", S1_KEEPS, "S2", "pass"),
    ("three", "KH", f"{S1_KEEPS} S2:double-open", "S1", "pass"),
    ("four", "KH", f"{S1_KEEPS} S2:double-open S1:three", "S2", "pass"),
    ("gahwa", "KH", f"{S1_KEEPS} S2:double-open S1:three S2:four-open", "S1", "pass"),
]


@pytest.mark.parametrize(
    ("up", "text", "place", "call"), [row[1:] for row in DEFAULTS], ids=[row[0] for row in DEFAULTS]
)
def test_what_is_said_for_a_seat_that_does_not_answer(up: str, text: str, place: str, call: str) -> None:
    assert str(default_call(said(up, text), seat_of(place))) == call


@pytest.mark.parametrize(
    ("text", "place", "reason"),
    [
        ("S1:pass", "S1", Reason.NOT_YOUR_TURN),
        ("S1:hokum", "S1", Reason.NOT_YOUR_TURN),
        ("S1:sun", "S2", Reason.WRONG_PHASE),
    ],
)
def test_nothing_is_said_for_a_seat_that_is_not_asked(text: str, place: str, reason: Reason) -> None:
    with pytest.raises(Refusal) as caught:
        default_call(said("KH", text), seat_of(place))
    assert caught.value.reason is reason


HANDS_OF_FIVE = [
    ("7S 7C 8C 8D 9D", True),
    ("7S 7H 7D 7C 8S", True),
    ("9S 9H 9D 9C 8S", True),
    ("7S 7C 8C 8D 10D", False),
    ("7S 7C 8C 8D JD", False),
    ("7S 7C 8C 8D QD", False),
    ("7S 7C 8C 8D AC", False),
]


@pytest.mark.parametrize(("hand", "offered"), HANDS_OF_FIVE)
def test_a_worthless_hand_has_nothing_above_a_nine(hand: str, offered: bool) -> None:
    texts = ("AS QS JS 10S KS", "KC QC JC 10C 8H", "AH QH JH 10H 9H")
    others = OTHERS if "9H" in hand else tuple(Hand.parse(text) for text in texts)
    auction = said("KH", "", hands=(others[0], Hand.parse(hand), *others[1:]))
    assert (tell(auction) == "asks S1 first, S2 kawesh") is offered


def test_a_seat_that_holds_nothing_gets_its_offer_without_being_waited_for() -> None:
    on_turn, offer = asked(said("KH", "", hands=S2_WORTHLESS))
    assert (on_turn.optional, offer.optional) == (False, True)
    assert [str(call) for call in offer.legal] == ["kawesh"]
    assert str(offer.default) == "pass"


def test_bd_26_a_gahwa_is_open_though_the_four_was_locked() -> None:
    text = f"{S1_KEEPS} S2:double-locked S1:three S2:four-locked"
    four, gahwa = (said("KH", calls).contract for calls in (text, f"{text} S1:gahwa"))
    assert four is not None
    assert gahwa is not None
    assert (four.locked, gahwa.locked) == (True, False)
