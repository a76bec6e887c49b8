"""A way to a database that can be cut, or go quiet without a word."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import make_url

SOCKET = ".s.PGSQL.5432"


class Proxy:
    """Passes bytes between its own socket and the database's. `url` leads through it."""

    def __init__(self, folder: Path, database: str) -> None:
        self._folder = folder
        self.url = make_url(database).update_query_dict({"host": str(folder)}).render_as_string()
        self.leads_to(database)
        self.quiet = False
        """Takes every byte and passes none on, as a network does that is gone."""
        self._open: set[asyncio.StreamWriter] = set()
        self._pumps: set[asyncio.Task[None]] = set()

    def leads_to(self, database: str) -> None:
        self._target = Path(str(make_url(database).query["host"])) / SOCKET

    def cut(self) -> None:
        """Ends every connection at once."""
        for writer in self._open:
            writer.transport.abort()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Proxy]:
        server = await asyncio.start_unix_server(self._connected, self._folder / SOCKET)
        try:
            yield self
        finally:
            server.close()
            self.cut()
            if self._pumps:
                await asyncio.wait(self._pumps)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            there, back = await asyncio.open_unix_connection(self._target)
        except OSError:
            writer.transport.abort()
            return
        self._open.add(back)
        self._pump(reader, back)
        self._pump(there, writer)

    def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._pass_on(reader, writer))
        self._pumps.add(task)
        task.add_done_callback(self._pumps.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                if not self.quiet:
                    writer.write(data)
                    await writer.drain()
        writer.transport.abort()
        self._open.discard(writer)


@asynccontextmanager
async def proxy_to(database: str) -> AsyncIterator[Proxy]:
    with tempfile.TemporaryDirectory(prefix="baloot-proxy-", dir="/tmp") as folder:
        async with Proxy(Path(folder), database).serving() as proxy:
            yield proxy
