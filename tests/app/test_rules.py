"""What `baloot rules` prints: whole at 80 columns, in both languages, from the data alone."""

from __future__ import annotations

import re

import pytest
from baloot.app import rulebook
from baloot.app.terminal.language import Language
from baloot.core import playable
from baloot.core.catalogue import CATALOGUE, NAMES, RULESETS, differences, written
from baloot.core.ruleset import OPTIONS, STANDARD
from baloot.rulesets.words import PARTS, WORDS
from rich.cells import cell_len

ENGLISH, ARABIC = Language.ENGLISH, Language.ARABIC


@pytest.fixture(autouse=True)
def width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def printed(capsys: pytest.CaptureFixture[str]) -> list[str]:
    """The lines, none of which is wider than the terminal."""
    lines = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    assert max(map(cell_len, lines)) <= 80
    return lines


def words_in(lines: list[str], start: int, end: int | None = None) -> str:
    """The text of one column."""
    return " ".join(" ".join(line[start:end] for line in lines).split())


async def test_the_list_has_a_line_for_each_rule_set(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playable, "NOT_YET", frozenset({"cut"}))
    await rulebook.list_rulesets(ENGLISH)
    rows = [re.split(r" {2,}", line.strip()) for line in printed(capsys)[-len(NAMES) :]]
    assert rows == [
        [
            name,
            known.english,
            str(len(differences(STANDARD, known.ruleset))),
            str(len(known.unstated)),
            "yes" if known.ruleset.cut is STANDARD.cut else "not yet",
            known.ruleset.hash[:12],
        ]
        for name, known in CATALOGUE.items()
    ]
    assert {row[4] for row in rows} == {"yes", "not yet"}


@pytest.mark.parametrize("name", NAMES)
async def test_a_rule_set_is_shown_with_every_option_its_value_and_the_mark(
    capsys: pytest.CaptureFixture[str], name: str
) -> None:
    await rulebook.show_ruleset(name, ENGLISH)
    lines, known = printed(capsys), CATALOGUE[name]
    assert lines[0] == f"{known.english} ({name}) · version {known.version}"
    assert lines[1] == f"hash {known.ruleset.hash}"
    left, right = words_in(lines, 0, 41), words_in(lines, 41)
    for option, words in WORDS.items():
        value = written(getattr(known.ruleset, option))
        assert f"{words.about.english} ({words.rule}) {option}" in left
        assert words.number is not None or f"{words.values[value].english} {value}" in right
    marked = sum(line.endswith(" ?") for line in lines)
    assert marked == len(known.unstated)
    assert ("? the source does not settle it: played as in standard" in lines) == bool(known.unstated)
    assert [line for line in lines if line in {part.english for part in PARTS.values()}] == [
        part.english for part in PARTS.values()
    ]


async def test_a_rule_set_says_which_of_its_options_do_not_work_yet(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(playable, "NOT_YET", frozenset({"cut", "hundred_order", "first_leader"}))
    await rulebook.show_ruleset("pagat", ENGLISH)
    assert printed(capsys)[2] == "not played yet: cut, hundred_order"
    await rulebook.show_ruleset("standard", ENGLISH)
    assert not any("not played yet" in line for line in printed(capsys))


@pytest.mark.parametrize(
    ("first", "second"), [(first, second) for first in NAMES for second in NAMES if first < second]
)
async def test_differences_stand_side_by_side(
    capsys: pytest.CaptureFixture[str], first: str, second: str
) -> None:
    await rulebook.show_differences(first, second, ENGLISH)
    lines = printed(capsys)
    assert lines[0].split() == [first, second]
    start, end = lines[0].index(first), lines[0].index(second)
    columns = words_in(lines, 0, start), words_in(lines, start, end), words_in(lines, end)
    found = differences(RULESETS[first], RULESETS[second])
    for one in found:
        meanings = WORDS[one.option].values
        for value, column in zip((one.first, one.second), columns[1:], strict=True):
            meaning = meanings.get(written(value))
            assert (f"{meaning.english} {written(value)}" if meaning else written(value)) in column
        assert one.option in columns[0].split()
    assert [word for word in columns[0].split() if word in OPTIONS and "_" in word] == [
        one.option for one in found if "_" in one.option
    ]


async def test_arabic_has_the_words_and_the_names(capsys: pytest.CaptureFixture[str]) -> None:
    await rulebook.list_rulesets(ARABIC)
    assert any("ويكيبيديا" in line for line in printed(capsys))
    await rulebook.show_ruleset("jawaker", ARABIC)
    shown = "\n".join(printed(capsys))
    assert all(part.arabic in shown for part in PARTS.values())
    assert all(option in shown for option in OPTIONS)
    await rulebook.show_differences("pagat", "jawaker", ARABIC)
    assert "بالنقاط ثم بالأبناط" in "\n".join(printed(capsys))


async def test_a_rule_set_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    await rulebook.show_differences("pagat", "pagat", ENGLISH)
    assert printed(capsys) == ["they play alike"]
