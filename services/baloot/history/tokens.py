"""Page tokens: the place of the last match of a page, for the filter that the page was made with.

A place is when a match started and its id, so that pages do not move when matches are added or removed.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import struct
from dataclasses import dataclass
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.history.records import MatchFilter, MatchSummary
from baloot.table.events import SECOND, Micros

_FORM = struct.Struct(">q16s4s")
_LATEST: Micros = 253_402_300_799 * SECOND
"""The end of the year 9999, after which no moment can be written down."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands in the list. Of those started at the same moment the greater id comes first."""

    started_at: Micros
    match_id: UUID


def write_token(last: MatchSummary, chosen: MatchFilter) -> str:
    """The token for the page after `last`."""
    raw = _FORM.pack(last.started_at, last.match_id.bytes, _mark(chosen))
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def read_token(token: str, chosen: MatchFilter) -> Place:
    """Raises Refusal FIELD_INVALID for what is no token, or one of a list with another filter."""
    try:
        started_at, match_id, mark = _FORM.unpack(
            base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
        )
    except (binascii.Error, ValueError, struct.error):
        raise _invalid("is not a token that this service gave") from None
    if not 0 <= started_at <= _LATEST:
        raise _invalid("is not a token that this service gave")
    if mark != _mark(chosen):
        raise _invalid("belongs to a list with other filters")
    return Place(started_at, UUID(bytes=match_id))


def _mark(chosen: MatchFilter) -> bytes:
    status = chosen.status.name if chosen.status else ""
    return hashlib.sha256(f"{status}\n{chosen.player_name}".encode()).digest()[:4]


def _invalid(why: str) -> Refusal:
    return Refusal(Reason.FIELD_INVALID, f"page_token {why}", field="page_token")
