"""What history tells of a match, beside what its log tells anew."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from uuid import UUID

from baloot.audit.records import Audited, Code, Finding, Row, Unchecked
from baloot.core.score import RoundResult
from baloot.core.seats import SEATS, Team
from baloot.history import rows as written
from baloot.history.fold import Told, tell
from baloot.history.postgres import StoredHistory
from baloot.history.records import MatchSummary, RoundHistory
from baloot.history.rows import Values
from baloot.table.events import Entry
from baloot.table.payload import decode

Tables = Mapping[str, Sequence[Values]]
_PLACE = "seat", "other", "number", "step", "place"
"""The columns that tell the rows of a match in a table apart."""


def compare(audited: Audited, rows: Sequence[Row], history: StoredHistory | None) -> None:
    """Adds to an audit where history differs from what the log tells, as far as history is. The log must not be older."""
    if history is None:
        audited.could_not(Unchecked.HISTORY)
        return
    cursor = history.cursor
    try:
        told = tell(_entries(audited.match, rows[: cursor.sequence]))
        expected = _tables(audited.match, told)
    except Exception:  # noqa: BLE001 - a damaged log may tell nothing, and that is found elsewhere
        audited.could_not(Unchecked.HISTORY)
        return
    if (told.sequence, told.done) != (cursor.sequence, cursor.done):
        _tell(
            audited,
            0,
            f"history stands at entry {cursor.sequence}, which is not where the log tells something",
        )
    for table, wanted in expected.items():
        for number, sentence in _differences(wanted, history.rows.get(table, ())):
            _tell(audited, number, f"{sentence} in {table}")


def _tell(audited: Audited, number: int, sentence: str) -> None:
    """Something is wrong with the match, or with a round of it."""
    code = Code.HISTORY_ROUND if number else Code.HISTORY_MATCH
    where = f"round {number}: " if number else ""
    audited.findings.append(Finding(audited.match, 0, code, f"{where}{sentence}"))


def _entries(match: UUID, rows: Iterable[Row]) -> Iterator[Entry]:
    """The entries as everybody may know them."""
    for row in rows:
        actor = None if row.actor is None else SEATS[row.actor]
        facts = decode(row.payload, None)
        yield Entry(match, row.sequence, row.at, actor, UUID(int=0), b"", facts.events, ())


# What history has to hold.


def _tables(match: UUID, told: Told) -> Tables:
    """For each table of history the rows that a whole telling makes."""
    begun, rounds = told.begun, told.rounds
    return {
        "history_match": [] if begun is None else [_match_values(begun, told)],
        "history_seat": [] if begun is None else written.seat_values(begun),
        "history_pair": [] if begun is None else list(written.pair_values(begun)),
        "history_round": [written.round_values(match, round_) for round_ in rounds],
        "history_raise": _of_rounds(written.raise_values(match, round_) for round_ in rounds),
        "history_project": _of_rounds(written.project_values(match, round_) for round_ in rounds),
        "history_score_line": _of_rounds(written.line_values(match, round_) for round_ in rounds),
    }


def _of_rounds(values: Iterable[Iterable[Values]]) -> list[Values]:
    return list(chain.from_iterable(values))


def _match_values(begun: MatchSummary, told: Told) -> Values:
    over, scores = told.over, [round_.score for round_ in told.rounds if round_.score is not None]
    match = replace(begun, rounds=len(told.rounds), scores=scores[-1].totals if scores else begun.scores)
    if over is not None:
        match = replace(
            match, status=over.status, winner=over.winner, ended_at=over.ended_at, forfeit=over.forfeit
        )
    return {
        **written.match_values(match),
        "scored": len(scores),
        "kaboots_south_north": _kaboots(told.rounds, Team.SOUTH_NORTH),
        "kaboots_east_west": _kaboots(told.rounds, Team.EAST_WEST),
    }


def _kaboots(rounds: Iterable[RoundHistory], team: Team) -> int:
    scores = (round_.score for round_ in rounds if round_.score is not None)
    return sum(score.result is RoundResult.KABOOT and score.round_winner is team for score in scores)


# Where it differs.


_LATER = ("first_sequence", "last_sequence")
"""Columns that came later and are empty in rows that are older, until history is rebuilt."""


def _as_old(row: Values, other: Values) -> Values:
    """A row without what one that is there is too old to have."""
    return row | {name: None for name in _LATER if name in other and other[name] is None}


def _differences(wanted: Sequence[Values], there: Sequence[Values]) -> Iterator[tuple[int, str]]:
    """For each row that differs, the number of its round, 0 for none, and what is wrong."""
    expected, found = _by_place(wanted), _by_place(there)
    for place in sorted(expected.keys() | found.keys()):
        row, other = expected.get(place), found.get(place)
        if row is not None and other is not None:
            row = _as_old(row, other)
        number: int = (row or other or {}).get("number", 0)
        if other is None:
            yield number, "a row is missing"
        elif row is None:
            yield number, "a row is told of which the log knows nothing"
        elif row != other:
            names = sorted(name for name in row.keys() | other.keys() if row.get(name) != other.get(name))
            yield number, f"{', '.join(names)} is not what the log tells"


def _by_place(values: Iterable[Values]) -> dict[tuple[int, ...], Values]:
    return {tuple(row[name] for name in _PLACE if name in row): row for row in values}
