"""A replay and the stream that a seat had: a table and history are served, and both are read as they come over the wire."""

from __future__ import annotations

from typing import Any

import pytest
from baloot.api.history.v1 import history_pb2 as pb
from baloot.api.table.v1 import table_pb2
from baloot.api.table.v1.events_pb2 import TableEntry
from baloot.codec.enums import SEAT
from baloot.core.seats import SEATS
from baloot.history.fold import tell
from baloot.history.postgres import PostgresHistory
from baloot.history.projection import Projection
from baloot.history.server import NAME, service
from baloot.kit.channels import open_channel
from baloot.kit.serving import ServerSettings, start
from baloot.table.encoding import field_bytes
from baloot.table.server import NAME as TABLES
from baloot.table.views import Viewer

from tests.history.played import SHORT
from tests.table.served import Metadata, Replica, bearer, replica
from tests.table.trial import Trial

ENTRY = table_pb2.WatchTableResponse.ENTRY_FIELD_NUMBER
SEEN = pb.SeenRound.ENTRIES_FIELD_NUMBER
VIEWERS = (*SEATS, None)


def metadata(trial: Trial, viewer: Viewer) -> Metadata:
    return bearer(None if viewer is None else trial.tokens[viewer])


async def streamed(served: Replica, trial: Trial, viewer: Viewer) -> Any:
    """A stream of a viewer from the first entry on, as bytes."""
    watch: Any = served.channel.unary_stream(f"/{TABLES}/WatchTable")
    request = table_pb2.WatchTableRequest(table_id=str(trial.table_id), after_sequence=0)
    return watch(request.SerializeToString(), metadata=metadata(trial, viewer))


async def entries_of(stream: Any, count: int) -> list[bytes]:
    """So many entries of a stream, each as the bytes that it was sent in."""
    told: list[bytes] = []
    while len(told) < count:
        raw: bytes = await stream.read()
        if table_pb2.WatchTableResponse.FromString(raw).HasField("entry"):
            told.append(within(raw))
    return told


def within(raw: bytes) -> bytes:
    """The entry in a message that holds nothing else: what follows its tag and its length."""
    length = next(n for n, byte in enumerate(raw[1:], 1) if byte < 0x80)
    entry = raw[length + 1 :]
    assert raw == field_bytes(ENTRY, entry)
    return entry


@pytest.mark.parametrize("viewer", VIEWERS, ids=str)
async def test_a_replay_is_what_the_live_stream_of_the_seat_showed(migrated_url: str, viewer: Viewer) -> None:
    """Watched while it is played, entry by entry; told by history afterwards, byte for byte."""
    trial = Trial(11, SHORT)
    await trial.deal()
    async with replica(trial.table) as served, PostgresHistory(migrated_url) as history:
        stream = await streamed(served, trial, viewer)
        live: list[bytes] = []
        while not (state := await trial.state()).status.ended:
            live += await entries_of(stream, state.sequence - len(live))
            await trial.one_more(state)
        live += await entries_of(stream, state.sequence - len(live))
        await Projection(trial.log, history).catch_up()
        server = await start([service(history, trial.log)], ServerSettings("127.0.0.1:0", grace=0.2))
        async with open_channel(server.address) as channel:
            ask: Any = channel.unary_unary(f"/{NAME}/GetReplay")
            for round_ in tell(await trial.entries()).rounds:
                request = pb.GetReplayRequest(
                    match_id=str(trial.table_id), number=round_.number, viewer=SEAT.encode_optional(viewer)
                )
                raw: bytes = await ask(request.SerializeToString())
                assert round_.span is not None
                shown = live[round_.span.first - 1 : round_.span.last]
                assert b"".join(field_bytes(SEEN, entry) for entry in shown) in raw
                seen = pb.GetReplayResponse.FromString(raw).replay.seen[0]
                assert list(seen.entries) == [TableEntry.FromString(entry) for entry in shown]
        await server.stop()
