"""The worked examples of scoring under other options and rule sets, and each value of each option (rules 2.26 to 2.33)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import Enum
from typing import Any

import pytest
from baloot.core.cards import Card
from baloot.core.catalogue import RULESETS, with_changes
from baloot.core.errors import Reason, Refusal
from baloot.core.play import QaidGround
from baloot.core.ruleset import CONTRADICTIONS, NOT_YET, OPTIONS, STANDARD, Ruleset, require_playable
from baloot.core.score import LineKind, RoundRecord, RoundResult
from baloot.core.seats import SEATS, Seat, Team
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import claimed, finished
from tests.strategies.score import SCORING_OPTIONS

SOUTH, EAST, NORTH, WEST = Seat
ALL, NONE = (8, 0), (0, 8)


def options(text: str) -> Ruleset:
    """`hokum_half=up khosara=raised_only`, or the name of a rule set."""
    if text in RULESETS:
        return RULESETS[text]
    return with_changes(STANDARD, text, dict(part.split("=") for part in text.split()))


Row = tuple[str, str, str, int, str, str, tuple[int, int]]

# Label, options or rule set, mode, level, the buyer's side, the defenders' side, what is written.
ROWS: list[Row] = [
    # The variant columns of the examples.
    ("SC-7", "count_side=both_separate", "hokum", 1, "86", "76", (9, 8)),
    ("SC-7", "gamerules", "hokum", 1, "86", "76", (9, 8)),
    ("SC-7", "wikipedia", "hokum", 1, "86", "76", (9, 8)),
    ("SC-7", "kammelna", "hokum", 1, "86", "76", (8, 8)),
    ("SC-8", "gamerules", "hokum", 1, "85", "77", (0, 16)),
    ("SC-10", "gamerules", "hokum", 1, "83", "79", (0, 16)),
    ("SC-11", "gamerules", "hokum", 1, "82", "80", (0, 16)),
    ("SC-11", "success_basis=gp_only tie_undoubled=buyer_fails", "hokum", 1, "82", "80", (0, 16)),
    ("SC-13", "success_basis=gp_only", "hokum", 1, "80", "82", (8, 8)),
    ("SC-14", "success_basis=gp_only", "hokum", 1, "77", "85", (8, 8)),
    ("SC-14", "gamerules", "hokum", 1, "77", "85", (0, 16)),
    ("SC-16", "count_side=both_separate", "hokum", 1, "96", "66", (10, 7)),
    ("SC-16", "gamerules", "hokum", 1, "96", "66", (10, 7)),
    ("SC-16", "count_side=both_reduce_larger", "hokum", 1, "96", "66", (9, 7)),
    ("SC-17", "success_basis=abnat", "hokum", 1, "106", "56 fifty", (10, 11)),
    ("SC-17", "federation", "hokum", 1, "106", "56 fifty", (10, 11)),
    ("SC-17", "jawaker", "hokum", 1, "106", "56 fifty", (0, 21)),
    ("SC-19", "khosara_projects=own_only", "hokum", 1, "60 sira", "102", (0, 16)),
    ("SC-19", "gamerules", "hokum", 1, "60 sira", "102", (0, 16)),
    ("SC-20", "khosara_baloot=owner_keeps", "hokum", 1, "70 baloot", "92", (2, 16)),
    ("SC-20", "gamerules", "hokum", 1, "70 baloot", "92", (0, 16)),
    ("SC-20", "jawaker", "hokum", 1, "70 baloot", "92", (2, 16)),
    ("SC-22", "gamerules", "hokum", 1, "90", "72 baloot", (0, 16)),
    ("SC-23", "success_basis=gp_only tie_undoubled=buyer_fails", "hokum", 1, "92", "70 baloot", (0, 18)),
    ("SC-25", "count_side=both_reduce_larger", "hokum", 1, "66 fifty", "96", (12, 9)),
    ("SC-25", "kammelna", "hokum", 1, "66 fifty", "96", (12, 9)),
    ("SC-44", "success_basis=gp_only tie_undoubled=buyer_fails", "sun", 1, "40 fifty", "90", (0, 36)),
    ("SC-46", "success_basis=gp_only tie_undoubled=buyer_fails", "sun", 1, "44 fifty", "86", (0, 36)),
    ("SC-53", "gamerules", "hokum", 2, "90", "72", (18, 14)),
    ("SC-53", "raised_points=shared", "hokum", 2, "90", "72", (18, 14)),
    ("SC-55", "khosara_baloot=owner_keeps", "hokum", 2, "70 baloot", "92", (2, 32)),
    ("SC-58", "tie_raised=first_doubler_loses", "hokum", 3, "81", "81", (48, 0)),
    ("SC-58", "kammelna", "hokum", 3, "81", "81", (48, 0)),
    ("SC-58", "pagat", "hokum", 3, "81", "81", (48, 0)),
    ("SC-61", "project_multiplier=cap_x2", "hokum", 4, "60", "102 fifty", (0, 74)),
    ("SC-61", "project_multiplier=double_only", "hokum", 4, "60", "102 fifty", (0, 69)),
    ("SC-61", "project_multiplier=none", "hokum", 4, "60", "102 fifty", (0, 69)),
    # Half of a pile.
    ("hokum_half", "hokum_half=up", "hokum", 1, "87", "75", (8, 8)),
    ("hokum_half", "hokum_half=down", "hokum", 1, "87", "75", (9, 7)),
    ("hokum_half", "hokum_half=up count_side=both_reduce_larger", "hokum", 1, "87", "75", (8, 8)),
    ("hokum_half", "hokum_half=up count_side=both_separate", "hokum", 1, "87", "75", (9, 8)),
    ("hokum_half", "hokum_half=up", "sun", 1, "75", "55", (15, 11)),
    # Both sides counted.
    ("count_side", "count_side=both_separate", "sun", 1, "75", "55", (15, 11)),
    ("count_side", "count_side=both_reduce_larger", "sun", 1, "75", "55", (15, 11)),
    ("count_side", "count_side=both_reduce_larger", "hokum", 1, "106", "56", (10, 6)),
    ("count_side", "count_side=both_reduce_larger", "hokum", 1, "92", "70", (9, 7)),
    # What is compared.
    ("success_basis", "success_basis=abnat", "hokum", 1, "81", "81", (8, 8)),
    ("success_basis", "success_basis=abnat", "hokum", 1, "80", "82", (0, 16)),
    ("success_basis", "success_basis=gp_only", "hokum", 1, "106", "56 fifty", (0, 21)),
    ("success_basis", "success_basis=gp_only count_side=both_separate", "hokum", 1, "76", "86", (0, 16)),
    # Ties.
    ("tie_undoubled", "tie_undoubled=buyer_fails", "hokum", 1, "81", "81", (0, 16)),
    ("tie_undoubled", "tie_undoubled=buyer_fails", "sun", 1, "65", "65", (0, 26)),
    ("tie_undoubled", "tie_undoubled=sun_succeeds_hokum_fails", "hokum", 1, "81", "81", (0, 16)),
    ("tie_undoubled", "tie_undoubled=sun_succeeds_hokum_fails", "sun", 1, "65", "65", (13, 13)),
    ("tie_undoubled", "tie_undoubled=buyer_fails", "hokum", 2, "81", "81", (32, 0)),
    ("tie_raised", "tie_raised=first_doubler_loses", "hokum", 2, "81", "81", (32, 0)),
    ("tie_raised", "tie_raised=first_doubler_loses", "hokum", 4, "81", "81", (64, 0)),
    ("tie_raised", "tie_raised=counted_as_usual", "hokum", 3, "81", "81", (48, 0)),
    ("tie_raised", "tie_raised=counted_as_usual tie_undoubled=buyer_fails", "hokum", 2, "81", "81", (0, 32)),
    (
        "tie_raised",
        "tie_raised=counted_as_usual tie_undoubled=sun_succeeds_hokum_fails",
        "sun",
        2,
        "65",
        "65",
        (52, 0),
    ),
    # The buyer failed.
    ("khosara", "khosara=raised_only", "hokum", 1, "60 sira", "102", (8, 10)),
    ("khosara", "khosara=raised_only", "hokum", 1, "70 baloot", "92", (9, 9)),
    ("khosara", "khosara=raised_only", "hokum", 2, "60 sira", "102", (0, 36)),
    ("khosara", "khosara=raised_only", "hokum", 2, "92", "70", (32, 0)),
    ("khosara", "khosara=raised_only raised_points=shared", "hokum", 2, "60", "102", (0, 32)),
    ("khosara_projects", "khosara_projects=own_only", "hokum", 1, "60", "102 fifty", (0, 21)),
    ("khosara_projects", "khosara_projects=none", "hokum", 1, "60", "102 fifty", (0, 16)),
    ("khosara_projects", "khosara_projects=none", "hokum", 1, "60 sira", "102", (0, 16)),
    ("khosara_projects", "khosara_projects=none", "hokum", 1, "92 sira", "70", (11, 7)),
    ("khosara_projects", "khosara_projects=own_only", "hokum", 2, "100", "62 sira", (32, 0)),
    ("khosara_projects", "khosara_projects=own_only", "hokum", 2, "100 sira", "62", (36, 0)),
    ("khosara_projects", "khosara_projects=none", "hokum", 3, "100 sira", "62", (48, 0)),
    ("khosara_baloot", "khosara_baloot=owner_keeps", "hokum", 1, "60", "102 baloot", (0, 18)),
    ("khosara_baloot", "khosara_baloot=none", "hokum", 1, "60", "102 baloot", (0, 16)),
    ("khosara_baloot", "khosara_baloot=none", "hokum", 1, "60 baloot", "102", (0, 16)),
    ("khosara_baloot", "khosara_baloot=owner_keeps", "hokum", 4, "100", "62 baloot", (64, 2)),
    ("khosara_baloot", "khosara_baloot=none", "hokum", 2, "100 baloot", "62", (32, 0)),
    # Raised rounds.
    ("raised_points", "raised_points=shared", "hokum", 3, "90 fifty", "72 baloot", (42, 23)),
    (
        "raised_points",
        "raised_points=shared project_multiplier=cap_x2",
        "hokum",
        3,
        "90 fifty",
        "72",
        (37, 21),
    ),
    ("raised_points", "raised_points=shared", "hokum", 2, "70", "92 sira", (0, 36)),
    ("raised_points", "raised_points=shared", "sun", 2, "75", "55", (30, 22)),
    ("raised_points", "gamerules", "hokum", 4, "60 sira", "102 baloot", (0, 64)),
    ("raised_points", "gamerules", "sun", 4, "75", "55", (60, 44)),
    ("raised_projects", "raised_projects=winners_own", "hokum", 2, "100", "62 sira", (32, 0)),
    ("raised_projects", "raised_projects=winners_own", "hokum", 2, "100 sira", "62", (36, 0)),
    ("raised_projects", "raised_projects=winners_own", "hokum", 1, "60 sira", "102", (0, 18)),
    ("raised_projects", "raised_projects=winners_own", "hokum", 2, "100", "62 baloot", (34, 0)),
    (
        "raised_projects",
        "raised_projects=winners_own khosara_projects=none",
        "hokum",
        2,
        "100 sira",
        "62",
        (32, 0),
    ),
    ("project_multiplier", "project_multiplier=cap_x2", "hokum", 3, "120 fifty", "42", (58, 0)),
    ("project_multiplier", "project_multiplier=double_only", "hokum", 2, "120 fifty", "42", (42, 0)),
    ("project_multiplier", "project_multiplier=none", "sun", 2, "75 fifty", "55", (62, 0)),
]


@pytest.mark.parametrize(
    ("chosen", "mode", "level", "buyers", "defenders", "written"),
    [row[1:] for row in ROWS],
    ids=[f"{row[0]}: {row[1]} {row[2]}x{row[3]} {row[4]} to {row[5]}" for row in ROWS],
)
def test_a_round_is_written_as_its_options_say(
    chosen: str, mode: str, level: int, buyers: str, defenders: str, written: tuple[int, int]
) -> None:
    record = finished(mode, level, buyers, defenders, ruleset=options(chosen))
    assert score_round(record).game_points == written


def test_a_buyer_who_is_behind_and_keeps_his_points_has_failed_all_the_same() -> None:
    score = score_round(finished("hokum", 1, "60", "102", ruleset=options("khosara=raised_only")))
    assert (score.result, score.round_winner) == (RoundResult.KHOSARA, None)


def test_a_buyer_who_shares_a_raised_round_has_made_it() -> None:
    score = score_round(finished("hokum", 2, "92", "70", ruleset=options("raised_points=shared")))
    assert (score.result, score.round_winner) == (RoundResult.MADE, None)


# Kaboot. The buyer is South; West dealt unless a row says otherwise.
ON_ACE = {"up_card": Card.parse("AH")}
ON_KING = {"up_card": Card.parse("KH")}
LED_WITH_ACE = {"dealer": WEST, "buyer_had_ace": True}
KABOOT: list[tuple[str, str, str, int, str, str, tuple[int, int], dict[str, Any], tuple[int, int]]] = [
    ("SC-76", "kaboot_in_raised_hand=multiplied", "hokum", 2, "162", "0", ALL, {}, (50, 0)),
    ("SC-76", "kaboot_in_raised_hand=max_of_both", "hokum", 2, "162", "0", ALL, {}, (32, 0)),
    ("SC-76", "pagat", "hokum", 2, "162", "0", ALL, {}, (50, 0)),
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
QAID: list[tuple[str, str, str, int, str, str, bool, tuple[int, int]]] = [
    ("QD-1", CLAIMS, "hokum", 1, "0 hundred", "0", True, (26, 0)),
    ("QD-2", CLAIMS, "sun", 1, "0 hundred", "0", True, (46, 0)),
    ("QD-4", CLAIMS, "hokum", 3, "0", "0", False, (0, 48)),
    ("QD-5", CLAIMS, "hokum", 1, "0", "0", True, (16, 0)),
    ("QD-5", f"{CLAIMS} qaid_hokum=25", "hokum", 1, "0", "0", True, (25, 0)),
    ("qaid_sun", f"{CLAIMS} qaid_sun=44", "sun", 2, "0", "0", True, (88, 0)),
    ("projects once", CLAIMS, "hokum", 4, "0 fifty baloot", "0", True, (71, 0)),
    ("the offender's are void", CLAIMS, "hokum", 1, "0", "0 fifty baloot", True, (16, 0)),
    ("a wrong claim", CLAIMS, "hokum", 2, "0 sira", "0 baloot", False, (0, 34)),
    ("after seven tricks", CLAIMS, "hokum", 1, "120", "30", False, (0, 16)),
    ("after a kaboot", CLAIMS, "sun", 1, "130", "0", False, (0, 26)),
    ("sawa_penalty", "sawa_penalty=qaid", "hokum", 1, "50", "30", False, (0, 16)),
]


@pytest.mark.parametrize(
    ("chosen", "mode", "level", "buyers", "defenders", "right", "written"),
    [row[1:] for row in QAID],
    ids=[f"{row[0]}: {row[2]}x{row[3]}" for row in QAID],
)
def test_a_qaid_is_written_as_the_rules_print_it(
    chosen: str, mode: str, level: int, buyers: str, defenders: str, right: bool, written: tuple[int, int]
) -> None:
    ground = QaidGround.WRONG_SAWA if "sawa" in chosen else QaidGround.NO_OVER_TRUMP
    record = finished(
        mode,
        level,
        buyers,
        defenders,
        tricks=(4, 0) if buyers[:2] not in ("50", "12") else (4, 3),
        ruleset=options(chosen),
        qaid=claimed(right=right, ground=ground),
    )
    score = score_round(record)
    assert score.game_points == written
    assert score.result is RoundResult.QAID
    assert score.round_winner is (Team.SOUTH_NORTH if right else Team.EAST_WEST)
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


# The match.
MATCH: list[tuple[str, str, tuple[int, int], str, str, tuple[int, int], Team | None]] = [
    ("ME-1", "both_over=hand_points", (150, 148), "82 sira", "80 baloot", (160, 158), None),
    ("ME-1", "pagat", (150, 148), "82 sira", "80 baloot", (160, 158), None),
    ("ME-1", "federation", (150, 148), "82 sira", "80 baloot", (160, 158), Team.SOUTH_NORTH),
    ("ME-2", "both_over=hand_points", (151, 151), "82", "80", (159, 159), None),
    ("both_over", "both_over=hand_points", (150, 145), "92", "70 baloot", (159, 154), None),
    ("both_over", "both_over=hand_points", (151, 145), "82", "80 sira", (151, 163), Team.EAST_WEST),
    ("both_over", "both_over=hand_points", (151, 145), "92", "70", (160, 152), Team.SOUTH_NORTH),
    ("both_over", "both_over=hand_points", (160, 158), "82", "80 sira", (160, 176), Team.EAST_WEST),
    ("both_over", "both_over=hand_points", (100, 145), "92", "70", (109, 152), Team.EAST_WEST),
    ("both_over", "both_over=buyer_side", (143, 150), "92", "70 baloot", (152, 159), Team.SOUTH_NORTH),
    ("both_over", "both_over=buyer_side", (151, 151), "82", "80", (159, 159), Team.SOUTH_NORTH),
    ("both_over", "both_over=buyer_side", (142, 150), "92", "70", (151, 157), Team.EAST_WEST),
    ("both_over", "both_over=buyer_side", (100, 100), "92", "70", (109, 107), None),
]


@pytest.mark.parametrize(
    ("chosen", "scores", "buyers", "defenders", "totals", "winner"),
    [row[1:] for row in MATCH],
    ids=[f"{row[0]}: {row[1]} {row[2]}" for row in MATCH],
)
def test_the_match_ends_as_its_options_say(
    chosen: str,
    scores: tuple[int, int],
    buyers: str,
    defenders: str,
    totals: tuple[int, int],
    winner: Team | None,
) -> None:
    score = score_round(finished("hokum", 1, buyers, defenders, scores=scores, ruleset=options(chosen)))
    assert (score.totals, score.winner) == (totals, winner)


# Which options work, and which contradict each other.


def others() -> Iterator[tuple[str, Any]]:
    """Every value of every scoring option that is not the standard one."""
    for option in SCORING_OPTIONS[: SCORING_OPTIONS.index("both_over") + 1]:
        kind = OPTIONS[option]
        values = list(kind) if issubclass(kind, Enum) else [30]
        yield from ((option, value) for value in values if value is not getattr(STANDARD, option))


@pytest.mark.parametrize(("option", "value"), list(others()))
def test_every_value_of_the_scoring_options_works(option: str, value: Any) -> None:
    assert option not in NOT_YET
    require_playable(STANDARD.with_options(**{option: value}))


CONTRADICTING = [
    ("kaboot_in_raised_hand=max_of_both raised_points=shared", "kaboot_in_raised_hand"),
    ("reverse_kaboot=federation kaboot_sun=89", "reverse_kaboot"),
    ("reverse_kaboot=ace_upcard kaboot_sun=100", "reverse_kaboot"),
    ("reverse_kaboot=ace_upcard_any kaboot_sun=89", "reverse_kaboot"),
    ("reverse_kaboot=ace_upcard_any kaboot_hokum=89", "reverse_kaboot"),
]


@pytest.mark.parametrize(("chosen", "option"), CONTRADICTING)
def test_options_that_contradict_each_other_are_refused_by_name(chosen: str, option: str) -> None:
    with pytest.raises(Refusal) as refused:
        require_playable(options(chosen))
    assert (refused.value.reason, refused.value.field) == (Reason.RULESET_INVALID, f"ruleset.{option}")
    assert all(part.split("=")[0] in refused.value.message for part in chosen.split())


@pytest.mark.parametrize(
    "chosen",
    [
        "reverse_kaboot=federation kaboot_sun=88",
        "reverse_kaboot=ace_upcard kaboot_hokum=100",
        "kaboot_sun=100",
        "qaid_sun=44",
        "khosara=raised_only raised_points=shared",
        "kaboot_in_raised_hand=max_of_both",
    ],
)
def test_options_that_are_only_unusual_together_are_played(chosen: str) -> None:
    require_playable(options(chosen))


def test_no_rule_set_that_ships_contradicts_itself() -> None:
    for ruleset in RULESETS.values():
        assert not any(contradiction.holds(ruleset) for contradiction in CONTRADICTIONS)


def test_a_kaboot_needs_no_card_points() -> None:
    record: RoundRecord = finished("sun", 1, "0", "0", tricks=ALL)
    assert score_round(record).card_points == (130, 0)
    assert score_round(record).game_points == (44, 0)


def test_a_round_needs_no_tricks() -> None:
    record = finished("hokum", 1, "92", "70", tricks=(0, 0))
    assert score_round(record).game_points == (9, 7)
