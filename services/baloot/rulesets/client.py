"""The rule sets asked over gRPC, with the functions of the local ones."""

from __future__ import annotations

from collections.abc import Mapping

import grpc.aio
from baloot.api.ruleset.v1 import ruleset_pb2 as pb
from baloot.api.ruleset.v1.ruleset_pb2_grpc import RulesetServiceStub
from baloot.core.ruleset import Ruleset
from baloot.kit.calling import call
from baloot.rulesets import codec
from baloot.rulesets.local import OptionDifference, RulesetSummary, ToldRuleset


class RemoteRulesets:
    """Answers like `LocalRulesets`, with the same refusals; also UNAVAILABLE and DEADLINE_EXCEEDED."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self._stub = RulesetServiceStub(channel)

    async def list_rulesets(self) -> tuple[RulesetSummary, ...]:
        """The rule sets that are known by name, `standard` first."""
        return codec.decode_listed(await call(self._stub.ListRulesets, pb.ListRulesetsRequest()))

    async def get_ruleset(self, name: str) -> ToldRuleset:
        """One rule set, option by option. Raises Refusal RULESET_INVALID when there is none of this name."""
        return codec.decode_told(await call(self._stub.GetRuleset, pb.GetRulesetRequest(name=name)))

    async def diff_rulesets(self, first: str, second: str) -> tuple[OptionDifference, ...]:
        """The options in which two known rule sets differ, in their order. Raises Refusal RULESET_INVALID."""
        request = pb.DiffRulesetsRequest(first=first, second=second)
        return codec.decode_differences(await call(self._stub.DiffRulesets, request))

    async def make_ruleset(self, name: str, changes: Mapping[str, str], base: str | None = None) -> Ruleset:
        """A rule set of one's own. Raises Refusal as `LocalRulesets.make_ruleset` does."""
        request = codec.encode_make_ruleset(name, changes, base)
        return codec.decode_made(await call(self._stub.MakeRuleset, request))
