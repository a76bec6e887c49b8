"""The rule sets as plain calls in this process: what the server offers and whoever is here may use directly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from baloot.codec.fields import missing
from baloot.codec.ruleset import MAX_NAME
from baloot.core.catalogue import CATALOGUE, NamedRuleset, differences, named, require_own_name, with_changes
from baloot.core.errors import Refusal
from baloot.core.playable import require_playable
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset
from baloot.kit import checks
from baloot.kit.info import is_playable
from baloot.rulesets.words import OptionText, Text, option_text


@dataclass(frozen=True, slots=True)
class RulesetSummary:
    """A rule set in one line. `playable` tells whether this version plays all its options."""

    name: str
    version: int
    hash: str
    title: Text
    playable: bool


@dataclass(frozen=True, slots=True)
class ToldRuleset:
    """A rule set with all its options in words, in their order."""

    summary: RulesetSummary
    ruleset: Ruleset
    options: tuple[OptionText, ...]


@dataclass(frozen=True, slots=True)
class OptionDifference:
    """An option in which two rule sets differ, as each has it."""

    first: OptionText
    second: OptionText


class LocalRulesets:
    """Answers like the remote service, with the same refusals."""

    async def list_rulesets(self) -> tuple[RulesetSummary, ...]:
        """The rule sets that are known by name, `standard` first."""
        return tuple(_summary(known) for known in CATALOGUE.values())

    async def get_ruleset(self, name: str) -> ToldRuleset:
        """One rule set, option by option. Raises Refusal RULESET_INVALID when there is none of this name."""
        known = _known(name, "name")
        return ToldRuleset(
            _summary(known), known.ruleset, tuple(_option_text(known, option) for option in OPTIONS)
        )

    async def diff_rulesets(self, first: str, second: str) -> tuple[OptionDifference, ...]:
        """The options in which two known rule sets differ, in their order. Raises Refusal RULESET_INVALID."""
        one, other = _known(first, "first"), _known(second, "second")
        return tuple(
            OptionDifference(_option_text(one, found.option), _option_text(other, found.option))
            for found in differences(one.ruleset, other.ruleset)
        )

    async def make_ruleset(self, name: str, changes: Mapping[str, str], base: str | None = None) -> Ruleset:
        """A rule set of one's own: a known one, `standard` unless it is named, with other values for some options.

        Raises Refusal for a name that is none, RULESET_INVALID for an option or value that does not exist, a number out
        of range, options that contradict each other or the name of another rule set that ships, and OPTION_UNSUPPORTED
        for values that do not work yet.
        """
        name = checks.text(name, "name", most=MAX_NAME)
        _require_short(changes)
        known = STANDARD if base is None else _known(base, "base").ruleset
        try:
            made = with_changes(known, name, changes)
            require_playable(made)
        except Refusal as refusal:
            raise _about_request(refusal, changes) from refusal
        require_own_name(made, "name")
        return made


def _summary(known: NamedRuleset) -> RulesetSummary:
    ruleset = known.ruleset
    title = Text(known.english, known.arabic)
    return RulesetSummary(ruleset.name, known.version, ruleset.hash, title, is_playable(ruleset))


def _option_text(known: NamedRuleset, option: str) -> OptionText:
    return option_text(known.ruleset, option, unstated=option in known.unstated)


def _known(name: str, field: str) -> NamedRuleset:
    if not name:
        raise missing(field)
    return named(name, field)


def _require_short(changes: Mapping[str, str]) -> None:
    """No refusal repeats more than a name's length of what it is about."""
    checks.entries(changes, "changes", most=len(OPTIONS))
    for option, value in changes.items():
        checks.text(option, "changes", most=MAX_NAME)
        checks.text(value, f"changes.{option}", most=MAX_NAME)


def _about_request(refusal: Refusal, changes: Mapping[str, str]) -> Refusal:
    """The refusal with the field of the request that is to blame: a change, or else the rule set to begin with."""
    options = refusal.metadata.get("options") or refusal.metadata["option"]
    blamed = (f"changes.{option}" for option in options.split(",") if option in changes)
    return Refusal(refusal.reason, refusal.message, field=next(blamed, "base"), metadata=refusal.metadata)
