"""How a codec tells what it encodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baloot.table.views import Seen

Encoders = Mapping[type[Seen], tuple[str, Callable[[Any], Any]]]
"""For each event as it is seen, its field in a `TableEvent` and how it is written there."""
