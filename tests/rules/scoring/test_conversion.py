"""From card points to game points, for every pile there can be (rules 2.26)."""

from __future__ import annotations

import pytest
from baloot.core.contract import Mode
from baloot.core.ruleset import HokumHalf
from baloot.core.score import LineKind, RoundResult
from baloot.scoring.checks import CARD_POINTS
from baloot.scoring.counting import COUNTING as COUNTINGS
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import finished

COUNTING = COUNTINGS[HokumHalf.DOWN]

# The first pile of card points that is worth so many game points, from 0 on.
HOKUM_STEPS = [0, 6, 16, 26, 36, 46, 56, 66, 76, 86, 96, 106, 116, 126, 136, 146, 156]
SUN_STEPS = [
    *(0, 5, 6, 15, 16, 25, 26, 35, 36, 45, 46, 55, 56, 65),
    *(66, 75, 76, 85, 86, 95, 96, 105, 106, 115, 116, 125, 126),
]


def table(steps: list[int], highest: int) -> list[int]:
    return [sum(step <= pile for step in steps[1:]) for pile in range(highest + 1)]


@pytest.mark.parametrize(
    ("mode", "steps", "highest", "total"),
    [(Mode.HOKUM, HOKUM_STEPS, 162, 16), (Mode.SUN, SUN_STEPS, 130, 26)],
    ids=["hokum", "sun"],
)
def test_every_pile_is_worth_what_the_table_says(
    mode: Mode, steps: list[int], highest: int, total: int
) -> None:
    assert list(COUNTING[mode].converted) == table(steps, highest)
    assert COUNTING[mode].total == total
    assert CARD_POINTS[mode] == highest


@pytest.mark.parametrize(
    ("mode", "steps", "highest", "total"),
    [("hokum", HOKUM_STEPS, 162, 16), ("sun", SUN_STEPS, 130, 26)],
    ids=["hokum", "sun"],
)
def test_the_buyer_gets_what_the_defenders_pile_leaves(
    mode: str, steps: list[int], highest: int, total: int
) -> None:
    worth = table(steps, highest)
    for pile in range(highest + 1):
        score = score_round(finished(mode, 1, str(highest - pile), str(pile)))
        made = 2 * pile <= highest
        assert score.compared == (total - worth[pile], worth[pile])
        assert score.game_points == ((total - worth[pile], worth[pile]) if made else (0, total))
        assert score.result is (RoundResult.MADE if made else RoundResult.KHOSARA)


def test_each_side_separately_would_write_seventeen_where_both_piles_end_in_six() -> None:
    hokum = COUNTING[Mode.HOKUM].converted
    splits = [pile for pile in range(163) if hokum[pile] + hokum[162 - pile] != 16]
    assert splits == list(range(6, 157, 10))
    assert all(hokum[pile] + hokum[162 - pile] == 17 for pile in splits)


def test_in_sun_both_piles_always_add_up() -> None:
    sun = COUNTING[Mode.SUN].converted
    assert all(sun[pile] + sun[130 - pile] == 26 for pile in range(131))


@pytest.mark.parametrize(
    ("level", "compared"),
    [(1, (9, 7)), (2, (10, 6)), (3, (9, 7)), (4, (10, 6)), (5, (9, 7))],
    ids=[
        "unraised: defenders'",
        "double: buyer's",
        "three: defenders'",
        "four: buyer's",
        "gahwa: defenders'",
    ],
)
def test_the_pile_of_the_side_opposing_the_last_raiser_is_converted(
    level: int, compared: tuple[int, int]
) -> None:
    assert score_round(finished("hokum", level, "96", "66")).compared == compared


def test_a_line_of_cards_shows_how_it_was_worked_out() -> None:
    score = score_round(finished("hokum", 1, "86", "76"))
    inputs = (("defenders_card_points", 76), ("converted", 8), ("total", 16))
    assert [(line.kind, line.rule, line.game_points, line.inputs) for line in score.lines] == [
        (LineKind.CARDS, "2.26", 8, inputs),
        (LineKind.CARDS, "2.26", 8, inputs),
    ]
