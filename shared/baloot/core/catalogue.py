"""The rule sets known by name, one data file each in `rulesets/`, and what differs between two.

In a file every option is named, with the source of its choice beside it. An option that says `?` is not settled by its
source and is played as in `standard`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from importlib.resources import files
from typing import Any
from unicodedata import normalize

from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset

UNSTATED = "?"
_NUMBER = re.compile(r"-?[0-9]{1,18}")
NAMES = ("standard", "wikipedia", "gamerules", "federation", "kammelna", "pagat", "jawaker")


@dataclass(frozen=True, slots=True)
class NamedRuleset:
    """A rule set that ships. `unstated` are the options that its source does not settle."""

    ruleset: Ruleset
    version: int
    english: str
    arabic: str
    unstated: frozenset[str]


@dataclass(frozen=True, slots=True)
class Difference:
    """An option in which two rule sets differ, with the value of each."""

    option: str
    first: object
    second: object


def named(name: str, field: str) -> NamedRuleset:
    """The rule set of this name. Raises Refusal RULESET_INVALID, about that field of the request, when there is none."""
    known = CATALOGUE.get(name)
    if known is None:
        raise Refusal(
            Reason.RULESET_INVALID,
            f"no rule set has this name; there are: {', '.join(CATALOGUE)}",
            field=field,
        )
    return known


def with_changes(base: Ruleset, name: str, changes: Mapping[str, object]) -> Ruleset:
    """A rule set of one's own: a known one with other values for some options, written as in a data file.

    Raises Refusal RULESET_INVALID for an option that does not exist or a value that it does not have.
    """
    return base.with_options(
        name=name, **{option: value_of(option, given) for option, given in changes.items()}
    )


def require_own_name(ruleset: Ruleset, field: str) -> None:
    """A rule set that is about to be played has no name of one that ships, unless it plays like that one.

    How the name is spelled, in small letters or wide ones, makes no difference. Raises Refusal RULESET_INVALID, about that
    field of the request.
    """
    shipped = RULESETS.get(normalize("NFKC", ruleset.name).strip().casefold())
    if shipped is None or shipped.hash == ruleset.hash:
        return
    raise Refusal(
        Reason.RULESET_INVALID,
        f"{shipped.name} is the name of a rule set that ships, and this one plays otherwise: give it a name of its own",
        field=field,
        metadata={"name": shipped.name},
    )


def value_of(option: str, given: object) -> object:
    """The value of an option as it is written: `anyone`, true or "true", 152 or "152". Raises Refusal."""
    kind = OPTIONS.get(option)
    if kind is None:
        raise Refusal(
            Reason.RULESET_INVALID,
            f"there is no option {option!r}",
            field=option,
            metadata={"option": option},
        )
    value = _read(kind, str(given).strip())
    if value is None:
        allowed = ", ".join(values_of(option)) or "a whole number"
        raise Refusal(
            Reason.RULESET_INVALID,
            f"option {option} cannot be {given!r}; it can be {allowed}",
            field=option,
            metadata={"option": option},
        )
    return value


def written(value: object) -> str:
    """A value as data files write it: `anyone`, `true`, `152`."""
    return value.name.lower() if isinstance(value, Enum) else str(value).lower()


def values_of(option: str) -> tuple[str, ...]:
    """All values that an option can have, as they are written; none for a number."""
    kind = OPTIONS[option]
    if kind is int:
        return ()
    return ("true", "false") if kind is bool else tuple(written(value) for value in kind)  # type: ignore[attr-defined]


def differences(first: Ruleset, second: Ruleset) -> tuple[Difference, ...]:
    """Where two rule sets play differently, in the order of the options."""
    pairs = ((name, getattr(first, name), getattr(second, name)) for name in OPTIONS)
    return tuple(Difference(name, one, other) for name, one, other in pairs if one != other)


def _read(kind: type, text: str) -> object | None:
    if kind is bool:
        return {"true": True, "false": False}.get(text.lower())
    if kind is int:
        return int(text) if _NUMBER.fullmatch(text) else None
    members: Mapping[str, object] = kind.__members__  # type: ignore[attr-defined]
    return members.get(text.upper())


def _load(name: str) -> NamedRuleset:
    data: dict[str, Any] = tomllib.loads(
        (files("baloot.core") / "rulesets" / f"{name}.toml").read_text("utf-8")
    )
    options: dict[str, object] = data["options"]
    if data["name"] != name or options.keys() != OPTIONS.keys():
        raise ValueError(f"rule set {name}: {sorted(options.keys() ^ OPTIONS.keys())} are missing or unknown")
    stated = {option: value for option, value in options.items() if value != UNSTATED}
    return NamedRuleset(
        with_changes(STANDARD, name, stated),
        data["version"],
        data["title"]["en"],
        data["title"]["ar"],
        frozenset(options.keys() - stated.keys()),
    )


CATALOGUE: Mapping[str, NamedRuleset] = {name: _load(name) for name in NAMES}
"""Every rule set that ships, by its name."""
RULESETS: Mapping[str, Ruleset] = {name: known.ruleset for name, known in CATALOGUE.items()}
"""Their options, by their names."""
