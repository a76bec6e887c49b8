"""Channels to servers: how a client keeps a connection, notices that it is dead and comes back."""

from __future__ import annotations

import grpc.aio

MAX_MESSAGE_BYTES = 1_048_576
"""The largest answer that a client takes."""


def channel_options(*, mobile: bool = False) -> list[tuple[str, int]]:
    """The channel arguments of a client: a service that calls another, or a phone that saves its battery."""
    return [
        # A dead server is noticed within 15 to 28 s, through proxies too. A phone pings only while it watches.
        ("grpc.keepalive_time_ms", 18_000 if mobile else 10_000),
        ("grpc.keepalive_timeout_ms", 10_000 if mobile else 5_000),
        ("grpc.http2.ping_timeout_ms", 10_000 if mobile else 5_000),
        ("grpc.keepalive_permit_without_calls", 0 if mobile else 1),
        ("grpc.http2.max_pings_without_data", 0),
        # After an outage the default waits up to minutes before it tries again.
        ("grpc.initial_reconnect_backoff_ms", 200),
        ("grpc.min_reconnect_backoff_ms", 1_000),
        ("grpc.max_reconnect_backoff_ms", 3_000),
        ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
        # What a client does not read waits at the server: a small window keeps that small.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.http2.lookahead_bytes", 16_384 if mobile else 65_535),
        # Trying again is up to the caller, who knows whether the call has a request id.
        ("grpc.enable_retries", 0),
    ]


def open_channel(address: str, *, mobile: bool = False) -> grpc.aio.Channel:
    """A channel to `host:port`, `dns:///host:port` or `unix:/path`, connected when it is first used.

    Close it, or use it as `async with`.
    """
    return grpc.aio.insecure_channel(address, options=channel_options(mobile=mobile))
