"""Channels that come back at once: a killed service is called again as soon as it listens."""

from __future__ import annotations

import grpc.aio
from baloot.kit.channels import channel_options

AT_ONCE = {
    "grpc.initial_reconnect_backoff_ms": 20,
    "grpc.min_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 100,
}
"""Else a client sits out a second after most kills, and reaches the service when it is long settled."""


def eager_channel(address: str) -> grpc.aio.Channel:
    """A client's channel in all but the pauses between two attempts to connect."""
    options = dict(channel_options()) | AT_ONCE
    return grpc.aio.insecure_channel(address, options=list(options.items()))
