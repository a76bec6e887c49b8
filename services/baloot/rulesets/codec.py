"""The rule set service's requests and answers on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from baloot.api.ruleset.v1 import ruleset_pb2 as pb
from baloot.codec.ruleset import decode_ruleset, encode_ruleset
from baloot.core.ruleset import Ruleset
from baloot.rulesets.local import OptionDifference, RulesetSummary, ToldRuleset
from baloot.rulesets.words import OptionText, Text


def encode_listed(summaries: Iterable[RulesetSummary]) -> pb.ListRulesetsResponse:
    return pb.ListRulesetsResponse(rulesets=map(_encode_summary, summaries))


def decode_listed(response: pb.ListRulesetsResponse) -> tuple[RulesetSummary, ...]:
    return tuple(map(_decode_summary, response.rulesets))


def encode_told(told: ToldRuleset) -> pb.GetRulesetResponse:
    return pb.GetRulesetResponse(
        summary=_encode_summary(told.summary),
        ruleset=encode_ruleset(told.ruleset),
        options=map(_encode_option, told.options),
    )


def decode_told(response: pb.GetRulesetResponse) -> ToldRuleset:
    return ToldRuleset(
        _decode_summary(response.summary),
        decode_ruleset(response.ruleset, "ruleset"),
        tuple(map(_decode_option, response.options)),
    )


def encode_differences(differences: Iterable[OptionDifference]) -> pb.DiffRulesetsResponse:
    return pb.DiffRulesetsResponse(
        differences=(
            pb.OptionDifference(first=_encode_option(one.first), second=_encode_option(one.second))
            for one in differences
        )
    )


def decode_differences(response: pb.DiffRulesetsResponse) -> tuple[OptionDifference, ...]:
    return tuple(
        OptionDifference(_decode_option(one.first), _decode_option(one.second))
        for one in response.differences
    )


def encode_make_ruleset(name: str, changes: Mapping[str, str], base: str | None) -> pb.MakeRulesetRequest:
    return pb.MakeRulesetRequest(base=base or "", name=name, changes=changes)


def decode_make_ruleset(request: pb.MakeRulesetRequest) -> tuple[str, Mapping[str, str], str | None]:
    """The name, the changes, and what to begin with."""
    return request.name, dict(request.changes), request.base or None


def encode_made(ruleset: Ruleset) -> pb.MakeRulesetResponse:
    return pb.MakeRulesetResponse(ruleset=encode_ruleset(ruleset), hash=ruleset.hash)


def decode_made(response: pb.MakeRulesetResponse) -> Ruleset:
    return decode_ruleset(response.ruleset, "ruleset")


def _encode_summary(summary: RulesetSummary) -> pb.RulesetSummary:
    return pb.RulesetSummary(
        name=summary.name,
        version=summary.version,
        hash=summary.hash,
        english=summary.title.english,
        arabic=summary.title.arabic,
        playable=summary.playable,
    )


def _decode_summary(message: pb.RulesetSummary) -> RulesetSummary:
    return RulesetSummary(
        message.name, message.version, message.hash, Text(message.english, message.arabic), message.playable
    )


def _encode_option(option: OptionText) -> pb.OptionText:
    return pb.OptionText(
        option=option.option,
        value=option.value,
        rule=option.rule,
        english=option.about.english,
        arabic=option.about.arabic,
        value_english=option.meaning.english,
        value_arabic=option.meaning.arabic,
        unstated=option.unstated,
        values=option.values,
    )


def _decode_option(message: pb.OptionText) -> OptionText:
    return OptionText(
        message.option,
        message.value,
        message.rule,
        Text(message.english, message.arabic),
        Text(message.value_english, message.value_arabic),
        message.unstated,
        tuple(message.values),
    )
