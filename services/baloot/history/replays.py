"""Rounds that are over, as they were seen: by the public, by a seat, or with all hands open.

What is told is made of the log's entries by the same functions that made it for the table's streams.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol
from uuid import UUID

from baloot.core.deal import DealEnd
from baloot.core.errors import Reason, Refusal
from baloot.core.seats import SEATS, Seat
from baloot.history.fold import ends
from baloot.history.opened import Log, opened
from baloot.table import events as ev
from baloot.table.events import Entry
from baloot.table.evolve import evolve
from baloot.table.state import TableState
from baloot.table.views import Viewer


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

    async def round_end(self, match_id: UUID, number: int) -> DealEnd: ...


class Replays:
    """Tells the rounds of the matches in a log that history has told already."""

    def __init__(self, log: Log, rounds: Rounds) -> None:
        self._log = log
        self._rounds = rounds

    async def replay(self, match_id: UUID, number: int, eyes: Eyes, up_to: int = 0) -> Replay:
        """The round from the entry after `up_to` on; 0 is the moment before it begins.

        Raises Refusal MATCH_UNKNOWN, ROUND_UNKNOWN, FIELD_INVALID for an entry outside of the round, or UNAVAILABLE.
        """
        end = await self._rounds.round_end(match_id, number)
        entries = await opened(self._log, match_id)
        if not entries:
            raise _unknown(number, "an imported match has no log to be replayed")
        first, last = _place(entries, number)
        if not eyes.public and end is not DealEnd.SCORED and not _goes_on(entries[last:]):
            raise _unknown(number, "its hands are told once the next deal has begun")
        place = up_to or first - 1
        if not first - 1 <= place <= last:
            raise _outside(first, last)
        return Replay(number, first, last, eyes, _state(entries[:place]), tuple(entries[place:last]))


def _place(entries: Sequence[Entry], number: int) -> tuple[int, int]:
    """The numbers of the first and the last entry of a round."""
    first = next((entry.sequence for entry in entries if _begins(entry, number)), 0)
    if first:
        for entry in entries[first - 1 :]:
            if any(isinstance(event, ev.RoundScored | ev.DealVoid) for event in entry.events):
                return first, entry.sequence
    raise _unknown(number, "it is not over, or was over a moment ago")


def _begins(entry: Entry, number: int | None = None) -> bool:
    """Whether an entry begins a round, or the one with a number."""
    return any(number in (None, _number(event)) for event in entry.events if isinstance(event, _BEGINS))


_BEGINS = (ev.RoundOpened, ev.RoundDealt)


def _number(event: ev.RoundOpened | ev.RoundDealt) -> int:
    return event.dealt.number if isinstance(event, ev.RoundDealt) else event.number


def _goes_on(entries: Iterable[Entry]) -> bool:
    """Whether another round begins in these entries, or none will."""
    return any(_begins(entry) or ends(entry) for entry in entries)


def _state(entries: Sequence[Entry]) -> TableState:
    state: TableState | None = None
    for entry in entries:
        state = evolve(state, entry)
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
