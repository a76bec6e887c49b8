"""Servers in processes of their own, which may be killed and come back at the same address.

They are forked from a process that has imported everything, so that a start takes a tenth of a second, and run the
`baloot` command as a shell would. On Linux none outlives the tests, however those end.
"""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import SystemRandom
from tempfile import mkstemp

from tests.waiting import eventually

ANYWHERE = "127.0.0.1"
START_SECONDS = 30.0
WORKERS = 16
"""So many workers have ports of their own."""

_forks = get_context("forkserver")
_forks.set_forkserver_preload(["baloot.app.cli", "baloot.app.serving", "tests.e2e.servers"])
_dice = SystemRandom()
_given: set[int] = set()

Prepare = Callable[[], None]


def nothing() -> None:
    """Prepares nothing."""


class ServerProcess:
    """One `baloot` command that serves, such as `serve table`, on a port of its own, to players who never rest.

    `prepare` is called in the process before anything else.
    """

    def __init__(
        self,
        folder: Path,
        *arguments: str,
        environment: Mapping[str, str] | None = None,
        port: int | None = None,
    ) -> None:
        self.port = port or free_port()
        self.address = f"{ANYWHERE}:{self.port}"
        self._arguments = arguments
        self._environment = {"BALOOT_LISTEN": self.address, "BALOOT_LIMIT": "off", **(environment or {})}
        descriptor, log = mkstemp(".log", "baloot-", folder)
        os.close(descriptor)
        self._log = Path(log)
        self._read = 0
        self._process: ForkServerProcess | None = None

    def __str__(self) -> str:
        return f"baloot {' '.join(self._arguments)}"

    def start(self, prepare: Prepare = nothing) -> None:
        """Starts it, without waiting for anything."""
        self._read = self._log.stat().st_size
        work = (self._arguments, self._environment, str(self._log), prepare)
        self._process = _forks.Process(target=_serve, args=work)
        self._process.start()

    def listen(self, prepare: Prepare = nothing) -> None:
        """Starts it, and returns once it listens."""
        self.start(prepare)
        self.until_it_listens()

    def until_it_listens(self) -> None:
        """Returns once it listens; raises RuntimeError with what it said if it ends, or takes too long."""
        if not eventually(self._answers_or_ended, START_SECONDS) or not self.running:
            raise RuntimeError(f"{self} does not serve:\n{self.said()}")

    def kill(self) -> None:
        """Ends it as the kernel would for lack of memory: at once, with nothing put in order."""
        self._signal(signal.SIGKILL)

    def stop(self) -> int:
        """Asks it to end, and returns its exit code."""
        self._signal(signal.SIGTERM)
        return self.exit_code()

    def exit_code(self, seconds: float = START_SECONDS) -> int:
        """Waits for it to end by itself."""
        process = self._started()
        process.join(seconds)
        if process.exitcode is None:
            raise RuntimeError(f"{self} does not end:\n{self.said()}")
        return process.exitcode

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.is_alive()

    @property
    def pid(self) -> int:
        pid = self._started().pid
        assert pid is not None
        return pid

    def said(self) -> str:
        """What it has written since it was started last."""
        with self._log.open("rb") as file:
            file.seek(self._read)
            return file.read().decode()

    def _started(self) -> ForkServerProcess:
        assert self._process is not None, "it was never started"
        return self._process

    def _signal(self, number: signal.Signals) -> None:
        if self.running:
            os.kill(self.pid, number)
            self.exit_code()

    def _answers_or_ended(self) -> bool:
        return not self.running or listens(self.port)


def listens(port: int) -> bool:
    """Whether anybody listens there."""
    with socket.socket() as probe:
        return probe.connect_ex((ANYWHERE, port)) == 0


def free_port() -> int:
    """A port that nobody uses, below those that the kernel gives to outgoing connections: it can be taken again.

    None is given twice, nor by another worker: who was given one may listen later, or be killed just then.
    """
    while True:
        port = _dice.randrange(12000 + _worker(), 32000, WORKERS)
        if port not in _given and not listens(port):
            _given.add(port)
            return port


def _worker() -> int:
    """The number of this worker of pytest; 0 outside of one."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % WORKERS


def _serve(arguments: tuple[str, ...], environment: Mapping[str, str], log: str, prepare: Prepare) -> None:
    from baloot.app.cli import main

    _end_with_parent()
    _write_to(log)
    os.environ.update(environment)
    prepare()
    sys.argv = ["baloot", *arguments]
    main()


def _end_with_parent() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _write_to(log: str) -> None:
    descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for stream in (1, 2):
        os.dup2(descriptor, stream)
