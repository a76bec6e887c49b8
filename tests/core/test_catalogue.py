"""The rule sets that ship: whole, sourced, and read as they are written."""

from __future__ import annotations

import re
from pathlib import Path

import baloot.core
import pytest
from baloot.core.catalogue import (
    CATALOGUE,
    NAMES,
    RULESETS,
    differences,
    require_own_name,
    value_of,
    values_of,
    with_changes,
    written,
)
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset, SunTakeoverFirst

FOLDER = Path(baloot.core.__file__).parent / "rulesets"
LINE = re.compile(r"^(\w+) = (\S+)  # (\S.*)$")


def test_there_is_one_file_for_each_name_and_no_other() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == set(NAMES)


def test_the_standard_file_is_the_standard_of_the_code() -> None:
    assert RULESETS["standard"] == STANDARD
    assert not CATALOGUE["standard"].unstated


@pytest.mark.parametrize("name", NAMES)
def test_every_option_is_named_once_with_its_source(name: str) -> None:
    text = (FOLDER / f"{name}.toml").read_text("utf-8").split("[options]")[1]
    named = [LINE.match(line) for line in text.splitlines() if line and not line.startswith("#")]
    assert [match[1] for match in named if match] == list(OPTIONS)


@pytest.mark.parametrize("name", NAMES)
def test_what_a_source_does_not_say_is_played_as_in_standard(name: str) -> None:
    known = CATALOGUE[name]
    assert all(getattr(known.ruleset, option) == getattr(STANDARD, option) for option in known.unstated)


def test_hashes_tell_rule_sets_apart_and_names_do_not() -> None:
    assert len({ruleset.hash for ruleset in RULESETS.values()}) == len(NAMES)
    assert with_changes(STANDARD, "mine", {}).hash == STANDARD.hash


def test_differences_are_those_that_were_made() -> None:
    mine = with_changes(
        STANDARD, "mine", {"sun_takeover_first": "none", "match_target": 100, "kawesh": "false"}
    )
    assert [(one.option, written(one.first), written(one.second)) for one in differences(STANDARD, mine)] == [
        ("sun_takeover_first", "earlier_opponents", "none"),
        ("kawesh", "true", "false"),
        ("match_target", "152", "100"),
    ]


@pytest.mark.parametrize("option", OPTIONS)
def test_every_value_is_read_as_it_is_written(option: str) -> None:
    for value in values_of(option) or ("7",):
        assert written(value_of(option, value)) == value


@pytest.mark.parametrize(
    ("option", "given"),
    [("sun_takeover_first", "nobody"), ("kawesh", "perhaps"), ("match_target", "many"), ("luck", "1")],
)
def test_what_does_not_exist_is_refused_by_its_name(option: str, given: str) -> None:
    with pytest.raises(Refusal) as refused:
        with_changes(STANDARD, "mine", {option: given})
    assert refused.value.reason is Reason.RULESET_INVALID
    assert refused.value.metadata == {"option": option}


def test_a_value_keeps_its_type() -> None:
    assert value_of("sun_takeover_first", "none") is SunTakeoverFirst.NONE
    assert value_of("match_target", "152") == 152
    assert value_of("kawesh", True) is True


@pytest.mark.parametrize("name", ["standard", "Standard", " pagat", "\uff4aawaker"])
def test_a_known_name_is_only_for_what_plays_like_it(name: str) -> None:
    with pytest.raises(Refusal) as refused:
        require_own_name(STANDARD.with_options(name=name, match_target=1), "ruleset.name")
    assert (refused.value.reason, refused.value.field) == (Reason.RULESET_INVALID, "ruleset.name")
    assert "plays otherwise" in refused.value.message


@pytest.mark.parametrize("ruleset", [*RULESETS.values(), STANDARD.with_options(name="ours", match_target=1)])
def test_other_names_and_rule_sets_that_ship_pass(ruleset: Ruleset) -> None:
    require_own_name(ruleset, "ruleset.name")
