"""A beacon binds nobody who adds to the deals once its value may be public: from that moment on no seed is taken."""

from __future__ import annotations

from dataclasses import replace

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table import identity
from baloot.table.codec import encode_settings
from baloot.table.dealing import AddSeed
from baloot.table.entries import spelled
from baloot.table.events import SECOND, BeaconGiven, Micros, SeedAdded, SeedsRevealed, Settings, Status
from baloot.table.memory import MemoryStore

from tests.table.deal_laws import check_decks
from tests.table.test_deals import BEACON, Adding, check_views, events_of, seed_of
from tests.table.trial import START, Clock

FILL = 900 * SECOND
AHEAD = 60 * SECOND
SETTINGS = Settings(round_pause=0, beacon="a drawing", beacon_time=START + AHEAD, fill_timeout=FILL)


def waiting() -> Adding:
    return Adding(settings=SETTINGS)


async def refused(doing: object, reason: Reason) -> None:
    with pytest.raises(Refusal) as told:
        await doing  # type: ignore[misc]
    assert told.value.reason is reason


@pytest.mark.parametrize("late", [-1, 0, 1])
async def test_a_seed_is_added_before_the_moment_only(late: Micros) -> None:
    trial = waiting()
    await trial.open()
    await trial.sit(Seat.SOUTH, b"")
    trial.clock.pass_(AHEAD + late)
    if late < 0:
        entry = await trial.act(Seat.SOUTH, AddSeed(1, b"s" * 32))
        assert (entry.events, entry.at) == ((SeedAdded(Seat.SOUTH, 1, b"s" * 32),), START + AHEAD - 1)
        return
    before = await trial.entries()
    await refused(trial.act(Seat.SOUTH, AddSeed(1, b"s" * 32)), Reason.SEED_WINDOW)
    assert await trial.entries() == before


@pytest.mark.parametrize("late", [-1, 0, 1])
async def test_a_seat_is_taken_after_the_moment_without_its_seed(late: Micros) -> None:
    trial = waiting()
    await trial.open()
    trial.clock.pass_(AHEAD + late)
    (taken,) = (await trial.sit(Seat.SOUTH, b"s" * 32)).events
    assert isinstance(taken, ev.SeatTaken)
    assert taken.seat_seed == (b"s" * 32 if late < 0 else b"")
    check_views(await trial.entries())


@pytest.mark.parametrize("reads", range(8))
async def test_no_entry_has_a_seed_at_or_after_the_moment(reads: int) -> None:
    """However the clock goes on between deciding and writing, both go by one reading of it."""
    told, clock = iter([START + AHEAD - 1] * reads), Clock()
    trial = Adding(settings=SETTINGS, store=MemoryStore(lambda: clock.now))
    await trial.open()
    trial.log._clock = lambda: next(told, START + AHEAD)  # type: ignore[attr-defined]
    entry = await trial.sit(Seat.SOUTH, b"s" * 32)
    (taken,) = entry.events
    assert isinstance(taken, ev.SeatTaken)
    assert bool(taken.seat_seed) == (entry.at < START + AHEAD)


async def test_the_beacon_is_not_given_before_the_moment() -> None:
    trial = waiting()
    await trial.fill()
    trial.clock.pass_(AHEAD - 1)
    await refused(trial.table.give_beacon(trial.table_id, trial.id(), BEACON), Reason.BEACON_WINDOW)
    trial.clock.pass_(1)
    entry = await trial.table.give_beacon(trial.table_id, trial.id(), BEACON)
    assert entry.events == (BeaconGiven(BEACON),)
    await trial.play()
    check_decks(await trial.entries())
    check_views(await trial.entries())


async def test_the_next_block_takes_seeds_as_ever() -> None:
    trial = waiting()
    await trial.fill()
    trial.clock.pass_(AHEAD)
    await trial.table.give_beacon(trial.table_id, trial.id(), BEACON)
    await trial.all_pass(60)
    later = events_of(await trial.entries(), SeedAdded)
    assert {(one.seat, one.first_number) for one in later} == {(seat, 65) for seat in SEATS}


@pytest.mark.parametrize("filled_after", [0, AHEAD - 1, AHEAD, AHEAD + 5 * SECOND])
async def test_how_long_the_first_deal_waits(filled_after: Micros) -> None:
    trial = waiting()
    await trial.open()
    for seat in SEATS[:3]:
        await trial.sit(seat, seed_of(seat))
    trial.clock.pass_(filled_after)
    entry = await trial.sit(Seat.WEST, b"")
    last = max(START + filled_after, START + AHEAD) + FILL
    assert entry.deadline == last
    trial.clock.pass_(last - trial.clock.now - 1)
    await trial.table.step(trial.table_id)
    assert (await trial.state()).status is Status.PLAYING
    trial.clock.pass_(1)
    await trial.table.step(trial.table_id)
    state = await trial.state()
    assert (state.status, state.abandoned) == (Status.ABANDONED, ev.AbandonReason.NO_BEACON)
    assert not events_of(await trial.entries(), SeedsRevealed)


async def test_a_table_from_before_takes_seeds_until_its_beacon_is_given() -> None:
    trial = Adding(settings=replace(SETTINGS, beacon_time=None))
    await trial.fill()
    trial.clock.pass_(FILL - 1)
    await refused(trial.act(Seat.SOUTH, AddSeed(1, b"s" * 32)), Reason.SEED_REPEATED)
    await trial.table.give_beacon(trial.table_id, trial.id(), BEACON)
    await refused(trial.act(Seat.SOUTH, AddSeed(1, b"s" * 32)), Reason.SEED_WINDOW)


@pytest.mark.parametrize("ahead", [10 * SECOND, 86_400 * SECOND])
@pytest.mark.parametrize("off", [-1, 0, 1])
async def test_how_far_ahead_the_moment_is(ahead: Micros, off: Micros) -> None:
    good = 10 * SECOND <= ahead + off <= 86_400 * SECOND
    trial = Adding(settings=replace(SETTINGS, beacon_time=START + ahead + off))
    if good:
        await trial.open()
    else:
        with pytest.raises(Refusal) as told:
            await trial.open()
        assert (told.value.reason, told.value.field) == (Reason.FIELD_INVALID, "beacon_time")


async def test_a_table_is_opened_once_however_late_it_is_asked_for_again() -> None:
    trial = waiting()
    request = trial.id()
    first = await trial.table.create(request, SETTINGS)
    trial.clock.pass_(2 * AHEAD)
    assert await trial.table.create(request, SETTINGS) == first
    await refused(
        trial.table.create(request, replace(SETTINGS, beacon_time=START + AHEAD + 1)),
        Reason.REQUEST_ID_REUSED,
    )


def test_settings_without_a_beacon_are_spelled_as_before() -> None:
    bare = replace(SETTINGS, beacon_time=None)
    assert spelled(SETTINGS) == (*spelled(bare), START + AHEAD)
    assert spelled(bare)[-2:] == ("beacon", "a drawing")
    assert "beacon" not in spelled(replace(bare, beacon=""))
    assert len({identity.request_digest("create", *spelled(one)) for one in (SETTINGS, bare)}) == 2


def test_everybody_is_told_the_moment() -> None:
    assert encode_settings(SETTINGS).beacon_time.ToMicroseconds() == START + AHEAD
    assert not encode_settings(replace(SETTINGS, beacon_time=None)).HasField("beacon_time")
