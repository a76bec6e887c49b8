"""Both verifiers as they are run: alone in an empty folder, by their options, and by their exit codes."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from baloot.verifier import verify

from tests.verifier.both import PROGRAM, SCRIPT, node
from tests.verifier.honest import HonestLog, honest
from tests.verifier.tampering import tampered

Run = tuple[int, str, str]


class Alone:
    """Both scripts in a folder with nothing else, run without anything that is installed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for script in (SCRIPT, PROGRAM):
            shutil.copy(script, folder)

    def write(self, proof: object, name: str = "proof.json") -> str:
        path = self.folder / name
        path.write_text(json.dumps(proof, indent=1), encoding="utf-8")
        return str(path)

    def python(self, *arguments: str, stdin: str = "") -> Run:
        command = [sys.executable, "-I", "-S", str(self.folder / "verify.py"), *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, input=stdin)
        return done.returncode, done.stdout, done.stderr

    def javascript(self, *arguments: str, stdin: str = "") -> Run:
        done = node(self.folder / "verify.js", *arguments, stdin=stdin)
        return done.returncode, done.stdout, done.stderr

    def both(self, *arguments: str, stdin: str = "") -> tuple[int, str]:
        """The exit code and what is printed, which are the same for both."""
        code, printed, _ = self.python(*arguments, stdin=stdin)
        assert self.javascript(*arguments, stdin=stdin)[:2] == (code, printed)
        return code, printed


@pytest.fixture
def alone(tmp_path: Path) -> Alone:
    return Alone(tmp_path)


def test_the_script_imports_the_standard_library_alone() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {
        name.name.split(".")[0]
        for node_ in ast.walk(tree)
        if isinstance(node_, ast.Import)
        for name in node_.names
    } | {str(node_.module).split(".")[0] for node_ in ast.walk(tree) if isinstance(node_, ast.ImportFrom)}
    assert imported <= sys.stdlib_module_names | {"__future__"}


def test_an_honest_match_is_verified(alone: Alone) -> None:
    written = honest("plain")
    proof = written.proof()
    pin, seed = f"5:{proof['entries'][4]['chain']}", f"NORTH={written.blocks[0][3].hex().upper()}"
    code, printed = alone.both(alone.write(proof), "--pin", pin, "--seed", seed)
    assert code == 0
    assert printed.splitlines()[0] == verify.TITLES["verified"]
    assert printed.splitlines()[1] == (
        "  5 deals are what their seeds make them: 3 played, 1 thrown in, 1 ended by Kawesh, 0 reshuffled, 0 broken off."
    )
    assert "1 chain values that were noted" in printed
    assert "The seed that North sent went into deals 1 to 5." in printed


def test_a_beacon_is_compared_with_its_source(alone: Alone) -> None:
    written = honest("beacon")
    path = alone.write(written.proof())
    code, printed = alone.both(path, "--beacon", written.beacon.hex().upper())
    assert (code, "The beacon is the value that was looked up." in printed) == (0, True)
    code, printed = alone.both(path, "--beacon", "0" * 64)
    assert (code, printed.splitlines()[1].split(":")[0]) == (1, "BEACON_WRONG")


def test_a_proof_may_come_through_standard_input(alone: Alone) -> None:
    assert alone.both("-", "--quiet", stdin=json.dumps(honest("cut").proof())) == (0, "")


def test_a_refusal_tells_its_reason(alone: Alone) -> None:
    case = tampered(2)  # a seed
    code, printed = alone.both(alone.write(case.proof))
    assert code == 1
    reason, sentence = printed.splitlines()[1].split(": ", 1)
    assert reason in case.codes
    assert sentence.startswith(verify.REASONS[reason].split("{")[0])


def test_the_verdict_as_json_is_the_same_from_both(alone: Alone) -> None:
    code, printed, _ = alone.python(alone.write(honest("beacon").proof()), "--json")
    other, also_printed, _ = alone.javascript(alone.write(honest("beacon").proof()), "--json")
    assert (code, json.loads(printed)) == (other, json.loads(also_printed))


def test_nothing_provable_has_an_exit_code_of_its_own(alone: Alone) -> None:
    written = HonestLog("empty")
    written.open()
    written.end()
    assert alone.both(alone.write(written.proof()), "--quiet") == (3, "")


@pytest.mark.parametrize("text", ["", "{", "[1, 2", "\x00", "null"])
def test_what_is_no_json_cannot_be_read(alone: Alone, text: str) -> None:
    path = alone.folder / "proof.json"
    path.write_text(text, encoding="utf-8")
    code, printed = alone.both(str(path))
    assert (code, printed.split(":")[0]) == (2, "UNREADABLE")


MISTYPED: list[Any] = [
    ["missing.json"], [], ["proof.json", "--vectors", "vectors.json"], ["proof.json", "--pin", "5"],
    ["proof.json", "--pin", "5:00"], ["proof.json", "--seed", "SOUTH"], ["proof.json", "--seed", f"TOP={'0' * 64}"],
    ["proof.json", "--pim", "5"], ["proof.json", "--beacon", "00"], ["proof.json", "--beacon", ""],
]  # fmt: skip


@pytest.mark.parametrize("arguments", MISTYPED, ids=" ".join)
def test_what_is_mistyped_is_said_and_nothing_is_checked(alone: Alone, arguments: list[str]) -> None:
    for run in (alone.python, alone.javascript):
        code, printed, said = run(*arguments)
        assert (code, printed) == (2, "")
        assert "verify." in said


def test_both_say_what_they_are_for(alone: Alone) -> None:
    for script in (SCRIPT, PROGRAM):
        head = script.read_text(encoding="utf-8")[:1000]
        assert "Exit codes: 0 verified, 1 refused, 2 cannot be read, 3" in head
