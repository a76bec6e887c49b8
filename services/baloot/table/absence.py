"""Players who are away: when a bot plays for a seat, how long it seems to think, and when a side forfeits.

All of it follows from the table as it was and from its policy.
"""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from baloot.core.seats import SEATS, TEAMS, Seat, Team
from baloot.table import events as ev
from baloot.table.events import SECOND, Event, Micros, Status
from baloot.table.policy import AbsencePolicy, ForfeitReason, LeavePolicy
from baloot.table.state import TableState

USUAL = AbsencePolicy(bot_after=2)
"""The policy of a table that is opened without one."""

THINKS: Micros = SECOND
"""A bot answers after this and up to once more of it."""


class Outcome(NamedTuple):
    """What comes of an absence: the facts, and how the table ends by them, if it does."""

    events: tuple[Event, ...] = ()
    ends: Status | None = None


NOTHING = Outcome()


def after_missing(state: TableState, seat: Seat) -> Outcome:
    """What comes of one turn more that a seat has missed, by itself or while a bot played for it."""
    policy, missed = state.settings.policy, state.missed[seat] + 1
    if policy.forfeit_after and missed >= policy.forfeit_after:
        return _forfeited(seat.team, ForfeitReason.AWAY)
    if policy.bot_after and missed >= policy.bot_after:
        return _bot_for(state, seat)
    return NOTHING


def after_leaving(state: TableState, seat: Seat) -> Outcome:
    """What comes of it that a player leaves a match that is on."""
    leaving = state.settings.policy.leaving
    if leaving is LeavePolicy.FORFEIT:
        return _forfeited(seat.team, ForfeitReason.LEFT)
    if leaving is LeavePolicy.BOT:
        return _bot_for(state, seat)
    return Outcome((ev.TableAbandoned(ev.AbandonReason.LEFT),), Status.ABANDONED)


def never_filled(state: TableState, *, late: bool) -> Outcome:
    """What comes of it that the seats of a table were not taken in time; `late` says that the table itself was away."""
    there = [team for team in TEAMS if all(state.seats[seat] for seat in SEATS if seat.team is team)]
    if state.settings.policy.walkover and there and not late:
        return _forfeited(there[0].other, ForfeitReason.NO_SHOW)
    return Outcome((ev.TableAbandoned(ev.AbandonReason.NEVER_FILLED),), Status.ABANDONED)


def _forfeited(loser: Team, reason: ForfeitReason) -> Outcome:
    return Outcome((ev.MatchForfeited(loser, reason),), Status.FINISHED)


def _bot_for(state: TableState, seat: Seat) -> Outcome:
    """Lets a bot play for a seat. Four bots have nobody to play for."""
    if seat in state.bots:
        return NOTHING
    if len(state.bots) == len(SEATS) - 1:
        idle = ev.TableAbandoned(ev.AbandonReason.IDLE)
        return Outcome((ev.BotSeated(seat), idle), Status.ABANDONED)
    return Outcome((ev.BotSeated(seat),))


def bots_after(bots: tuple[Seat, ...], events: Iterable[Event]) -> tuple[Seat, ...]:
    """The seats for which a bot plays after these facts."""
    for event in events:
        if isinstance(event, ev.BotSeated):
            bots = (*bots, event.seat)
        elif isinstance(event, ev.PlayerReturned):
            bots = tuple(seat for seat in bots if seat is not event.seat)
    return bots


def thinks(table_id: UUID, sequence: int, seat: Seat, own_time: Micros) -> Micros:
    """How long a bot waits before it answers what entry `sequence` asks: the same whatever it holds and may do.

    It is never longer than the own time of the seat.
    """
    drawn = sha256(table_id.bytes + sequence.to_bytes(4, "big") + bytes((seat,))).digest()
    return min(THINKS + int.from_bytes(drawn[:8], "big") % THINKS, own_time)
