"""Rule sets on the wire: one field for each option, by the option's name."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from typing import Any, Protocol

from baloot.api.core.v1 import ruleset_pb2
from baloot.api.core.v1.ruleset_pb2 import Ruleset as RulesetMessage
from baloot.codec.enums import EnumCodec
from baloot.codec.fields import invalid, missing
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import OPTIONS, STANDARD, Ruleset
from google.protobuf.unknown_fields import UnknownFieldSet

MAX_NAME = 40
"""The longest name of a rule set, in characters."""

OPTION_ENUMS: dict[str, EnumCodec[Any, Any]] = {
    name: EnumCodec(kind, getattr(ruleset_pb2, kind.__name__))
    for name, kind in OPTIONS.items()
    if issubclass(kind, Enum)
}
"""The options whose value is a choice; the others are numbers or yes and no, and are written as they are."""


class HasRuleset(Protocol):
    """A message with a rule set in it."""

    @property
    def ruleset(self) -> RulesetMessage: ...
    @property
    def HasField(self) -> Callable[[Any], bool]: ...  # noqa: N802 - protobuf's name


def encode_ruleset(ruleset: Ruleset) -> RulesetMessage:
    """All options, the standard ones too."""
    if ruleset is not STANDARD:
        return _encode(ruleset)
    message = RulesetMessage()
    message.CopyFrom(_STANDARD)
    return message


def decode_ruleset(message: RulesetMessage, path: str) -> Ruleset:
    """An option that is unset has its value of the `standard` rule set, and only that one may go without a name.

    Raises Refusal FIELD_REQUIRED for a missing name, FIELD_INVALID for an unknown choice or a bad name, and
    OPTION_UNSUPPORTED for an option of a newer version. Numbers out of
    range and choices that do not work yet are for `require_playable` to refuse.
    """
    if message == _STANDARD:
        return STANDARD
    return _decode(message.SerializeToString(deterministic=True), path)


def decode_ruleset_of(message: HasRuleset, path: str) -> Ruleset:
    """The rule set in a message's field `ruleset`; `standard` when that is unset."""
    return decode_ruleset(message.ruleset, f"{path}.ruleset") if message.HasField("ruleset") else STANDARD


def _encode(ruleset: Ruleset) -> RulesetMessage:
    message = RulesetMessage(name=ruleset.name)
    for name in OPTIONS:
        value, choice = getattr(ruleset, name), OPTION_ENUMS.get(name)
        setattr(message, name, value if choice is None else choice.encode(value))
    return message


@lru_cache(maxsize=256)  # a server sees the same few rule sets with every request
def _decode(raw: bytes, path: str) -> Ruleset:
    message = RulesetMessage.FromString(raw)
    _require_known(message, path)
    options = {name: _decode_option(message, name, path) for name in OPTIONS}
    ruleset = Ruleset(name=message.name or STANDARD.name, **options)
    if not message.name and ruleset != STANDARD:
        raise missing(f"{path}.name")
    if len(ruleset.name) > MAX_NAME or not ruleset.name.isprintable():
        raise invalid(f"{path}.name", f"must be 1 to {MAX_NAME} printable characters")
    return STANDARD if ruleset == STANDARD else ruleset


def _require_known(message: RulesetMessage, path: str) -> None:
    """An option of a newer version is refused as well, which protobuf would pass over in silence."""
    fields = UnknownFieldSet(message)
    unknown = sorted({fields[n].field_number for n in range(len(fields))})
    if unknown:
        numbers = ",".join(map(str, unknown))
        raise Refusal(
            Reason.OPTION_UNSUPPORTED,
            f"{path} has options that this version does not know: field {numbers}",
            field=path,
            metadata={"options": numbers},
        )


def _decode_option(message: RulesetMessage, name: str, path: str) -> Any:
    choice = OPTION_ENUMS.get(name)
    if choice is None:
        return getattr(message, name) if message.HasField(name) else getattr(STANDARD, name)  # type: ignore[arg-type]
    value = choice.decode_optional(getattr(message, name), f"{path}.{name}")
    return getattr(STANDARD, name) if value is None else value


_STANDARD = _encode(STANDARD)
