"""The rule sets over gRPC."""

from __future__ import annotations

from typing import Any

from baloot.api.ruleset.v1 import ruleset_pb2 as pb
from baloot.api.ruleset.v1.ruleset_pb2_grpc import (
    RulesetServiceServicer,
    add_RulesetServiceServicer_to_server,
)
from baloot.kit.serving import Service
from baloot.rulesets import codec
from baloot.rulesets.local import LocalRulesets

NAME = pb.DESCRIPTOR.services_by_name["RulesetService"].full_name


class RulesetServicer(RulesetServiceServicer):
    """Decodes, asks the local service, encodes. Refusals pass through to the server's interceptor."""

    def __init__(self, rulesets: LocalRulesets) -> None:
        self._rulesets = rulesets

    async def ListRulesets(self, _request: pb.ListRulesetsRequest, _context: Any) -> pb.ListRulesetsResponse:
        return codec.encode_listed(await self._rulesets.list_rulesets())

    async def GetRuleset(self, request: pb.GetRulesetRequest, _context: Any) -> pb.GetRulesetResponse:
        return codec.encode_told(await self._rulesets.get_ruleset(request.name))

    async def DiffRulesets(self, request: pb.DiffRulesetsRequest, _context: Any) -> pb.DiffRulesetsResponse:
        return codec.encode_differences(await self._rulesets.diff_rulesets(request.first, request.second))

    async def MakeRuleset(self, request: pb.MakeRulesetRequest, _context: Any) -> pb.MakeRulesetResponse:
        return codec.encode_made(await self._rulesets.make_ruleset(*codec.decode_make_ruleset(request)))


def service(rulesets: LocalRulesets) -> Service:
    """What `baloot.kit.serving.start` serves."""
    return Service(NAME, RulesetServicer(rulesets), add_RulesetServiceServicer_to_server)
