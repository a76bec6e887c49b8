"""`make bench`: how fast it is, in figures of one run side by side."""

import os

# gRPC minds forks by default and says so; here processes are started, and none of them goes on with its parent's calls.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
