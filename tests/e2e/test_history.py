"""History tells what was played, whoever played it where."""

from __future__ import annotations

import asyncio
from random import Random
from uuid import UUID

import pytest
from baloot.api.history.v1.history_pb2 import (
    MATCH_STATUS_FINISHED,
    MATCH_STATUS_PLAYING,
    ROUND_END_SCORED,
    ROUND_END_THROWN_IN,
    GetMatchResponse,
    GetReplayRequest,
    MatchStatus,
    RoundEnd,
)
from baloot.api.ruleset.v1.ruleset_pb2 import MakeRulesetRequest
from baloot.api.ruleset.v1.ruleset_pb2_grpc import RulesetServiceStub
from baloot.client.archive import ArchiveClient
from baloot.client.history import HistoryClient
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD
from baloot.history.transcripts import transcript
from baloot.kit.channels import open_channel
from baloot.notation import parse, text

from tests.e2e.checks import broken_history
from tests.e2e.looking import look_often
from tests.e2e.platforms import HISTORY, Platform
from tests.e2e.players import PACE, open_match, playing, within


@pytest.fixture(scope="module", autouse=True)
def looking_often(platform: Platform) -> None:
    """Where nobody tells history of new entries, it need not be waited for as long as players wait."""
    if HISTORY in platform.processes:
        platform.processes[HISTORY].kill()
        platform.processes[HISTORY].listen(look_often)


@pytest.fixture(scope="module")
def answers(platform: Platform) -> list[GetMatchResponse]:
    """What history tells of a match; of several when nobody threw a deal in, though the players are shy."""
    answers: list[GetMatchResponse] = []
    ends: set[RoundEnd.ValueType] = set()
    while not ends >= {ROUND_END_SCORED, ROUND_END_THROWN_IN}:
        answers.append(asyncio.run(played_and_told(platform)))
        ends |= {round_.end for round_ in answers[-1].rounds}
    return answers


async def test_history_tells_a_match_and_its_rounds_as_the_log_does(
    platform: Platform, answers: list[GetMatchResponse]
) -> None:
    async with platform.store() as store:
        for answer in answers:
            entries = await store.read(UUID(answer.match.match_id))
            assert list(broken_history(entries, answer)) == []


async def played_and_told(platform: Platform) -> GetMatchResponse:
    """What history tells of a match in the end. It knows of it before the first card: it looks only now and then."""
    async with open_channel(platform.table) as channel, open_channel(platform.history) as asking:
        history = HistoryClient(asking)
        match = await open_match(lambda: TableClient(channel, pace=PACE), Random(3), witnessed=0, shyness=30)
        await within(20, told(history, match.table_id, MATCH_STATUS_PLAYING))
        async with playing([match]):
            await within(50, match.end())
        return await within(20, told(history, match.table_id, MATCH_STATUS_FINISHED))


async def told(history: HistoryClient, match_id: str, status: MatchStatus.ValueType) -> GetMatchResponse:
    """What history tells once the match has this status there: it follows the log, moments later."""
    while True:
        try:
            answer = await history.match(match_id)
            if answer.match.status == status:
                return answer
        except Refusal as refusal:
            if refusal.reason is not Reason.MATCH_UNKNOWN:
                raise
        await asyncio.sleep(0.05)


async def test_history_keeps_the_hash_of_a_rule_set_of_ones_own(platform: Platform) -> None:
    async with open_channel(platform.table) as channel, open_channel(platform.history) as asking:
        made = await RulesetServiceStub(channel).MakeRuleset(
            MakeRulesetRequest(base="standard", name="short", changes={"match_target": "40"})
        )
        table = await TableClient(channel, pace=PACE).create_table(rules=made.ruleset)
        settings = (await table.view()).settings
        for number in range(4):
            await table.take_seat(f"player {number}")
        answer = await within(20, told(HistoryClient(asking), table.table_id, MATCH_STATUS_PLAYING))
    assert (settings.ruleset, settings.ruleset_hash) == (made.ruleset, made.hash)
    assert (answer.match.ruleset_name, answer.match.ruleset_hash) == ("short", made.hash)
    assert made.hash != STANDARD.hash


async def test_a_match_is_replayed_and_given_out_as_text(
    platform: Platform, answers: list[GetMatchResponse]
) -> None:
    """Both need the keys of the dealing service, which is another process where each service runs alone."""
    match_id = answers[0].match.match_id
    async with open_channel(platform.history) as channel, platform.store() as store:
        request = GetReplayRequest(match_id=match_id, number=1, open=True)
        assert len((await HistoryClient(channel).replay(request)).seen) == 4
        (one,) = [one async for one in ArchiveClient(channel).matches([match_id])]
        assert one.text == text(transcript(await store.read(UUID(match_id))))
        assert (await ArchiveClient(channel).check(one.text)).matches == 1
    (told,) = parse(one.text)
    assert all(deal.proof.seed for deal in told.deals)
    assert told.log_chain
