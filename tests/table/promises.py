"""What every store of tables promises, as one suite of tests; `test_store` runs it on each of them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from hashlib import sha256
from random import Random
from uuid import UUID

import pytest
from baloot.core.seats import Seat
from baloot.table import chain
from baloot.table.events import (
    LATE,
    SECOND,
    AnswerGiven,
    Entry,
    Event,
    HandsCompleted,
    Micros,
    PlayStarted,
    Presence,
    PresenceChanged,
    RoundDealt,
    SeatTaken,
    Status,
)
from baloot.table.looks import Look
from baloot.table.store import Head, Store, Stored
from baloot.table.views import project

from tests.strategies.entries import any_entry, plain_entry, table_id
from tests.table.appending import Appender, broken_promises

HOUR = 3600 * SECOND
HERE, AWAY = Presence.HERE, Presence.AWAY


def seating(table: UUID, sequence: int, holder: bytes, at: Micros) -> Entry:
    """An entry that seats a holder."""
    entry = plain_entry(table, sequence, Random(sequence))
    return replace(entry, at=at, events=(SeatTaken(Seat.EAST, "Huda", holder, "a-1"),))


def held_by(event: Event) -> bool:
    """Whether an event still tells what a seat holds."""
    if isinstance(event, RoundDealt):
        return bool(event.dealt.deck.cards) or bool(event.sealed_seed.sealed)
    if isinstance(event, PlayStarted | HandsCompleted):
        return any(map(len, event.hands))
    return isinstance(event, AnswerGiven)


class StorePromises:
    """`store` and `twin` are two users of one log, as two processes are."""

    @pytest.fixture
    def rng(self) -> Random:
        return Random(20)

    async def test_entries_are_read_in_order(self, store: Store, rng: Random) -> None:
        table = table_id(rng)
        entries = [plain_entry(table, n, rng) for n in range(1, 8)]
        for entry in entries:
            assert await store.append(entry, Status.PLAYING)
        assert list(await store.read(table)) == entries
        assert list(await store.read(table, 5)) == entries[5:]
        assert list(await store.read(table, 2, 3)) == entries[2:5]
        assert list(await store.read(table, 7)) == []

    async def test_any_entry_comes_back_as_it_was(self, store: Store, rng: Random) -> None:
        for seed in range(60):
            entry = any_entry(Random(seed))
            first = plain_entry(entry.table_id, 1, rng)
            second = replace(entry, sequence=2)
            assert await store.append(first, Status.OPEN)
            assert await store.append(second, Status.OPEN)
            assert list(await store.read(entry.table_id, 1)) == [second]

    async def test_without_secrets_an_entry_is_what_everybody_sees(self, store: Store) -> None:
        for seed in range(60):
            entry = replace(any_entry(Random(seed)), sequence=1)
            assert await store.append(entry, Status.OPEN)
            (read,) = await store.read(entry.table_id, secrets=False)
            assert read.questions == ()
            kept = [event for event in entry.events if not isinstance(event, AnswerGiven)]
            assert [project(event, None) for event in kept if not isinstance(event, RoundDealt)] == [
                project(event, None) for event in read.events if not isinstance(event, RoundDealt)
            ]
            assert not any(held_by(event) for event in read.events)

    async def test_every_link_of_the_chain_binds_what_is_stored(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        table, link = table_id(rng), chain.START
        for n in range(1, 30):
            entry = replace(any_entry(Random(n)), table_id=table, sequence=n)
            stored = await (store if n % 3 else twin).append(entry, Status.PLAYING)
            (raw,) = await store.raw(table, n - 1)
            link = chain.link(
                link, table, n, entry.at, entry.actor, raw.payload, sha256(raw.secret).digest(),
                by_default=entry.by_default,
            )  # fmt: skip
            assert stored == Stored(link)
            assert raw.chain == link
            assert [read.chain for read in await store.read(table, n - 1)] == [link]
        assert [raw.sequence for raw in await store.raw(table, 3, 4)] == [4, 5, 6, 7]

    async def test_who_sits_in_an_event_is_known_while_its_tables_go_on(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        event, holder = f"cup-{rng.random()}-{table_id(rng)}", rng.randbytes(32)
        tables = sorted(table_id(rng) for _ in range(6))
        for table in (*tables[:5], tables[0]):
            await store.enrol(table, event)
        assert list(await store.held_in(event, holder)) == []
        statuses = (Status.OPEN, Status.PLAYING, Status.FINISHED, Status.ABANDONED, Status.OPEN, Status.OPEN)
        for n, (table, status) in enumerate(zip(tables, statuses, strict=True)):
            seated = SeatTaken(Seat.EAST, "Omar", rng.randbytes(32) if n == 4 else holder)
            await store.append(plain_entry(table, 1, rng), Status.OPEN)
            await store.append(replace(plain_entry(table, 2, rng), events=(seated,)), Status.OPEN)
            await store.append(plain_entry(table, 3, rng), status)
        assert list(await twin.held_in(event, holder)) == tables[:2]
        assert list(await store.held_in(event + "x", holder)) == []
        assert list(await store.held_in(event, rng.randbytes(32))) == []

    async def test_looks_are_kept_once_each_and_in_order(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        table, other = table_id(rng), table_id(rng)
        looks = [
            Look(
                table_id(rng),
                table,
                f"referee {n}",
                (1_700_000_000 + n) * SECOND + n,
                n,
                "ن لماذا؟",
                n % 2 == 0,
            )
            for n in range(6)
        ]
        for look in (
            rng.sample(looks, len(looks)) + looks[:2] + [replace(looks[0], id=table_id(rng), table_id=other)]
        ):
            await store.write_look(look)
        assert list(await twin.looks(table, 1000)) == looks
        assert list(await twin.looks(table, 4)) == looks[:4]
        assert len(await twin.looks(other, 1000)) == 1

    async def test_an_unknown_table_has_nothing(self, store: Store, rng: Random) -> None:
        table = table_id(rng)
        assert list(await store.read(table)) == []
        assert await store.heads([table]) == {}

    async def test_of_two_that_append_the_same_one_wins(self, store: Store, twin: Store, rng: Random) -> None:
        table = table_id(rng)
        for n in range(1, 40):
            ours, theirs = plain_entry(table, n, rng), plain_entry(table, n, rng)
            won = await asyncio.gather(
                store.append(ours, Status.PLAYING), twin.append(theirs, Status.PLAYING)
            )
            assert sorted(map(bool, won)) == [False, True]
            assert list(await store.read(table, n - 1)) == [ours if won[0] else theirs]

    async def test_of_many_that_append_the_same_one_wins(self, store: Store, rng: Random) -> None:
        table = table_id(rng)
        rivals = [plain_entry(table, 1, rng) for _ in range(20)]
        won = await asyncio.gather(*(store.append(entry, Status.OPEN) for entry in rivals))
        (winner,) = (n for n, stored in enumerate(won) if stored)
        assert list(await store.read(table)) == [rivals[winner]]

    async def test_an_entry_out_of_order_changes_nothing(self, store: Store, rng: Random) -> None:
        table = table_id(rng)
        assert not await store.append(plain_entry(table, 2, rng), Status.PLAYING)
        first = plain_entry(table, 1, rng, deadline=5)
        assert await store.append(first, Status.OPEN)
        for sequence in (1, 3, 17):
            assert not await store.append(plain_entry(table, sequence, rng), Status.FINISHED)
        assert list(await store.read(table)) == [first]
        assert await store.heads([table]) == {table: Head(table, 1, Status.OPEN, 5)}

    async def test_the_head_follows_the_last_entry(self, store: Store, rng: Random) -> None:
        table, other, unknown = table_id(rng), table_id(rng), table_id(rng)
        assert await store.append(plain_entry(other, 1, rng), Status.ABANDONED)
        steps = [(Status.OPEN, 7), (Status.PLAYING, 2**50), (Status.FINISHED, None)]
        for n, (status, deadline) in enumerate(steps, 1):
            assert await store.append(plain_entry(table, n, rng, deadline), status)
            heads = await store.heads([other, table, unknown])
            assert heads == {
                table: Head(table, n, status, deadline),
                other: Head(other, 1, Status.ABANDONED, None),
            }

    async def test_all_heads_can_be_walked(self, store: Store, rng: Random) -> None:
        statuses = [rng.choice(list(Status)) for _ in range(25)]
        heads = [Head(table_id(rng), 1, status, None) for status in statuses]
        for head in heads:
            assert await store.append(plain_entry(head.table_id, 1, rng), head.status)
        heads.sort(key=lambda head: head.table_id)
        assert await _walked(store, 7, live=False) == heads
        assert await _walked(store, 4, live=True) == [head for head in heads if not head.status.ended]

    async def test_what_is_due_is_handed_out_the_longest_overdue_first(
        self, store: Store, rng: Random
    ) -> None:
        now = store.now()
        tables = {table_id(rng): now + delay * SECOND for delay in (-5, -1, -60, 90, -7200)}
        for table, deadline in tables.items():
            assert await store.append(plain_entry(table, 1, rng, deadline), Status.PLAYING)
        assert await store.append(plain_entry(table_id(rng), 1, rng), Status.OPEN)
        overdue = sorted((table for table in tables if tables[table] < now), key=lambda table: tables[table])
        assert list(await store.claim_due(3, HOUR)) == overdue[:3]
        assert list(await store.claim_due(3, HOUR)) == overdue[3:]

    async def test_what_is_due_is_handed_to_one_only(self, store: Store, twin: Store, rng: Random) -> None:
        tables = [table_id(rng) for _ in range(40)]
        for table in tables:
            assert await store.append(plain_entry(table, 1, rng, 1), Status.PLAYING)
        claims = [claimer.claim_due(7, HOUR) for _ in range(5) for claimer in (store, twin)]
        claimed = [table for found in await asyncio.gather(*claims) for table in found]
        while more := await store.claim_due(7, HOUR):  # a claim may pass by what another holds just then
            claimed += more
        assert sorted(claimed) == sorted(tables)

    async def test_what_was_handed_out_comes_back_after_its_lease(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        table = table_id(rng)
        assert await store.append(plain_entry(table, 1, rng, 1), Status.PLAYING)
        claimed = store.now()
        assert list(await store.claim_due(9, SECOND // 20)) == [table]
        while not (again := await twin.claim_due(9, HOUR)):
            await asyncio.sleep(0.005)
        assert list(again) == [table]
        await twin.ping()
        assert twin.now() >= claimed + SECOND // 20 - SECOND // 100

    async def test_an_entry_ends_the_lease(self, store: Store, twin: Store, rng: Random) -> None:
        table = table_id(rng)
        assert await store.append(plain_entry(table, 1, rng, 1), Status.PLAYING)
        assert list(await store.claim_due(9, HOUR)) == [table]
        assert await twin.append(plain_entry(table, 2, rng, 2), Status.PLAYING)
        assert list(await twin.claim_due(9, HOUR)) == [table]
        assert await twin.append(plain_entry(table, 3, rng), Status.FINISHED)
        assert list(await store.claim_due(9, HOUR)) == []

    async def test_an_outage_is_known_to_all_when_it_has_ended(self, store: Store, twin: Store) -> None:
        gap = SECOND // 5
        assert await store.attend(gap) == 0
        assert await twin.attend(gap) == 0
        await asyncio.sleep(0.3)
        before = store.now()
        resumed = await twin.attend(gap)
        assert before - SECOND // 100 <= resumed <= before + SECOND
        assert await store.attend(gap) == resumed

    async def test_while_one_of_many_attends_there_is_no_outage(self, store: Store, twin: Store) -> None:
        gap = SECOND // 2
        assert await store.attend(gap) == 0
        for _ in range(8):
            await asyncio.sleep(0.1)
            assert await twin.attend(gap) == 0
        assert await store.attend(gap) == 0

    async def test_of_many_who_come_back_at_once_all_say_the_same(self, store: Store, twin: Store) -> None:
        gap = 2 * SECOND
        await asyncio.gather(*(one.attend(gap) for one in (store, twin) * 4))  # all have a connection now
        await asyncio.sleep(2.2)
        told = await asyncio.gather(*(one.attend(gap) for one in (store, twin) * 4))
        assert len(set(told)) == 1
        assert told[0] > 0

    async def test_a_process_that_falls_silent_is_handed_to_one_at_a_time(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        """Whoever calls is not silent; one that is back is none that is lost, nor is it struck off."""
        one, other, silent = (rng.randbytes(16) for _ in range(3))
        await twin.muster(silent, HOUR, HOUR)
        found = await self._missed(silent, (store, one), (twin, other))
        assert found == 1
        assert silent not in await twin.muster(other, 0, HOUR)
        await twin.muster(silent, HOUR, HOUR)
        await store.strike_off(silent, HOUR)
        assert (
            await self._missed(silent, (store, one), lease=SECOND // 50) >= 1
        )  # on a slow machine it runs out meanwhile
        assert await self._missed(silent, (twin, other)) == 1
        await asyncio.sleep(0.02)
        await store.strike_off(silent, SECOND // 100)
        assert silent not in await store.muster(one, 0, HOUR)

    async def _missed(self, process: bytes, *callers: tuple[Store, bytes], lease: Micros = HOUR) -> int:
        """How many of several that call at once are handed a process, as soon as any is."""
        async with asyncio.timeout(10):
            while True:
                await asyncio.gather(*(store.attend(HOUR) for store, _ in callers))
                calls = [store.muster(own, SECOND // 100, lease) for store, own in callers * 4]
                lost = await asyncio.gather(*calls)
                if count := sum(process in found for found in lost):
                    return count
                await asyncio.sleep(0.005)

    async def test_after_an_outage_nobody_is_lost_before_all_could_say_that_they_are_there(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        own, other, long = rng.randbytes(16), rng.randbytes(16), SECOND // 2
        await store.attend(HOUR)
        await twin.muster(other, long, HOUR)
        await asyncio.sleep(0.7)
        resumed = await store.attend(SECOND // 5)
        before = store.now()
        while other not in await store.muster(own, long, HOUR):
            await store.attend(HOUR)
            await asyncio.sleep(0.01)
            assert store.now() < before + 30 * SECOND
        await store.ping()
        assert store.now() >= resumed + long - SECOND // 100

    async def test_while_nobody_attends_nobody_is_lost(self, store: Store, twin: Store, rng: Random) -> None:
        """As after an outage that nobody has noticed yet."""
        own, other = rng.randbytes(16), rng.randbytes(16)
        await store.attend(HOUR)
        await twin.muster(other, 0, HOUR)
        await asyncio.sleep(LATE / SECOND + 0.2)
        assert other not in await store.muster(own, SECOND, HOUR)
        await store.attend(HOUR)
        assert other in await store.muster(own, SECOND, HOUR)

    async def test_the_tables_of_a_process_are_found_by_whom_it_told_to_be_here(
        self, store: Store, rng: Random
    ) -> None:
        process, other = rng.randbytes(16), rng.randbytes(16)
        tables = [table_id(rng) for _ in range(4)]
        told = [(HERE, process), (AWAY, process), (HERE, other), (HERE, process)]
        for n, (table, (presence, owner)) in enumerate(zip(tables, told, strict=True)):
            assert await store.append(plain_entry(table, 1, rng), Status.PLAYING)
            event = PresenceChanged(Seat.EAST, presence, owner)
            entry = replace(plain_entry(table, 2, rng), at=HOUR * (n + 1), events=(event,))
            assert await store.append(entry, Status.PLAYING)
        assert list(await store.held_by(process, 10)) == [tables[3], tables[0]]

    async def test_the_tables_of_a_holder_are_found_until_they_end(
        self, store: Store, twin: Store, rng: Random
    ) -> None:
        ours, theirs = rng.randbytes(32), rng.randbytes(32)
        tables = [table_id(rng) for _ in range(6)]
        for n, table in enumerate(tables):
            assert await store.append(plain_entry(table, 1, rng), Status.OPEN)
            taken = seating(table, 2, theirs if n == 5 else ours, at=HOUR * (n % 5 + 1))
            assert await store.append(taken, Status.OPEN)
        again = seating(tables[0], 3, ours, at=HOUR * 9)
        assert await twin.append(again, Status.PLAYING)
        assert await store.append(plain_entry(tables[3], 3, rng), Status.FINISHED)
        assert await store.append(plain_entry(tables[2], 3, rng), Status.ABANDONED)
        assert list(await twin.held_by(ours, 10)) == [tables[0], tables[4], tables[1]]
        assert list(await twin.held_by(ours, 2)) == [tables[0], tables[4]]
        assert list(await store.held_by(theirs, 10)) == [tables[5]]
        assert list(await store.held_by(rng.randbytes(32), 10)) == []

    async def test_a_key_is_kept_once(self, store: Store, twin: Store, rng: Random) -> None:
        fresh = [rng.randbytes(32) for _ in range(6)]
        kept = await asyncio.gather(*(rng.choice([store, twin]).key("table", key) for key in fresh))
        assert len(set(kept)) == 1
        assert kept[0] in fresh
        assert await twin.key("table", b"late") == kept[0]
        assert await twin.key("other", b"other") == b"other"

    async def test_the_clock_goes_forward(self, store: Store, twin: Store) -> None:
        told = []
        for _ in range(50):
            await store.ping()
            told.append(store.now())
        assert told == sorted(told)
        await twin.ping()
        assert 0 <= twin.now() - told[0] < 60 * SECOND

    async def test_a_thousand_append_at_once(self, store: Store, twin: Store, rng: Random) -> None:
        entries = [plain_entry(table_id(rng), 1, rng) for _ in range(1000)]
        appended = await asyncio.gather(
            *(rng.choice([store, twin]).append(entry, Status.OPEN) for entry in entries)
        )
        assert all(appended)
        for entry in entries[::50]:
            assert list(await store.read(entry.table_id)) == [entry]
        assert len(await store.heads_after(None, 2000, live=True)) == 1000

    async def test_many_tables_grow_side_by_side(self, store: Store, twin: Store, rng: Random) -> None:
        tables = [table_id(rng) for _ in range(15)]
        appenders = [
            Appender(each, table, Random(rng.random())) for table in tables for each in (store, twin)
        ]
        await asyncio.gather(*(appender.run(6) for appender in appenders))
        assert await broken_promises(store, appenders) == []
        assert sum(appender.lost for appender in appenders) > 0, "nobody ever lost a race"
        assert all([len(await store.read(table)) == 12 for table in tables])

    async def test_whoever_is_cancelled_takes_nothing_along(self, store: Store, rng: Random) -> None:
        """Cancelled at any moment, an entry is in the log or not, and everybody else's is."""
        tables = [table_id(rng) for _ in range(12)]
        appenders = [Appender(store, table, Random(n)) for n, table in enumerate(tables)]
        tasks = {asyncio.create_task(appender.run(15)): appender for appender in appenders}
        cancelled = 0
        while tasks:
            done, _ = await asyncio.wait(tasks, timeout=0.001, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
                del tasks[task]
            if tasks and cancelled < 80:
                task = rng.choice(list(tasks))
                appender = tasks.pop(task)
                cancelled += task.cancel()
                await asyncio.wait([task])
                tasks[asyncio.create_task(appender.run(15))] = appender
        assert await broken_promises(store, appenders) == []


async def _walked(store: Store, page: int, *, live: bool) -> list[Head]:
    found: list[Head] = []
    while heads := await store.heads_after(found[-1].table_id if found else None, page, live=live):
        assert len(heads) <= page
        found += heads
    return found
