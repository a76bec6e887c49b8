"""The scoring service's requests and answers on the wire."""

from __future__ import annotations

from baloot.api.scoring.v1 import scoring_pb2 as pb
from baloot.codec.score import (
    decode_round_record,
    decode_round_score,
    encode_round_record,
    encode_round_score,
)
from baloot.core.score import RoundRecord, RoundScore


def encode_score_round(record: RoundRecord) -> pb.ScoreRoundRequest:
    return pb.ScoreRoundRequest(record=encode_round_record(record))


def decode_score_round(request: pb.ScoreRoundRequest) -> RoundRecord:
    """Raises Refusal with the path of the field that cannot be read."""
    return decode_round_record(request.record, "record")


def encode_scored(score: RoundScore) -> pb.ScoreRoundResponse:
    return pb.ScoreRoundResponse(score=encode_round_score(score))


def decode_scored(response: pb.ScoreRoundResponse) -> RoundScore:
    return decode_round_score(response.score, "score")
