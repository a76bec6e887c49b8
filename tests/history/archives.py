"""An archive that is served: history of some logs in a database of its own, and clients with one role or another."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import grpc.aio
import pytest
from baloot.api.history.v1.archive_pb2_grpc import ArchiveServiceStub
from baloot.client.archive import ArchiveClient
from baloot.client.credentials import Credentials
from baloot.client.history import HistoryClient
from baloot.client.retrying import Pace
from baloot.core.errors import Refusal
from baloot.history import archive_server, server
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.public_log import PublicLog
from baloot.kit.channels import open_channel
from baloot.kit.serving import ServerSettings, start
from baloot.table.events import Entry
from baloot.table.memory import MemoryStore
from baloot.table.store import Store

from tests.history.played import append_all
from tests.kit.issuing import Issuing

QUICK = Pace(first=0.01, longest=0.02, give_up_after=0.5)


@dataclass
class Archive:
    """A server of history and archive. `store` holds the logs."""

    history: PostgresHistory
    store: Store
    issuing: Issuing
    channel: grpc.aio.Channel
    address: str

    @property
    def stub(self) -> ArchiveServiceStub:
        return ArchiveServiceStub(self.channel)

    @property
    def told(self) -> HistoryClient:
        return HistoryClient(self.channel, pace=QUICK)

    def client(self, *roles: str, who: str = "organiser-1") -> ArchiveClient:
        """A client with an account of these roles; a guest without any."""
        token = self.issuing.token(sub=who, roles=list(roles)) if roles else None
        return ArchiveClient(self.channel, pace=QUICK, credentials=Credentials(token))

    @property
    def organiser(self) -> ArchiveClient:
        return self.client("organiser")


async def filled(*logs: Sequence[Entry]) -> MemoryStore:
    store = MemoryStore()
    for log in logs:
        await append_all(store, log)
    return store


@asynccontextmanager
async def archive(url: str, store: Store | None = None) -> AsyncIterator[Archive]:
    """The archive of these logs, of which history has told all that everybody may know."""
    store, issuing = store or MemoryStore(), Issuing()
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())
    with ThreadPoolExecutor(1) as beside:
        async with PostgresHistory(url) as history:
            await Projection(PublicLog(store), history).catch_up()
            services = [server.service(history, store), archive_server.service(history, store, beside)]
            served = await start(services, settings)
            try:
                async with open_channel(served.address) as channel:
                    yield Archive(history, store, issuing, channel, served.address)
            finally:
                await served.stop()


async def refusal(asked: Any) -> Refusal:
    """How what is asked is refused."""
    with pytest.raises(Refusal) as refused:
        await asked
    return refused.value


async def refusal_alike(archive: Archive, given: str, refused: Refusal) -> bool:
    """Whether a check says of a text what an import has said."""
    checked = await refusal(archive.client().check(given))
    return (checked.reason, checked.message, checked.metadata) == (
        refused.reason, refused.message, refused.metadata,
    )  # fmt: skip
