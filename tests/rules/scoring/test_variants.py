"""The worked examples of scoring under other options and rule sets, and each value of each option (rules 2.26 to 2.32)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from baloot.core.catalogue import RULESETS
from baloot.core.errors import Reason, Refusal
from baloot.core.playable import CONTRADICTIONS, NOT_YET, require_playable
from baloot.core.ruleset import OPTIONS, STANDARD
from baloot.core.score import RoundResult
from baloot.core.seats import Team
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import finished, options
from tests.strategies.score import SCORING_OPTIONS

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
    ("SC-13", "gamerules", "hokum", 1, "80", "82", (0, 16)),
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
    ("SC-23", "gamerules", "hokum", 1, "92", "70 baloot", (0, 16)),
    ("SC-25", "count_side=both_reduce_larger", "hokum", 1, "66 fifty", "96", (12, 9)),
    ("SC-25", "kammelna", "hokum", 1, "66 fifty", "96", (12, 9)),
    ("SC-44", "success_basis=gp_only tie_undoubled=buyer_fails", "sun", 1, "40 fifty", "90", (0, 36)),
    ("SC-46", "success_basis=gp_only tie_undoubled=buyer_fails", "sun", 1, "44 fifty", "86", (0, 36)),
    ("SC-44", "gamerules", "sun", 1, "40 fifty", "90", (0, 26)),
    ("SC-46", "gamerules", "sun", 1, "44 fifty", "86", (0, 26)),
    ("SC-47", "gamerules", "sun", 1, "15 hundred", "115", (0, 26)),
    ("a tie of 13", "gamerules", "sun", 1, "65", "65", (0, 26)),
    ("SC-53", "gamerules", "hokum", 2, "90", "72", (18, 14)),
    ("SC-53", "raised_points=shared", "hokum", 2, "90", "72", (18, 14)),
    ("SC-55", "khosara_baloot=owner_keeps", "hokum", 2, "70 baloot", "92", (2, 32)),
    ("SC-55", "jawaker", "hokum", 2, "70 baloot", "92", (2, 32)),
    ("SC-58", "tie_raised=first_doubler_loses", "hokum", 3, "81", "81", (48, 0)),
    ("SC-58", "kammelna", "hokum", 3, "81", "81", (48, 0)),
    ("SC-58", "jawaker", "hokum", 3, "81", "81", (48, 0)),
    ("SC-58", "pagat", "hokum", 3, "81", "81", (48, 0)),
    ("SC-61", "project_multiplier=cap_x2", "hokum", 4, "60", "102 fifty", (0, 74)),
    ("SC-61", "pagat", "hokum", 4, "60", "102 fifty", (0, 74)),
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
