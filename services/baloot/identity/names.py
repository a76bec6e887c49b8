"""Names and passwords: what they may be, and when two names are the same."""

from __future__ import annotations

import re
import unicodedata

from baloot.codec.fields import invalid, missing
from baloot.core.printing import unshowable

MIN_NAME, MAX_NAME = 3, 32
MIN_PASSWORD, MAX_PASSWORD = 8, 200
_TATWEEL = "\N{ARABIC TATWEEL}"
_WORDS = re.compile(r"[^\W_]+(?:[ _.'-][^\W_]+)*")
_MARKS = ("Mn", "Mc")


def checked_name(text: str, path: str = "name") -> str:
    """The name of a new account as it is kept. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    name = given_name(text, path)
    if (why := unshowable(name)) is not None:
        raise invalid(path, why)
    return name


def given_name(text: str, path: str = "name") -> str:
    """The name that an account is asked for by. Raises Refusal FIELD_REQUIRED or FIELD_INVALID."""
    name = unicodedata.normalize("NFKC", text).strip()
    if not name:
        raise missing(path)
    if not MIN_NAME <= len(name) <= MAX_NAME:
        raise invalid(path, f"must have {MIN_NAME} to {MAX_NAME} characters")
    if _WORDS.fullmatch(_bare(name)) is None or len(folded(name)) < MIN_NAME:
        raise invalid(
            path, "must be letters and digits, with single spaces, `_`, `-`, `.` or `'` between them"
        )
    return name


def folded(name: str) -> str:
    """What a name is compared by: without case, vowel signs and the stroke that stretches Arabic words."""
    plain = _bare(unicodedata.normalize("NFKC", name).casefold())
    return unicodedata.normalize("NFKC", plain)


def checked_password(text: str, path: str = "password") -> str:
    """The password as it is hashed: the same however a keyboard composes its letters.

    Raises Refusal FIELD_REQUIRED or FIELD_INVALID, which never quotes it.
    """
    if not text:
        raise missing(path)
    password = unicodedata.normalize("NFKC", text)
    if not MIN_PASSWORD <= len(text) <= MAX_PASSWORD:
        raise invalid(path, f"must have {MIN_PASSWORD} to {MAX_PASSWORD} characters")
    return password


def _bare(text: str) -> str:
    return "".join(c for c in text if unicodedata.category(c) not in _MARKS and c != _TATWEEL)
