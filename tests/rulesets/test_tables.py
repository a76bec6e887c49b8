"""Tables open with the rule sets that the service tells and makes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest
from baloot.api.ruleset.v1.ruleset_pb2 import GetRulesetRequest, ListRulesetsRequest, MakeRulesetRequest
from baloot.api.ruleset.v1.ruleset_pb2_grpc import RulesetServiceStub
from baloot.client.table import TableClient
from baloot.core import playable
from baloot.core.errors import Reason, Refusal
from baloot.kit.channels import open_channel
from baloot.kit.serving import ServerSettings, start
from baloot.rulesets import server as rulesets_server
from baloot.rulesets.local import LocalRulesets
from baloot.table import server as table_server
from baloot.table.feed import Feed

from tests.table.trial import KEY, Trial


@dataclass(frozen=True, slots=True)
class Served:
    """Tables and rule sets behind one server."""

    tables: TableClient
    rulesets: RulesetServiceStub


@asynccontextmanager
async def serving() -> AsyncIterator[Served]:
    trial = Trial()
    await trial.log.key("table", KEY)
    async with Feed(trial.table) as feed:
        services = [table_server.service(trial.table, feed), rulesets_server.service(LocalRulesets())]
        server = await start(services, ServerSettings("127.0.0.1:0", grace=0.2))
        try:
            async with open_channel(server.address) as channel:
                yield Served(TableClient(channel), RulesetServiceStub(channel))
        finally:
            await server.stop()


@pytest.fixture
async def served() -> AsyncIterator[Served]:
    async with serving() as served:
        yield served


async def test_a_table_opens_with_the_rule_set_that_was_made(served: Served) -> None:
    changes = {"match_target": "100", "kaboot_hokum": "44"}
    made = await served.rulesets.MakeRuleset(MakeRulesetRequest(name="ours", changes=changes))
    table = await served.tables.create_table(rules=made.ruleset)
    settings = (await table.view()).settings
    assert (settings.ruleset, settings.ruleset_hash) == (made.ruleset, made.hash)


async def test_a_table_opens_with_every_rule_set_that_is_said_to_be_playable(served: Served) -> None:
    listed = (await served.rulesets.ListRulesets(ListRulesetsRequest())).rulesets
    playable = [one for one in listed if one.playable]
    assert playable[0].name == "standard"
    for known in playable:
        table = await served.tables.create_table(rules=known.name)
        told = await served.rulesets.GetRuleset(GetRulesetRequest(name=known.name))
        settings = (await table.view()).settings
        assert (settings.ruleset, settings.ruleset_hash) == (told.ruleset, known.hash)


@pytest.mark.parametrize("by_name", [True, False], ids=["by its name", "spelled out"])
async def test_a_rule_set_that_does_not_work_yet_is_refused_with_its_options(
    served: Served, monkeypatch: pytest.MonkeyPatch, by_name: bool
) -> None:
    monkeypatch.setattr(playable, "NOT_YET", frozenset({"cut", "hundred_order", "first_leader"}))
    told = await served.rulesets.GetRuleset(GetRulesetRequest(name="pagat"))
    assert not told.summary.playable
    with pytest.raises(Refusal) as refused:
        await served.tables.create_table(rules="pagat" if by_name else told.ruleset)
    assert refused.value.reason is Reason.OPTION_UNSUPPORTED
    assert refused.value.metadata == {"options": "cut,hundred_order"}
    assert "cut, hundred_order" in refused.value.message
