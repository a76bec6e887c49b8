"""Cutting a text into words, and finding a word's place in it again."""

from __future__ import annotations

import re
from typing import NamedTuple

_TOKEN = re.compile(r'"(?:[^"\\\n]|\\[^\n])*"?|[^\s\[\]"#]+|[\[\]]|#[^\n]*')
"""A string (that lacks its end only at the end of a line), a word, a bracket, or a comment up to the end of the line."""


class Place(NamedTuple):
    """A line and a column, both counted from 1."""

    line: int
    column: int


def words_of(text: str) -> list[str]:
    """The words of a text, without comments."""
    words: list[str] = _TOKEN.findall(text)
    if "#" in text:
        return [word for word in words if word[0] != "#"]
    return words


def place_of(text: str, at: int) -> Place:
    """Where word number `at` of a text begins; the end of the last word if there are fewer."""
    last = 0
    for found in _TOKEN.finditer(text):
        if found[0][0] == "#":
            continue
        if not at:
            return _place(text, found.start())
        at, last = at - 1, found.end()
    return _place(text, last)


def _place(text: str, offset: int) -> Place:
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))
