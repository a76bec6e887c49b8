"""A table service in a process of its own, for tests that measure what it needs: `python -m tests.table.alone`.

Says its address and the id of its table, and ends when its input does.
"""

from __future__ import annotations

import asyncio
import sys

from baloot.kit import logs
from baloot.kit.loops import run

from tests.table.served import QUIET, replica
from tests.table.trial import Trial


async def main() -> None:
    trial = Trial(seed=1)
    await trial.fill()
    await trial.play(100)
    async with replica(trial.table, QUIET) as served:
        print(served.server.address, trial.table_id, flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    logs.configure("warning")
    run(main())
