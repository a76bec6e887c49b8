"""Engines for Postgres that notice a lost database, say so in time, and come back by themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from baloot.core.errors import Reason, Refusal
from sqlalchemy import TextClause, event, make_url
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

if TYPE_CHECKING:
    from asyncpg import Connection, Record
    from asyncpg.prepared_stmt import PreparedStatement

TIMEOUT = 5.0
"""Seconds that a statement, or a new connection, may take."""
POOL_TIMEOUT = 2.0
"""Seconds to wait for a free connection."""
RECYCLE = 1800.0
"""Seconds after which a connection is made anew: it would remember plans and names from before a migration."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_LOST = ("08", "57P", "25006")
"""SQLSTATEs of a server that is going, gone, or no longer the primary, where every connection is as good as lost."""

_PASSING = ("22", "23", "40", "55P03", "57014")
"""SQLSTATEs of a statement that is as good as before: bad values, broken constraints, rolled back or out of time."""

_OUR_FAULT = ("22", "23", "42")
"""SQLSTATEs of bad values, broken constraints and statements that cannot be read."""


def open_engine(
    url: str, name: str, *, size: int, autocommit: bool = False, timeout: float = TIMEOUT
) -> AsyncEngine:
    """An engine with at most `size` connections, made when they are first used; `name` is what the server lists.

    With `autocommit` each statement is a transaction of its own. Dispose of the engine in the end.
    """
    engine = create_async_engine(
        asyncpg_url(url),
        pool_size=size,
        max_overflow=0,
        pool_timeout=POOL_TIMEOUT,
        pool_recycle=RECYCLE,
        hide_parameters=True,  # an error's text would quote what was written, hands and seeds included
        connect_args={
            "timeout": timeout,
            "command_timeout": timeout,
            "server_settings": _server_settings(name, timeout),
        },
        **({"isolation_level": "AUTOCOMMIT"} if autocommit else {}),
    )
    event.listen(engine.sync_engine, "handle_error", _notice_loss)
    return engine


class Prepared:
    """One statement on a connection that is kept for it, prepared once and run by the driver itself.

    SQLAlchemy's way there and back takes three times as long, which counts where a statement runs all the time. Close
    it before the engine is disposed of; it may be run again after that.
    """

    def __init__(self, engine: AsyncEngine, statement: TextClause) -> None:
        compiled = statement.compile(dialect=engine.dialect)
        self._engine = engine
        self._text = str(compiled)
        self._names: tuple[str, ...] = tuple(compiled.positiontup or ())
        self._connection: AsyncConnection | None = None
        self._driver: Connection[Record] | None = None
        self._statement: PreparedStatement[Record] | None = None
        self._old = 0.0

    async def run(self, values: Mapping[str, Any]) -> list[Record]:
        """The rows for values by the names in the statement.

        Raises what the driver or SQLAlchemy raises. Unless the server says that it is for the values or for what others
        do just then, the connection is given up, and the next run makes another.
        """
        try:
            statement = await self._ready()
            rows: list[Record] = await statement.fetch(*[values[name] for name in self._names])
        except BaseException as error:
            if not (sqlstate(error) or "").startswith(_PASSING):
                await self.close()
            raise
        return rows

    async def close(self) -> None:
        """Gives the connection back, broken as it may be."""
        connection, self._connection, self._driver, self._statement = self._connection, None, None, None
        if connection is not None:
            with suppress(Exception):
                await connection.invalidate()
            with suppress(Exception):
                await connection.close()

    async def _ready(self) -> PreparedStatement[Record]:
        driver, statement = self._driver, self._statement
        if driver is None or statement is None or driver.is_closed() or monotonic() > self._old:
            await self.close()
            driver = self._driver = await self._connect()
            statement = self._statement = await driver.prepare(self._text)
            self._old = monotonic() + RECYCLE
        return statement

    async def _connect(self) -> Connection[Record]:
        self._connection = await self._engine.connect()
        pooled = await self._connection.get_raw_connection()
        driver: Any = pooled.driver_connection
        return cast("Connection[Record]", driver)


def asyncpg_url(url: str) -> URL:
    """The address for SQLAlchemy, whichever driver it names."""
    return make_url(url).set(drivername="postgresql+asyncpg")


def to_moment(micros: int) -> datetime:
    """Microseconds since 1970 as the database takes them, exactly."""
    return _EPOCH + timedelta(microseconds=micros)


def to_micros(moment: datetime) -> int:
    """A moment from the database as microseconds since 1970."""
    return (moment - _EPOCH) // _MICROSECOND


def sqlstate(error: BaseException | None) -> str | None:
    """The code by which the server says what is wrong; None when it was not the server that spoke."""
    while error is not None:
        code = getattr(error, "sqlstate", None)
        if isinstance(code, str):
            return code
        error = getattr(error, "orig", None) or error.__cause__
    return None


def is_lost(error: BaseException | None) -> bool:
    """Whether an error says that the server is gone, or says nothing that the server sent."""
    code = sqlstate(error)
    return code is None or code.startswith(_LOST)


@contextmanager
def refusing(what: str) -> Iterator[None]:
    """Turns whatever a lost database raises into Refusal UNAVAILABLE; what it says of our own statements is our fault."""
    try:
        yield
    except Exception as error:
        code = sqlstate(error)
        if code is not None and code.startswith(_OUR_FAULT):
            raise
        raise Refusal(Reason.UNAVAILABLE, f"the {what} cannot be reached now; try again") from error


def _server_settings(name: str, timeout: float) -> dict[str, str]:
    # The server gives up first, since it alone can say that nothing was done.
    return {
        "application_name": name,
        "statement_timeout": f"{int(timeout * 800)}ms",
        "lock_timeout": f"{int(timeout * 400)}ms",
        "idle_in_transaction_session_timeout": "10s",
    }


def _notice_loss(context: ExceptionContext) -> Any:
    """Any error that the server did not send means that the connection is in no known state, and others may be too.

    Drivers raise several kinds of errors then, of which SQLAlchemy knows only some.
    """
    if is_lost(context.original_exception):
        context.is_disconnect = True
