"""Servers to measure, each in a process of its own, told to stop by the end of their input."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True, slots=True)
class Measured:
    """A server that runs. Its figures are read from /proc."""

    address: str
    pid: int

    def cpu_seconds(self) -> float:
        """CPU time of the server's process so far, in seconds; without its database."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        """Memory of the server's process, in bytes."""
        return int(Path(f"/proc/{self.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@asynccontextmanager
async def server(module: str, *arguments: str, package: str = "tests.bench") -> AsyncIterator[Measured]:
    """Starts `tests.bench.<module>` and waits for its address. It is given a folder, and then the arguments."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"{package}.{module}", tempfile.gettempdir(), *arguments,
        cwd=ROOT, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        address = (await process.stdout.readline()).decode().strip()
        if not address:
            raise RuntimeError(f"{package}.{module} did not start")
        yield Measured(address, process.pid)
    finally:
        process.stdin.close()
        await process.wait()


async def serve_until_closed(address: str) -> None:
    """Tells the address, and returns when whoever measures is done."""
    print(address, flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
