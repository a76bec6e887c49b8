"""The estimate of the store's clock."""

from __future__ import annotations

import pytest
from baloot.table.events import SECOND, Micros
from baloot.table.store import StoreUnavailable
from baloot.table.store_clock import StoreClock
from hypothesis import given
from hypothesis import strategies as st


class Local:
    def __init__(self) -> None:
        self.now: Micros = 5_000 * SECOND

    def __call__(self) -> Micros:
        return self.now


STORE_AHEAD = 1_000_000 * SECOND


def clock_after(local: Local, *readings: tuple[Micros, Micros, Micros]) -> StoreClock:
    """A clock after readings of (how long it took, how much of that after the store looked, how far ahead it is)."""
    clock = StoreClock(local)
    for took, late, ahead in readings:
        asked = local.now
        local.now += took
        clock.learn(asked, local.now, local.now - late + ahead)
    return clock


def test_it_cannot_tell_the_time_unread() -> None:
    with pytest.raises(StoreUnavailable):
        StoreClock().now()


def test_it_is_wrong_by_half_a_round_trip_at_most() -> None:
    local = Local()
    assert clock_after(local, (1000, 0, STORE_AHEAD)).now() == local.now + STORE_AHEAD + 500
    assert clock_after(local, (1000, 1000, STORE_AHEAD)).now() == local.now + STORE_AHEAD - 500


def test_it_goes_on_between_readings() -> None:
    local = Local()
    clock = clock_after(local, (10, 5, STORE_AHEAD))
    local.now += 90 * SECOND
    assert clock.now() == local.now + STORE_AHEAD


def test_the_quickest_reading_decides() -> None:
    local = Local()
    quick = (10, 5, STORE_AHEAD)
    slow = (2 * SECOND, 2 * SECOND, STORE_AHEAD)
    assert clock_after(local, quick, slow).now() == local.now + STORE_AHEAD
    assert clock_after(local, slow, quick).now() == local.now + STORE_AHEAD


def test_an_old_reading_gives_way_to_a_worse_one() -> None:
    """Two clocks part with time, so a quick reading of yesterday is worth less than a slow one of now."""
    local = Local()
    clock = clock_after(local, (10, 5, STORE_AHEAD))
    local.now += 3600 * SECOND
    drifted = STORE_AHEAD - SECOND // 10
    asked, local.now = local.now, local.now + 2000
    clock.learn(asked, local.now, local.now - 1000 + drifted)
    local.now += SECOND
    assert clock.now() == local.now + drifted


def test_a_clock_that_was_set_forward_is_followed_at_once() -> None:
    local = Local()
    clock = clock_after(local, (10, 5, STORE_AHEAD), (4000, 2000, STORE_AHEAD + 60 * SECOND))
    assert clock.now() == local.now + STORE_AHEAD + 60 * SECOND


def test_a_clock_that_was_set_back_is_waited_for() -> None:
    local = Local()
    clock = clock_after(local, (10, 5, STORE_AHEAD))
    before = clock.now()
    asked, local.now = local.now, local.now + 10
    clock.learn(asked, local.now, local.now - 5 + STORE_AHEAD - 60 * SECOND)
    assert clock.now() == before
    local.now += 61 * SECOND
    assert clock.now() == local.now + STORE_AHEAD - 60 * SECOND


STEPS = st.tuples(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(-(10**7), 10**7))


@given(st.lists(STEPS, min_size=1, max_size=20))
def test_it_never_runs_backwards(steps: list[tuple[int, int, int]]) -> None:
    local = Local()
    clock = StoreClock(local)
    told = []
    for took, pause, ahead in steps:
        asked, local.now = local.now, local.now + took
        clock.learn(asked, local.now, local.now + ahead)
        told.append(clock.now())
        local.now += pause
        told.append(clock.now())
    assert told == sorted(told)
