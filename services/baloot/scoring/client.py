"""The scoring service asked over gRPC, with the functions of the local one."""

from __future__ import annotations

import grpc.aio
from baloot.api.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from baloot.core.score import RoundRecord, RoundScore
from baloot.kit.calling import call
from baloot.scoring import codec


class RemoteScoring:
    """Answers like `LocalScoring`, with the same refusals; also UNAVAILABLE and DEADLINE_EXCEEDED."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = ScoringServiceStub(channel)

    async def score_round(self, record: RoundRecord) -> RoundScore:
        """The sheet of a finished round. Raises Refusal when its figures cannot be."""
        return codec.decode_scored(await call(self._stub.ScoreRound, codec.encode_score_round(record)))
