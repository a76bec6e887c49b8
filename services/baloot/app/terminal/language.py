"""The languages of what a person sees."""

from __future__ import annotations

from enum import StrEnum


class Language(StrEnum):
    """What the words are in; the value is what people type for it."""

    ENGLISH = "en"
    ARABIC = "ar"
