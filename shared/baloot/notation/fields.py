"""Reading what JSON gave, with the path of what is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from baloot.notation.errors import ShapeError

MOST = 999_999_999


class Fields:
    """An object of JSON. Each getter raises ShapeError for another type; lists and objects may be missing."""

    def __init__(self, path: str, value: object) -> None:
        if not isinstance(value, dict):
            raise ShapeError(f"{path or 'the match'}: expected an object")
        self.path = path
        self._value: dict[str, Any] = value
        self._asked: set[str] = set()

    @property
    def names(self) -> Sequence[str]:
        return list(self._value)

    def at(self, name: str) -> str:
        """The path of a field."""
        return f"{self.path}.{name}" if self.path else name

    def text(self, name: str) -> str:
        value = self._get(name)
        if not isinstance(value, str):
            raise ShapeError(f"{self.at(name)}: expected a string")
        return value

    def word(self, name: str) -> str:
        """A string that is not empty."""
        value = self.text(name)
        if not value:
            raise ShapeError(f"{self.at(name)}: expected a word")
        return value

    def flag(self, name: str) -> bool:
        value = self._get(name)
        if not isinstance(value, bool):
            raise ShapeError(f"{self.at(name)}: expected true or false")
        return value

    def number(self, name: str) -> str:
        """A whole number, as a word."""
        return self._number(self.at(name), self._get(name))

    def numbers(self, name: str) -> list[str]:
        """Two numbers, as words."""
        values = self.items(name)
        if len(values) != 2:
            raise ShapeError(f"{self.at(name)}: expected two numbers, of south-north and of east-west")
        return [self._number(self.at(name), value) for value in values]

    def items(self, name: str) -> list[Any]:
        value = self._get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise ShapeError(f"{self.at(name)}: expected a list")
        return value

    def texts(self, name: str) -> list[str]:
        values = self.items(name)
        if not all(isinstance(value, str) and value for value in values):
            raise ShapeError(f"{self.at(name)}: expected a list of strings")
        return values

    def fields(self, name: str) -> Fields:
        value = self._get(name)
        return Fields(self.at(name), {} if value is None else value)

    def close(self) -> None:
        """Raises ShapeError for a field that nobody asked for."""
        unknown = [name for name in self._value if name not in self._asked]
        if unknown:
            raise ShapeError(f"{self.at(unknown[0])}: there is no such field")

    def _get(self, name: str) -> Any:
        self._asked.add(name)
        return self._value.get(name)

    @staticmethod
    def _number(path: str, value: object) -> str:
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > MOST:
            raise ShapeError(f"{path}: expected a whole number")
        return str(value)
