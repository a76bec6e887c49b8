"""Logs of matches whose players have accounts."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

from baloot.core.seats import SEATS
from baloot.table import events as ev
from baloot.table.events import Entry, Micros

from tests.history.played import Logbook

Accounts = tuple[str, str, str, str]


def seated(log: Logbook, table_id: UUID, accounts: Accounts, later: Micros = 0) -> Logbook:
    """The same log at another table, played by these accounts, so much later."""
    return tuple(_moved(entry, table_id, accounts, later) for entry in log)


def _moved(entry: Entry, table_id: UUID, accounts: Accounts, later: Micros) -> Entry:
    events = tuple(_by_account(event, accounts) for event in entry.events)
    return replace(entry, table_id=table_id, at=entry.at + later, events=events)


def _by_account(event: ev.Event, accounts: Accounts) -> ev.Event:
    if isinstance(event, ev.SeatTaken):
        known = accounts[SEATS.index(event.seat)]
        return replace(event, player_id=known, player_name=known.upper() or event.player_name)
    return event
