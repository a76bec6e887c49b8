"""DEALS.md tells every reason, every gap and every field of the proof file."""

from __future__ import annotations

import re
from pathlib import Path

from baloot.verifier.verify import EXIT_CODES, FORMAT, GAPS, REASONS

from tests.verifier.honest import honest

DOCUMENT = (Path(__file__).resolve().parents[2] / "DEALS.md").read_text(encoding="utf-8")
CHECKING = DOCUMENT.split("\n## Checking a match\n")[1].split("\n## ")[0]


def rows(heading: str) -> dict[str, str]:
    """The rows of the table under a heading, by what stands first in them."""
    table = CHECKING.split(f"\n| {heading} |")[1].split("\n\n")[0]
    cells = re.findall(r"^\| `?([^|`]+?)`? \| (.*) \|$", table, re.MULTILINE)
    return {first: rest for first, rest in cells if not first.startswith("---")}


def test_every_reason_and_gap_is_told_in_its_own_words() -> None:
    assert rows("code") == REASONS
    assert rows("gap") == GAPS


def test_every_verdict_is_told_with_its_exit_code() -> None:
    told = {verdict: int(rest.split(" | ")[0]) for verdict, rest in rows("verdict").items()}
    assert told == EXIT_CODES


def test_every_field_of_the_file_is_told() -> None:
    proof = honest("plain").proof()
    assert list(rows("field")) == [*proof, *proof["entries"][0]]
    assert f"`{FORMAT}`" in rows("field")["format"]
