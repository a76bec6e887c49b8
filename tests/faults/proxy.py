"""A way to a server that does what networks do: it cuts, delays, holds back, and goes quiet without a word."""

from __future__ import annotations

import asyncio
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

ANYWHERE = "127.0.0.1"
_LINGER_NOT = struct.pack("ii", 1, 0)
"""Makes the kernel end a connection with a reset."""


class Way:
    """One direction: bytes pass while it is open, and wait while it is not."""

    def __init__(self) -> None:
        self.delay = 0.0
        """Seconds that every piece waits."""
        self._open = asyncio.Event()
        self._open.set()

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self._open.set()

    async def passed(self) -> None:
        await asyncio.sleep(self.delay)
        await self._open.wait()


@dataclass(slots=True, eq=False)
class Link:
    """One connection through the proxy: its two ends, and the two tasks that pass bytes on."""

    ends: tuple[asyncio.StreamWriter, asyncio.StreamWriter]
    pumps: list[asyncio.Task[None]] = field(default_factory=list)

    def close(self) -> None:
        for end in self.ends:
            end.close()

    def reset(self) -> None:
        for end in self.ends:
            if not end.is_closing():
                plug = end.get_extra_info("socket")
                plug.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
            end.transport.abort()

    def stop(self) -> None:
        for pump in self.pumps:
            pump.cancel()


class Proxy:
    """Passes bytes between whoever connects to `address` and a server. Connections that come later are treated alike."""

    def __init__(self, server: str) -> None:
        host, _, port = server.rpartition(":")
        self._server = host, int(port)
        self._links: set[Link] = set()
        self.address = ""
        self.there = Way()
        self.back = Way()

    def black_hole(self) -> None:
        """Keeps every connection and passes nothing on, either way, until `release`."""
        self.there.hold()
        self.back.hold()

    def release(self) -> None:
        self.there.release()
        self.back.release()

    def drop(self) -> None:
        """Ends every connection in order."""
        for link in tuple(self._links):
            link.close()

    def reset(self) -> None:
        """Ends every connection at once. What was held back is lost."""
        for link in tuple(self._links):
            link.reset()

    def strand(self) -> None:
        """Passes nothing on any more for those who are connected, and does not tell them. Others may connect."""
        for link in self._links:
            link.stop()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[Proxy]:
        server = await asyncio.start_server(self._connected, ANYWHERE, 0)
        self.address = f"{ANYWHERE}:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            pumps = [pump for link in self._links for pump in link.pumps]
            self.strand()
            self.reset()
            await asyncio.gather(*pumps, return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            answers, server = await asyncio.open_connection(*self._server)
        except OSError:
            writer.transport.abort()
            return
        link = Link((writer, server))
        self._links.add(link)
        for source, sink, way in ((reader, server, self.there), (answers, writer, self.back)):
            link.pumps.append(asyncio.create_task(self._pass_on(link, source, sink, way)))

    async def _pass_on(
        self, link: Link, source: asyncio.StreamReader, sink: asyncio.StreamWriter, way: Way
    ) -> None:
        with suppress(OSError):
            while data := await source.read(65536):
                await way.passed()
                if sink.is_closing():
                    break  # cut meanwhile
                sink.write(data)
                await sink.drain()
        link.close()
        self._links.discard(link)


@asynccontextmanager
async def proxy_to(server: str) -> AsyncIterator[Proxy]:
    async with Proxy(server).serving() as proxy:
        yield proxy
