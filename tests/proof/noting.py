"""The platform in a process of its own that notes when each entry is stored. `python -m tests.proof.noting FOLDER FILE`.

The moments are those at which the store has the answer of the database, by the monotonic clock, which all processes
of a machine share. They are written to the file in the end.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from baloot.kit import logs, loops
from baloot.table.postgres import PostgresStore

from tests.bench.real import main

moments: dict[str, float] = {}


def note_commits() -> None:
    """Has every store of this process note what it has stored."""
    append = PostgresStore.append

    async def noted(self: PostgresStore, entry: Any, *arguments: Any) -> Any:
        stored = await append(self, entry, *arguments)
        if stored:
            moments[f"{entry.table_id} {entry.sequence}"] = time.monotonic()
        return stored

    PostgresStore.append = noted  # type: ignore[assignment,method-assign]


if __name__ == "__main__":
    logs.configure("error")
    note_commits()
    with tempfile.TemporaryDirectory(prefix="baloot-proof-", dir=sys.argv[1]) as folder:
        Path(folder).chmod(0o755)
        loops.run(main(Path(folder)))
    Path(sys.argv[2]).write_text(json.dumps(moments))
