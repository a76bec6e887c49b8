"""Reading the notation, beside splitting the same text at its white space."""

from __future__ import annotations

import random
from functools import cache

from baloot.notation import read

from tests.notation.matches import GAMES


@cache
def games() -> tuple[str, ...]:
    """The golden matches of all rule sets, each line with its end."""
    whole = "\n".join(file.read_text(encoding="utf-8") for file in sorted(GAMES.glob("*.baloot")))
    return tuple(whole.splitlines(keepends=True))


def read_deals(_rng: random.Random) -> int:
    """Reads all games; the deals in them."""
    return sum(len(match.deals) for match in read(games()))


def split_deals(_rng: random.Random) -> int:
    """Splits all games into words; the deals in them."""
    return sum(line.split()[0] == "deal" for line in games() if not line.isspace())
