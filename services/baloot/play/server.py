"""The play service over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.play.v1 import play_pb2 as pb
from baloot.api.play.v1.play_pb2_grpc import PlayServiceServicer, add_PlayServiceServicer_to_server
from baloot.kit.serving import Service
from baloot.play import codec
from baloot.play.local import LocalPlay

NAME = pb.DESCRIPTOR.services_by_name["PlayService"].full_name


class PlayServicer(PlayServiceServicer):
    """Decodes, asks the local service, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, play: LocalPlay) -> None:
        self._play = play

    async def GetPlay(self, request: pb.GetPlayRequest, _context: Any) -> pb.GetPlayResponse:
        return codec.encode_got(await self._play.get_play(codec.decode_get_play(request)))

    async def MakeMove(self, request: pb.MakeMoveRequest, _context: Any) -> pb.MakeMoveResponse:
        return codec.encode_made(await self._play.make_move(*codec.decode_make_move(request)))


def service(play: LocalPlay) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, PlayServicer(play), add_PlayServiceServicer_to_server)
