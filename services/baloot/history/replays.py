"""Rounds that are over, as they were seen: by the public, by a seat, or with all hands open.

What is told is made of the log's entries by the same functions that made it for the table's streams.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from uuid import UUID

from baloot.core.deal import DealEnd
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.history.fold import ends
from baloot.history.opened import Log, opened
from baloot.history.records import RoundEnd, Span
from baloot.table import events as ev
from baloot.table.events import Entry
from baloot.table.evolve import evolve
from baloot.table.state import TableState
from baloot.table.views import Viewer

AT_ONCE = 2
"""Replays that one process makes at a time; the others wait for as long as their callers do."""
PAGE = 100
"""Entries that are read and folded in one go, which takes some milliseconds; then others have their turn."""


class Eyes(NamedTuple):
    """Whose eyes a round is seen with: a seat's, the public's (None), or those of all seats (`open`)."""

    seat: Seat | None = None
    open: bool = False

    @property
    def viewers(self) -> Sequence[Viewer]:
        return SEATS if self.open else (self.seat,)

    @property
    def public(self) -> bool:
        """Whether they see what everybody saw."""
        return self.seat is None and not self.open


@dataclass(frozen=True, slots=True)
class Replay:
    """A round from the entry `first` to the entry `last`: the table at some point of it, and the entries after that.

    What its viewers see of both is for the encoding.
    """

    number: int
    first: int
    last: int
    eyes: Eyes
    state: TableState
    entries: tuple[Entry, ...]

    def __repr__(self) -> str:
        return f"Replay({self.number}, ██)"


class Rounds(Protocol):
    """What is asked of history."""

    async def round_end(self, match_id: UUID, number: int) -> RoundEnd: ...


class Replays:
    """Tells the rounds of the matches in a log that history has told already."""

    def __init__(self, log: Log, rounds: Rounds) -> None:
        self._log = log
        self._rounds = rounds
        self._turns = asyncio.Semaphore(AT_ONCE)

    async def replay(self, match_id: UUID, number: int, eyes: Eyes, up_to: int = 0) -> Replay:
        """The round from the entry after `up_to` on; 0 is the moment before it begins.

        Raises Refusal MATCH_UNKNOWN, ROUND_UNKNOWN, FIELD_INVALID for an entry outside of the round, or UNAVAILABLE.
        """
        ended = await self._rounds.round_end(match_id, number)
        async with self._turns:
            entries = await self._entries(match_id, ended.span.last if ended.span else None)
            if not entries:
                raise _unknown(number, "an imported match has no log to be replayed")
            first, last = _found(entries, number, ended.span)
            if not eyes.public and ended.end is not DealEnd.SCORED:
                await self._require_next(match_id, number, last)
            place = up_to or first - 1
            if not first - 1 <= place <= last:
                raise _outside(first, last)
            state = await _state(entries[:place])
        return Replay(number, first, last, eyes, state, tuple(entries[place:last]))

    async def _require_next(self, match_id: UUID, number: int, last: int) -> None:
        """Raises Refusal ROUND_UNKNOWN unless another round begins after an entry, or none will."""
        async for page in self._pages(match_id, last, secrets=False):
            if any(_begins(entry) or ends(entry) for entry in page):
                return
        raise _unknown(number, "its hands are told once the next deal has begun")

    async def _entries(self, match_id: UUID, last: int | None) -> Sequence[Entry]:
        """The entries up to the one with the number `last`, or all; fewer while the rest is not public."""
        entries: list[Entry] = []
        async for page in self._pages(match_id, 0, last):
            entries += page
        return entries

    async def _pages(
        self, match_id: UUID, after: int, last: int | None = None, *, secrets: bool = True
    ) -> AsyncIterator[Sequence[Entry]]:
        """The entries above `after`, up to the one with the number `last`."""
        while last is None or after < last:
            limit = PAGE if last is None else min(PAGE, last - after)
            page = await self._read(match_id, after, limit, secrets=secrets)
            yield page
            if len(page) < limit:
                return
            after = page[-1].sequence

    async def _read(self, match_id: UUID, after: int, limit: int, *, secrets: bool) -> Sequence[Entry]:
        return await opened(self._log, match_id, after, limit, secrets=secrets)


def _found(entries: Sequence[Entry], number: int, span: Span | None) -> Span:
    """Where a round stands in its log. Raises Refusal ROUND_UNKNOWN unless all of it is in these entries."""
    if span is None:
        span = _looked_up(entries, number)
    if span is None or span.last > len(entries):
        raise _unknown(number, "it is not over, or was over a moment ago")
    return span


def _looked_up(entries: Sequence[Entry], number: int) -> Span | None:
    first = next((entry.sequence for entry in entries if _begins(entry, number)), 0)
    after = entries[first - 1 :] if first else ()
    over = (entry.sequence for entry in after if any(isinstance(event, _OVER) for event in entry.events))
    last = next(over, 0)
    return Span(first, last) if last else None


_OVER = (ev.RoundScored, ev.DealVoid)


def _begins(entry: Entry, number: int | None = None) -> bool:
    """Whether an entry begins a round, or the one with a number."""
    return any(number in (None, _number(event)) for event in entry.events if isinstance(event, _BEGINS))


_BEGINS = (ev.RoundOpened, ev.RoundDealt)


def _number(event: ev.RoundOpened | ev.RoundDealt) -> int:
    return event.dealt.number if isinstance(event, ev.RoundDealt) else event.number


async def _state(entries: Sequence[Entry]) -> TableState:
    """The table after some entries. Others have their turn now and then: a log may be long."""
    state: TableState | None = None
    for number, entry in enumerate(entries, 1):
        state = evolve(state, entry)
        if number % PAGE == 0:
            await asyncio.sleep(0)
    assert state is not None  # no round begins with a table's first entry
    return state


def _unknown(number: int, why: str) -> Refusal:
    return Refusal(Reason.ROUND_UNKNOWN, f"round {number} is not told: {why}", field="number")


def _outside(first: int, last: int) -> Refusal:
    return Refusal(
        Reason.FIELD_INVALID,
        f"up_to_sequence must be 0, or {first - 1} to {last} in this round",
        field="up_to_sequence",
        metadata={"first": str(first), "last": str(last)},
    )
