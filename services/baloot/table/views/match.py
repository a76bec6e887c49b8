"""What a viewer sees of a table and its match: everything."""

from __future__ import annotations

from baloot.table import events as ev
from baloot.table.events.match import MatchEvent
from baloot.table.views.viewer import Views, whole

SeenMatchEvent = MatchEvent

VIEWS: Views = {
    ev.TableCreated: whole,
    ev.MatchStarted: whole,
    ev.MatchForfeited: whole,
    ev.ClockExtended: whole,
    ev.MatchEnded: whole,
    ev.TableAbandoned: whole,
}
