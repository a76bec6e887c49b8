"""Kaboot, Qaid and Gahwa under other options and rule sets (rules 2.30, 2.31 and 2.33)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from baloot.core.cards import Card
from baloot.core.catalogue import RULESETS
from baloot.core.errors import Reason, Refusal
from baloot.core.play import QaidGround
from baloot.core.score import LineKind, RoundRecord, RoundResult
from baloot.core.seats import SEATS, Seat, Team
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import claimed, finished, options

SOUTH, EAST, NORTH, WEST = Seat
ALL, NONE = (8, 0), (0, 8)


# Kaboot. The buyer is South; West dealt unless a row says otherwise.
ON_ACE = {"up_card": Card.parse("AH")}
ON_KING = {"up_card": Card.parse("KH")}
LED_WITH_ACE = {"dealer": WEST, "buyer_had_ace": True}
KABOOT: list[tuple[str, str, str, int, str, str, tuple[int, int], dict[str, Any], tuple[int, int]]] = [
    ("SC-76", "kaboot_in_raised_hand=multiplied", "hokum", 2, "162", "0", ALL, {}, (50, 0)),
    ("SC-76", "kaboot_in_raised_hand=max_of_both", "hokum", 2, "162", "0", ALL, {}, (32, 0)),
    ("SC-76", "pagat", "hokum", 2, "162", "0", ALL, {}, (50, 0)),
    ("SC-76", "jawaker", "hokum", 2, "162", "0", ALL, {}, (50, 0)),
    ("SC-77", "reverse_kaboot=federation", "sun", 1, "0", "130", NONE, LED_WITH_ACE, (0, 88)),
    ("SC-77", "federation", "sun", 1, "0", "130", NONE, LED_WITH_ACE, (0, 88)),
    ("kaboot_sun", "kaboot_sun=26", "sun", 1, "130 sira", "0", ALL, {}, (30, 0)),
    ("kaboot_hokum", "kaboot_hokum=44", "hokum", 1, "162", "0", ALL, {}, (44, 0)),
    ("kaboot_hokum", "gamerules", "hokum", 1, "162 sira baloot", "0", ALL, ON_KING, (48, 0)),
    ("kaboot_loser_projects", "kaboot_loser_projects=if_buyer", "sun", 1, "0 sira", "130", NONE, {}, (0, 48)),
    ("kaboot_loser_projects", "kaboot_loser_projects=if_buyer", "sun", 1, "130", "0 sira", ALL, {}, (44, 0)),
    ("kaboot_loser_projects", "kaboot_loser_projects=always", "sun", 1, "130", "0 sira", ALL, {}, (48, 0)),
    ("kaboot_loser_projects", "kaboot_loser_projects=always", "sun", 1, "0 sira", "130", NONE, {}, (0, 48)),
    (
        "kaboot_loser_projects: the Baloot stays void",
        "kaboot_loser_projects=always",
        "hokum",
        1,
        "0 sira baloot",
        "162",
        NONE,
        {},
        (0, 27),
    ),
    ("multiplied", "kaboot_in_raised_hand=multiplied", "hokum", 3, "162 fifty baloot", "0", ALL, {}, (92, 0)),
    (
        "multiplied",
        "kaboot_in_raised_hand=multiplied project_multiplier=cap_x2",
        "hokum",
        3,
        "162 fifty",
        "0",
        ALL,
        {},
        (85, 0),
    ),
    (
        "multiplied",
        "kaboot_in_raised_hand=multiplied kaboot_loser_projects=always",
        "hokum",
        2,
        "0 fifty",
        "162",
        NONE,
        {},
        (0, 60),
    ),
    (
        "multiplied, unraised",
        "kaboot_in_raised_hand=multiplied",
        "hokum",
        1,
        "162 fifty",
        "0",
        ALL,
        {},
        (30, 0),
    ),
    ("max_of_both, unraised", "kaboot_in_raised_hand=max_of_both", "hokum", 1, "162", "0", ALL, {}, (25, 0)),
    ("max_of_both, sun", "kaboot_in_raised_hand=max_of_both", "sun", 2, "130 sira", "0", ALL, {}, (60, 0)),
    (
        "max_of_both: the kaboot is more",
        "kaboot_in_raised_hand=max_of_both kaboot_sun=60",
        "sun",
        2,
        "130",
        "0",
        ALL,
        {},
        (60, 0),
    ),
    (
        "max_of_both: what goes across decides",
        "kaboot_in_raised_hand=max_of_both kaboot_hokum=44",
        "hokum",
        2,
        "162",
        "0 hundred",
        ALL,
        {},
        (52, 0),
    ),
    ("federation: of the buyer", "reverse_kaboot=federation", "sun", 1, "130", "0", ALL, {}, (44, 0)),
    ("federation: in hokum", "reverse_kaboot=federation", "hokum", 1, "0", "162", NONE, {}, (0, 25)),
    (
        "federation: the buyer did not lead",
        "reverse_kaboot=federation",
        "sun",
        1,
        "0",
        "130",
        NONE,
        {"dealer": EAST},
        (0, 44),
    ),
    (
        "federation: no Ace",
        "reverse_kaboot=federation",
        "sun",
        1,
        "0",
        "130",
        NONE,
        {"dealer": WEST, "buyer_had_ace": False},
        (0, 44),
    ),
    (
        "federation: with the kabooters' projects",
        "federation",
        "sun",
        1,
        "0",
        "130 sira",
        NONE,
        LED_WITH_ACE,
        (0, 92),
    ),
    ("federation: fixed", "federation", "sun", 2, "0", "130", NONE, LED_WITH_ACE, (0, 88)),
    ("ace_upcard: the buyer", "reverse_kaboot=ace_upcard", "sun", 1, "130", "0", ALL, ON_ACE, (88, 0)),
    ("ace_upcard: the defenders", "jawaker", "sun", 1, "0", "130", NONE, ON_ACE, (0, 88)),
    ("ace_upcard: a king", "reverse_kaboot=ace_upcard", "sun", 1, "130", "0", ALL, ON_KING, (44, 0)),
    ("ace_upcard: in hokum", "reverse_kaboot=ace_upcard", "hokum", 1, "162", "0", ALL, {}, (25, 0)),
    ("ace_upcard: multiplied", "jawaker", "sun", 2, "130 sira", "0", ALL, ON_ACE, (184, 0)),
    ("ace_upcard_any", "gamerules", "hokum", 1, "0 sira", "162", NONE, ON_ACE, (0, 88)),
    ("ace_upcard_any: multiplied", "gamerules", "hokum", 3, "162", "0", ALL, ON_ACE, (264, 0)),
    ("ace_upcard_any: a king", "gamerules", "sun", 1, "130", "0", ALL, ON_KING, (44, 0)),
]


@pytest.mark.parametrize(
    ("chosen", "mode", "level", "buyers", "defenders", "tricks", "facts", "written"),
    [row[1:] for row in KABOOT],
    ids=[f"{row[0]}: {row[1]} {row[2]}x{row[3]}" for row in KABOOT],
)
def test_a_kaboot_is_written_as_its_options_say(
    chosen: str,
    mode: str,
    level: int,
    buyers: str,
    defenders: str,
    tricks: tuple[int, int],
    facts: dict[str, Any],
    written: tuple[int, int],
) -> None:
    record = finished(mode, level, buyers, defenders, tricks=tricks, ruleset=options(chosen))
    score = score_round(replace(record, **facts))
    assert score.game_points == written
    assert score.result is RoundResult.KABOOT


NEEDED: list[tuple[str, str, dict[str, Any], str]] = [
    ("federation", "sun", {}, "dealer"),
    ("federation", "sun", {"dealer": WEST}, "buyer_had_ace"),
    ("ace_upcard", "sun", {}, "up_card"),
    ("ace_upcard_any", "sun", {}, "up_card"),
    ("ace_upcard_any", "hokum", {}, "up_card"),
]


@pytest.mark.parametrize(("reverse", "mode", "facts", "field"), NEEDED)
def test_what_a_reverse_kaboot_asks_for_must_be_told(
    reverse: str, mode: str, facts: dict[str, Any], field: str
) -> None:
    ruleset = options(f"reverse_kaboot={reverse}")
    defenders = "162" if mode == "hokum" else "130"
    record = replace(finished(mode, 1, "0", defenders, tricks=NONE, ruleset=ruleset), **facts)
    with pytest.raises(Refusal) as refused:
        score_round(record)
    assert (refused.value.reason, refused.value.field) == (Reason.RECORD_INVALID, f"record.{field}")
    defended = finished(mode, 1, "20", str(int(defenders) - 20), tricks=(1, 7))
    assert score_round(replace(record, play=defended.play)).result is RoundResult.KHOSARA


# Qaid.
CLAIMS = "illegal_play=allow_with_qaid"
QAID: list[tuple[str, str, str, int, str, str, Seat, bool, tuple[int, int]]] = [
    ("QD-1", CLAIMS, "hokum", 1, "0 hundred", "0", SOUTH, True, (26, 0)),
    ("QD-2", CLAIMS, "sun", 1, "0 hundred", "0", SOUTH, True, (46, 0)),
    ("QD-4", CLAIMS, "hokum", 3, "0", "0", EAST, True, (0, 48)),
    ("QD-5", CLAIMS, "hokum", 1, "0", "0", EAST, False, (16, 0)),
    ("QD-5", f"{CLAIMS} qaid_hokum=25", "hokum", 1, "0", "0", EAST, False, (25, 0)),
    ("QD-5 of the buyer", CLAIMS, "hokum", 1, "0", "0", SOUTH, False, (0, 16)),
    ("qaid_sun", f"{CLAIMS} qaid_sun=44", "sun", 2, "0", "0", SOUTH, True, (88, 0)),
    ("projects once", CLAIMS, "hokum", 4, "0 fifty baloot", "0", SOUTH, True, (71, 0)),
    ("the offender's are void", CLAIMS, "hokum", 1, "0", "0 fifty baloot", SOUTH, True, (16, 0)),
    ("a wrong claim", CLAIMS, "hokum", 2, "0 sira", "0 baloot", SOUTH, False, (0, 34)),
    ("after seven tricks", CLAIMS, "hokum", 1, "120", "30", SOUTH, False, (0, 16)),
    ("after a kaboot", CLAIMS, "sun", 1, "130", "0", SOUTH, False, (0, 26)),
    ("sawa_penalty", "sawa_penalty=qaid", "hokum", 1, "50", "30", SOUTH, False, (0, 16)),
]


@pytest.mark.parametrize(
    ("chosen", "mode", "level", "buyers", "defenders", "claimer", "right", "written"),
    [row[1:] for row in QAID],
    ids=[f"{row[0]}: {row[2]}x{row[3]}" for row in QAID],
)
def test_a_qaid_is_written_as_the_rules_print_it(
    chosen: str,
    mode: str,
    level: int,
    buyers: str,
    defenders: str,
    claimer: Seat,
    right: bool,
    written: tuple[int, int],
) -> None:
    ground = QaidGround.WRONG_SAWA if "sawa" in chosen else QaidGround.NO_OVER_TRUMP
    record = finished(
        mode,
        level,
        buyers,
        defenders,
        tricks=(4, 0) if buyers[:2] not in ("50", "12") else (4, 3),
        ruleset=options(chosen),
        qaid=claimed(right=right, claimer=claimer, ground=ground),
    )
    score = score_round(record)
    assert score.game_points == written
    assert score.result is RoundResult.QAID
    assert score.round_winner is (claimer.team if right else claimer.team.other)
    assert score.compared == (0, 0)


@pytest.mark.parametrize("claimer", SEATS)
@pytest.mark.parametrize("right", [True, False])
def test_a_qaid_goes_to_the_claimers_side_if_it_is_right(claimer: Seat, right: bool) -> None:
    qaid = claimed(right=right, claimer=claimer)
    score = score_round(finished("hokum", 1, "10", "20", ruleset=options(CLAIMS), qaid=qaid))
    assert score.round_winner is (claimer.team if right else claimer.team.other)


# Gahwa.
GAHWA: list[tuple[str, str, str, tuple[int, int], Team]] = [
    ("tie_raised=first_doubler_loses", "81", "81", (5, 3), Team.SOUTH_NORTH),
    ("tie_raised=counted_as_usual", "81", "81", (5, 3), Team.SOUTH_NORTH),
    ("tie_raised=counted_as_usual tie_undoubled=buyer_fails", "81", "81", (5, 3), Team.EAST_WEST),
    ("success_basis=abnat", "106", "56 fifty", (5, 3), Team.EAST_WEST),
    ("success_basis=abnat tie_raised=first_doubler_loses", "106", "56 fifty", (5, 3), Team.SOUTH_NORTH),
    ("success_basis=gp_only", "80", "82", (5, 3), Team.EAST_WEST),
    ("count_side=both_separate", "86", "76 baloot", (5, 3), Team.EAST_WEST),
    ("raised_points=shared", "90", "72 baloot", (5, 3), Team.EAST_WEST),
    ("raised_points=shared khosara=raised_only", "92", "70", (5, 3), Team.SOUTH_NORTH),
    ("khosara_baloot=owner_keeps", "60 baloot", "102", (5, 3), Team.EAST_WEST),
    ("kaboot_in_raised_hand=multiplied", "162", "0 hundred", ALL, Team.SOUTH_NORTH),
    ("kaboot_in_raised_hand=max_of_both", "0", "162", NONE, Team.EAST_WEST),
    ("reverse_kaboot=ace_upcard_any", "0", "162", NONE, Team.EAST_WEST),
]


@pytest.mark.parametrize(("chosen", "buyers", "defenders", "tricks", "winner"), GAHWA)
def test_a_gahwa_decides_the_match_under_every_option(
    chosen: str, buyers: str, defenders: str, tricks: tuple[int, int], winner: Team
) -> None:
    score = score_round(finished("hokum", 5, buyers, defenders, tricks=tricks, ruleset=options(chosen)))
    assert (score.result, score.winner) == (RoundResult.GAHWA, winner)
    assert score.game_points == ((152, 0) if winner is Team.SOUTH_NORTH else (0, 152))
    assert [line.kind for line in score.lines] == [LineKind.GAHWA]


@pytest.mark.parametrize("right", [True, False])
def test_a_qaid_decides_a_gahwa(right: bool) -> None:
    qaid = claimed(right=right)
    score = score_round(finished("hokum", 5, "100 hundred", "20", ruleset=options(CLAIMS), qaid=qaid))
    assert score.result is RoundResult.GAHWA
    assert score.game_points == ((152, 0) if right else (0, 152))


def test_a_gahwa_in_sun_decides_the_match_where_the_ladder_is_open() -> None:
    assert score_round(finished("sun", 5, "75", "55", ruleset=RULESETS["gamerules"])).game_points == (152, 0)


def test_a_kaboot_needs_no_card_points() -> None:
    record: RoundRecord = finished("sun", 1, "0", "0", tricks=ALL)
    assert score_round(record).card_points == (130, 0)
    assert score_round(record).game_points == (44, 0)


def test_a_round_needs_no_tricks() -> None:
    record = finished("hokum", 1, "92", "70", tricks=(0, 0))
    assert score_round(record).game_points == (9, 7)
