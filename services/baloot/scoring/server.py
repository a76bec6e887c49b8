"""The scoring service over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.scoring.v1 import scoring_pb2 as pb
from baloot.api.scoring.v1.scoring_pb2_grpc import (
    ScoringServiceServicer,
    add_ScoringServiceServicer_to_server,
)
from baloot.kit.serving import Service
from baloot.scoring import codec
from baloot.scoring.local import LocalScoring

NAME = pb.DESCRIPTOR.services_by_name["ScoringService"].full_name


class ScoringServicer(ScoringServiceServicer):
    """Decodes, asks the local service, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, scoring: LocalScoring) -> None:
        self._scoring = scoring

    async def ScoreRound(self, request: pb.ScoreRoundRequest, _context: Any) -> pb.ScoreRoundResponse:
        return codec.encode_scored(await self._scoring.score_round(codec.decode_score_round(request)))


def service(scoring: LocalScoring) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, ScoringServicer(scoring), add_ScoringServiceServicer_to_server)
