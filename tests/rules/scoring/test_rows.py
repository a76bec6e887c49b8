"""The worked examples of scoring, row by row (rules 4.1 to 4.4)."""

from __future__ import annotations

import pytest
from baloot.core.ruleset import STANDARD
from baloot.core.score import RoundRecord, RoundResult
from baloot.core.seats import Team
from baloot.scoring import match
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import finished

MADE, KHOSARA, KABOOT = RoundResult.MADE, RoundResult.KHOSARA, RoundResult.KABOOT

ROWS: list[tuple[str, str, int, str, str, tuple[int, int], RoundResult]] = [
    # Hokum, not raised.
    ("SC-1", "hokum", 1, "92", "70", (9, 7), MADE),
    ("SC-2", "hokum", 1, "91", "71", (9, 7), MADE),
    ("SC-4", "hokum", 1, "89", "73", (9, 7), MADE),
    ("SC-5", "hokum", 1, "88", "74", (9, 7), MADE),
    ("SC-7", "hokum", 1, "86", "76", (8, 8), MADE),
    ("SC-8", "hokum", 1, "85", "77", (8, 8), MADE),
    ("SC-10", "hokum", 1, "83", "79", (8, 8), MADE),
    ("SC-11", "hokum", 1, "82", "80", (8, 8), MADE),
    ("SC-13", "hokum", 1, "80", "82", (0, 16), KHOSARA),
    ("SC-14", "hokum", 1, "77", "85", (0, 16), KHOSARA),
    ("SC-16", "hokum", 1, "96", "66", (9, 7), MADE),
    ("SC-17", "hokum", 1, "106", "56 fifty", (0, 21), KHOSARA),
    ("SC-19", "hokum", 1, "60 sira", "102", (0, 18), KHOSARA),
    ("SC-20", "hokum", 1, "70 baloot", "92", (0, 18), KHOSARA),
    ("SC-22", "hokum", 1, "90", "72 baloot", (0, 18), KHOSARA),
    ("SC-23", "hokum", 1, "92", "70 baloot", (9, 9), MADE),
    ("SC-25", "hokum", 1, "66 fifty", "96", (11, 10), MADE),
    ("SC-26", "hokum", 1, "40 hundred", "122", (14, 12), MADE),
    ("SC-28", "hokum", 1, "153", "9", (15, 1), MADE),
    ("SC-29", "hokum", 1, "157", "5", (16, 0), MADE),
    # Sun, not raised.
    ("SC-31", "sun", 1, "64", "66", (0, 26), KHOSARA),
    ("SC-32", "sun", 1, "66", "64", (14, 12), MADE),
    ("SC-34", "sun", 1, "75", "55", (15, 11), MADE),
    ("SC-35", "sun", 1, "84", "46", (16, 10), MADE),
    ("SC-37", "sun", 1, "86", "44", (18, 8), MADE),
    ("SC-38", "sun", 1, "95", "35", (19, 7), MADE),
    ("SC-40", "sun", 1, "125", "5", (25, 1), MADE),
    ("SC-41", "sun", 1, "126", "4", (26, 0), MADE),
    ("SC-43", "sun", 1, "62 sira", "68", (16, 14), MADE),
    ("SC-44", "sun", 1, "40 fifty", "90", (18, 18), MADE),
    ("SC-46", "sun", 1, "44 fifty", "86", (18, 18), MADE),
    ("SC-47", "sun", 1, "15 hundred", "115", (23, 23), MADE),
    ("SC-49", "sun", 1, "40 hundred", "90", (28, 18), MADE),
    ("SC-50", "sun", 1, "10 four_hundred", "120", (42, 24), MADE),
    ("SC-52", "sun", 1, "80 sira sira2", "50", (24, 10), MADE),
    # Raised.
    ("SC-53", "hokum", 2, "90", "72", (32, 0), MADE),
    ("SC-55", "hokum", 2, "70 baloot", "92", (0, 34), KHOSARA),
    ("SC-56", "hokum", 2, "80", "82", (0, 32), KHOSARA),
    ("SC-58", "hokum", 3, "81", "81", (0, 48), KHOSARA),
    ("SC-59", "hokum", 4, "81", "81", (64, 0), MADE),
    ("SC-61", "hokum", 4, "60", "102 fifty", (0, 84), KHOSARA),
    ("SC-62", "hokum", 2, "70", "92 baloot", (0, 34), KHOSARA),
    ("SC-65", "sun", 2, "70", "60", (52, 0), MADE),
    ("SC-67", "sun", 2, "65", "65", (52, 0), MADE),
    ("SC-68", "sun", 2, "20 hundred", "110", (92, 0), MADE),
    # Our own: exact ties, and what sits at the edges of the rules.
    ("tie unraised hokum", "hokum", 1, "81", "81", (8, 8), MADE),
    ("tie unraised sun", "sun", 1, "65", "65", (13, 13), MADE),
    ("the defenders' Baloot decides", "hokum", 1, "81", "81 baloot", (0, 18), KHOSARA),
    ("tie doubled", "hokum", 2, "81", "81", (32, 0), MADE),
    ("doubled: the buyer's pile ending in 6 is rounded up", "hokum", 2, "86", "76", (32, 0), MADE),
    ("doubled: 76 of the buyer's are 8, and raw decides", "hokum", 2, "76", "86", (0, 32), KHOSARA),
    ("doubled: the buyer's rounding turns SC-17", "hokum", 2, "106", "56 fifty", (42, 0), MADE),
    ("three: the defenders' pile again", "hokum", 3, "106", "56 fifty", (0, 63), KHOSARA),
    ("doubled: exact raw tie, buyer ahead by rounding", "hokum", 2, "56 fifty", "106", (42, 0), MADE),
    ("three: exact raw tie, defenders even by rounding", "hokum", 3, "56 fifty", "106", (0, 63), KHOSARA),
    ("both sides' extras go across", "hokum", 1, "50 sira", "112 baloot", (0, 20), KHOSARA),
    (
        "projects of a raised round are multiplied, Baloot is not",
        "hokum",
        3,
        "120 fifty",
        "42 baloot",
        (65, 0),
        MADE,
    ),
    ("a loser's project in a raised round", "hokum", 4, "100", "62 sira", (72, 0), MADE),
]


@pytest.mark.parametrize(
    ("record", "written", "result"),
    [(finished(*row[1:5]), row[5], row[6]) for row in ROWS],
    ids=[row[0] for row in ROWS],
)
def test_a_round_is_written_as_the_rules_print_it(
    record: RoundRecord, written: tuple[int, int], result: RoundResult
) -> None:
    score = score_round(record)
    assert score.game_points == written
    assert score.result is result
    assert score.totals == written


ALL, NONE = (8, 0), (0, 8)
KABOOT_ROWS: list[tuple[str, str, int, str, str, tuple[int, int], tuple[int, int]]] = [
    ("SC-70", "sun", 1, "130 sira", "0", ALL, (48, 0)),
    ("SC-71", "sun", 1, "130 four_hundred", "0", ALL, (84, 0)),
    ("SC-73", "hokum", 1, "162 sira baloot", "0", ALL, (29, 0)),
    ("SC-74", "hokum", 1, "162 sira fifty hundred baloot", "0", ALL, (44, 0)),
    ("SC-76", "hokum", 2, "162", "0", ALL, (25, 0)),
    ("SC-77", "sun", 1, "0", "130", NONE, (0, 44)),
    ("the defenders in hokum", "hokum", 1, "0", "162", NONE, (0, 25)),
    ("the losers' projects are void", "sun", 1, "130", "0 hundred", ALL, (44, 0)),
    ("the losers' Baloot is void", "hokum", 1, "162 sira", "0 baloot", ALL, (27, 0)),
    ("a buyer without a trick loses his hundred", "sun", 1, "0 hundred", "130", NONE, (0, 44)),
    ("nothing is multiplied, projects included", "hokum", 4, "162 fifty baloot", "0", ALL, (32, 0)),
    ("a doubled sun", "sun", 2, "130 fifty", "0", ALL, (54, 0)),
]


@pytest.mark.parametrize(
    ("record", "written"),
    [(finished(*row[1:5], tricks=row[5]), row[6]) for row in KABOOT_ROWS],
    ids=[row[0] for row in KABOOT_ROWS],
)
def test_all_eight_tricks_are_a_kaboot(record: RoundRecord, written: tuple[int, int]) -> None:
    score = score_round(record)
    assert score.game_points == written
    assert score.result is KABOOT
    assert score.round_winner is (Team.SOUTH_NORTH if written[0] else Team.EAST_WEST)


GAHWA_ROWS: list[tuple[str, str, str, tuple[int, int], Team]] = [
    ("SC-64", "81", "81", (5, 3), Team.EAST_WEST),
    ("the buyer is ahead", "82", "80", (5, 3), Team.SOUTH_NORTH),
    ("a kaboot settles it", "162", "0 hundred baloot", (8, 0), Team.SOUTH_NORTH),
    ("a kaboot of the defenders settles it", "0 hundred", "162", (0, 8), Team.EAST_WEST),
    ("projects count in the comparison", "60 hundred", "102", (4, 4), Team.SOUTH_NORTH),
]


@pytest.mark.parametrize(
    ("buyers", "defenders", "tricks", "winner"),
    [row[1:] for row in GAHWA_ROWS],
    ids=[row[0] for row in GAHWA_ROWS],
)
@pytest.mark.parametrize("scores", [(0, 0), (151, 3), (3, 151), (160, 160)])
def test_a_gahwa_decides_the_match(
    buyers: str, defenders: str, tricks: tuple[int, int], winner: Team, scores: tuple[int, int]
) -> None:
    score = score_round(finished("hokum", 5, buyers, defenders, tricks=tricks, scores=scores))
    assert score.result is RoundResult.GAHWA
    assert score.round_winner is winner
    assert score.winner is winner
    assert score.game_points[winner] == 152
    assert score.game_points[winner.other] == 0


MATCH_ROWS: list[tuple[str, tuple[int, int], str, str, tuple[int, int], Team | None]] = [
    ("ME-1", (150, 148), "82 sira", "80 baloot", (160, 158), Team.SOUTH_NORTH),
    ("ME-2", (151, 151), "82", "80", (159, 159), None),
    ("ME-4", (127, 131), "126", "4", (153, 131), Team.SOUTH_NORTH),
    ("ME-5", (143, 20), "92", "70", (152, 27), Team.SOUTH_NORTH),
    ("one short", (142, 20), "92", "70", (151, 27), None),
    ("both over, the other side higher", (143, 150), "92", "70 baloot", (152, 159), Team.EAST_WEST),
    ("equal over the target plays on", (159, 159), "92", "70", (168, 166), Team.SOUTH_NORTH),
    ("and again on an equal round", (159, 159), "82", "80", (167, 167), None),
    ("the lower side alone writes", (151, 0), "80", "82", (151, 16), None),
]


@pytest.mark.parametrize(
    ("scores", "buyers", "defenders", "totals", "winner"),
    [row[1:] for row in MATCH_ROWS],
    ids=[row[0] for row in MATCH_ROWS],
)
def test_the_match_ends_as_the_rules_print_it(
    scores: tuple[int, int], buyers: str, defenders: str, totals: tuple[int, int], winner: Team | None
) -> None:
    mode = "sun" if buyers == "126" else "hokum"
    score = score_round(finished(mode, 1, buyers, defenders, scores=scores))
    assert score.totals == totals
    assert score.winner is winner


@pytest.mark.parametrize(
    ("totals", "target", "winner"),
    [
        ((160, 158), 152, Team.SOUTH_NORTH),
        ((158, 160), 152, Team.EAST_WEST),
        ((159, 159), 152, None),
        ((153, 131), 152, Team.SOUTH_NORTH),
        ((152, 0), 152, Team.SOUTH_NORTH),
        ((151, 151), 152, None),
        ((151, 150), 152, None),
        ((0, 0), 152, None),
        ((151, 0), 151, Team.SOUTH_NORTH),
        ((40, 100), 100, Team.EAST_WEST),
    ],
)
def test_the_higher_total_wins_once_the_target_is_reached(
    totals: tuple[int, int], target: int, winner: Team | None
) -> None:
    ruleset = STANDARD.with_options(match_target=target)
    assert match.winner(totals, (0, 0), Team.SOUTH_NORTH, ruleset) is winner


def test_a_gahwa_is_worth_the_match_target_of_the_rule_set() -> None:
    score = score_round(finished("hokum", 5, "81", "81", ruleset=STANDARD.with_options(match_target=100)))
    assert score.game_points == (0, 100)
