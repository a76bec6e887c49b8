"""The floor: what the same server kit costs when nothing is decided.

The same rpcs, interceptors, load generator and connections. SubmitAction stores one row through a group commit and
answers with bytes made before; four streams of a table get four different messages of real size, made before too.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from baloot.api.table.v1 import table_pb2 as pb
from baloot.api.table.v1.events_pb2 import TableEntry
from baloot.api.table.v1.table_pb2_grpc import TableServiceServicer, add_TableServiceServicer_to_server
from baloot.app.embedded import Cluster
from baloot.codec.enums import SEAT
from baloot.core.play import PlayAsked
from baloot.core.seats import SEATS
from baloot.kit import logs, loops
from baloot.kit.database import open_engine
from baloot.kit.serving import ServerSettings, Service, start
from baloot.table.codec import encode_entry
from baloot.table.encoding import field_bytes
from baloot.table.server import NAME
from baloot.table.views import see_entry
from baloot.table.writer import GroupWriter
from sqlalchemy.dialects.postgresql import ARRAY

from tests.bench.process import serve_until_closed
from tests.table.trial import Trial

APPEND = sa.text(
    "INSERT INTO floor (table_id, sequence, payload)"
    " SELECT * FROM unnest(:table_ids, :sequences, :payloads) ON CONFLICT DO NOTHING RETURNING table_id"
).bindparams(
    sa.bindparam("table_ids", type_=ARRAY(sa.Uuid)),
    sa.bindparam("sequences", type_=ARRAY(sa.Integer)),
    sa.bindparam("payloads", type_=ARRAY(sa.LargeBinary)),
)
CREATE = "CREATE TABLE floor (table_id uuid, sequence int, payload bytea, PRIMARY KEY (table_id, sequence))"
PAYLOAD = bytes(300)


@dataclass(frozen=True, slots=True)
class Row:
    table_id: uuid.UUID
    sequence: int


@dataclass(slots=True)
class FloorTable:
    """A table that only counts."""

    sequence: int = 0
    watchers: dict[int, asyncio.Queue[bytes]] = field(default_factory=dict)


class FloorServicer(TableServiceServicer):
    """Looks like the table service, and decides nothing."""

    def __init__(self, writer: GroupWriter[Row, bool], messages: Sequence[Sequence[bytes]]) -> None:
        self._writer = writer
        self._messages = messages
        self._tables: dict[str, FloorTable] = {}

    async def CreateTable(self, request: pb.CreateTableRequest, _context: Any) -> pb.CreateTableResponse:
        self._tables[request.request_id] = FloorTable()
        return pb.CreateTableResponse(table_id=request.request_id)

    async def TakeSeat(self, request: pb.TakeSeatRequest, _context: Any) -> pb.TakeSeatResponse:
        return pb.TakeSeatResponse(seat=request.seat, seat_token=str(int(request.seat) - 1))

    async def LeaveSeat(self, request: pb.LeaveSeatRequest, _context: Any) -> pb.LeaveSeatResponse:
        raise NotImplementedError

    async def GetTable(self, request: pb.GetTableRequest, _context: Any) -> pb.GetTableResponse:
        raise NotImplementedError

    async def WatchTable(  # type: ignore[override]
        self, request: pb.WatchTableRequest, context: Any
    ) -> None:
        table = self._tables[request.table_id]
        seat = int(_token(context))
        queue = table.watchers[seat] = asyncio.Queue()
        await context.write(field_bytes(2, self._messages[0][seat]))
        while True:
            await context.write(field_bytes(2, await queue.get()))

    async def SubmitAction(self, request: pb.SubmitActionRequest, context: Any) -> bytes:  # type: ignore[override]
        table = self._tables[request.table_id]
        seat = int(_token(context))
        table.sequence += 1
        await self._writer.append(Row(uuid.UUID(request.table_id), table.sequence))
        messages = self._messages[table.sequence % len(self._messages)]
        for watcher, queue in table.watchers.items():
            queue.put_nowait(messages[watcher])
        return field_bytes(1, messages[seat])

    async def GetOpenings(self, request: pb.GetOpeningsRequest, context: Any) -> pb.GetOpeningsResponse:
        raise NotImplementedError

    async def GiveBeacon(self, request: pb.GiveBeaconRequest, context: Any) -> pb.GiveBeaconResponse:
        raise NotImplementedError

    async def ListMySeats(self, request: pb.ListMySeatsRequest, context: Any) -> pb.ListMySeatsResponse:
        raise NotImplementedError


def _token(context: Any) -> str:
    value: str = next(value for key, value in context.invocation_metadata() if key == "authorization")
    return value.removeprefix("Bearer ")


async def real_messages() -> list[list[bytes]]:
    """Entries of a real match for four viewers; entry n asks seat n a real question, so that the load goes on."""
    trial = Trial(seed=11)
    await trial.fill()
    await trial.play()
    played = [entry for entry in await trial.entries() if _asks_for_a_card(entry.questions)]
    messages = []
    for number, entry in enumerate(played[: len(played) // 4 * 4]):
        asked = SEATS[number % 4]
        question = encode_entry(see_entry(entry, entry.questions[0].seat)).question
        messages.append([_message(entry, number, viewer, asked, question) for viewer in SEATS])
    return messages


def _asks_for_a_card(questions: Sequence[Any]) -> bool:
    return len(questions) == 1 and isinstance(questions[0].question, PlayAsked)


def _message(entry: Any, number: int, viewer: Any, asked: Any, question: Any) -> bytes:
    seen: TableEntry = encode_entry(see_entry(entry, viewer))
    seen.sequence = number + 1
    seen.ClearField("question")
    if viewer is asked:
        seen.question.CopyFrom(question)
        seen.question.asked_at = number + 1
        seen.question.play.seat = SEAT.encode(asked)
    return seen.SerializeToString()


async def main(folder: Path) -> None:
    with Cluster(folder / "data") as cluster:
        engine = open_engine(cluster.url(), "floor", size=1, autocommit=True)
        async with engine.connect() as connection:
            await connection.execute(sa.text(CREATE))

        async def write(rows: Sequence[Row]) -> dict[uuid.UUID, bool]:
            values = {
                "table_ids": [row.table_id for row in rows],
                "sequences": [row.sequence for row in rows],
                "payloads": [PAYLOAD] * len(rows),
            }
            async with engine.connect() as connection:
                return dict.fromkeys((await connection.execute(APPEND, values)).scalars(), True)

        servicer = FloorServicer(GroupWriter(write), await real_messages())
        service = Service(NAME, servicer, add_TableServiceServicer_to_server)
        server = await start([service], ServerSettings("127.0.0.1:0", max_streams=10_000))
        await serve_until_closed(server.address)
        await server.stop()
        await engine.dispose()


if __name__ == "__main__":
    logs.configure("error")
    with tempfile.TemporaryDirectory(prefix="baloot-floor-", dir=sys.argv[1]) as folder:
        Path(folder).chmod(0o755)
        loops.run(main(Path(folder)))
