"""How functions become commands: groups of options, errors, exit codes and being stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated

import pytest
import structlog
import typer
from baloot.app.cli.command import group, runs
from baloot.app.errors import SetupError
from baloot.app.work import FAILED, INTERRUPTED, UNREADABLE, Work
from typer.testing import CliRunner

START = """
import asyncio, sys, time
from baloot.app.commands import run

async def asks():
    print("begun", flush=True)
    try:
        await asyncio.sleep(60)
    finally:
        print("cleaned up", flush=True)

async def serves(stop):
    print("begun", flush=True)
    await stop.wait()
    print("ended in order", flush=True)

def reads():
    print("begun", flush=True)
    time.sleep(60)

sys.exit(run({start}, log_level="error"))
"""


@dataclass(frozen=True)
class Place:
    """Two options in one."""

    host: Annotated[str, typer.Option(help="Where it is said to be.")]
    port: Annotated[int, typer.Option(help="At which door to knock.", envvar="TEST_PORT")] = 80


@pytest.fixture(autouse=True)
def logging_as_it_was(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command sets up logging for its process; here that is the tests' own."""
    before = structlog.get_config()
    monkeypatch.setattr("logging.root.handlers", [])
    yield
    structlog.configure(**before)


def typed(function: Callable[..., Work], *arguments: str, failed: int = FAILED) -> tuple[int, str, str]:
    """The exit code, and what was printed on both ways."""
    app = group("A test.")
    app.command("one")(runs(failed=failed)(function))
    app.command("other")(runs()(lambda: None))
    result = CliRunner().invoke(app, ["one", *arguments], env={"TEST_PORT": "7", "COLUMNS": "80"})
    return result.exit_code, result.stdout, result.stderr


def go(name: Annotated[str, typer.Argument()], to: Place = Place("here", 1)) -> Work:
    """Tells where to go."""
    print(name, to)
    return None


def test_a_group_stands_for_its_options() -> None:
    assert typed(go, "x", "--host", "there", "--port", "2") == (0, "x Place(host='there', port=2)\n", "")


def test_what_is_not_typed_is_as_the_command_has_it_or_as_its_variable() -> None:
    assert typed(go, "x") == (0, "x Place(host='here', port=7)\n", "")


def test_the_help_tells_the_options_of_a_group_one_by_one() -> None:
    _, told, _ = typed(go, "--help")
    assert "Tells where to go." in told
    for words in (
        "--host",
        "Where it is said to be.",
        "[default: here]",
        "--port",
        "TEST_PORT",
        "default: 1",
    ):
        assert words in told


async def answers(code: int | None) -> int | None:
    return code


@pytest.mark.parametrize(("code", "ended"), [(None, 0), (0, 0), (3, 3)])
def test_the_exit_code_is_that_of_the_work(code: int | None, ended: int) -> None:
    assert typed(lambda: code) == (ended, "", "")
    assert typed(lambda: answers(code)) == (ended, "", "")
    assert typed(lambda: lambda _: answers(code)) == (ended, "", "")


def refuses() -> Work:
    raise SetupError("not so")


async def finds_out() -> int:
    raise SetupError("not\nso")


@pytest.mark.parametrize("failed", [FAILED, UNREADABLE])
@pytest.mark.parametrize("work", [refuses, finds_out, lambda: lambda _: finds_out()])
def test_an_expected_error_is_one_line_wherever_it_is_raised(work: Callable[[], Work], failed: int) -> None:
    assert typed(work, failed=failed) == (failed, "", "baloot: not so\n")


def is_asked() -> Work:
    """What a prompt raises at Ctrl-C."""
    raise typer.Abort


def test_ctrl_c_at_a_prompt_ends_like_anywhere_else() -> None:
    assert typed(is_asked) == (INTERRUPTED, "", "")


@pytest.mark.parametrize(
    ("start", "number", "code", "told"),
    [
        ("lambda: asks()", signal.SIGINT, INTERRUPTED, "cleaned up\n"),
        ("lambda: asks()", signal.SIGTERM, INTERRUPTED, "cleaned up\n"),
        ("lambda: serves", signal.SIGINT, 0, "ended in order\n"),
        ("reads", signal.SIGINT, INTERRUPTED, ""),
    ],
)
def test_a_command_that_is_stopped_ends(start: str, number: signal.Signals, code: int, told: str) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", START.format(start=start)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "begun\n"
        process.send_signal(number)
        rest, _ = process.communicate(timeout=30)
        assert (process.returncode, rest) == (code, told)
    finally:
        process.kill()
