"""The store in Postgres when the database is slow, gone, or somebody else's too."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import timedelta
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa
from baloot.app.migrate import migrate
from baloot.kit.database import open_engine
from baloot.table.events import Status
from baloot.table.postgres import PostgresStore
from baloot.table.statements import LEASE
from baloot.table.store import StoreUnavailable

from tests.postgres import CrashCluster
from tests.strategies.entries import plain_entry, table_id
from tests.table.appending import Appender, broken_promises
from tests.table.proxy import Proxy, proxy_to


@pytest.fixture
async def proxy(migrated_url: str) -> AsyncIterator[Proxy]:
    async with proxy_to(migrated_url) as proxy:
        yield proxy


@pytest.fixture
def rng() -> Random:
    return Random(30)


def appenders_on(store: PostgresStore, rng: Random, tables: int, each: int = 1) -> list[Appender]:
    names = [table_id(rng) for _ in range(tables)]
    return [Appender(store, name, Random(rng.random())) for name in names for _ in range(each)]


async def more(appenders: list[Appender], entries: int) -> None:
    """Waits until that many further entries are acknowledged."""
    goal = sum(len(appender.acknowledged) for appender in appenders) + entries
    async with asyncio.timeout(30):
        while sum(len(appender.acknowledged) for appender in appenders) < goal:
            await asyncio.sleep(0.005)


async def stopped(appenders: list[Appender], tasks: list[asyncio.Task[None]]) -> None:
    for appender in appenders:
        appender.stop = True
    await asyncio.gather(*tasks)


async def test_connections_that_are_cut_lose_nothing(proxy: Proxy, rng: Random) -> None:
    async with PostgresStore(proxy.url) as store:
        appenders = appenders_on(store, rng, 8, each=2)
        tasks = [asyncio.create_task(appender.run()) for appender in appenders]
        for cut in range(500):
            await more(appenders, 15)
            proxy.cut()
            if cut > 10 and any(appender.failures for appender in appenders):
                break
        await more(appenders, 15)
        await stopped(appenders, tasks)
        assert await broken_promises(store, appenders) == []
        assert sum(appender.failures for appender in appenders) > 0, "no connection was ever cut in use"


async def test_a_database_that_is_killed_and_started_again_loses_nothing(
    durable_cluster: Callable[[], CrashCluster], rng: Random
) -> None:
    """And the store comes back by itself, with the connections it had made before."""
    cluster = durable_cluster()
    await migrate(cluster.url())
    async with proxy_to(cluster.url()) as proxy, PostgresStore(proxy.url) as store:
        appenders = appenders_on(store, rng, 8, each=2)
        tasks = [asyncio.create_task(appender.run()) for appender in appenders]
        for stop in (cluster.crash, cluster.stop):
            await more(appenders, 40)
            stop()
            await asyncio.sleep(0)
            cluster.start()
            proxy.leads_to(cluster.url())
        await more(appenders, 40)
        await stopped(appenders, tasks)
        assert await broken_promises(store, appenders) == []


async def test_a_database_that_goes_quiet_is_given_up_in_time(proxy: Proxy, rng: Random) -> None:
    """No answer, no error: as when a network is cut. Everybody is told soon, and it works again once it is back."""
    async with PostgresStore(proxy.url, timeout=0.3) as store:
        first, second = (plain_entry(table_id(rng), 1, rng) for _ in range(2))
        assert await store.append(first, Status.OPEN)
        proxy.quiet = True
        began = time.monotonic()
        many = [store.append(plain_entry(table_id(rng), 1, rng), Status.OPEN) for _ in range(600)]
        told = await asyncio.gather(*many, store.read(first.table_id), store.ping(), return_exceptions=True)
        assert {type(answer) for answer in told} == {StoreUnavailable}
        assert time.monotonic() - began < 8
        proxy.quiet = False
        proxy.cut()
        async with asyncio.timeout(5):
            while not await eventually_appended(store, second):
                pass
        assert list(await store.read(first.table_id)) == [first]


async def eventually_appended(store: PostgresStore, entry: object) -> bool:
    try:
        return bool(await store.append(entry, Status.OPEN))  # type: ignore[arg-type]
    except StoreUnavailable:
        return False


async def test_a_read_does_not_notice_that_its_connections_died(proxy: Proxy, rng: Random) -> None:
    async with PostgresStore(proxy.url) as store:
        entry = plain_entry(table_id(rng), 1, rng)
        assert await store.append(entry, Status.OPEN)
        for _ in range(5):
            await asyncio.gather(*(store.ping() for _ in range(8)))
            proxy.cut()
            assert list(await store.read(entry.table_id)) == [entry]


async def test_a_store_that_is_not_there_says_so_and_opens_later(
    proxy: Proxy, migrated_url: str, rng: Random
) -> None:
    proxy.leads_to("postgresql://baloot@/x?host=/nowhere")
    store = PostgresStore(proxy.url, timeout=1)
    entry = plain_entry(table_id(rng), 1, rng)
    with pytest.raises(StoreUnavailable):
        await store.open()
    with pytest.raises(StoreUnavailable):
        await store.append(entry, Status.OPEN)
    proxy.leads_to(migrated_url)
    async with store:
        assert await store.append(entry, Status.OPEN)
    with pytest.raises(StoreUnavailable):
        await store.append(entry, Status.OPEN)


async def test_what_is_under_way_is_written_before_the_store_closes(migrated_url: str, rng: Random) -> None:
    entries = [plain_entry(table_id(rng), 1, rng) for _ in range(700)]
    async with PostgresStore(migrated_url) as store:
        tasks = [asyncio.create_task(store.append(entry, Status.OPEN)) for entry in entries]
        await asyncio.sleep(0)
    assert all(await asyncio.gather(*tasks))


async def test_a_deadlock_is_tried_again(migrated_url: str, rng: Random) -> None:
    """Somebody else locks heads in another order than the store does; the database ends the store's statement."""
    admin = open_engine(migrated_url, "admin", size=1)
    lock = sa.text("SELECT 1 FROM table_head WHERE table_id = :table_id FOR UPDATE")
    low, high = sorted(table_id(rng) for _ in range(2))
    async with admin.connect() as connection:
        await connection.execute(sa.text("SET deadlock_timeout = '60s'"))
        await connection.execute(sa.text("SET lock_timeout = 0"))
        await connection.execute(
            sa.text(f"ALTER DATABASE {connection.engine.url.database} SET deadlock_timeout = '300ms'")
        )
        await connection.commit()
        async with PostgresStore(migrated_url) as store:
            for table in (low, high):
                assert await store.append(plain_entry(table, 1, rng), Status.PLAYING)
            await connection.execute(lock, {"table_id": high})
            appends = [store.append(plain_entry(table, 2, rng), Status.PLAYING) for table in (low, high)]
            both = asyncio.gather(*appends)
            await waits_for_a_lock(migrated_url)
            await connection.execute(lock, {"table_id": low})
            await connection.rollback()
            assert all(await both)
    await admin.dispose()


async def waits_for_a_lock(url: str) -> None:
    engine = open_engine(url, "watcher", size=1, autocommit=True)
    waiting = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    async with engine.connect() as connection:
        while not await connection.scalar(waiting):
            await asyncio.sleep(0.002)
    await engine.dispose()


async def test_many_writers_on_the_same_tables_never_deadlock(migrated_url: str, rng: Random) -> None:
    """Each writer's batch holds many of the same tables, brought in another order."""
    tables = [table_id(rng) for _ in range(60)]
    async with PostgresStore(migrated_url) as one, PostgresStore(migrated_url) as two:
        for n in range(1, 12):
            mixed = [(store, table) for store in (one, two) for table in rng.sample(tables, len(tables))]
            won = await asyncio.gather(
                *(store.append(plain_entry(table, n, rng), Status.PLAYING) for store, table in mixed)
            )
            assert sum(map(bool, won)) == len(tables)
    async with PostgresStore(migrated_url) as store:
        heads = await store.heads(tables)
        assert {head.sequence for head in heads.values()} == {11}
    assert await deadlocks(migrated_url) == 0, "they were only tried again"


async def deadlocks(url: str) -> int:
    """How many there were in the database. Connections report them when they end."""
    engine = open_engine(url, "watcher", size=1, autocommit=True)
    others = sa.text(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    async with engine.connect() as connection:
        while await connection.scalar(others):
            await asyncio.sleep(0.01)
        query = sa.text("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
        found: int = await connection.scalar(query)
    await engine.dispose()
    return found


async def test_cancelled_callers_leave_no_connection_behind(migrated_url: str, rng: Random) -> None:
    async with PostgresStore(migrated_url, readers=3) as store:
        table = table_id(rng)
        calls: list[Callable[[], Coroutine[Any, Any, object]]] = [
            lambda: store.read(table),
            lambda: store.claim_due(3, 1),
            lambda: store.key("k", b"v"),
            lambda: store.append(plain_entry(table, 1, rng), Status.OPEN),
        ]
        for _ in range(300):
            task = asyncio.create_task(rng.choice(calls)())
            for _ in range(rng.randrange(12)):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.wait([task])
        async with asyncio.timeout(5):
            await asyncio.gather(*(store.ping() for _ in range(30)))
        assert await connections_in_use(migrated_url) == []


async def connections_in_use(url: str) -> list[str]:
    """What the store's connections do once they are all back."""
    engine = open_engine(url, "watcher", size=1, autocommit=True)
    busy = sa.text(
        "SELECT query FROM pg_stat_activity WHERE datname = current_database()"
        " AND application_name LIKE 'baloot%' AND state <> 'idle'"
    )
    found: list[str] = []
    async with engine.connect() as connection:
        for _ in range(100):
            found = list((await connection.scalars(busy)).all())
            if not found:
                break
            await asyncio.sleep(0.01)
    await engine.dispose()
    return found


async def test_the_heads_due_are_found_by_their_index(migrated_url: str) -> None:
    """However many tables there are; ended ones are not even in it."""
    engine = open_engine(migrated_url, "watcher", size=1, autocommit=True)
    fill = sa.text(
        "INSERT INTO table_head (table_id, sequence, status, deadline_at, updated_at) SELECT gen_random_uuid(), 1, 2,"
        " CASE WHEN n % 10 = 0 THEN now() + n * interval '1s' END, now() FROM generate_series(1, 20000) n"
    )
    async with engine.connect() as connection:
        await connection.execute(fill)
        await connection.execute(sa.text("ANALYZE table_head"))
        explain = sa.text(f"EXPLAIN {LEASE.text}").bindparams(limit=9, lease=timedelta(1))
        plan = "\n".join((await connection.execute(explain)).scalars())
        assert "table_head_due" in plan
        assert "Seq Scan" not in plan
    await engine.dispose()
