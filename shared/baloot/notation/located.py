"""A match together with the text that it was read from, for whoever judges it and wants to say where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from baloot.core.transcript import Transcript
from baloot.notation import tags
from baloot.notation.errors import NotationError
from baloot.notation.tokens import place_of, words_of


class Located(NamedTuple):
    """A match as it was read. Its text begins in the line `began` of the whole, from 1."""

    transcript: Transcript
    text: str
    began: int

    def chosen(self) -> Iterator[tuple[str, str]]:
        """The tags whose value is whatever somebody chose, such as names, with that value."""
        return ((name, value) for name, value in tags.told(self.transcript) if name in tags.CHOSEN)

    def error_in(self, tag: str, message: str) -> NotationError:
        """What is wrong with the value of a tag that stands in the text."""
        names = [word.lower() for word in words_of(self.text)[1::4]]
        return self.error_at(4 * names.index(tag.lower()) + 2, message)

    def error_at_end(self, message: str) -> NotationError:
        """What is missing after the last word."""
        return self.error_at(len(words_of(self.text)), message)

    def error_at(self, word: int, message: str) -> NotationError:
        """What is wrong with a word, by its number from 0."""
        line, column = place_of(self.text, word)
        return NotationError(self.began + line - 1, column, message)
