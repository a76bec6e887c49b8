"""Which texts can be shown as what they are, for all letters and signs that there are."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from baloot.core.printing import MOST_MARKS, unshowable

GOOD = (
    "",
    "Noura",
    "ليث",
    "نُورَةُ مُحَمَّدٌ",
    "الله ﷻ",
    "ٱلْقُرْآنِ",
    "Nguyễn " + unicodedata.normalize("NFD", "Nguyễn"),
    "श्रीमती",
    "မြွှေး",
    "❤️ Noura 1️⃣",
    "a" + "\u0301" * MOST_MARKS,
    "...",
)
BAD = {
    "a\nb": "has a sign that cannot be shown (U+000A)",
    "a\u202eb": "has a sign that cannot be shown (U+202E)",
    "a\u200bb": "has a sign that cannot be shown (U+200B)",
    "\u115f": "has a sign that cannot be shown (U+115F)",
    "Noura\u3164": "has a sign that cannot be shown (U+3164)",
    "\U0001d159": "has a sign that cannot be shown (U+1D159)",
    "   ": "has nothing in it that can be seen",
    "\u0301 \ufe0f": "has nothing in it that can be seen",
    "a" + "\u0301" * (MOST_MARKS + 1): "has more than 4 combining marks in a row",
    "Noura" + "\u0300\u0301" * 17: "has more than 4 combining marks in a row",
    "ا" + "\u064b\u064c\u064d\u064e\u064f": "has more than 4 combining marks in a row",
}
HIDDEN = (
    "SEONG FILLER", "HANGUL FILLER", "SCRIPT FILLER", "PATTERN BLANK", "FULL BLANK", "HALF BLANK", "NULL NOTEHEAD", "GRAPHEME JOINER", "WIDTH JOINER",
    "WIDTH SPACE", "OVERRIDE", " ISOLATE", " EMBEDDING",
)  # fmt: skip
"""How the names of signs end that nobody sees."""


@pytest.mark.parametrize("text", GOOD)
def test_names_of_many_scripts_can_be_shown(text: str) -> None:
    assert unshowable(text) is None


@pytest.mark.parametrize("text", BAD, ids=ascii)
def test_what_cannot_be_seen_or_moves_its_surroundings_is_told(text: str) -> None:
    assert unshowable(text) == BAD[text]


def test_no_sign_whose_name_says_that_it_is_hidden_passes() -> None:
    named = ((chr(code), unicodedata.name(chr(code), "")) for code in range(sys.maxunicode + 1))
    hidden = [sign for sign, name in named if name.endswith(HIDDEN)]
    assert len(hidden) > len(HIDDEN)
    assert [ascii(sign) for sign in hidden if unshowable(f"a{sign}b") is None] == []


def test_a_reason_repeats_nothing_of_the_text() -> None:
    assert all((unshowable(text) or "").isprintable() for text in BAD)
