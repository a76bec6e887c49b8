"""How many tables an address may have that have not begun."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from uuid import UUID

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS
from baloot.table import quota
from baloot.table.events import SECOND, Entry, Settings, Status
from baloot.table.memory import MemoryStore
from baloot.table.orchestrator import Orchestrator
from baloot.table.quota import OpenTables
from baloot.table.store import Head, Stored, StoreUnavailable

from tests.table.trial import Clock, Trial

HOME = "192.0.2.1"
SETTINGS = Settings(fill_timeout=100 * SECOND)


class Moody(MemoryStore):
    """Counts how often heads are read; may be away, in part or slow."""

    def __init__(self, clock: Clock) -> None:
        super().__init__(clock)
        self.clock = clock
        self.away = self.headless = False
        self.slow = 0
        self.looked = 0

    async def append(self, entry: Entry, status: Status) -> Stored | None:
        if self.away:
            raise StoreUnavailable("gone")
        return await super().append(entry, status)

    async def read(
        self, table_id: UUID, after: int = 0, limit: int | None = None, *, secrets: bool = True
    ) -> Sequence[Entry]:
        self.clock.pass_(self.slow)
        return await super().read(table_id, after, limit, secrets=secrets)

    async def heads(self, table_ids: Iterable[UUID]) -> dict[UUID, Head]:
        self.looked += 1
        if self.headless:
            raise StoreUnavailable("gone")
        return await super().heads(table_ids)


class World:
    """A place where tables are opened, three of an address at once at most."""

    def __init__(self, most: int = 3) -> None:
        self.clock = Clock()
        self.store = Moody(self.clock)
        self.trial = Trial(clock=self.clock, store=self.store)
        self.tables = OpenTables(self.trial.table, most)

    async def open(self, address: str | None = HOME, request_id: UUID | None = None) -> Entry:
        return await self.tables.create(address, request_id or self.trial.id(), SETTINGS)

    async def refusal(self, address: str | None = HOME) -> Refusal | None:
        """The refusal of one more table; None when it is opened."""
        try:
            await self.open(address)
        except Refusal as refusal:
            return refusal
        return None

    async def fill(self, table_id: UUID, table: Orchestrator | None = None) -> None:
        for seat in SEATS:
            await (table or self.trial.table).take_seat(table_id, self.trial.id(), seat, "Noura")
        await (table or self.trial.table).step(table_id)


@pytest.fixture
def world() -> World:
    return World()


async def test_an_address_may_have_so_many_and_others_have_their_own(world: World) -> None:
    for _ in range(3):
        await world.open()
    refusal = await world.refusal()
    assert refusal is not None
    assert (refusal.reason, refusal.metadata) == (Reason.TOO_MANY_TABLES, {"limit": "tables"})
    assert await world.refusal("192.0.2.2") is None
    assert await world.refusal(None) is None


async def test_any_number_may_be_open_where_there_is_no_limit() -> None:
    world = World(0)
    for _ in range(20):
        await world.open()
    assert len(world.tables) == 0


async def test_a_refused_table_leaves_nothing_behind(world: World) -> None:
    for _ in range(3):
        await world.open()
    before = set(world.store._entries)
    for _ in range(10):
        assert await world.refusal() is not None
    assert set(world.store._entries) == before == set(world.trial.table.tables)


async def test_the_time_to_wait_is_when_the_first_one_ends_by_itself(world: World) -> None:
    for _ in range(3):
        await world.open()
        world.clock.pass_(10 * SECOND)
    refusal = await world.refusal()
    assert refusal is not None
    assert refusal.retry_after == 70 * SECOND * 1000
    world.clock.pass_(70 * SECOND - 1)
    assert await world.refusal() is not None
    world.clock.pass_(1)
    assert await world.refusal() is None
    assert await world.refusal() is not None


async def test_the_time_to_wait_is_that_of_the_log(world: World) -> None:
    world.store.slow = SECOND
    opened = [await world.open() for _ in range(3)]
    world.store.slow = 0
    refusal = await world.refusal()
    assert refusal is not None
    assert opened[0].deadline is not None
    assert refusal.retry_after == (opened[0].deadline - world.clock.now) * 1000


async def test_a_table_that_begins_makes_room(world: World) -> None:
    opened = [await world.open() for _ in range(3)]
    await world.fill(opened[1].table_id)
    assert await world.refusal() is None
    assert await world.refusal() is not None


async def test_a_table_that_begins_in_another_process_makes_room(world: World) -> None:
    opened = [await world.open() for _ in range(3)]
    await world.fill(opened[1].table_id, Orchestrator(world.store, world.trial.table._rules))
    assert await world.refusal() is None


async def test_the_same_request_is_answered_whatever_is_open(world: World) -> None:
    request_id = world.trial.id()
    first = await world.open(request_id=request_id)
    for _ in range(2):
        await world.open()
    assert await world.refusal() is not None
    assert await world.open(request_id=request_id) == first
    await world.fill(first.table_id)
    assert await world.refusal() is None
    assert await world.refusal() is not None
    assert await world.open(request_id=request_id) == first


async def test_many_at_once_are_no_more_than_one_after_the_other(world: World) -> None:
    done = await asyncio.gather(*(world.refusal() for _ in range(20)))
    assert sum(refusal is None for refusal in done) == 3
    assert len(world.store._entries) == 3


async def test_copies_of_a_request_count_once(world: World) -> None:
    for _ in range(3):
        request_id = world.trial.id()
        entries = await asyncio.gather(*(world.open(request_id=request_id) for _ in range(10)))
        assert len({entry.table_id for entry in entries}) == 1
    assert await world.refusal() is not None


async def test_a_table_that_was_not_stored_does_not_count(world: World) -> None:
    world.store.away = True
    for _ in range(5):
        refusal = await world.refusal()
        assert refusal is not None
        assert refusal.reason is Reason.UNAVAILABLE
    world.store.away = False
    assert [await world.refusal() for _ in range(3)] == [None] * 3


async def test_a_log_that_is_away_is_said_to_be(world: World) -> None:
    for _ in range(3):
        await world.open()
    world.store.headless = True
    refusal = await world.refusal()
    assert refusal is not None
    assert refusal.reason is Reason.UNAVAILABLE


async def test_the_log_is_looked_at_only_when_there_seems_to_be_no_room(world: World) -> None:
    for _ in range(3):
        await world.open()
    assert world.store.looked == 0
    await world.refusal()
    assert world.store.looked == 1


async def test_so_many_addresses_are_remembered(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quota, "ADDRESSES", 5)
    for number in range(20):
        await world.open(f"192.0.2.{number}")
    assert len(world.tables) == 5


async def test_addresses_whose_tables_are_long_over_are_forgotten(world: World) -> None:
    for number in range(20):
        await world.open(f"192.0.2.{number}")
    world.clock.pass_(1000 * SECOND)
    for number in range(20, 40):
        await world.open(f"192.0.2.{number}")
    assert len(world.tables) == 20
