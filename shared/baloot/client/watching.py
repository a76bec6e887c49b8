"""Following a table over a connection that may break at any moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field

import grpc.aio
from baloot.api.table.v1.events_pb2 import TableEntry
from baloot.api.table.v1.table_pb2 import Heartbeat, TableView, WatchTableRequest, WatchTableResponse
from baloot.api.table.v1.table_pb2_grpc import TableServiceStub
from baloot.client import follow
from baloot.client.credentials import Credentials
from baloot.client.deals import Fault
from baloot.client.retrying import UNKNOWN_OUTCOME, Pace, told_wait
from baloot.core.errors import Reason, Refusal
from baloot.kit import calling

PASSING = UNKNOWN_OUTCOME | {Reason.READER_SLOW, Reason.LIMIT_EXCEEDED, Reason.INTERNAL}
"""Why a stream may end that is worth opening again, as it is whenever the server says after which time."""

_Stream = grpc.aio.UnaryStreamCall[WatchTableRequest, WatchTableResponse]


@dataclass(frozen=True, slots=True)
class Update:
    """A table after one more entry. `entry` is None when the view came whole: at the start and after a long absence.

    The view is the same message all the time, moved on in place: copy what is to be kept.
    `faults` say what does not fit where the entry reveals the seeds of deals: then somebody has cheated.
    """

    view: TableView = field(repr=False)
    entry: TableEntry | None = field(repr=False)
    faults: tuple[Fault, ...] = ()


class _Cut(Exception):
    """The stream is of no use any more; the text says why."""


@dataclass(slots=True)
class Watch:
    """One viewer's watch of one table, over as many streams as it takes.

    `on_cut` is told in a few words whenever a stream broke, before it is opened again.
    """

    stub: TableServiceStub
    table_id: str
    credentials: Credentials
    pace: Pace
    on_cut: Callable[[str], None] | None = None
    view: TableView | None = None
    _behind: bool = False
    _received: bool = False
    _wait: float | None = None
    """How long the server asked to wait before the next stream; None if it did not."""

    async def updates(self) -> AsyncGenerator[Update, None]:
        """Every update up to the one that ends the table. Raises Refusal when watching is refused for good."""
        waits = self.pace.waits()
        while self.view is None or not follow.ended(self.view):
            told = 0.0
            try:
                async with aclosing(self._stream()) as stream:
                    async for update in stream:
                        yield update
                        if follow.ended(update.view):
                            return
                why = "the stream ended early"
            except _Cut as cut:
                why = str(cut)
            except Refusal as refusal:
                why, told = self._passing(refusal), told_wait(refusal)
            if self.on_cut is not None:
                self.on_cut(why)
            if self._received:
                waits = self.pace.waits()
            await asyncio.sleep(told + next(waits) if self._wait is None else self._wait)

    def _passing(self, refusal: Refusal) -> str:
        if refusal.reason is Reason.SEQUENCE_AHEAD:
            self.view = None  # the server has lost what it told before: begin again with what it has
        elif (
            refusal.reason not in PASSING and not refusal.retry_after and not self.credentials.renew(refusal)
        ):
            raise refusal
        return refusal.message

    async def _stream(self) -> AsyncGenerator[Update, None]:
        after = None if self.view is None else self.view.sequence
        request = WatchTableRequest(table_id=self.table_id, after_sequence=after)
        self._behind = self._received = False
        self._wait = None
        metadata = await self.credentials.metadata()
        async with calling.stream(self.stub.WatchTable, request, metadata=metadata) as stream:
            while (message := await self._next(stream)) is not None:
                self._received = True
                update = self._take(message)
                if update is not None:
                    yield update

    async def _next(self, stream: _Stream) -> WatchTableResponse | None:
        try:
            async with asyncio.timeout(self.pace.silence):
                message = await stream.read()
        except TimeoutError:
            raise _Cut(f"nothing was heard for {self.pace.silence:g} seconds") from None
        return message if isinstance(message, WatchTableResponse) else None

    def _take(self, message: WatchTableResponse) -> Update | None:
        match message.WhichOneof("message"):
            case "view":
                return self._take_view(message.view)
            case "entry":
                return self._take_entry(message.entry)
            case "heartbeat":
                self._take_heartbeat(message.heartbeat)
            case "drain":
                self._wait = message.drain.wait.ToTimedelta().total_seconds()
        return None

    def _take_view(self, view: TableView) -> Update | None:
        if self.view is not None and view.sequence <= self.view.sequence:
            return None
        self.view = view
        return Update(view, None)

    def _take_entry(self, entry: TableEntry) -> Update | None:
        """Takes the next entry, once; a repeated one is skipped, and after a gap the stream is opened again."""
        if self.view is None or entry.sequence > self.view.sequence + 1:
            raise _Cut("an entry is missing")
        self._behind = False
        if entry.sequence <= self.view.sequence:
            return None
        follow.apply(self.view, entry)
        return Update(self.view, entry)

    def _take_heartbeat(self, heartbeat: Heartbeat) -> None:
        """Two heartbeats in a row that tell of an entry which has not come mean that it is not coming."""
        ahead = self.view is None or heartbeat.sequence > self.view.sequence
        if ahead and self._behind:
            raise _Cut("entries are missing")
        self._behind = ahead
