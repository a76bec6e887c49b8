"""The terminal, as everything here prints to it."""

from __future__ import annotations

from typing import Any

from rich.console import Console


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leaves it to the command how to end when whoever read has gone."""
        raise BrokenPipeError


def open_console(**options: Any) -> Console:
    """A console that shows text as it is. Others choose their names, so nothing in them may be read as markup."""
    return _Console(markup=False, emoji=False, **options)
