"""Group commit without a database: what goes into which batch, and who is told what."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from uuid import UUID

import pytest
from baloot.table.store import StoreUnavailable
from baloot.table.writer import GroupWriter


@dataclass(frozen=True)
class Row:
    table_id: UUID
    sequence: int


def row(table: int, sequence: int = 1) -> Row:
    return Row(UUID(int=table), sequence)


class Log:
    """Takes a batch when it is let to; the tables in `taken` have another entry already."""

    def __init__(self) -> None:
        self.batches: list[list[Row]] = []
        self.taken: set[UUID] = set()
        self.error: Exception | None = None
        self.open = asyncio.Event()
        self.begun = asyncio.Event()

    async def write(self, batch: Sequence[Row]) -> dict[UUID, int]:
        self.begun.set()
        await self.open.wait()
        self.batches.append(list(batch))
        if self.error is not None:
            raise self.error
        return {row.table_id: row.sequence for row in batch if row.table_id not in self.taken}


@pytest.fixture
async def log() -> Log:
    return Log()


@pytest.fixture
async def writer(log: Log) -> AsyncIterator[GroupWriter[Row, int]]:
    writer: GroupWriter[Row, int] = GroupWriter(log.write, batch=4)
    yield writer
    log.open.set()
    await writer.close()


async def appended(writer: GroupWriter[Row, int], *rows: Row) -> list[asyncio.Task[int | None]]:
    """The rows are queued in this order when it returns."""
    tasks = [asyncio.create_task(writer.append(row)) for row in rows]
    await asyncio.sleep(0)
    return tasks


async def test_what_waits_goes_out_together(log: Log, writer: GroupWriter[Row, int]) -> None:
    tasks = await appended(writer, row(9))
    await log.begun.wait()
    tasks += await appended(writer, row(3), row(1), row(2))
    log.open.set()
    assert await asyncio.gather(*tasks) == [1] * 4
    assert log.batches == [[row(9)], [row(1), row(2), row(3)]]


async def test_a_batch_is_bounded(log: Log, writer: GroupWriter[Row, int]) -> None:
    log.open.set()
    tasks = await appended(writer, *(row(n) for n in range(10)))
    assert all(await asyncio.gather(*tasks))
    assert [len(batch) for batch in log.batches] == [4, 4, 2]


async def test_a_batch_has_one_row_of_a_table(log: Log, writer: GroupWriter[Row, int]) -> None:
    log.open.set()
    tasks = await appended(writer, row(5, 1), row(5, 2), row(4, 1), row(5, 3))
    assert all(await asyncio.gather(*tasks))
    assert log.batches == [[row(4, 1), row(5, 1)], [row(5, 2)], [row(5, 3)]]


async def test_while_many_append_a_batch_comes_together(log: Log) -> None:
    log.open.set()
    writer: GroupWriter[Row, int] = GroupWriter(log.write, pace=3600)
    tasks = await appended(writer, row(1), row(2))
    await asyncio.gather(*tasks)
    for n in (3, 4, 5):
        tasks += await appended(writer, row(n))
        await asyncio.sleep(0.001)
    assert [len(batch) for batch in log.batches] == [2]
    async with asyncio.timeout(10):
        await writer.close()
    assert all(await asyncio.gather(*tasks))
    assert [len(batch) for batch in log.batches] == [2, 3]


async def test_a_batch_waits_no_longer_than_the_pace(log: Log) -> None:
    log.open.set()
    writer: GroupWriter[Row, int] = GroupWriter(log.write, pace=0.01)
    await asyncio.gather(*await appended(writer, row(1), row(2)))
    async with asyncio.timeout(10):
        assert await writer.append(row(3))
    await writer.close()


async def test_after_a_batch_of_one_nobody_waits(log: Log) -> None:
    log.open.set()
    writer: GroupWriter[Row, int] = GroupWriter(log.write, pace=3600)
    async with asyncio.timeout(10):
        for n in range(5):
            assert await writer.append(row(n))
    await writer.close()


async def test_a_row_that_did_not_go_in_has_lost(log: Log, writer: GroupWriter[Row, int]) -> None:
    log.open.set()
    log.taken = {UUID(int=2)}
    assert await asyncio.gather(*await appended(writer, row(1), row(2), row(3))) == [1, None, 1]


async def test_a_cancelled_caller_stops_nobody(log: Log, writer: GroupWriter[Row, int]) -> None:
    first, second = await appended(writer, row(1), row(2))
    await log.begun.wait()
    first.cancel()
    log.open.set()
    assert await second
    assert log.batches == [[row(1), row(2)]]
    assert first.cancelled()


async def test_what_is_cancelled_before_it_was_sent_is_not_sent(
    log: Log, writer: GroupWriter[Row, int]
) -> None:
    tasks = await appended(writer, row(1))
    await log.begun.wait()
    late = await appended(writer, row(2), row(3))
    late[0].cancel()
    log.open.set()
    assert await asyncio.gather(*tasks, late[1]) == [1, 1]
    assert log.batches == [[row(1)], [row(3)]]


async def test_a_failure_leaves_everybody_in_doubt_and_nobody_waiting(
    log: Log, writer: GroupWriter[Row, int]
) -> None:
    log.error = RuntimeError("cannot switch to state 15")
    tasks = await appended(writer, *(row(n) for n in range(6)))
    log.open.set()
    told = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in told] == [StoreUnavailable] * 6
    assert len(log.batches) == 1, "the second batch would have failed as slowly"


async def test_it_goes_on_after_a_failure(log: Log, writer: GroupWriter[Row, int]) -> None:
    log.open.set()
    log.error = RuntimeError("gone")
    with pytest.raises(StoreUnavailable):
        await writer.append(row(1))
    log.error = None
    assert await writer.append(row(1))


async def test_closing_writes_what_is_queued_and_refuses_the_rest(
    log: Log, writer: GroupWriter[Row, int]
) -> None:
    tasks = await appended(writer, *(row(n) for n in range(6)))
    closing = asyncio.create_task(writer.close())
    await asyncio.sleep(0)
    with pytest.raises(StoreUnavailable):
        await writer.append(row(7))
    log.open.set()
    await closing
    assert await asyncio.gather(*tasks) == [1] * 6


async def test_whoever_waits_for_a_writer_that_is_ended_is_told(log: Log) -> None:
    writer: GroupWriter[Row, int] = GroupWriter(log.write, batch=1)
    tasks = await appended(writer, row(1), row(2))
    await log.begun.wait()
    writer._task.cancel()
    told = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(answer) for answer in told] == [StoreUnavailable] * 2
