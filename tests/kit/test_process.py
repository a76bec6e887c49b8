"""The event loop and being asked to stop, in processes of their own."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

SERVE = """
import asyncio
from baloot.kit.loops import run
from baloot.kit.shutdown import stop_requested

async def main():
    requested = stop_requested()
    print(type(asyncio.get_running_loop()).__module__, flush=True)
    await requested.wait()
    print("stopping", flush=True)
    {then}
    print("stopped", flush=True)

run(main())
"""
LOSE = """
import asyncio
from baloot.kit import logs
from baloot.kit.loops import run

async def fail():
    raise ValueError("AS KS")

async def main():
    asyncio.get_running_loop().create_task(fail())
    await asyncio.sleep(0)
    await asyncio.sleep(0)

logs.configure()
run(main())
import gc; gc.collect()
"""

FREEZE = """
import gc
from baloot.kit.loops import WHOLE_AFTER, run

gc.set_threshold(700, 10, 7)
heeded = gc.get_threshold()[2] == 7

async def main():
    rare = gc.get_threshold()[2] == WHOLE_AFTER
    print(len(gc.get_objects()) < gc.get_freeze_count() / 10, rare or not heeded)

run(main())
"""


def process(code: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_asks_to_stop_under_uvloop(number: signal.Signals) -> None:
    with process(SERVE.format(then="")) as serving:
        assert serving.stdout is not None
        assert serving.stdout.readline().startswith("uvloop")
        serving.send_signal(number)
        assert serving.stdout.read() == "stopping\nstopped\n"
    assert serving.returncode == 0


def test_a_second_signal_ends_at_once() -> None:
    with process(SERVE.format(then="await asyncio.sleep(60)")) as serving:
        assert serving.stdout is not None
        serving.stdout.readline()
        serving.send_signal(signal.SIGTERM)
        assert serving.stdout.readline() == "stopping\n"
        serving.send_signal(signal.SIGTERM)
        assert serving.stdout.read() == ""
    assert serving.returncode == 128 + signal.SIGTERM


def test_an_exception_that_nobody_awaits_is_logged_without_its_text() -> None:
    with process(LOSE) as losing:
        assert losing.stderr is not None
        log = losing.stderr.read()
    assert '"error": "ValueError"' in log
    assert "AS KS" not in log


def test_what_is_imported_is_not_looked_through_for_garbage() -> None:
    with process(FREEZE) as frozen:
        assert frozen.stdout is not None
        assert frozen.stdout.read() == "True True\n"
