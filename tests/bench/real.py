"""The server that is measured: the platform over an embedded Postgres on a disk, in a process of its own."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from baloot.app import platform
from baloot.kit import logs, loops
from baloot.kit.serving import ServerSettings

from tests.bench.process import serve_until_closed


async def main(folder: Path, answer: Callable[[], object] = lambda: "") -> None:
    """Serves until its input ends; `answer` is what it says when it is asked something."""
    async with platform.up(folder / "data", ServerSettings("127.0.0.1:0", max_streams=10_000)) as running:
        await serve_until_closed(running.address, answer)


if __name__ == "__main__":
    logs.configure("error")
    with tempfile.TemporaryDirectory(prefix="baloot-bench-", dir=sys.argv[1]) as folder:
        Path(folder).chmod(0o755)
        loops.run(main(Path(folder)))
