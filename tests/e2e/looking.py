"""A history service that looks at the log more often than it does for players."""

from __future__ import annotations

OFTEN = 0.2
"""Seconds between two looks."""


def look_often() -> None:
    """Call it in the service's process, before anything else there."""
    from baloot.history.projection import Projection

    defaults = Projection.__init__.__kwdefaults__
    assert defaults is not None
    defaults["look_every"] = OFTEN
