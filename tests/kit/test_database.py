"""Engines: what they make of errors, and of addresses and moments."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import asyncpg
import pytest
import sqlalchemy as sa
from asyncpg.exceptions import (
    DeadlockDetectedError,
    DivisionByZeroError,
    InternalClientError,
    InvalidCachedStatementError,
)
from baloot.kit import database
from baloot.kit.database import Prepared, asyncpg_url, is_lost, open_engine, sqlstate, to_micros, to_moment
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.ext.asyncio import AsyncEngine

PID = sa.select(sa.func.pg_backend_pid())


@pytest.fixture
async def engine(database_url: str) -> AsyncIterator[AsyncEngine]:
    engine = open_engine(database_url, "test", size=3, autocommit=True)
    yield engine
    await engine.dispose()


async def pids(engine: AsyncEngine) -> set[int]:
    """The servers behind all connections of the pool."""
    async with engine.connect() as one, engine.connect() as two, engine.connect() as three:
        return {(await connection.execute(PID)).scalar_one() for connection in (one, two, three)}


async def test_an_error_that_the_server_did_not_send_renews_every_connection(
    engine: AsyncEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The others in the pool may be as dead as the one that told."""
    before = await pids(engine)

    async def fails(*_: Any, **__: Any) -> None:
        raise InternalClientError("cannot switch to state 15; another operation (2) is in progress")

    with monkeypatch.context() as patched:
        patched.setattr(asyncpg.Connection, "prepare", fails)
        with pytest.raises(Exception, match="state 15"):
            async with engine.connect() as connection:
                await connection.execute(sa.text("SELECT 17"))
    assert not before & await pids(engine)


async def test_an_error_of_the_server_costs_no_connection(engine: AsyncEngine) -> None:
    before = await pids(engine)
    with pytest.raises(sa.exc.ProgrammingError):
        async with engine.connect() as connection:
            await connection.execute(sa.text("SELECT nothing FROM nowhere"))
    assert await pids(engine) == before


async def test_an_error_does_not_quote_what_was_written(engine: AsyncEngine) -> None:
    with pytest.raises(sa.exc.DBAPIError) as error:
        async with engine.connect() as connection:
            await connection.execute(sa.text("SELECT CAST(:hand AS text), 1 / 0"), {"hand": "ace of spades"})
    assert "division by zero" in str(error.value)
    assert "ace of spades" not in repr(error.value) + str(error.value)


async def test_a_server_that_shuts_down_renews_every_connection(engine: AsyncEngine) -> None:
    before = await pids(engine)
    with pytest.raises(sa.exc.DBAPIError) as error:
        async with engine.connect() as connection:
            await connection.execute(sa.select(sa.func.pg_terminate_backend(sa.func.pg_backend_pid())))
    assert is_lost(error.value)
    assert not before & await pids(engine)


async def test_the_server_gives_up_before_the_client_does(database_url: str) -> None:
    engine = open_engine(database_url, "test", size=1, timeout=1)
    with pytest.raises(sa.exc.DBAPIError) as error:
        async with engine.connect() as connection:
            await connection.execute(sa.text("SELECT pg_sleep(10)"))
    assert sqlstate(error.value) == "57014"
    assert not is_lost(error.value)
    await engine.dispose()


def test_the_code_is_found_wherever_it_is_wrapped() -> None:
    wrapped = RuntimeError("outer")
    wrapped.__cause__ = sa.exc.DBAPIError("SELECT", {}, DeadlockDetectedError("deadlock"))
    assert sqlstate(wrapped) == "40P01"
    assert sqlstate(RuntimeError()) is None
    assert is_lost(TimeoutError())


@pytest.mark.parametrize(
    "address", ["postgresql://u:p@h/d", "postgresql+psycopg://u:p@h/d", "postgresql+asyncpg://u:p@h/d"]
)
def test_an_address_may_name_any_driver(address: str) -> None:
    assert asyncpg_url(address).render_as_string(hide_password=False) == "postgresql+asyncpg://u:p@h/d"


@given(st.integers(-(10**15), 10**17))
def test_moments_are_exact(micros: int) -> None:
    assert to_micros(to_moment(micros)) == micros


DIVIDED = sa.text("SELECT pg_backend_pid(), 12 / :by").bindparams(sa.bindparam("by", type_=sa.Integer))


@pytest.fixture
async def prepared(engine: AsyncEngine) -> AsyncIterator[Prepared]:
    prepared = Prepared(engine, DIVIDED)
    yield prepared
    await prepared.close()


async def test_a_prepared_statement_keeps_its_connection(prepared: Prepared) -> None:
    rows = [(await prepared.run({"by": by}))[0] for by in (1, 2, 3)]
    assert [quotient for _, quotient in rows] == [12, 6, 4]
    assert len({pid for pid, _ in rows}) == 1


async def test_an_error_that_the_server_explains_costs_a_prepared_statement_nothing(
    prepared: Prepared,
) -> None:
    ((before, _),) = await prepared.run({"by": 1})
    with pytest.raises(DivisionByZeroError):
        await prepared.run({"by": 0})
    assert await prepared.run({"by": 1}) == [(before, 12)]


async def test_a_prepared_statement_that_lost_its_connection_makes_another(
    prepared: Prepared, engine: AsyncEngine
) -> None:
    ((before, _),) = await prepared.run({"by": 1})
    async with engine.connect() as connection:
        await connection.execute(sa.select(sa.func.pg_terminate_backend(before)))
    while prepared._driver is not None and not prepared._driver.is_closed():
        await asyncio.sleep(0.001)
    ((after, _),) = await prepared.run({"by": 1})
    assert after != before


async def test_a_prepared_statement_that_no_longer_fits_is_made_anew(engine: AsyncEngine) -> None:
    async with engine.connect() as connection:
        await connection.execute(sa.text("CREATE TABLE growing (one int)"))
        prepared = Prepared(engine, sa.text("SELECT * FROM growing"))
        await prepared.run({})
        await connection.execute(sa.text("ALTER TABLE growing ADD COLUMN two int"))
        with pytest.raises(InvalidCachedStatementError):
            await prepared.run({})
        assert await prepared.run({}) == []
        await prepared.close()


async def test_a_prepared_statement_that_is_cancelled_makes_another_connection(prepared: Prepared) -> None:
    ((before, _),) = await prepared.run({"by": 1})
    running = asyncio.create_task(prepared.run({"by": 2}))
    await asyncio.sleep(0)
    running.cancel()
    await asyncio.wait([running])
    ((after, _),) = await prepared.run({"by": 1})
    assert running.cancelled()
    assert after != before


async def test_a_prepared_statement_is_made_anew_in_time(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "RECYCLE", -1.0)
    first, second = [(await prepared.run({"by": 1}))[0][0] for _ in range(2)]
    assert first != second


async def test_a_prepared_statement_that_is_closed_can_be_run_again(prepared: Prepared) -> None:
    await prepared.close()
    await prepared.run({"by": 1})
    await prepared.close()
    assert len(await prepared.run({"by": 1})) == 1
