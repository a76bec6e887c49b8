"""The scoring service gives the same sheets and the same refusals in this process and over gRPC."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from random import Random

import grpc
import pytest
from baloot.api.core.v1 import score_pb2
from baloot.api.scoring.v1 import scoring_pb2 as pb
from baloot.api.scoring.v1.scoring_pb2_grpc import ScoringServiceStub
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, ReverseKaboot
from baloot.core.score import RoundRecord
from baloot.kit.errors import from_rpc_error
from baloot.scoring import codec
from baloot.scoring.client import RemoteScoring
from baloot.scoring.local import LocalScoring
from baloot.scoring.rules import score_round
from baloot.scoring.server import NAME, service

from tests.contract.served import served
from tests.strategies.score import round_record

RECORD = round_record(Random(26))


@pytest.fixture(params=["local", "remote"])
async def scoring(request: pytest.FixtureRequest) -> AsyncIterator[LocalScoring | RemoteScoring]:
    if request.param == "local":
        yield LocalScoring()
        return
    async with served(service(LocalScoring())) as channel:
        yield RemoteScoring(channel)


@pytest.fixture
async def stub() -> AsyncIterator[ScoringServiceStub]:
    async with served(service(LocalScoring())) as channel:
        yield ScoringServiceStub(channel)


async def test_the_sheet_is_that_of_the_rules(scoring: LocalScoring | RemoteScoring) -> None:
    rng = Random(152)
    for _ in range(200):
        record = round_record(rng)
        assert await scoring.score_round(record) == score_round(record)


async def test_the_match_target_of_the_rule_set_counts(scoring: LocalScoring | RemoteScoring) -> None:
    record = round_record(Random(7), STANDARD.with_options(name="short", match_target=40))
    assert await scoring.score_round(record) == score_round(record)


def points(record: RoundRecord, card_points: tuple[int, int]) -> RoundRecord:
    return replace(record, play=replace(record.play, card_points=card_points))


REFUSED: list[tuple[str, RoundRecord, Reason, str]] = [
    ("impossible card points", points(RECORD, (1, 1)), Reason.RECORD_INVALID, "record.play.card_points"),
    ("a match that is over", replace(RECORD, scores=(152, 0)), Reason.RECORD_INVALID, "record.scores"),
    (
        "options that contradict each other",
        replace(
            RECORD,
            ruleset=STANDARD.with_options(
                name="mine", reverse_kaboot=ReverseKaboot.ACE_UPCARD, kaboot_sun=89
            ),
        ),
        Reason.RULESET_INVALID,
        "ruleset.reverse_kaboot",
    ),
    (
        "a match target out of range",
        replace(RECORD, ruleset=STANDARD.with_options(name="mine", match_target=0)),
        Reason.RULESET_INVALID,
        "ruleset.match_target",
    ),
]


@pytest.mark.parametrize(
    ("record", "reason", "field"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
async def test_a_refusal_is_the_same_in_every_wiring(
    scoring: LocalScoring | RemoteScoring, record: RoundRecord, reason: Reason, field: str
) -> None:
    with pytest.raises(Refusal) as local:
        await LocalScoring().score_round(record)
    with pytest.raises(Refusal) as refused:
        await scoring.score_round(record)
    assert refused.value.reason is reason
    assert refused.value.field == field
    assert (refused.value.message, refused.value.metadata) == (local.value.message, local.value.metadata)


def request(**changes: object) -> pb.ScoreRoundRequest:
    message = codec.encode_score_round(RECORD)
    for name, value in changes.items():
        setattr(message.record.contract, name, value)
    return message


UNREADABLE: list[tuple[str, pb.ScoreRoundRequest, Reason, str]] = [
    ("nothing", pb.ScoreRoundRequest(), Reason.FIELD_REQUIRED, "record.contract.mode"),
    ("no buyer", request(buyer=0), Reason.FIELD_REQUIRED, "record.contract.buyer"),
    ("an unknown mode", request(mode=9), Reason.FIELD_INVALID, "record.contract.mode"),
    (
        "no play",
        pb.ScoreRoundRequest(record=score_pb2.RoundRecord(contract=request().record.contract)),
        Reason.RECORD_INVALID,
        "record.play.card_points",
    ),
]


@pytest.mark.parametrize(
    ("message", "reason", "field"), [case[1:] for case in UNREADABLE], ids=[case[0] for case in UNREADABLE]
)
async def test_what_cannot_be_read_is_refused_by_its_path(
    stub: ScoringServiceStub, message: pb.ScoreRoundRequest, reason: Reason, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stub.ScoreRound(message)
    assert refused.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    assert from_rpc_error(refused.value).reason is reason
    assert from_rpc_error(refused.value).field == field


async def test_a_rule_set_that_is_not_told_is_standard(stub: ScoringServiceStub) -> None:
    message = request()
    message.record.ClearField("ruleset")
    assert codec.decode_scored(await stub.ScoreRound(message)) == score_round(RECORD)


def test_the_name_served_is_the_one_in_the_contract() -> None:
    assert NAME == "baloot.api.scoring.v1.ScoringService"
