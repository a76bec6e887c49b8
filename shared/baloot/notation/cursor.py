"""Reading the words of one section, from the first to the last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NoReturn, TypeVar

from baloot.core.cards import Card
from baloot.core.seats import Seat
from baloot.notation.errors import BadWord
from baloot.notation.words import CARD_WORDS, SEAT_WORDS, find

_T = TypeVar("_T")
_NUMBER = re.compile(r"-?[0-9]{1,9}")
CARD = "a card (7 8 9 10 J Q K A, then S H D C, such as 10H)"
SEAT = "a seat (S, E, N or W)"


class Cursor:
    """The words of one section from `at` on. Whatever asks for a word raises BadWord when it is another or missing."""

    __slots__ = ("at", "end", "words")

    def __init__(self, words: Sequence[str], at: int, end: int) -> None:
        self.words = words
        self.at = at
        self.end = end

    @property
    def more(self) -> bool:
        return self.at < self.end

    def rest(self) -> Sequence[str]:
        """All words that are left."""
        return self.words[self.at : self.end]

    def fail(self, expected: str) -> NoReturn:
        """Says what should stand here."""
        if not self.more:
            raise BadWord(self.at, f"expected {expected}, and nothing more stands here")
        raise BadWord(self.at, f"expected {expected}, not {shown(self.words[self.at])}")

    def take(self, expected: str) -> str:
        """The next word."""
        if not self.more:
            self.fail(expected)
        self.at += 1
        return self.words[self.at - 1]

    def one(self, table: Mapping[str, _T], expected: str) -> _T:
        """What the next word means."""
        found = find(table, self.words[self.at]) if self.more else None
        if found is None:
            self.fail(expected)
        self.at += 1
        return found

    def seat(self) -> Seat:
        return self.one(SEAT_WORDS, SEAT)

    def card(self) -> Card:
        return self.one(CARD_WORDS, CARD)

    def number(self, expected: str) -> int:
        """The next word as a whole number."""
        if not self.more or not _NUMBER.fullmatch(self.words[self.at]):
            self.fail(expected)
        self.at += 1
        return int(self.words[self.at - 1])

    def pair(self, expected: str) -> tuple[int, int]:
        """Two numbers, of south-north and of east-west."""
        return self.number(expected), self.number(expected)

    def octets(self, length: int) -> bytes:
        """So many bytes in hexadecimal."""
        expected = f"{2 * length} hexadecimal digits"
        if not self.more or not re.fullmatch(rf"[0-9a-fA-F]{{{2 * length}}}", self.words[self.at]):
            self.fail(expected)
        self.at += 1
        return bytes.fromhex(self.words[self.at - 1])

    def close(self) -> None:
        """Raises when words are left."""
        if self.more:
            raise BadWord(self.at, f"{shown(self.words[self.at])} does not belong here")


def shown(word: str) -> str:
    """A word as an error shows it: not too long, and without signs that a terminal obeys."""
    cut = word if len(word) <= 40 else word[:39] + "…"
    return cut if cut.isprintable() else ascii(cut)


def options(table: Mapping[str, object]) -> str:
    """The words of a table, for an error."""
    return ", ".join(word for word in table if word == word.lower())
