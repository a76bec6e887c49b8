"""Moments and lengths of time on the wire, and moments for people."""

from __future__ import annotations

from datetime import UTC, datetime

from baloot.table.events import SECOND, Micros
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp


def encode_time(moment: Micros) -> Timestamp:
    return Timestamp(seconds=moment // SECOND, nanos=moment % SECOND * 1000)


def encode_optional_time(moment: Micros | None) -> Timestamp | None:
    return None if moment is None else encode_time(moment)


def decode_time(moment: Timestamp) -> Micros:
    return moment.seconds * SECOND + moment.nanos // 1000


def encode_duration(length: Micros) -> Duration:
    return Duration(seconds=length // SECOND, nanos=length % SECOND * 1000)


def decode_duration(length: Duration) -> Micros:
    return length.seconds * SECOND + length.nanos // 1000


def readable(moment: Micros) -> str:
    """A moment for people: `2026-01-31 20:15:00.123`."""
    return datetime.fromtimestamp(moment / SECOND, tz=UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
