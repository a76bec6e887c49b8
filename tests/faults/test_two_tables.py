"""One seat at two processes of the table service, one of which is killed."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from pathlib import Path
from uuid import UUID

import pytest
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel
from baloot.table.events import Presence, PresenceChanged
from baloot.table.postgres import PostgresStore

from tests.e2e.platforms import TABLE, apart, running
from tests.e2e.players import PACE, joined, within
from tests.e2e.servers import ServerProcess
from tests.faults.reconnecting import eager_channel


async def watch_on(seat: TableClient) -> None:
    """Watches up to the end of the table."""
    async with aclosing(seat.watch()) as updates:
        async for _ in updates:
            pass


async def test_a_newer_stream_at_another_process_ends_the_older_one_and_outlives_that_process(
    migrated_url: str, folder: Path
) -> None:
    with apart(migrated_url) as platform:
        rules = platform.processes[TABLE]._arguments[2:]
        other = ServerProcess(folder, "serve", TABLE, *rules, environment={"BALOOT_DATABASE": migrated_url})
        with running(other, ServerProcess.kill):
            async with open_channel(platform.table) as here, open_channel(other.address) as there:
                table = await TableClient(here, pace=PACE).create_table()
                seat = await table.take_seat("Noura")
                async with platform.store() as store:
                    table_id = UUID(table.table_id)
                    first = asyncio.create_task(watch_on(joined(TableClient(there, pace=PACE), seat)))
                    await within(10, told(store, table_id, 1))
                    second = asyncio.create_task(watch_on(seat))
                    with pytest.raises(Refusal) as refused:
                        await within(10, first)
                    assert refused.value.reason is Reason.STREAM_SUPERSEDED
                    other.kill()
                    await within(10, told(store, table_id, 2))
                    assert not second.done()
                    second.cancel()
                    await within(15, told(store, table_id, 3))
                    presence = await presence_of(store, table_id)
    assert presence == [Presence.HERE, Presence.HERE, Presence.AWAY]


async def test_a_player_whose_process_is_killed_is_here_as_soon_as_he_is_back(migrated_url: str) -> None:
    with apart(migrated_url) as platform:
        async with eager_channel(platform.table) as channel, platform.store() as store:
            table = await TableClient(channel, pace=PACE).create_table()
            seat = await table.take_seat("Noura")
            watching = asyncio.create_task(watch_on(seat))
            await within(10, told(store, UUID(table.table_id), 1))
            platform.processes[TABLE].kill()
            platform.processes[TABLE].start()
            await within(20, told(store, UUID(table.table_id), 2))
            assert not watching.done()
            watching.cancel()


async def test_whose_process_is_killed_and_who_does_not_come_back_is_soon_away(
    migrated_url: str, folder: Path
) -> None:
    """The process that is left says so; where none is left, the next one that starts."""
    with apart(migrated_url) as platform:
        rules = platform.processes[TABLE]._arguments[2:]
        other = ServerProcess(folder, "serve", TABLE, *rules, environment={"BALOOT_DATABASE": migrated_url})
        with running(other, ServerProcess.kill):
            async with platform.store() as store:
                first = await left_with(other, store)
                await within(30, told(store, first, 2))
                second = await left_with(platform.processes[TABLE], store)
                platform.processes[TABLE].start()
                await within(40, told(store, second, 2))
                for table_id in (first, second):
                    assert await presence_of(store, table_id) == [Presence.HERE, Presence.AWAY]


async def left_with(process: ServerProcess, store: PostgresStore) -> UUID:
    """A table whose player's process is killed, and who is gone then."""
    async with open_channel(process.address) as channel:
        table = await TableClient(channel, pace=PACE).create_table()
        watching = asyncio.create_task(watch_on(await table.take_seat("Noura")))
        await within(10, told(store, UUID(table.table_id), 1))
        process.kill()
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    return UUID(table.table_id)


async def presence_of(store: PostgresStore, table_id: UUID) -> list[Presence]:
    log = await store.read(table_id)
    return [event.presence for entry in log for event in entry.events if isinstance(event, PresenceChanged)]


async def told(store: PostgresStore, table_id: UUID, count: int) -> None:
    """Waits until the log has told so often who is connected."""
    while True:
        log = await store.read(table_id)
        if sum(isinstance(event, PresenceChanged) for entry in log for event in entry.events) >= count:
            return
        await asyncio.sleep(0.02)
