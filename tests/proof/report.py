"""What a proof hands back: figures, each with what it is held to."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Tell = Callable[[str], None]
"""Told how far a long proof has come, a line at a time."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One thing that was measured or counted; `floor` says what it is held to, empty when it is only told."""

    what: str
    value: str
    floor: str = ""
    holds: bool = True

    @property
    def verdict(self) -> str:
        if not self.floor:
            return ""
        return "ok" if self.holds else "FAILED"


def none_of(what: str, problems: Sequence[str]) -> Figure:
    """A figure that is held to zero; the first problem is told with it."""
    first = f": {problems[0][:300]}" if problems else ""
    return Figure(what, f"{len(problems)}{first}", "0", not problems)


def at_least(what: str, value: float, floor: float) -> Figure:
    return Figure(what, f"{value:,.6g}", f"at least {floor:,.6g}", value >= floor)


def at_most(what: str, value: float, most: float, unit: str = "") -> Figure:
    return Figure(what, f"{value:,.4g}{unit}", f"at most {most:,.4g}{unit}", value <= most)


def percentile(values: Sequence[float], part: int) -> float:
    """The value below which so many percent lie; not a number for fewer than two values."""
    if len(values) < 2:
        return float("nan")
    return statistics.quantiles(values, n=100, method="inclusive")[part - 1]


class Progress:
    """Tells how many of all are done, every few seconds at most."""

    def __init__(self, tell: Tell, what: str, total: int, every: float = 5.0) -> None:
        self._tell = tell
        self._what = what
        self._total = total
        self._every = every
        self._done = 0
        self._told = time.monotonic()

    def step(self) -> None:
        self._done += 1
        if time.monotonic() - self._told >= self._every:
            self._told = time.monotonic()
            self._tell(f"{self._done:,} of {self._total:,} {self._what} …")
