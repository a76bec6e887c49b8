"""Start the database of the folder that is named, say so, and wait for the end of stdin."""

from __future__ import annotations

import sys
from pathlib import Path

from baloot.app.embedded import Cluster, ClusterError, default_data


def main(arguments: list[str]) -> None:
    cluster = Cluster(Path(arguments[0]) if arguments else default_data())
    try:
        cluster.start()
    except ClusterError as error:
        sys.exit(str(error))
    print(cluster.pid, cluster.url(), flush=True)
    sys.stdin.read()
    cluster.stop()


main(sys.argv[1:])
