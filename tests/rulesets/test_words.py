"""Every option and every value is told in words, in both languages, and nothing else is."""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import baloot.rulesets
import pytest
from baloot.core.catalogue import RULESETS, values_of
from baloot.core.ruleset import OPTIONS, STANDARD
from baloot.rulesets.words import PARTS, WORDS, Text, option_text, read

FILE = Path(baloot.rulesets.__file__).parent / "words.toml"
RULES = (Path(__file__).resolve().parents[2] / "RULES.md").read_text(encoding="utf-8")
DATA: dict[str, Any] = tomllib.loads(FILE.read_text("utf-8"))
ENGLISH = re.compile(r"[A-Z0-9{][ -~]*[^ .]|{}")
"""No full stop at the end: a text may stand in a table or in the middle of a sentence."""
ARABIC = re.compile(r"[\u0621-\u064a][\u0621-\u064a0-9 :،()]*[^ ]|{}( [\u0621-\u064a ]+)?")
"""No Latin letters, and no marks above the letters, which many terminals show beside them."""


def texts(option: str) -> Iterator[Text]:
    words = WORDS[option]
    yield from (words.about, *words.values.values())
    if words.number is not None:
        yield words.number


def test_options_stand_in_the_order_in_which_rule_sets_have_them() -> None:
    assert list(DATA["options"]) == list(WORDS) == list(OPTIONS)
    assert list(PARTS) == list(dict.fromkeys(words.part for words in WORDS.values()))


@pytest.mark.parametrize("option", OPTIONS)
def test_each_text_is_in_its_language_and_short(option: str) -> None:
    for english, arabic in texts(option):
        assert ENGLISH.fullmatch(english)
        assert ARABIC.fullmatch(arabic)
        assert max(len(english), len(arabic)) <= 80


@pytest.mark.parametrize("option", OPTIONS)
def test_no_two_values_are_told_alike(option: str) -> None:
    told = WORDS[option].values.values()
    assert len({text.english for text in told}) == len({text.arabic for text in told}) == len(told)


@pytest.mark.parametrize("option", OPTIONS)
def test_the_rule_is_the_section_that_the_option_stands_in(option: str) -> None:
    section = RULES[: RULES.index(f"\n- `{option}`:")].rpartition("\n### ")[2].split()[0]
    assert WORDS[option].rule == section


@pytest.mark.parametrize("name", RULESETS)
def test_every_rule_set_can_be_told(name: str) -> None:
    for option in OPTIONS:
        text = option_text(RULESETS[name], option, unstated=False)
        assert not any("{" in meaning for meaning in text.meaning)
        assert text.values == values_of(option)
        assert text.value in (text.values or (text.value,))


def test_a_number_stands_in_its_text() -> None:
    text = option_text(STANDARD.with_options(sawa_max_cards=3), "sawa_max_cards", unstated=False)
    assert (text.value, text.meaning.english, text.values) == ("3", "3 at most", ())


def without(*path: str) -> Callable[[dict[str, Any]], object]:
    return lambda data: table(data, path[:-1]).pop(path[-1])


def having(*path: str) -> Callable[[dict[str, Any]], object]:
    return lambda data: table(data, path[:-1]).update({path[-1]: {"en": "Luck", "ar": "حظ"}})


def table(data: dict[str, Any], path: tuple[str, ...]) -> dict[str, Any]:
    for key in path:
        data = data[key]
    return data


BROKEN = {
    "an option too few": without("options", "kawesh"),
    "an option too many": having("options", "luck"),
    "a value too few": without("options", "cut", "values", "cosmetic"),
    "a value too many": having("options", "cut", "values", "luck"),
    "no arabic": without("options", "cut", "ar"),
    "no arabic of a value": without("options", "cut", "values", "none", "ar"),
    "values of a number": having("options", "match_target", "values", "100"),
    "no text for a number": without("options", "match_target", "number"),
    "another key": having("options", "cut", "de"),
    "a part too few": without("parts", "play"),
    "a part too many": having("parts", "luck"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_a_file_that_is_not_exactly_complete_is_not_read(case: str) -> None:
    data = copy.deepcopy(DATA)
    if case == "values of a number":
        data["options"]["match_target"]["values"] = {}
    BROKEN[case](data)
    with pytest.raises(ValueError, match="missing or unknown"):
        read(data)
