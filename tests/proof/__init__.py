"""`make proof`: what the promises hold, each tried at full size and held to its figure."""

import os

# gRPC minds forks by default and says so; here processes are started, and none of them goes on with its parent's calls.
os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
