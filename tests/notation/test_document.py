"""NOTATION.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from baloot.notation import text, to_json
from baloot.notation.reader import MAX_MATCH, parse
from baloot.notation.sections import SECTIONS
from baloot.notation.tags import NAMES
from baloot.notation.words import CUTS, ENDS, GROUNDS, LINE_KINDS, PROJECT_KINDS, RESULTS

from tests.house.test_docs import blocks, table_rows
from tests.notation.matches import match

DOCUMENT = (Path(__file__).parents[2] / "NOTATION.md").read_text(encoding="utf-8")
FILES = Path(__file__).parent / "files"


def first_column(heading: str) -> list[str]:
    """The words in the first column of the tables under a heading."""
    part = DOCUMENT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [word for row in table_rows(part) for word in re.findall(r"`([^`]+)`", row[0])]


def test_the_examples_are_the_files() -> None:
    example, typed = [body for _, body in blocks(DOCUMENT, "baloot")]
    assert example == (FILES / "example.baloot").read_text(encoding="utf-8")
    assert typed == (FILES / "typed.baloot").read_text(encoding="utf-8")
    assert text(*parse(example)) == example


def test_all_tags_are_told_in_their_order() -> None:
    seats = ("South", "East", "North", "West")
    names = [name for name in NAMES.values() if name not in (*seats, *(f"{seat}Account" for seat in seats))]
    told = first_column("Tags")
    assert sorted(told) == sorted(NAMES.values())
    order = [name for name in told if name in names]
    assert order.index("Option") < order.index("RulesHash")


def test_all_sections_are_told_in_the_order_in_which_they_are_written() -> None:
    assert first_column("Deals") == list(SECTIONS)


@pytest.mark.parametrize("table", [CUTS, ENDS, GROUNDS, LINE_KINDS, PROJECT_KINDS, RESULTS])
def test_all_words_are_told(table: dict[str, object]) -> None:
    for word in table:
        if word == word.lower():
            assert re.search(rf'[`"]{word}[`"]', DOCUMENT), word


def test_the_grammar_has_every_section() -> None:
    ((_, grammar),) = blocks(DOCUMENT, "ebnf")
    assert [word for word in SECTIONS if f'"{word}"' not in grammar] == []


def test_the_limit_is_told() -> None:
    assert f"A match is {MAX_MATCH} characters at most." in DOCUMENT


def test_every_field_of_json_is_told() -> None:
    told = set(re.findall(r"`(\w+)`", DOCUMENT.split("\n## JSON\n")[1]))
    for rules in ("standard", "federation"):
        for value in to_json(match(rules, 2))["deals"]:
            assert set(value) <= told
            assert set(value.get("score", ())) <= told
            assert {name for move in value.get("play", ()) for name in move} <= told
