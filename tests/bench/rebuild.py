"""How fast history is made anew: the logs of two finished matches, again and again under new ids, told out of a database."""

from __future__ import annotations

from time import perf_counter
from typing import NamedTuple

import sqlalchemy as sa
from baloot.app.embedded import Cluster
from baloot.app.migrate import migrate
from baloot.history.postgres import PostgresHistory
from baloot.history.public_log import PublicLog
from baloot.history.rebuilding import Rebuild
from baloot.kit.database import open_engine
from baloot.table.postgres import PostgresStore

from tests.history.played import logbooks, states
from tests.postgres import reachable_folder

COPY = """
WITH kept AS MATERIALIZED (
    SELECT uuid_in(md5(table_id::text || n)::cstring) AS id, entry.*
    FROM table_entry AS entry, generate_series(1, :copies) AS n
), copied AS (
    INSERT INTO table_entry (table_id, sequence, at, actor, by_default, request_id, request_digest, status, payload, secret)
    SELECT id, sequence, at, actor, by_default, request_id, request_digest, status, payload, secret FROM kept
)
INSERT INTO table_head (table_id, sequence, status, updated_at)
SELECT id, max(sequence), (array_agg(status ORDER BY sequence DESC))[1], now() FROM kept GROUP BY id
"""
"""More tables with the same logs."""


class Rebuilt(NamedTuple):
    """So many entries of so many tables, in so many seconds."""

    entries: int
    tables: int
    seconds: float


async def rebuilt(entries: int) -> Rebuilt:
    """Makes history out of at least so many entries, from nothing."""
    with reachable_folder() as data, Cluster(data, durable=False) as cluster:
        url = cluster.url()
        await migrate(url)
        await fill(url, entries)
        async with PostgresStore(url) as store, PostgresHistory(url) as history:
            began = perf_counter()
            done = await Rebuild(PublicLog(store), history).run()
            return Rebuilt(done.done, done.tables, perf_counter() - began)


async def fill(url: str, entries: int) -> None:
    """Stores the logs, and as many copies of them as it takes."""
    logs = logbooks()[:2]
    async with PostgresStore(url) as store:
        for log in logs:
            for entry, state in zip(log, states(log), strict=True):
                assert await store.append(entry, state.status)
    copies = -(-entries // sum(map(len, logs)))
    engine = open_engine(url, "bench", size=1, timeout=600)
    async with engine.begin() as connection:
        await connection.execute(sa.text(COPY), {"copies": copies})
    async with engine.begin() as connection:
        await connection.execute(sa.text("ANALYZE"))
    await engine.dispose()
