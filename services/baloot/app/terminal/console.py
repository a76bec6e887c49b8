"""The terminal, as everything here prints to it."""

from __future__ import annotations

from typing import Any

from rich.console import Console


def open_console(**options: Any) -> Console:
    """A console that shows text as it is. Others choose their names, so nothing in them may be read as markup."""
    return Console(markup=False, emoji=False, **options)
