"""What a server says about itself: version, rule sets, limits and time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

from baloot.api.info.v1 import info_pb2 as pb
from baloot.api.info.v1.info_pb2_grpc import InfoServiceServicer, add_InfoServiceServicer_to_server
from baloot.codec.auction import MAX_CALLS
from baloot.codec.play import MAX_MOVES
from baloot.codec.ruleset import MAX_NAME
from baloot.core.catalogue import RULESETS
from baloot.core.errors import Refusal
from baloot.core.playable import require_playable
from baloot.core.ruleset import Ruleset
from baloot.kit.buckets import Rate
from baloot.kit.quotas import COUNTS, RATES, Quotas
from baloot.kit.serving import MAX_MESSAGE_BYTES, Service
from google.protobuf.duration_pb2 import Duration

NAME = pb.DESCRIPTOR.services_by_name["InfoService"].full_name
RESUME_WINDOW = 256
"""Entries that a watch may be behind and still be resumed entry by entry."""


class InfoServicer(InfoServiceServicer):
    def __init__(
        self, names: Sequence[str], max_message_bytes: int, quotas: Quotas, now: Callable[[], int]
    ) -> None:
        self._now = now
        self._answer = pb.GetServerInfoResponse(
            version=version("baloot-services"),
            services=[*names, NAME],
            rulesets=[
                pb.KnownRuleset(name=known.name, hash=known.hash)
                for known in RULESETS.values()
                if is_playable(known)
            ],
            limits=pb.Limits(
                max_message_bytes=max_message_bytes,
                max_calls=MAX_CALLS,
                max_moves=MAX_MOVES,
                max_name_length=MAX_NAME,
                resume_window=RESUME_WINDOW,
                **_told(quotas),
            ),
        )

    async def GetServerInfo(  # noqa: N802 - the proto's name
        self, _request: pb.GetServerInfoRequest, _context: Any
    ) -> pb.GetServerInfoResponse:
        answer = pb.GetServerInfoResponse()
        answer.CopyFrom(self._answer)
        answer.server_time.FromMicroseconds(self._now())
        return answer


def _told(quotas: Quotas) -> dict[str, Any]:
    """The limits of callers, by the same names."""
    counts = {name: getattr(quotas, name) for name in COUNTS}
    return counts | {name: _rate(getattr(quotas, name)) for name in RATES}


def _rate(rate: Rate | None) -> pb.RateLimit | None:
    if rate is None:
        return None
    return pb.RateLimit(calls=rate.calls, period=Duration(seconds=rate.seconds), burst=rate.burst)


def machine_clock() -> int:
    """The time of this machine, in microseconds since 1970."""
    return time.time_ns() // 1000


def service(
    names: Sequence[str],
    *,
    max_message_bytes: int = MAX_MESSAGE_BYTES,
    quotas: Quotas | None = None,
    now: Callable[[], int] = machine_clock,
) -> Service:
    """The InfoService of a server that offers the services of these full names.

    `quotas` are the limits that it keeps. `now` gives the time in microseconds since 1970: that of the machine, unless the server goes by another clock.
    """
    servicer = InfoServicer(names, max_message_bytes, quotas or Quotas(), now)
    return Service(NAME, servicer, add_InfoServiceServicer_to_server)


def is_playable(ruleset: Ruleset) -> bool:
    """Whether this version plays a rule set."""
    try:
        require_playable(ruleset)
    except Refusal:
        return False
    return True
