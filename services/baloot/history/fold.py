"""From a table's entries to what history tells of them. Pure, and the same however the entries are cut up.

History moves in steps: it takes entries in up to the last that begins a match, ends a round or ends the table, and
leaves the rest for the next time. So nothing of a round is told before it is over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

from baloot.core.contract import Contract
from baloot.core.deal import DealEnd
from baloot.core.projects import SeatProject
from baloot.core.score import RoundScore
from baloot.core.seats import SEATS, Seat, Team
from baloot.history.records import MatchStatus, MatchSummary, RoundHistory, Span
from baloot.table import events as ev
from baloot.table.events import Entry, Micros, Settings
from baloot.table.policy import ForfeitReason


@dataclass(frozen=True, slots=True)
class MatchOver:
    """How a match ended."""

    status: MatchStatus
    winner: Team | None
    ended_at: Micros
    forfeit: ForfeitReason | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """What is to be told after the entries up to `sequence`: a match that began, rounds that ended, how it ended.

    `seen` is the last entry that was looked at, and `done` says that there will be no more.
    """

    sequence: int
    seen: int
    begun: MatchSummary | None = None
    rounds: tuple[RoundHistory, ...] = ()
    over: MatchOver | None = None
    done: bool = False


def tell(entries: Iterable[Entry], after: int = 0) -> Told:
    """What the entries of a table tell that follow its entry `after`, up to which all was told before."""
    told = _Telling(after, after)
    for entry in entries:
        told.take(entry)
    return told.so_far()


class Follower:
    """Tells a table's entries as they come, from its first one or from one that mattered on.

    Between two entries that matter nothing has to be kept, so what it tells equals what `tell` finds in the log.
    """

    def __init__(self, after: int = 0) -> None:
        self.after = after
        self._telling = _Telling(after, after)

    @property
    def seen(self) -> int:
        """The last entry that was taken."""
        return self._telling.seen

    def follows(self, entry: Entry) -> bool:
        """Whether this is the entry after the last one that was taken."""
        return entry.sequence == self.seen + 1

    def take(self, entry: Entry) -> Told | None:
        """What is to be told after `after`, if the entry matters; then the next telling begins."""
        self._telling.take(entry)
        if not matters(entry):
            return None
        told = self._telling.so_far()
        self._telling = _Telling(entry.sequence, entry.sequence)
        return told


def matters(entry: Entry) -> bool:
    """Whether history has something to tell after this entry."""
    return any(type(event) in _STEPS for event in entry.events)


def ends(entry: Entry) -> bool:
    """Whether this is a table's last entry."""
    return any(isinstance(event, _ENDS) for event in entry.events)


_ENDS = (ev.MatchEnded, ev.MatchForfeited, ev.TableAbandoned)


@dataclass(slots=True)
class _Round:
    """What is known of a round that is not over."""

    number: int
    dealer: Seat
    first: int
    contract: Contract | None = None
    shown: list[SeatProject] = field(default_factory=list)
    """What was laid open: the table and the owners show nothing that does not count, and a claim the rest that does."""


@dataclass(slots=True)
class _Telling:
    sequence: int
    seen: int
    settings: Settings | None = None
    names: list[str] = field(default_factory=lambda: [""] * len(SEATS))
    player_ids: list[str] = field(default_factory=lambda: [""] * len(SEATS))
    opened: tuple[int, int] = (0, 0)
    """The number of the round that was opened last, for its deck to be cut, and of that entry."""
    round: _Round | None = None
    begun: MatchSummary | None = None
    rounds: list[RoundHistory] = field(default_factory=list)
    over: MatchOver | None = None
    done: bool = False

    def take(self, entry: Entry) -> None:
        for event in entry.events:
            apply = _APPLY.get(type(event))
            if apply is not None:
                apply(self, event, entry)
        self.seen = entry.sequence
        if matters(entry):
            self.sequence = entry.sequence

    def so_far(self) -> Told:
        return Told(self.sequence, self.seen, self.begun, tuple(self.rounds), self.over, self.done)

    def end_round(self, end: DealEnd, entry: Entry, score: RoundScore | None, kawesh: Seat | None) -> None:
        round_ = self.round
        assert round_ is not None
        contract = None if score is None else round_.contract
        counted = () if score is None else tuple(round_.shown)
        span = Span(round_.first, entry.sequence)
        self.rounds.append(
            RoundHistory(round_.number, round_.dealer, end, entry.at, contract, counted, score, kawesh, span)
        )
        self.round = None


def _created(told: _Telling, event: ev.TableCreated, _entry: Entry) -> None:
    told.settings = event.settings


def _seat_taken(told: _Telling, event: ev.SeatTaken, _entry: Entry) -> None:
    told.names[event.seat] = event.player_name
    told.player_ids[event.seat] = event.player_id


def _match_started(told: _Telling, _event: ev.MatchStarted, entry: Entry) -> None:
    assert told.settings is not None
    told.begun = replace(
        _summary(entry.table_id, told.settings, told.names, entry.at), player_ids=_four(told.player_ids)
    )


def _summary(table_id: UUID, settings: Settings, names: list[str], at: Micros) -> MatchSummary:
    ruleset = settings.ruleset
    return MatchSummary(
        table_id,
        MatchStatus.PLAYING,
        ruleset.name,
        ruleset.hash,
        _four(names),
        at,
        event_id=settings.event_id,
        rematch_of=settings.rematch_of,
    )


def _four(texts: list[str]) -> tuple[str, str, str, str]:
    south, east, north, west = texts
    return south, east, north, west


def _opened(told: _Telling, event: ev.RoundOpened, entry: Entry) -> None:
    told.opened = event.number, entry.sequence


def _dealt(told: _Telling, event: ev.RoundDealt, entry: Entry) -> None:
    number, opened = told.opened
    first = opened if number == event.dealt.number else entry.sequence  # another deal may follow the cut
    told.round = _Round(event.dealt.number, event.dealer, first)


def _play_started(told: _Telling, event: ev.PlayStarted, _entry: Entry) -> None:
    assert told.round is not None
    told.round.contract = event.contract


def _projects_shown(told: _Telling, event: ev.ProjectsShown, _entry: Entry) -> None:
    assert told.round is not None
    told.round.shown += event.projects


def _scored(told: _Telling, event: ev.RoundScored, entry: Entry) -> None:
    told.end_round(DealEnd.SCORED, entry, event.score, None)


def _void(told: _Telling, event: ev.DealVoid, entry: Entry) -> None:
    told.end_round(event.end, entry, None, event.kawesh)


def _match_ended(told: _Telling, event: ev.MatchEnded, entry: Entry) -> None:
    told.over = MatchOver(MatchStatus.FINISHED, event.winner, entry.at)
    told.done = True


def _forfeited(told: _Telling, event: ev.MatchForfeited, entry: Entry) -> None:
    if told.sequence > 0:  # else it is a walk-over of a match that never began
        told.over = MatchOver(MatchStatus.FINISHED, event.winner, entry.at, event.reason)
    told.done = True


def _abandoned(told: _Telling, _event: ev.TableAbandoned, entry: Entry) -> None:
    if told.sequence > 0:  # else no match ever began at this table
        told.over = MatchOver(MatchStatus.ABANDONED, None, entry.at)
    told.done = True


_STEPS: dict[type[ev.Event], Callable[[_Telling, Any, Entry], None]] = {
    ev.MatchStarted: _match_started,
    ev.RoundScored: _scored,
    ev.DealVoid: _void,
    ev.MatchEnded: _match_ended,
    ev.MatchForfeited: _forfeited,
    ev.TableAbandoned: _abandoned,
}
_APPLY: dict[type[ev.Event], Callable[[_Telling, Any, Entry], None]] = {
    **_STEPS,
    ev.TableCreated: _created,
    ev.SeatTaken: _seat_taken,
    ev.RoundOpened: _opened,
    ev.RoundDealt: _dealt,
    ev.PlayStarted: _play_started,
    ev.ProjectsShown: _projects_shown,
}
