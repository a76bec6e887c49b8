"""How much of a server each caller may use, and how an operator says so."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from baloot.kit.buckets import Rate
from baloot.kit.peers import NONE, OWN, Places, places

_RATE = re.compile(r"([0-9]{1,6})/([smh])\+([0-9]{1,6})")
_COUNT = re.compile(r"[0-9]{1,6}")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
OFF = "off"


@dataclass(frozen=True, slots=True)
class Quotas:
    """What callers may use of a server; None and 0 are no limit. Each server keeps its own count.

    Of a seat: `commands` are actions and leaving, `watches` the streams that it opens; of these only the newest stays
    open. Of an address: `opens` are tables opened and seats taken, `replays` what reads a whole log, `calls` all else,
    what comes with a token that is not known to be good included; `streams` are the open ones, and `tables` those that it opened and that have not
    begun. Of all: `all_streams` and `connections`.

    `trusted` are the proxies that are believed for whom they call, `exempt` those who are not limited.
    """

    commands: Rate | None = None
    watches: Rate | None = None
    opens: Rate | None = None
    calls: Rate | None = None
    replays: Rate | None = None
    streams: int = 0
    all_streams: int = 0
    tables: int = 0
    connections: int = 0
    trusted: Places = NONE
    exempt: Places = NONE

    @property
    def by_caller(self) -> bool:
        """Whether it matters who calls."""
        return any(getattr(self, name) for name in (*RATES, *COUNTS) if name != "connections")


RATES = ("commands", "watches", "opens", "calls", "replays")
COUNTS = ("streams", "all_streams", "tables", "connections")

PUBLIC = Quotas(
    commands=Rate(5, 1, 10),
    watches=Rate(10, 60, 20),
    opens=Rate(2, 1, 100),
    calls=Rate(50, 1, 200),
    replays=Rate(2, 1, 50),
    streams=500,
    all_streams=20_000,
    tables=100,
    connections=10_000,
)
"""For players: many of them may share an address, as in a house or behind a carrier's gateway."""
JUDGING = replace(PUBLIC, exempt=OWN)
"""For a rule service alone: the tables that ask it are among one's own machines and come from one address."""


class Charge(Enum):
    """What a method costs: which limit of the caller's seat, if its token is looked at, and which of its address."""

    FREE = ("", "")
    CALL = ("", "calls")
    OPEN = ("", "opens")
    COMMAND = ("commands", "calls")
    WATCH = ("watches", "calls")
    REPLAY = ("", "replays")

    def __init__(self, seat: str, address: str) -> None:
        self.seat = seat
        self.address = address


def told(
    start: Quotas, limits: Iterable[str], trusted: Iterable[str] = (), exempt: Iterable[str] = ()
) -> Quotas:
    """The quotas of `start` with what an operator says otherwise. Raises ValueError.

    `limits` are `NAME=VALUE`, or `off` for none at all; `trusted` and `exempt` are as `peers.places` reads them.
    """
    quotas = start
    for argument in limits:
        if argument == OFF:
            quotas = Quotas(trusted=quotas.trusted, exempt=quotas.exempt)
        else:
            quotas = replace(quotas, **_read(argument))
    return replace(
        quotas, trusted=places(trusted) or quotas.trusted, exempt=places(exempt) if exempt else quotas.exempt
    )


def spelled(limit: Rate | int | None) -> str:
    """A limit as an operator writes it: `5/s+10`, `100`, or `0` for none."""
    if not isinstance(limit, Rate):
        return str(limit or 0)
    units = {seconds: unit for unit, seconds in _SECONDS.items()}
    unit = units.get(limit.seconds, f"{limit.seconds}s")
    return f"{limit.calls}/{unit}+{limit.burst}"


def read_rate(text: str) -> Rate:
    """The rate that is written as `CALLS/s+BURST`, or with /m or /h. Raises ValueError."""
    rate = _RATE.fullmatch(text)
    if rate is None:
        raise ValueError(f"{text}: write a rate as CALLS/s+BURST, or /m, /h")
    calls, unit, burst = rate.groups()
    return Rate(int(calls), _SECONDS[unit], int(burst))


def exceeds(rate: Rate, most: Rate) -> bool:
    """Whether a rate allows more than another one: in the long run, or at once."""
    return rate.calls * most.seconds > most.calls * rate.seconds or rate.burst > most.burst


def _read(argument: str) -> dict[str, Any]:
    name, _, value = argument.partition("=")
    if name in COUNTS and _COUNT.fullmatch(value):
        return {name: int(value)}
    if name in RATES and value == "0":
        return {name: None}
    if name in RATES and _RATE.fullmatch(value):
        return {name: read_rate(value)}
    raise ValueError(
        f"{argument}: write NAME=CALLS/s+BURST (or /m, /h) with NAME one of {', '.join(RATES)}, "
        f"NAME=COUNT with NAME one of {', '.join(COUNTS)}, NAME=0 for no such limit, or {OFF} for none at all"
    )
