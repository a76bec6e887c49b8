"""Where the rules of one module are mutated: a copy of the project, and the tool that changes it function by function.

The tool finds a module by its path, and knows one source root; so the copy has both roots of the namespace in one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("scoring", "play", "bidding", "dealing")
STILL = ("survived", "no tests", "suspicious", "not checked")
"""What the tool says of mutants that no test has killed; all else is dead, by a test, a type or a time limit."""

_SETTINGS = r"""[mutmut]
source_paths =
    src
only_mutate =
    src/baloot/{module}/*.py
do_not_mutate =
    */client.py
    */codec.py
    */local.py
    */server.py
do_not_mutate_patterns =
    ^\s*assert\s
pytest_add_cli_args_test_selection =
    tests/rules/{module}
pytest_add_cli_args =
    --timeout=30
    -p
    no:cacheprovider
type_check_command =
    mypy
    --config-file=setup.cfg
    --output=json
    src/baloot/{module}
timeout_multiplier = 6
timeout_constant = 2
use_git_change_detection = false

[mypy]
strict = true
mypy_path = src
explicit_package_bases = true
namespace_packages = true
disable_error_code = unused-ignore
"""
"""The types are asked before the tests."""

_MEMO = re.compile(r"^@(cache|lru_cache\(.*\))\n", flags=re.MULTILINE)

LONGEST = 600
"""Seconds that one mutant may take by itself: many times what the tests of a module take."""


class Mutant(NamedTuple):
    """A change that no test has noticed: in a function, some lines become others (their spaces do not matter)."""

    name: str
    function: str
    was: str
    becomes: str


class Workshop:
    """The copy for one module."""

    def __init__(self, module: str) -> None:
        self.module = module
        self.folder = ROOT / ".mutants" / module

    def lay_out(self) -> None:
        """Copies the project anew."""
        shutil.rmtree(self.folder, ignore_errors=True)
        for source, copy in (("shared", "src"), ("services", "src"), ("tests", "tests")):
            _copy(ROOT / source, self.folder / copy)
        shutil.copy(ROOT / "pyproject.toml", self.folder)
        (self.folder / "setup.cfg").write_text(_SETTINGS.format(module=self.module), encoding="utf-8")
        for file in (self.folder / "src" / "baloot" / self.module).glob("*.py"):
            _without_memo(file)

    def run(self, jobs: int) -> None:
        """Makes the mutants and tries each on the tests that call its function. Shows how far it is."""
        subprocess.run(
            _tool("run", "--max-children", str(jobs)), cwd=self.folder, env=_environment(), check=True
        )

    def bring_tests(self) -> None:
        """Puts the tests of now in place of those that the mutants were tried on."""
        _copy(ROOT / "tests", self.folder / "mutants" / "tests")

    def results(self) -> dict[str, str]:
        """What became of each mutant."""
        lines = self._ask("results", "--all", "true").splitlines()
        return dict(line.strip().rsplit(": ", 1) for line in lines if ": " in line)

    def look(self, name: str) -> Mutant:
        """A mutant with what it changes."""
        diff = self._ask("show", name)
        function = name.partition("__mutmut_")[0].removeprefix("baloot.")
        function = re.sub(r"\.x(?:_|ǁ(\w+)ǁ)", lambda at: f".{at[1]}." if at[1] else ".", function)
        return Mutant(name, function, *changed(diff))

    def survives_alone(self, mutant: Mutant) -> bool:
        """Whether a mutant passes all tests of the module in a process of its own.

        The tool tries mutants in processes that have imported the rules before, so what a module works out once while
        it is imported is mutated only here. One that never comes to an end is noticed.
        """
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--timeout=60"]
        environment = {**_environment(), "MUTANT_UNDER_TEST": mutant.name, "PYTHONPATH": "src"}
        try:
            tried = subprocess.run(
                [*command, f"tests/rules/{self.module}"],
                cwd=self.folder / "mutants",
                env=environment,
                capture_output=True,
                check=False,
                timeout=LONGEST,
            )
        except subprocess.TimeoutExpired:
            return False
        return tried.returncode == 0

    def _ask(self, *words: str) -> str:
        asked = subprocess.run(
            _tool(*words), cwd=self.folder, env=_environment(), capture_output=True, check=True, text=True
        )
        return asked.stdout


def _copy(source: Path, to: Path) -> None:
    shutil.copytree(source, to, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)


def _without_memo(file: Path) -> None:
    """Takes memories off functions: the tool passes over what is decorated."""
    file.write_text(_MEMO.sub("", file.read_text(encoding="utf-8")), encoding="utf-8")


def _tool(*words: str) -> list[str]:
    return [str(Path(sys.executable).with_name("mutmut")), *words]


def _environment() -> dict[str, str]:
    """In CI hypothesis repeats the same examples, so that the same mutants survive in every run."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return {**os.environ, "CI": "true", "PATH": path}


def changed(diff: str) -> tuple[str, str]:
    """What a diff takes away and what it puts in its place, each as one line with single spaces."""
    was, becomes = _signed(diff, "-"), _signed(diff, "+")
    while was and becomes and was[-1] == becomes[-1]:  # The tool indents some lines anew.
        was.pop()
        becomes.pop()
    return " ".join(was), " ".join(becomes)


def _signed(diff: str, sign: str) -> list[str]:
    lines = [line for line in diff.splitlines() if line.startswith(sign) and not line.startswith(sign * 3)]
    return [" ".join(line[1:].split()) for line in lines]
