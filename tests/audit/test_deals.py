"""What binds a deal comes in its order: commitments, then seeds, then the beacon."""

from __future__ import annotations

import pytest
from baloot.audit.deals import Deals
from baloot.audit.payload import Added, Beacon, Committed
from baloot.audit.records import Code
from baloot.core.seats import Seat

MATCH, VALUE = bytes(16), bytes(range(32))


@pytest.fixture
def found() -> list[Code]:
    return []


@pytest.fixture
def deals(found: list[Code]) -> Deals:
    return Deals(MATCH, lambda code, *_: found.append(code))


def committed(first: int) -> Committed:
    return Committed(first, (bytes(32),) * 64)


def test_a_seed_after_the_beacon_is_found(deals: Deals, found: list[Code]) -> None:
    deals.commit(committed(1))
    deals.add(Added(Seat.SOUTH, 1, VALUE))
    deals.give_beacon(Beacon(VALUE))
    assert found == []
    deals.add(Added(Seat.EAST, 1, VALUE))
    assert found == [Code.SEED]


def test_a_seed_for_deals_that_were_committed_to_after_the_beacon_is_none(
    deals: Deals, found: list[Code]
) -> None:
    deals.commit(committed(1))
    deals.give_beacon(Beacon(VALUE))
    deals.commit(committed(65))
    deals.add(Added(Seat.EAST, 65, VALUE))
    assert found == []


def test_a_beacon_without_a_commitment_is_found(deals: Deals, found: list[Code]) -> None:
    deals.give_beacon(Beacon(VALUE))
    assert found == [Code.COMMITMENT]
