"""Commands whose output goes where it cannot: each ends in order, with one line at most."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from baloot.app.work import UNREAD

SHOW = """
import asyncio, sys
from baloot.app.commands import run
from baloot.app.terminal.console import open_console

async def show(stop):
    async with asyncio.TaskGroup() as group:
        group.create_task(say())

async def say():
    for _ in range({lines}):
        {say}("بلوت ♠ " * 100)

sys.exit(run(lambda: show, log_level="error"))
"""
MANY, FEW = 1000, 1


def show(lines: int, out: int, say: str = "print", **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", SHOW.format(lines=lines, say=say)],
        stdout=out,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        check=False,
    )


@pytest.mark.parametrize("say", ["print", "open_console().print"])
@pytest.mark.parametrize("lines", [MANY, FEW])
def test_a_reader_that_has_gone_is_told_nothing(lines: int, say: str) -> None:
    read, write = os.pipe()
    os.close(read)
    ended = show(lines, write, say, PYTHONUNBUFFERED="")
    os.close(write)
    assert (ended.returncode, ended.stderr) == (UNREAD, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("lines", [MANY, FEW])
def test_a_full_disk_is_told_in_one_line(lines: int) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = show(lines, full.fileno(), PYTHONUNBUFFERED="")
    assert ended.returncode == 1
    assert ended.stderr == b"baloot: [Errno 28] No space left on device\n"


def test_signs_that_the_terminal_lacks_are_replaced() -> None:
    ended = show(FEW, subprocess.PIPE, PYTHONIOENCODING="ascii:strict", PYTHONUTF8="0")
    assert (ended.returncode, ended.stderr) == (0, b"")
    assert b"?" in ended.stdout
