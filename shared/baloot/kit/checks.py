"""Checks of single request fields. Each gives the checked value or raises Refusal with the field's path.

Enums and lists of messages are checked where they are decoded, in `baloot.codec`.
"""

from __future__ import annotations

from collections.abc import Sized
from typing import TypeVar
from uuid import UUID

from baloot.codec.fields import invalid, missing
from baloot.core.printing import unshowable

_List = TypeVar("_List", bound=Sized)


def uuid(value: str, path: str) -> UUID:
    """A UUID in its usual form, `8-4-4-4-12` hexadecimal digits, large or small."""
    if not value:
        raise missing(path)
    try:
        known = UUID(value)
    except ValueError:
        raise invalid(path, "is not a UUID") from None
    if str(known) != value.lower():
        raise invalid(path, "is not a UUID in its form of 36 characters")
    return known


def text(value: str, path: str, *, most: int) -> str:
    """1 to `most` printable characters that can be seen as what they are; without the spaces around them."""
    trimmed = value.strip()
    if not trimmed:
        raise missing(path)
    if len(trimmed) > most:
        raise invalid(path, f"must be 1 to {most} printable characters")
    if (why := unshowable(trimmed)) is not None:
        raise invalid(path, why)
    return trimmed


def number(value: int, path: str, *, least: int, most: int) -> int:
    if not least <= value <= most:
        raise invalid(path, f"must be between {least} and {most}")
    return value


def entries(value: _List, path: str, *, least: int = 0, most: int) -> _List:
    """A list of `least` to `most` entries."""
    if least and not len(value):
        raise missing(path)
    if not least <= len(value) <= most:
        raise invalid(path, f"has {len(value)} entries, and may have {least} to {most}")
    return value
