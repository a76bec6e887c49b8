"""What is wrong with a text, and where."""

from __future__ import annotations


class NotationError(ValueError):
    """A text that is not in the notation. `line` and `column` count from 1; `message` says what was expected there."""

    def __init__(self, line: int, column: int, message: str) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
        self.message = message

    def __reduce__(self) -> tuple[type[NotationError], tuple[int, int, str]]:
        return NotationError, (self.line, self.column, self.message)


class BadWord(ValueError):
    """A word that does not belong where it stands: its place among the words that are read, and what is wrong."""

    def __init__(self, at: int, message: str) -> None:
        super().__init__(message)
        self.at = at
        self.message = message


class ShapeError(ValueError):
    """JSON that is no transcript; the message begins with the path of what is wrong."""
