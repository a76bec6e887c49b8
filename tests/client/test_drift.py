"""The contract of a view: following all entries gives exactly what the table tells the same viewer."""

from __future__ import annotations

from random import Random

import pytest
from baloot.api.core.v1.seats_pb2 import SEAT_UNSPECIFIED
from baloot.client import follow
from baloot.client.follow import SEATS as WIRE_SEATS
from baloot.core.seats import SEATS, Seat
from baloot.table import decide
from baloot.table.codec import encode_entry
from baloot.table.views import see_entry

from tests.bots.matches import TABLE, LocalTable, SeededDealing, SeededRules, random_player


def _match(seed: int) -> LocalTable:
    """A table with a whole match, or with one that a player leaves."""
    table = LocalTable(SeededRules(SeededDealing(Random(seed))))
    players = [random_player(seed * 4 + n) for n in range(4)]
    while table.state.winner is None:
        table.step(players)
        if seed % 3 == 0 and len(table.entries) == 60:
            table.append(decide.leave_seat(table.state, Seat.EAST), Seat.EAST)
            break
    return table


@pytest.mark.parametrize("seed", range(9))
def test_the_fold_equals_the_view_at_every_entry(seed: int) -> None:
    table = _match(seed)
    for viewer in (None, *SEATS):
        number = SEAT_UNSPECIFIED if viewer is None else WIRE_SEATS[viewer]
        view = follow.fresh(str(TABLE), number)
        for entry in table.entries:
            follow.apply(view, encode_entry(see_entry(entry, viewer)))
            assert view == table.view(viewer, entry.sequence)
