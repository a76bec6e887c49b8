"""Commands whose reader has gone: each ends quietly, and with one code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from baloot.app.work import UNREAD
from baloot.notation import text

from tests.notation.matches import match

PROOF, MATCHES = "proof.json", "many.baloot"
COMMANDS = [
    ["--help"],
    ["history", "replay", "--help"],
    ["version"],
    ["rules", "list"],
    ["rules", "show", "pagat"],
    ["notation", "json", MATCHES],
    ["notation", "check", MATCHES],
    ["verify", "--script"],
    ["verify", PROOF],
    ["verify", PROOF, "--json"],
    ["demo"],
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the commands read."""
    made = tmp_path_factory.mktemp("read")
    (made / PROOF).write_text("{}", encoding="utf-8")
    (made / MATCHES).write_text("\n".join([text(match("standard", 1))] * 3), encoding="utf-8")
    return made


def run(folder: Path, command: list[str], out: int, errors: int) -> int:
    """The exit code of a command, typed by a person."""
    baloot = Path(sys.executable).parent / "baloot"
    ended = subprocess.run([baloot, *command], stdout=out, stderr=errors, cwd=folder, check=False, timeout=60)
    return ended.returncode


@pytest.mark.parametrize("buffered", ["", "1"])
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_reader_that_has_gone_ends_it_quietly(
    folder: Path, command: list[str], buffered: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", buffered)
    read, write = os.pipe()
    os.close(read)
    with (folder / "errors").open("wb") as errors:
        code = run(folder, command, write, errors.fileno())
    os.close(write)
    said = (folder / "errors").read_text(encoding="utf-8").splitlines()
    assert (code, [line for line in said if not line.endswith(" ...")]) == (UNREAD, [])


def test_an_error_that_nobody_reads_ends_it_too(folder: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    code = run(folder, ["rules", "show", "poker"], write, write)
    os.close(write)
    assert code == 1
