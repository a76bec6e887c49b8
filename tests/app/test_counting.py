"""Numbers of things in words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from baloot import app
from baloot.app.counting import counted, counted_matches

COMMANDS = Path(app.__file__).parent
COUNTED_BY_HAND = re.compile(r"\{[^{}]*\} (matches|tables|rounds|entries)\b(?!/s)")
"""A number and a plural beside it, which would be `1 matches`."""


@pytest.mark.parametrize(
    ("number", "told"), [(0, "0 matches"), (1, "1 match"), (2, "2 matches"), (2000, "2,000 matches")]
)
def test_one_is_no_plural(number: int, told: str) -> None:
    assert counted_matches(number) == told
    assert counted(number, "deal") == told.replace("match", "deal").replace("deales", "deals")


def test_commands_count_in_one_way() -> None:
    by_hand = [
        f"{file.name}: {found[0]}"
        for file in COMMANDS.rglob("*.py")
        for found in COUNTED_BY_HAND.finditer(file.read_text(encoding="utf-8"))
    ]
    assert by_hand == []
