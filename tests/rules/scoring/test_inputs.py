"""The figures that a sheet gives with its lines, and a refusal with its sentence: by name, in their order."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from baloot.core.errors import Refusal
from baloot.core.play import QaidGround
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, RoundRecord
from baloot.core.seats import TEAMS, Seat
from baloot.scoring.rules import score_round

from tests.rules.scoring.rounds import claimed, finished, options, owned
from tests.rules.scoring.test_refusals import CASES, FOUR_ACES, HOKUM, SUN, WITH_QAID, play
from tests.rules.scoring.test_variants_of_ends import ALL, CLAIMS, NEEDED, NONE

SOUTH, EAST, NORTH, WEST = Seat
BUYERS, DEFENDERS = TEAMS
RIGHT = claimed(right=True, ground=QaidGround.NO_TRUMP)
WRONG = claimed(right=False, ground=QaidGround.FALSE_AKKA)

# Label, options, the round, which line, its side, kind, rule and points, its inputs.
LINES: list[tuple[str, str, RoundRecord, int, tuple[Any, ...], str]] = [
    (
        "the defenders' pile",
        "standard",
        finished("hokum", 1, "96", "66"),
        1,
        (DEFENDERS, LineKind.CARDS, "2.26", 7),
        "defenders_card_points=66 converted=7 total=16",
    ),
    (
        "the rest of it",
        "standard",
        finished("hokum", 1, "96", "66"),
        0,
        (BUYERS, LineKind.CARDS, "2.26", 9),
        "defenders_card_points=66 converted=7 total=16",
    ),
    (
        "the buyer's pile",
        "raised_points=shared",
        finished("sun", 2, "75", "55"),
        1,
        (DEFENDERS, LineKind.CARDS, "2.29", 22),
        "buyers_card_points=75 converted=15 total=26 own=11 multiplier=2",
    ),
    (
        "a pile that gives up one",
        "count_side=both_reduce_larger",
        finished("hokum", 1, "96", "66"),
        0,
        (BUYERS, LineKind.CARDS, "2.26", 9),
        "card_points=96 converted=10 reduced=1",
    ),
    (
        "a pile that gives up none, raised",
        "count_side=both_separate raised_points=shared",
        finished("hokum", 3, "96", "66"),
        1,
        (DEFENDERS, LineKind.CARDS, "2.29", 21),
        "card_points=66 converted=7 reduced=0 own=7 multiplier=3",
    ),
    (
        "all to one side",
        "standard",
        finished("hokum", 1, "70 baloot", "92"),
        0,
        (DEFENDERS, LineKind.TAKES_ALL, "2.28", 16),
        "total=16 multiplier=1 winner_compared=9 loser_compared=9 winner_raw=92 loser_raw=90",
    ),
    (
        "all to one side, raised",
        "standard",
        finished("hokum", 2, "92", "70 sira"),
        0,
        (BUYERS, LineKind.TAKES_ALL, "2.29", 32),
        "total=16 multiplier=2 winner_compared=9 loser_compared=9 winner_raw=92 loser_raw=90",
    ),
    (
        "a kaboot that gives less than the raise",
        "kaboot_in_raised_hand=max_of_both",
        finished("hokum", 3, "162", "0", tricks=ALL),
        0,
        (BUYERS, LineKind.TAKES_ALL, "2.30", 48),
        "total=16 multiplier=3 tricks=8 value=25",
    ),
    (
        "a kaboot that gives as much as the raise",
        "kaboot_in_raised_hand=max_of_both kaboot_hokum=32",
        finished("hokum", 2, "162", "0", tricks=ALL),
        0,
        (BUYERS, LineKind.KABOOT, "2.30", 32),
        "tricks=8 value=32 multiplier=1",
    ),
    (
        "a kaboot",
        "kaboot_in_raised_hand=multiplied",
        finished("sun", 2, "0", "130", tricks=NONE),
        0,
        (DEFENDERS, LineKind.KABOOT, "2.30", 88),
        "tricks=8 value=44 multiplier=2",
    ),
    (
        "a project",
        "standard",
        finished("hokum", 2, "60", "102 fifty"),
        1,
        (DEFENDERS, LineKind.PROJECT, "2.29", 10),
        "seat=1 project_kind=2 value=5 multiplier=2",
    ),
    (
        "a project in a shared round",
        "standard",
        finished("sun", 1, "66 sira", "64"),
        2,
        (BUYERS, LineKind.PROJECT, "2.21", 4),
        "seat=0 project_kind=1 value=4 multiplier=1",
    ),
    (
        "a project in a shared raised round",
        "raised_points=shared",
        finished("hokum", 2, "90 sira", "72"),
        2,
        (BUYERS, LineKind.PROJECT, "2.29", 4),
        "seat=0 project_kind=1 value=2 multiplier=2",
    ),
    (
        "a void project",
        "khosara_projects=none",
        finished("hokum", 1, "60 sira", "102"),
        1,
        (BUYERS, LineKind.PROJECT, "2.28", 0),
        "seat=0 project_kind=1 value=2 multiplier=0",
    ),
    (
        "a Baloot",
        "standard",
        finished("hokum", 1, "106", "56 baloot"),
        2,
        (DEFENDERS, LineKind.BALOOT, "2.25", 2),
        "seat=3 value=2 multiplier=1",
    ),
    (
        "a Baloot that is void",
        "khosara_baloot=none",
        finished("hokum", 2, "60 baloot", "102"),
        1,
        (BUYERS, LineKind.BALOOT, "2.29", 0),
        "seat=2 value=2 multiplier=0",
    ),
    (
        "a Qaid",
        CLAIMS,
        finished("hokum", 2, "10", "20", qaid=RIGHT),
        0,
        (BUYERS, LineKind.QAID, "2.33", 32),
        f"seat=0 ground={QaidGround.NO_TRUMP.value} right=1 value=16 multiplier=2",
    ),
    (
        "a wrong Qaid",
        CLAIMS,
        finished("sun", 1, "10", "20", qaid=WRONG),
        0,
        (DEFENDERS, LineKind.QAID, "2.33", 26),
        f"seat=0 ground={QaidGround.FALSE_AKKA.value} right=0 value=26 multiplier=1",
    ),
    (
        "what a Qaid leaves its winner",
        CLAIMS,
        finished("hokum", 2, "10 sira", "20", qaid=RIGHT),
        1,
        (BUYERS, LineKind.PROJECT, "2.33", 2),
        "seat=0 project_kind=1 value=2 multiplier=1",
    ),
    (
        "what a kaboot leaves its winner",
        "standard",
        finished("hokum", 1, "162 baloot", "0", tricks=ALL),
        1,
        (BUYERS, LineKind.BALOOT, "2.30", 2),
        "seat=2 value=2 multiplier=1",
    ),
    (
        "a Gahwa",
        "standard",
        finished("hokum", 5, "92", "70"),
        0,
        (BUYERS, LineKind.GAHWA, "2.31", 152),
        "match_target=152 tricks=5 winner_compared=9 loser_compared=7 winner_raw=92 loser_raw=70",
    ),
    (
        "a Gahwa that a Qaid ends",
        CLAIMS,
        finished("hokum", 5, "10", "20", qaid=WRONG),
        0,
        (DEFENDERS, LineKind.GAHWA, "2.31", 152),
        "match_target=152 tricks=3 winner_compared=0 loser_compared=0 winner_raw=0 loser_raw=0",
    ),
]


@pytest.mark.parametrize(
    ("chosen", "record", "at", "head", "inputs"), [row[1:] for row in LINES], ids=[row[0] for row in LINES]
)
def test_a_line_gives_its_figures(
    chosen: str, record: RoundRecord, at: int, head: tuple[Any, ...], inputs: str
) -> None:
    line = score_round(replace(record, ruleset=options(chosen))).lines[at]
    assert (line.team, line.kind, line.rule, line.game_points) == head
    assert " ".join(f"{name}={figure}" for name, figure in line.inputs) == inputs


SAID: list[tuple[str, str, int, str, str, int, str]] = [
    (
        "a pile that gives up nothing",
        "count_side=both_reduce_larger",
        1,
        "96",
        "66",
        1,
        "66 abnat make 7 (rule 2.26).",
    ),
    (
        "a tie of written points",
        "success_basis=gp_only tie_undoubled=buyer_fails",
        1,
        "82",
        "80",
        0,
        "8 points each, and a tie goes against the buyer: the buyer failed, so the defenders write all 16 (rule 2.28).",
    ),
    (
        "a Baloot in a doubled round",
        "standard",
        2,
        "92 baloot",
        "70",
        1,
        "North's Baloot: 2, never multiplied (rule 2.29).",
    ),
    (
        "a Baloot that is void in a doubled round",
        "khosara_baloot=none",
        2,
        "60 baloot",
        "102",
        1,
        "North's Baloot does not count: its side lost the round (rule 2.29).",
    ),
]


@pytest.mark.parametrize(
    ("chosen", "level", "buyers", "defenders", "at", "sentence"),
    [row[1:] for row in SAID],
    ids=[row[0] for row in SAID],
)
def test_a_line_says_what_applies_and_no_more(
    chosen: str, level: int, buyers: str, defenders: str, at: int, sentence: str
) -> None:
    score = score_round(finished("hokum", level, buyers, defenders, ruleset=options(chosen)))
    assert score.lines[at].english == sentence


def test_a_card_is_in_one_project_whichever_two_they_are() -> None:
    projects = (
        owned(SOUTH, ProjectKind.SIRA, "7S 8S 9S"),
        owned(NORTH, ProjectKind.SIRA, "7D 8D 9D"),
        owned(NORTH, ProjectKind.FIFTY, "9S 10S JS QS"),
    )
    assert "in two" in refused(play(SUN, projects=projects)).message


@pytest.mark.parametrize(("tricks", "points"), [(ALL, (162, 0)), (NONE, (0, 162))])
def test_a_kaboot_of_which_nobody_counted_the_points_has_them_all(
    tricks: tuple[int, int], points: tuple[int, int]
) -> None:
    assert score_round(play(HOKUM, tricks=tricks, card_points=(0, 0))).card_points == points
    assert score_round(play(WITH_QAID, tricks=tricks, card_points=(0, 0))).card_points == (0, 0)


def test_lines_that_need_not_be_explained_say_nothing() -> None:
    plain = score_round(HOKUM, explained=False)
    assert {line.english + line.arabic for line in plain.lines} == {""}
    explained = score_round(HOKUM)
    assert plain == replace(
        explained, lines=tuple(replace(line, english="", arabic="") for line in explained.lines)
    )


def refused(record: RoundRecord) -> Refusal:
    with pytest.raises(Refusal) as raised:
        score_round(record)
    return raised.value


FIGURES: list[tuple[str, RoundRecord, dict[str, str]]] = [
    ("tricks", play(HOKUM, tricks=(4, 3)), {"tricks": "4 3"}),
    ("card points", play(SUN, card_points=(92, 70)), {"card_points": "92 70", "total": "130"}),
    ("points without a trick", play(HOKUM, tricks=(8, 0)), {"card_points": "92 70"}),
    (
        "a Sawa without tricks",
        play(SUN, tricks=ALL, card_points=(130, 0), sawa=EAST),
        {"seat": "east"},
    ),
    (
        "a kind that the mode does not have",
        play(HOKUM, projects=(owned(SOUTH, ProjectKind.FOUR_HUNDRED, ""),)),
        {"kind": "four hundred"},
    ),
    (
        "cards that make another kind",
        play(SUN, projects=(owned(SOUTH, ProjectKind.HUNDRED, FOUR_ACES),)),
        {"kind": "hundred"},
    ),
    (
        "too many cards",
        play(SUN, projects=tuple(owned(WEST, ProjectKind.SIRA, f"7{s} 8{s} 9{s}") for s in "SHD")),
        {"seat": "west"},
    ),
    (
        "too many projects",
        replace(
            play(SUN, projects=tuple(owned(NORTH, ProjectKind.SIRA, f"7{s} 8{s} 9{s}") for s in "SH")),
            ruleset=options("max_projects_per_player=1"),
        ),
        {"seat": "north", "most": "1"},
    ),
    (
        "a Baloot in two hands",
        play(HOKUM, projects=(owned(NORTH, ProjectKind.SIRA, "QH KH AH"),), baloot=(SOUTH,)),
        {"seat": "south"},
    ),
    (
        "a Baloot beside seven cards",
        play(
            HOKUM,
            projects=(
                owned(EAST, ProjectKind.SIRA, "7S 8S 9S"),
                owned(EAST, ProjectKind.FIFTY, "7D 8D 9D 10D"),
            ),
            baloot=(EAST,),
        ),
        {"seat": "east"},
    ),
    (
        "a Baloot that is blocked",
        play(HOKUM, projects=(owned(WEST, ProjectKind.HUNDRED, "KS KH KD KC"),), baloot=(WEST,)),
        {"seat": "west"},
    ),
    ("a score below zero", replace(HOKUM, scores=(-1, 5)), {"scores": "-1 5"}),
    ("a match that is over", replace(HOKUM, scores=(152, 10)), {"scores": "152 10", "match_target": "152"}),
    ("a match lost", replace(HOKUM, scores=(10, 152)), {"scores": "10 152", "match_target": "152"}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("record", "figures"), [case[1:] for case in FIGURES], ids=[case[0] for case in FIGURES]
)
def test_a_refusal_gives_its_figures(record: RoundRecord, figures: dict[str, str]) -> None:
    refusal = refused(record)
    assert refusal.metadata == {**figures, "rule": refusal.rule}


@pytest.mark.parametrize("record", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_a_refusal_reads_as_a_sentence(record: RoundRecord) -> None:
    """As all refusals do: without a full stop, with its rule at the end, and no word in capitals."""
    message = refused(record).message
    assert re.fullmatch(r"[A-Za-z][^.]*[a-z0-9)] \(rule 2\.\d+\)", message)
    assert not re.search(r"[A-Z]{2}|_[a-z]+ do", message)


UNTOLD = dict(
    zip(
        ("dealer", "buyer_had_ace", "up_card"),
        ("who dealt", "whether the buyer had an Ace", "which card was bought"),
        strict=True,
    )
)


@pytest.mark.parametrize(("reverse", "mode", "facts", "field"), NEEDED)
def test_what_a_kaboot_lacks_is_named(reverse: str, mode: str, facts: dict[str, Any], field: str) -> None:
    ruleset = options(f"reverse_kaboot={reverse}")
    record = finished(mode, 1, "0", "162" if mode == "hokum" else "130", tricks=NONE, ruleset=ruleset)
    message = (
        f"what this kaboot is worth depends on {UNTOLD[field]}, and the record does not tell (rule 2.30)"
    )
    assert refused(replace(record, **facts)).message == message
