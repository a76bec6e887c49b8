"""What the lines of a sheet say, in English and in Arabic."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from functools import cache
from random import Random
from typing import Any

import pytest
from baloot.core.contract import Level, Mode
from baloot.core.play import QaidGround
from baloot.core.projects import ProjectKind
from baloot.core.score import LineKind, ScoreLine
from baloot.core.seats import Seat
from baloot.scoring import texts
from baloot.scoring.rules import score_round
from baloot.scoring.texts import Clause, Text

from tests.rules.scoring.rounds import claimed, finished, options
from tests.rules.scoring.test_variants_of_ends import CLAIMS, NONE
from tests.strategies.score import round_record, ruleset

ARABIC_LETTER = re.compile("[\u0620-\u064a]")
LATIN_LETTER = re.compile("[A-Za-z]")
PLACE = re.compile(r"\{(\w*)\}")
ROUNDS = 4000


def told(mode: str, level: int, buyers: str, defenders: str, **changes: Any) -> list[tuple[str, str]]:
    """The sentences of a round's lines."""
    record = finished(mode, level, buyers, defenders, **changes)
    return [(line.english, line.arabic) for line in score_round(record).lines]


def test_the_defenders_pile_and_what_it_leaves() -> None:
    assert told("hokum", 1, "96 sira", "66") == [
        (
            "The rest of 16 beside 7: 9 (rule 2.26).",
            "الباقي من 16 بعد 7: 9 (قاعدة 2.26).",
        ),
        ("The defenders' 66 abnat make 7 (rule 2.26).", "أبناط الخصم 66 تصير 7 (قاعدة 2.26)."),
        ("South's sira: 2 (rule 2.21).", "سرا جنوب: 2 (قاعدة 2.21)."),
    ]


def test_a_buyer_who_failed() -> None:
    assert told("hokum", 1, "70 baloot", "92") == [
        (
            ("9 points each, 92 to 90 abnat: the buyer failed, so the defenders write all 16 (rule 2.28)."),
            "النقاط متساوية 9، والأبناط 92 مقابل 90: المشتري خسران، والـ16 كلها للخصم (قاعدة 2.28).",
        ),
        ("North's Baloot goes to the winner: 2 (rule 2.28).", "بلوت شمال للفايز: 2 (قاعدة 2.28)."),
    ]


def test_a_raised_round() -> None:
    assert told("hokum", 4, "60", "102 fifty") == [
        (
            "15 to 6 points: four, the winner takes all, 16 × 4 = 64 (rule 2.29).",
            "النقاط 15 مقابل 6: فور والكل للفايز، 16 × 4 = 64 (قاعدة 2.29).",
        ),
        ("East's fifty: 5 × 4 = 20 (rule 2.29).", "خمسين شرق: 5 × 4 = 20 (قاعدة 2.29)."),
    ]


def test_a_shared_raised_round() -> None:
    assert told("hokum", 2, "90", "72", ruleset=options("raised_points=shared"))[0][0] == (
        "The buyer's 90 abnat make 9, double: 9 × 2 = 18 (rule 2.29)."
    )
    assert told("hokum", 2, "90", "72", ruleset=options("raised_points=shared"))[1][0] == (
        "The rest of 16 beside 9, double: 7 × 2 = 14 (rule 2.29)."
    )


def test_a_pile_that_gives_up_one() -> None:
    assert told("hokum", 1, "96", "66", ruleset=options("count_side=both_reduce_larger"))[0] == (
        "96 abnat make 10, and 1 less for the larger pile, since both together make too many: 9 (rule 2.26).",
        "الأبناط 96 تصير 10، وينقص من الأكثر 1 لأن المجموع زايد: 9 (قاعدة 2.26).",
    )


def test_a_kaboot_with_what_is_void() -> None:
    assert told("sun", 1, "0 sira", "130", tricks=NONE) == [
        ("All eight tricks: kaboot in sun, 44 (rule 2.30).", "الأكلات كلها: كبوت صن، 44 (قاعدة 2.30)."),
        (
            "South's sira does not count: its side won no trick (rule 2.30).",
            "ما ينحسب سرا جنوب: أصحابه ما أخذوا ولا أكلة (قاعدة 2.30).",
        ),
    ]


def test_a_reverse_kaboot() -> None:
    record = finished("sun", 1, "0", "130", tricks=NONE, ruleset=options("federation"))
    (line,) = score_round(replace(record, dealer=Seat.WEST, buyer_had_ace=True)).lines
    assert line.english == (
        "All eight tricks from a buyer who led and had an Ace: reverse kaboot, 88 (rule 2.30)."
    )
    assert line.arabic == "الأكلات كلها على المشتري وهو النازل ومعه إكه: كبوت مقلوب، 88 (قاعدة 2.30)."


def test_a_qaid() -> None:
    qaid = claimed(right=False, ground=QaidGround.NO_TRUMP)
    assert told("hokum", 2, "0", "0", tricks=(0, 0), ruleset=options(CLAIMS), qaid=qaid) == [
        (
            "South claimed a qaid, not trumping, and was wrong: 16 × 2 = 32 (rule 2.33).",
            "جنوب قيّد، ما دق بالحكم، والقيد غلط فصار عليه: 16 × 2 = 32 (قاعدة 2.33).",
        )
    ]


def test_a_gahwa() -> None:
    assert told("hokum", 5, "81", "81") == [
        (
            (
                "81 abnat each, and a tie goes against the side that raised last: "
                "gahwa, the match and its 152 to the winner (rule 2.31)."
            ),
            "الأبناط متساوية 81، والتعادل على آخر من كبّر: قهوة، والصكة للفايز 152 (قاعدة 2.31).",
        )
    ]


TIES = [
    ("standard", 2, "a tie goes against the side that raised last", "والتعادل على آخر من كبّر"),
    ("tie_raised=first_doubler_loses", 3, "a tie goes against the doubler", "والتعادل على اللي دبّل"),
    ("tie_undoubled=buyer_fails", 1, "a tie goes against the buyer", "والتعادل على المشتري"),
    ("tie_raised=counted_as_usual", 2, "a tie goes to the buyer", "والتعادل للمشتري"),
]


@pytest.mark.parametrize(("chosen", "level", "english", "arabic"), TIES)
def test_a_tie_says_whom_it_goes_against(chosen: str, level: int, english: str, arabic: str) -> None:
    ((told_english, told_arabic),) = told("hokum", level, "81", "81", ruleset=options(chosen))
    assert f"81 abnat each, and {english}: " in told_english
    assert f"الأبناط متساوية 81، {arabic}: " in told_arabic


VOID = [
    ("khosara_projects=own_only", "its side lost the round", "أصحابه خسرانين"),
    (
        "khosara_projects=none",
        "nothing beside the cards counts in a lost round",
        "مع الخسران ما ينحسب إلا الورق",
    ),
]


@pytest.mark.parametrize(("chosen", "english", "arabic"), VOID)
def test_what_is_void_says_why(chosen: str, english: str, arabic: str) -> None:
    assert told("hokum", 1, "60 sira", "102", ruleset=options(chosen))[1] == (
        f"South's sira does not count: {english} (rule 2.28).",
        f"ما ينحسب سرا جنوب: {arabic} (قاعدة 2.28).",
    )


@pytest.mark.parametrize("clause", Clause)
def test_a_clause_has_the_same_places_in_both_languages(clause: Clause) -> None:
    english, arabic = clause.value
    assert sorted(PLACE.findall(english)) == sorted(PLACE.findall(arabic))
    assert not LATIN_LETTER.search(PLACE.sub("", arabic))
    words = LATIN_LETTER.search(PLACE.sub("", english.replace("'s", "")))
    assert bool(ARABIC_LETTER.search(arabic)) is bool(words)


@cache
def lines_of_any_rules() -> list[ScoreLine]:
    rng = Random(33)
    return [line for _ in range(ROUNDS) for line in score_round(round_record(rng, ruleset(rng))).lines]


def test_every_clause_is_said_somewhere() -> None:
    said = [line.english.lower() for line in lines_of_any_rules()]
    for clause in Clause:
        pattern = PLACE.sub("PLACE", clause.value.english).lower()
        expected = re.compile(re.escape(pattern).replace("place", ".+"))
        assert any(expected.search(sentence) for sentence in said), clause


def test_a_sentence_names_its_figure_its_inputs_and_its_rule() -> None:
    for line in lines_of_any_rules():
        for sentence, rule in ((line.english, "(rule {})."), (line.arabic, "(قاعدة {}).")):
            assert sentence.endswith(rule.format(line.rule))
            named = {int(number) for number in re.findall(r"\d+", sentence.rpartition("(")[0])}
            assert line.game_points in named or line.game_points == 0, sentence
            if line.kind is LineKind.CARDS:
                assert dict(line.inputs)["converted"] in named
            assert "{" not in sentence
        assert not LATIN_LETTER.search(line.arabic)
        assert line.english[0].isupper() or line.english[0].isdigit()


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Seat, texts.SEATS),
        (Mode, texts.MODES),
        (Level, texts.LEVELS),
        (ProjectKind, texts.PROJECTS),
        (QaidGround, texts.GROUNDS),
    ],
)
def test_every_value_has_its_word(kind: type[Enum], words: dict[Enum, Text]) -> None:
    assert set(words) == set(kind)
    assert all(ARABIC_LETTER.search(word.arabic) for word in words.values())
