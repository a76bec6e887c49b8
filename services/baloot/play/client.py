"""The play service asked over gRPC, with the functions of the local one."""

from __future__ import annotations

import grpc.aio
from baloot.api.play.v1.play_pb2_grpc import PlayServiceStub
from baloot.core.play import Move, PlayRecord, PlayStep
from baloot.core.seats import Seat
from baloot.kit.calling import call
from baloot.play import codec


class RemotePlay:
    """Answers like `LocalPlay`, with the same refusals; also UNAVAILABLE and DEADLINE_EXCEEDED."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = PlayServiceStub(channel)

    async def get_play(self, record: PlayRecord) -> PlayStep:
        """What follows from a record. Raises Refusal when it does not follow the rules."""
        return codec.decode_got(await call(self._stub.GetPlay, codec.encode_get_play(record)))

    async def make_move(self, record: PlayRecord, seat: Seat, move: Move) -> PlayStep:
        """What follows from one move more. Raises Refusal with the rule that forbids it."""
        request = codec.encode_make_move(record, seat, move)
        return codec.decode_made(await call(self._stub.MakeMove, request))
