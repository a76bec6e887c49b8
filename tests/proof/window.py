"""All that the table service sends a viewer, as bytes and without a network in between."""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from baloot.api.table.v1 import table_pb2 as pb
from baloot.core.errors import Refusal
from baloot.core.seats import Seat
from baloot.kit.access import AccessSettings
from baloot.kit.errors import to_status
from baloot.kit.gates import Gate, admitted
from baloot.kit.permits import permits_of
from baloot.table.decide import Action
from baloot.table.feed import Feed
from baloot.table.server import NAME, service
from baloot.table.views import Viewer

from tests.table.served import Metadata, acting, bearer, watching
from tests.table.trial import Trial

SETTLED = 4
"""Turns of the event loop after which whoever was woken has sent what there is."""


@dataclass
class Wire:
    """What a handler knows of the network: who calls, and where its messages go."""

    metadata: Metadata
    sent: list[bytes] = field(default_factory=list)

    def invocation_metadata(self) -> Metadata:
        return self.metadata

    def time_remaining(self) -> None:
        return None

    def peer(self) -> str:
        return "ipv4:127.0.0.1:1"

    async def send_initial_metadata(self, _metadata: Metadata) -> None:
        pass

    async def write(self, message: Any) -> None:
        self.sent.append(message if isinstance(message, bytes) else message.SerializeToString())


@dataclass
class Stream:
    """An open watch."""

    task: asyncio.Task[None]
    wire: Wire

    async def end(self) -> list[bytes]:
        """Ends it, and returns all that it sent."""
        await settled()
        self.task.cancel()
        with suppress(asyncio.CancelledError):
            await self.task
        return self.wire.sent


class Window:
    """The table service as one table's viewers meet it: the servicer and the gate of the product, as gRPC calls them."""

    def __init__(self, trial: Trial) -> None:
        self._trial = trial
        self._feed = Feed(trial.table)
        made = service(trial.table, self._feed)
        self._servicer: Any = made.servicer
        permits = {f"/{NAME}/{method}": permit for method, permit in permits_of(NAME).items()}
        self._gate = Gate(AccessSettings(), permits)

    def watch(self, viewer: Viewer, after: int | None) -> Stream:
        wire = self._wire(viewer)
        request = watching(self._trial, after)
        return Stream(asyncio.create_task(self._through("WatchTable", streaming=True)(request, wire)), wire)

    async def asked(self, viewer: Viewer, after: int) -> list[bytes]:
        """The view, the view again, the whole log, what lies behind an entry, a snapshot, and a heartbeat."""
        view = pb.GetTableRequest(table_id=str(self._trial.table_id))
        got = [await self._answer("GetTable", view, self._wire(viewer)) for _ in range(2)]
        for start in (None, 0, after):
            stream = self.watch(viewer, start)
            await settled()
            await self._feed._beat()
            got += await stream.end()
        return got

    async def refused(self, viewer: Seat, action: Action, rng: random.Random) -> bytes:
        """The answer to something that a seat may not do: tried as it is, on a wrong sequence, or with a wrong token."""
        request = acting(self._trial, action, expected=rng.choice((None, None, 1, 10_000)))
        wire = self._wire(viewer) if rng.random() < 0.9 else Wire(bearer("wrong"))
        return await self._answer("SubmitAction", request, wire)

    async def repeated(self, viewer: Seat, done: pb.SubmitActionRequest, other: Action) -> list[bytes]:
        """The answers to a request that was done before, sent again, and to its id with another action."""
        changed = acting(self._trial, other, UUID(done.request_id))
        return [
            await self._answer("SubmitAction", request, self._wire(viewer)) for request in (done, changed)
        ]

    def _through(self, method: str, *, streaming: bool = False) -> Any:
        permit = self._gate.permit(f"/{NAME}/{method}")
        return admitted(getattr(self._servicer, method), self._gate, permit, streaming=streaming)

    async def _answer(self, method: str, request: Any, wire: Wire) -> bytes:
        try:
            answer = await asyncio.create_task(self._through(method)(request, wire))
        except Refusal as refusal:
            return bytes(to_status(refusal).SerializeToString(deterministic=True))
        if isinstance(answer, pb.GetTableResponse):
            assert (
                len(answer.chain) == 32
            )  # a hash over what is sealed, too: it is another one each time, and tells nothing
            answer.ClearField("chain")
        raw: bytes = answer if isinstance(answer, bytes) else answer.SerializeToString()
        return raw

    def _wire(self, viewer: Viewer) -> Wire:
        return Wire(bearer(None if viewer is None else self._trial.tokens[viewer]))


async def settled(turns: int = SETTLED) -> None:
    """Lets whoever was woken go on."""
    for _ in range(turns):
        await asyncio.sleep(0)
