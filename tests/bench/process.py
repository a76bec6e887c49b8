"""Processes that take part in a measurement, told to stop by the end of their input."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Child:
    """A process that answers each line with a line. `hello` is the first that it said."""

    process: Process
    hello: str

    async def ask(self, line: str = "") -> str:
        """Its answer. Raises RuntimeError when it has ended."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{line}\n".encode())
        answer = (await self.process.stdout.readline()).decode()
        if not answer:
            raise RuntimeError("a process that takes part has ended")
        return answer.rstrip("\n")


@dataclass(frozen=True, slots=True)
class Measured:
    """A server that runs. Its figures are read from /proc."""

    address: str
    pid: int
    child: Child

    def cpu_seconds(self) -> float:
        """CPU time of the server's process so far, in seconds; without its database."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        """Memory of the server's process, in bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def child(module: str, *arguments: str) -> AsyncIterator[Child]:
    """Starts a module in a process of its own and waits for its first line."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, *arguments,
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        hello = (await process.stdout.readline()).decode().strip()
        if not hello:
            raise RuntimeError(f"{module} did not start")
        yield Child(process, hello)
    finally:
        process.stdin.close()
        await process.wait()


@asynccontextmanager
async def server(module: str, *arguments: str, package: str = "tests.bench") -> AsyncIterator[Measured]:
    """Starts `tests.bench.<module>` and waits for its address. It is given a folder, and then the arguments."""
    async with child(f"{package}.{module}", tempfile.gettempdir(), *arguments) as started:
        yield Measured(started.hello, started.process.pid, started)


async def asked() -> str | None:
    """The next line of the input; None at its end."""
    line = await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    return line.rstrip("\n") if line else None


async def serve_until_closed(address: str, answer: Callable[[], object] = lambda: "") -> None:
    """Tells the address, then an answer for each line, and returns when whoever measures is done."""
    print(address, flush=True)
    while await asked() is not None:
        print(answer(), flush=True)
