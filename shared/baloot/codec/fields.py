"""Refusals of fields, and the lists that several messages have in common."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from baloot.core.errors import Reason, Refusal

_Message = TypeVar("_Message")
_Value = TypeVar("_Value")


def missing(path: str) -> Refusal:
    """For a field that is needed and unset."""
    return Refusal(Reason.FIELD_REQUIRED, f"{path} must be set", field=path)


def invalid(path: str, why: str) -> Refusal:
    """For a field whose value is never valid; `why` goes on after the field's path."""
    return Refusal(Reason.FIELD_INVALID, f"{path} {why}", field=path)


def decode_each(
    decode: Callable[[_Message, str], _Value], messages: Sequence[_Message], path: str, *, most: int
) -> tuple[_Value, ...]:
    """Decodes a list of at most so many messages; the paths of its elements are `path[0]`, `path[1]` ..."""
    if len(messages) > most:
        raise invalid(path, f"has {len(messages)} entries, and may have {most}")
    return tuple([decode(message, f"{path}[{n}]") for n, message in enumerate(messages)])
