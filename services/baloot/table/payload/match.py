"""How a table and its match are written in the log: nothing of them is hidden."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.cards import decode_points
from baloot.codec.enums import TEAM
from baloot.table import events as ev
from baloot.table.codec.match import ABANDON_REASON, FORFEIT_REASON
from baloot.table.codec.settings import decode_settings
from baloot.table.payload.halves import Readers


def _table_created(message: wire.TableCreated, *_: object) -> ev.TableCreated:
    return ev.TableCreated(decode_settings(message.settings, "settings"))


def _match_started(*_: object) -> ev.MatchStarted:
    return ev.MatchStarted()


def _match_forfeited(message: wire.MatchForfeited, *_: object) -> ev.MatchForfeited:
    loser, reason = TEAM.decode(message.loser, "loser"), FORFEIT_REASON.decode(message.reason, "reason")
    return ev.MatchForfeited(loser, reason)


def _clock_extended(*_: object) -> ev.ClockExtended:
    return ev.ClockExtended()


def _match_ended(message: wire.MatchEnded, *_: object) -> ev.MatchEnded:
    return ev.MatchEnded(TEAM.decode(message.winner, "winner"), decode_points(message.totals))


def _table_abandoned(message: wire.TableAbandoned, *_: object) -> ev.TableAbandoned:
    return ev.TableAbandoned(ABANDON_REASON.decode(message.reason, "reason"))


READERS: Readers = {
    "table_created": _table_created,
    "match_started": _match_started,
    "match_forfeited": _match_forfeited,
    "clock_extended": _clock_extended,
    "match_ended": _match_ended,
    "table_abandoned": _table_abandoned,
}
