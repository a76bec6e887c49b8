"""What names a card in a text, in every way in which cards are written here or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from baloot.app.terminal.language import Language
from baloot.app.terminal.terms import say
from baloot.core.cards import SUITS, Card, Hand, Rank

_BARE = r"(?<![A-Za-z0-9_+/-])"
_END = r"(?![A-Za-z0-9_+/=-])"
_RANKS = r"(?:10|[7-9TJQKA])"
_SIGNS = "♠♥♦♣♤♡♢♧"
_ENGLISH = r"(?:seven|eight|nine|ten|jack|queen|king|ace|[789]|10)"
_ARABIC = "|".join(word for term in (*SUITS, *Rank) if not (word := say(term, Language.ARABIC)).isascii())

NOTATION = re.compile(f"{_BARE}{_RANKS}[SHDC]{_END}")
"""`10S`, `KH`: as cards are written in requests, refusals and score sheets."""
OTHERWISE = {
    "a sign": re.compile(f"[{_SIGNS}]|[\U0001f0a0-\U0001f0ff]"),
    "an enum's name": re.compile(rf"\bCARD_{_RANKS}[SHDC]\b|\bC{_RANKS}[SHDC]\b|\bCard\b\W*{_RANKS}"),
    "English words": re.compile(
        rf"\b{_ENGLISH}[ _-]?of[ _-]?(?:spade|heart|diamond|club)s?\b", re.IGNORECASE
    ),
    "Arabic words": re.compile(rf"\b(?:{_ARABIC})\b"),
    "card numbers": re.compile(
        r"(?<![\w.:-])(?:(?:[0-2]?\d|3[0-2])[,;\s]+){3,}(?:[0-2]?\d|3[0-2])(?![\w.:-])"
    ),
}
"""Every other way; `card numbers` are four or more numbers below 33 in a row."""
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_NUMBER = re.compile(r"(?<![\w.])(?:0x)?([0-9a-fA-F]{6,10})(?![\w.])")
_LEAST = 1 << 20
"""Smaller masks are told from other numbers by nobody."""


def cards_named(text: str) -> set[Card]:
    """The cards that a text names in the usual notation."""
    return {Card.parse(word) for word in NOTATION.findall(text)}


def named_otherwise(text: str) -> Iterator[str]:
    """Every way but the usual notation in which a text names cards."""
    for kind, pattern in OTHERWISE.items():
        if (found := pattern.search(text)) is not None:
            yield f"{kind}: {found.group()}"


def masks_of(hands: Iterable[Hand]) -> set[str]:
    """How the masks of hands are written, in decimals and in hexadecimals."""
    masks = {hand.mask for hand in hands if hand.mask >= _LEAST}
    return {str(mask) for mask in masks} | {f"{mask:x}" for mask in masks} | {f"{mask:08x}" for mask in masks}


def masks_named(text: str, masks: set[str]) -> set[str]:
    """Which of these masks a text holds as a number of its own."""
    return {number.lower() for number in _NUMBER.findall(UUID.sub("", text))} & masks
