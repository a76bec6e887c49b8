"""The commands `export --connect` and `import`: between a server and files, and what is said of wrong ones."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from baloot.api.history.v1.history_pb2 import ListMatchesRequest
from baloot.app.archiving import bring, export
from baloot.app.cli import app
from baloot.app.errors import SetupError
from baloot.app.reaching import Asked
from baloot.app.reports import list_matches
from baloot.core.errors import Reason, Refusal
from baloot.notation import parse, text
from typer.testing import CliRunner

from tests.history.archives import Archive, archive, filled
from tests.notation.matches import log, match

LOGS = [log("standard", seed) for seed in range(3)]
TEXTS = [text(match("standard", seed)) for seed in range(3)]
ALL = ListMatchesRequest()
BALOOT = Path(sys.executable).parent / "baloot"


@pytest.fixture
async def served(migrated_url: str) -> AsyncIterator[Archive]:
    async with archive(migrated_url, await filled(*LOGS)) as served:
        yield served


@pytest.fixture
def token(served: Archive, tmp_path: Path) -> Path:
    """The file of an organiser's token."""
    file = tmp_path / "token"
    file.write_text(served.issuing.token(sub="organiser-1", roles=["organiser"]), encoding="ascii")
    return file


def printed(out: str) -> list[str]:
    """What was printed beside what the server in this process logs."""
    return [line for line in out.splitlines() if "[debug" not in line]


def names_in(folder: Path) -> list[str]:
    return [file.name for file in folder.iterdir()]


async def test_all_matches_are_written_to_a_file(
    served: Archive, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "all.baloot"
    await export(Asked(served.address), [], ALL, out)
    assert sorted(parse(out.read_text(encoding="utf-8")), key=lambda told: str(told.match)) == sorted(
        (match("standard", seed) for seed in range(3)), key=lambda told: str(told.match)
    )
    said = capfd.readouterr()
    assert printed(said.out) == []
    assert f"3 matches written to {out}" in said.err
    assert names_in(tmp_path) == ["all.baloot"]


async def test_matches_are_printed_by_their_ids(served: Archive, capsys: pytest.CaptureFixture[str]) -> None:
    ids = [str(LOGS[n][0].table_id) for n in (2, 0)]
    await export(Asked(served.address), ids, ALL, None)
    assert printed(capsys.readouterr().out) == (TEXTS[2] + "\n" + TEXTS[0]).splitlines()


async def test_an_export_that_fails_leaves_the_file_as_it_was(served: Archive, tmp_path: Path) -> None:
    out = tmp_path / "old.baloot"
    out.write_text("# old\n", encoding="utf-8")
    ids = [str(LOGS[0][0].table_id), "00000000-0000-4000-8000-000000000000"]
    with pytest.raises(Refusal) as refused:
        await export(Asked(served.address), ids, ALL, out)
    assert refused.value.reason is Reason.MATCH_UNKNOWN
    assert names_in(tmp_path) == ["old.baloot"]
    assert out.read_text(encoding="utf-8") == "# old\n"


async def test_files_are_brought_in_parts_and_once(
    served: Archive, token: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """120 matches take three requests; brought again, nothing is new."""
    file = tmp_path / "many.baloot"
    file.write_text("\n".join(named(f"house {n}") for n in range(120)), encoding="utf-8")
    await bring(Asked(served.address, token), [str(file)])
    await bring(Asked(served.address, token), [str(file)])
    said = capsys.readouterr()
    assert printed(said.out) == [
        f"{file}: 120 matches, 120 of them new",
        f"{file}: 120 matches, 0 of them new",
    ]
    assert f"{file}: 100 matches" in said.err
    assert len([one async for one in served.told.matches()]) == 3 + 120


async def test_the_list_says_that_they_were_imported(
    served: Archive, token: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "one.baloot"
    file.write_text(named("a"), encoding="utf-8")
    await bring(Asked(served.address, token), [str(file)])
    capsys.readouterr()
    await list_matches(Asked(served.address), "", None)
    told = [line for line in printed(capsys.readouterr().out) if not line.startswith(" ")]
    assert [line.endswith(", imported") for line in told] == [True, False, False, False]


def named(event: str) -> str:
    return f'[Baloot "1"]\n[Event "{event}"]\ndeal S up 7S end thrown_in\n'


WRONG = {
    "a word": (f"{TEXTS[0]}\n{named('a')}deal N\nup 1S\n", "line {last}, column 4: expected a card"),
    "a match": ("# mine\n" + named("a") + TEXTS[0].replace("totals ", "totals 9", 1), "line 5, column 1: deal 1: the sheet"),
    "a name": (f'{TEXTS[0]}\n{named("a")}\n[Baloot "1"] [South "a\u202eb"]\n', "line {last}, column 21: the value of South has"),
    "half a match": (f"{TEXTS[0]}\n{named('a')}deal E up 8S\ncalls N:pass\n", "line {last}, column 13: deal 2 has no end"),
    "none": ("# nothing\n", "there is no match in it"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
async def test_what_is_wrong_is_told_with_its_place(
    served: Archive, token: Path, tmp_path: Path, name: str
) -> None:
    given, told = WRONG[name]
    file = tmp_path / "wrong.baloot"
    file.write_text(given, encoding="utf-8")
    with pytest.raises(SetupError) as error:
        await bring(Asked(served.address, token), [str(file)])
    told = told.format(last=len(given.splitlines()))
    assert str(error.value).startswith(f"{file}")
    assert told in str(error.value)
    assert len([one async for one in served.told.matches()]) == 3


async def test_whoever_may_not_bring_matches_is_told(served: Archive, tmp_path: Path) -> None:
    file = tmp_path / "one.baloot"
    file.write_text(TEXTS[0], encoding="utf-8")
    with pytest.raises(Refusal, match=r"^this needs an access token"):
        await bring(Asked(served.address), [str(file)])


async def test_the_commands_say_it_in_one_line(served: Archive, token: Path, tmp_path: Path) -> None:
    file = tmp_path / "wrong.baloot"
    file.write_text("no match\n", encoding="utf-8")
    typed = [str(file), "--connect", served.address, "--token-file", str(token)]
    running = await asyncio.create_subprocess_exec(BALOOT, "import", *typed, stderr=asyncio.subprocess.PIPE)
    _, said = await running.communicate()
    assert running.returncode == 1
    assert said.decode().startswith(f"baloot: {file}, line 1, column 1: a match begins with")


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["export"], "name the matches by their ids"),
        (["export", "--event", "cup", "7"], "filters need --connect"),
        (["export", "--connect", "127.0.0.1:1", "--event", "cup", "7"], "by their ids, or by filters"),
        (["import", "x.baloot", "--connect", "127.0.0.1:1"], "no server can be reached"),
    ],
)
def test_what_does_not_go_together_is_refused(typed: list[str], told: str) -> None:
    result = CliRunner().invoke(app, typed)
    assert result.exit_code == 1
    assert told in result.stderr
