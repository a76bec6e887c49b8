"""What is seen of a table and its match, on the wire."""

from __future__ import annotations

from baloot.api.table.v1 import events_pb2 as pb
from baloot.codec.cards import encode_points
from baloot.codec.enums import TEAM, EnumCodec
from baloot.table import events as ev
from baloot.table.codec.encoders import Encoders
from baloot.table.codec.settings import encode_settings
from baloot.table.policy import ForfeitReason

ABANDON_REASON = EnumCodec(ev.AbandonReason, pb.AbandonReason)
FORFEIT_REASON = EnumCodec(ForfeitReason, pb.ForfeitReason)


def _table_created(event: ev.TableCreated) -> pb.TableCreated:
    return pb.TableCreated(settings=encode_settings(event.settings))


def _match_started(_event: ev.MatchStarted) -> pb.MatchStarted:
    return pb.MatchStarted()


def _match_forfeited(event: ev.MatchForfeited) -> pb.MatchForfeited:
    return pb.MatchForfeited(
        loser=TEAM.encode(event.loser),
        winner=TEAM.encode(event.winner),
        reason=FORFEIT_REASON.encode(event.reason),
    )


def _clock_extended(_event: ev.ClockExtended) -> pb.ClockExtended:
    return pb.ClockExtended()


def _match_ended(event: ev.MatchEnded) -> pb.MatchEnded:
    return pb.MatchEnded(winner=TEAM.encode(event.winner), totals=encode_points(event.totals))


def _table_abandoned(event: ev.TableAbandoned) -> pb.TableAbandoned:
    return pb.TableAbandoned(reason=ABANDON_REASON.encode(event.reason))


ENCODERS: Encoders = {
    ev.TableCreated: ("table_created", _table_created),
    ev.MatchStarted: ("match_started", _match_started),
    ev.MatchForfeited: ("match_forfeited", _match_forfeited),
    ev.ClockExtended: ("clock_extended", _clock_extended),
    ev.MatchEnded: ("match_ended", _match_ended),
    ev.TableAbandoned: ("table_abandoned", _table_abandoned),
}
