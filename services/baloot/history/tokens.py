"""Page tokens: the place of the last match of a page, for the filter that the page was made with.

A place is when a match started and its id, so that pages do not move when matches are added or removed.
"""

from __future__ import annotations

import base64
import hashlib
import struct
from dataclasses import astuple, dataclass
from enum import Enum
from uuid import UUID

from baloot.core.errors import Reason, Refusal
from baloot.history.records import MatchFilter, MatchSummary
from baloot.table.events import SECOND, Micros

_FORM = struct.Struct(">q16s4s4s")
LATEST: Micros = 253_402_300_799 * SECOND
"""The end of the year 9999, after which no moment can be written down."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match stands in the list. Of those started at the same moment the greater id comes first."""

    started_at: Micros
    match_id: UUID


def write_token(last: MatchSummary, chosen: MatchFilter) -> str:
    """The token for the page after `last`."""
    mark = _mark(chosen)
    check = _check(last.started_at, last.match_id.bytes, mark)
    return to_text(_FORM.pack(last.started_at, last.match_id.bytes, mark, check))


def read_token(token: str, chosen: MatchFilter) -> Place:
    """Raises Refusal FIELD_INVALID for what is no token, or one of a list with another filter."""
    try:
        started_at, match_id, mark, check = _FORM.unpack(to_bytes(token))
    except (ValueError, struct.error):
        raise foreign() from None
    if not 0 <= started_at <= LATEST or check != _check(started_at, match_id, mark):
        raise foreign()
    if mark != _mark(chosen):
        raise _invalid("belongs to a list with other filters")
    return Place(started_at, UUID(bytes=match_id))


_PARTNER = struct.Struct(">I4s")
_MOST = 2**31 - 1


def write_partner(matches: int, partner_id: str, player_id: str) -> str:
    """The token for the partners of a player after one with so many matches."""
    check = _check_partner(matches, partner_id, player_id)
    return to_text(_PARTNER.pack(matches, check) + partner_id.encode())


def read_partner(token: str, player_id: str) -> tuple[int, str]:
    """Raises Refusal FIELD_INVALID for what is no token, or one of another player's partners."""
    try:
        raw = to_bytes(token)
        matches, check = _PARTNER.unpack_from(raw)
        partner_id = raw[_PARTNER.size :].decode()
    except (ValueError, struct.error):
        raise foreign() from None
    if check != _check_partner(matches, partner_id, player_id) or matches > _MOST or "\0" in partner_id:
        raise foreign()
    return matches, partner_id


def _check_partner(matches: int, partner_id: str, player_id: str) -> bytes:
    told = repr(("partners", matches, partner_id, player_id))
    return hashlib.sha256(told.encode()).digest()[:4]


def to_text(raw: bytes) -> str:
    """Bytes as a token is written."""
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def to_bytes(token: str) -> bytes:
    """What a token holds. Raises ValueError for what is written in another way."""
    raw = base64.b64decode(token + "=" * (-len(token) % 4), b"-_", validate=True)
    if to_text(raw) != token:  # the last letter has bits to spare
        raise ValueError
    return raw


def foreign() -> Refusal:
    """Why a page token is refused that is none of ours."""
    return _invalid("is not a token that this service gave")


def _mark(chosen: MatchFilter) -> bytes:
    """What tells the filters apart."""
    wanted = [value.name if isinstance(value, Enum) else value for value in astuple(chosen)]
    return hashlib.sha256(repr(wanted).encode()).digest()[:4]


def _check(started_at: Micros, match_id: bytes, mark: bytes) -> bytes:
    """What shows a slip of the hand. Whoever means to can make a token, and gets a place in a list that he may read."""
    return hashlib.sha256(b"matches" + _FORM.pack(started_at, match_id, mark, bytes(4))).digest()[:4]


def _invalid(why: str) -> Refusal:
    return Refusal(Reason.FIELD_INVALID, f"page_token {why}", field="page_token")
