"""The platform in a process of its own that waits longer for readers. `python -m tests.proof.patient FOLDER SECONDS`.

It waits so many seconds until it cuts a reader, and then as long as the proof lasts for the reader to hear it. To each
line it answers how many it has cut.
"""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from baloot.core.errors import Reason, Refusal
from baloot.kit import logs, loops
from baloot.table import feed

from tests.bench.real import main

HEARD = 3600.0
"""Seconds that a reader that was cut has to hear it."""
cuts: list[Reason] = []


def count_cuts() -> None:
    """Has the feed note each reader that it cuts."""
    cut = feed.Watcher.cut

    def noted(self: feed.Watcher, why: Refusal, patience: float) -> None:
        if self.cut_for is None:
            cuts.append(why.reason)
        cut(self, why, HEARD)

    feed.Watcher.cut = noted  # type: ignore[method-assign]


if __name__ == "__main__":
    logs.configure("error")
    count_cuts()
    patient: Any = partial(feed.Rhythm, stalled=float(sys.argv[2]))
    feed.Rhythm = patient  # type: ignore[misc]
    with tempfile.TemporaryDirectory(prefix="baloot-proof-", dir=sys.argv[1]) as folder:
        Path(folder).chmod(0o755)
        loops.run(main(Path(folder), lambda: cuts.count(Reason.READER_SLOW)))
