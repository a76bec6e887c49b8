"""The commands `notation` and `export`: files in, files out, and what is said of wrong ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from baloot.app.cli import app
from baloot.app.errors import SetupError
from baloot.app.notes import export
from baloot.app.stored import Logs
from baloot.notation import parse, text
from baloot.table.events import Status
from baloot.table.postgres import PostgresStore
from typer.testing import CliRunner, Result

from tests.notation.matches import log, match

FILES = Path(__file__).parents[1] / "notation/files"
EXAMPLE = FILES / "example.baloot"


def notation(*arguments: str | Path, given: str = "") -> Result:
    return CliRunner().invoke(app, ["notation", *map(str, arguments)], input=given)


def test_files_are_checked_and_the_exit_code_tells_whether_all_are_right() -> None:
    result = notation("check", EXAMPLE, FILES / "typed.baloot")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (
        1,
        f"{EXAMPLE}: 1 match, 1 deal, 0 against the rules",
    )
    assert notation("check", EXAMPLE).exit_code == 0


@pytest.mark.parametrize(
    ("given", "code", "told"),
    [
        ("no match", 2, '-, line 1, column 1: a match begins with [Baloot "1"]'),
        ("", 2, "-: there is no match in it"),
        ('[Baloot "1"]\ndeal 1 N\nup 1S\n', 2, "-, line 3, column 4: expected a card"),
        ('[Baloot "1"]\n[Winner "SN"]\n', 1, "-, match 1: the winner is told as south-north"),
    ],
)
def test_what_is_wrong_is_one_line_with_its_place(given: str, code: int, told: str) -> None:
    result = notation("check", "-", given=given)
    assert result.exit_code == code
    assert told in result.stderr


def test_bytes_that_are_no_text_are_told_with_their_place(tmp_path: Path) -> None:
    file = tmp_path / "old.baloot"
    file.write_bytes(b'[Baloot "1"]\n[South "No\xffra"]\n')
    result = notation("check", file)
    assert "old.baloot, line 2, column 8: this value holds something that is no character" in result.stderr


def test_a_file_that_is_not_there_is_one_line() -> None:
    result = notation("json", "nowhere.baloot")
    assert result.exit_code == 1
    assert "nowhere.baloot" in result.stderr


def test_json_and_back_is_the_same_file() -> None:
    told = notation("json", EXAMPLE)
    assert json.loads(told.stdout)["tags"]["South"] == "Noura"
    back = notation("text", "-", given=told.stdout)
    assert back.stdout == EXAMPLE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ("{", "-, line 1, column 2: no JSON"),
        ("\n[]", "-, line 2: the match: expected an object"),
        ('{"tags": {"Baloot": "1"}, "deals": [{"deal": 1, "dealer": "S"}]}', "-, line 1: deals[0]: this deal has no up card"),
        ("[" * 100_000, "-, line 1: this JSON is nested too deep"),
    ],
    ids=["cut", "list", "deal", "deep"],
)  # fmt: skip
def test_json_that_is_no_match_is_one_line(given: str, told: str) -> None:
    result = notation("text", "-", given=given)
    assert result.exit_code == 1
    assert told in result.stderr


async def test_matches_come_out_of_the_database(
    migrated_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    matches = [match("standard"), match("pagat")]
    async with PostgresStore(migrated_url) as store:
        for entry in (*log("standard"), *log("pagat")):
            await store.append(entry, Status.PLAYING)
    ids = [str(one.match) for one in matches]
    await export(Logs(migrated_url), ids, None)
    assert parse(capsys.readouterr().out) == tuple(matches)
    await export(Logs(migrated_url), ids, tmp_path / "cup.baloot")
    assert (tmp_path / "cup.baloot").read_text(encoding="utf-8") == text(*matches)


async def test_a_table_without_a_match_is_one_line_and_writes_no_file(
    migrated_url: str, tmp_path: Path
) -> None:
    opened = log("federation")[0]
    async with PostgresStore(migrated_url) as store:
        await store.append(opened, Status.OPEN)
    with pytest.raises(SetupError, match="no match has begun"):
        await export(Logs(migrated_url), [str(opened.table_id)], tmp_path / "cup.baloot")
    assert not (tmp_path / "cup.baloot").exists()
