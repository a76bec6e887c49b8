"""What options and their values mean, in words: the data file `words.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple

from baloot.core.catalogue import values_of, written
from baloot.core.ruleset import OPTIONS, Ruleset


class Text(NamedTuple):
    """The same in both languages."""

    english: str
    arabic: str


@dataclass(frozen=True, slots=True)
class OptionWords:
    """An option in words.

    `part` is the key in `PARTS` of the part of the game that it belongs to, `rule` the number of its rule. `values`
    has the meaning of each value as it is written; of a number, `number` with a place for it.
    """

    part: str
    rule: str
    about: Text
    values: Mapping[str, Text]
    number: Text | None


@dataclass(frozen=True, slots=True)
class OptionText:
    """One option of a rule set with its value, written as in a data file, and what both mean.

    `unstated` says that the rule set's source does not settle it; `values` are all that it can have, none for a number.
    """

    option: str
    value: str
    rule: str
    about: Text
    meaning: Text
    unstated: bool
    values: tuple[str, ...]


def option_text(ruleset: Ruleset, option: str, *, unstated: bool) -> OptionText:
    """An option with the value that it has in a rule set."""
    words, value = WORDS[option], written(getattr(ruleset, option))
    return OptionText(
        option, value, words.rule, words.about, _meaning(words, value), unstated, values_of(option)
    )


def _meaning(words: OptionWords, value: str) -> Text:
    if words.number is None:
        return words.values[value]
    return Text(*(text.format(value) for text in words.number))


def read(data: Mapping[str, Any]) -> tuple[dict[str, Text], dict[str, OptionWords]]:
    """The parts of the game and the words of the options, in the order of the options.

    Raises ValueError when an option or a value is missing, or something is there that is none.
    """
    parts = {part: _text(words, {"en", "ar"}) for part, words in data["parts"].items()}
    options: Mapping[str, Any] = data["options"]
    _require(options.keys() == OPTIONS.keys(), "options")
    words = {option: _option(option, options[option]) for option in OPTIONS}
    _require({one.part for one in words.values()} == parts.keys(), "parts")
    return parts, words


def _option(option: str, data: Mapping[str, Any]) -> OptionWords:
    written_values = values_of(option)
    meanings = "values" if written_values else "number"
    about = _text(data, {"part", "rule", "en", "ar", meanings})
    values = {value: _text(words, {"en", "ar"}) for value, words in data.get("values", {}).items()}
    _require(values.keys() == set(written_values), option)
    number = None if written_values else _text(data["number"], {"en", "ar"})
    return OptionWords(data["part"], data["rule"], about, values, number)


def _text(data: Mapping[str, Any], keys: set[str]) -> Text:
    """The words in a table of the file that has these keys and no others."""
    _require(data.keys() == keys, f"{sorted(data.keys() ^ keys)}")
    return Text(data["en"], data["ar"])


def _require(holds: bool, what: str) -> None:  # noqa: FBT001 - a condition
    if not holds:
        raise ValueError(f"words.toml: {what} missing or unknown")


PARTS, WORDS = read(tomllib.loads((files("baloot.rulesets") / "words.toml").read_text("utf-8")))
