"""What a client keeps of a table before it adds to the deals, so that the table cannot be made over afterwards."""

from __future__ import annotations

import asyncio
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from baloot.api.table.v1.events_pb2 import TableEntry
from baloot.api.table.v1.table_pb2 import TableView
from baloot.client.watching import Watch
from baloot.core.errors import Refusal


class Pin(NamedTuple):
    """The hash of a table's log up to an entry. As text it is what `baloot verify --pin` takes."""

    sequence: int
    chain: bytes

    def __str__(self) -> str:
        return f"{self.sequence}:{self.chain.hex()}"


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a table before a seat was taken. `opened` is its first entry, empty where it was not told."""

    pins: list[Pin] = field(default_factory=list)
    view: TableView = field(default_factory=TableView)
    opened: TableEntry = field(default_factory=TableEntry)


async def first_entry(watch: Watch) -> TableEntry:
    """The entry that opened a table, by a watch that knows nothing yet; empty where the server does not tell it.

    It is waited for no longer than a stream may be silent, since a seat can be taken without it.
    """
    with suppress(TimeoutError, Refusal):
        async with asyncio.timeout(watch.pace.silence), aclosing(watch.updates()) as updates:
            async for update in updates:
                return update.entry or TableEntry()
    return TableEntry()
