"""The platform in a process of its own that waits longer for readers. `python -m tests.proof.patient FOLDER SECONDS`."""

from __future__ import annotations

import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from baloot.kit import logs, loops
from baloot.table import feed

from tests.bench.real import main

if __name__ == "__main__":
    logs.configure("error")
    patient: Any = partial(feed.Rhythm, stalled=float(sys.argv[2]))
    feed.Rhythm = patient  # type: ignore[misc]
    with tempfile.TemporaryDirectory(prefix="baloot-proof-", dir=sys.argv[1]) as folder:
        Path(folder).chmod(0o755)
        loops.run(main(Path(folder)))
