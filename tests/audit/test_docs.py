"""DEALS.md lists every code of a finding, with its meaning."""

from __future__ import annotations

from pathlib import Path

from baloot.audit.records import MEANING, Code

DEALS = Path(__file__).parents[2] / "DEALS.md"


def test_every_code_is_documented() -> None:
    told = [line for line in DEALS.read_text().splitlines() if line.startswith("| `")]
    assert list(MEANING) == list(Code)
    assert {f"| `{code.value}` | {meaning} |" for code, meaning in MEANING.items()} <= set(told)
