"""Who writes the projects and Baloot that seats hold (rules 2.21, 2.25, 2.28 to 2.30, 2.33)."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import NamedTuple

from baloot.core.projects import BALOOT_POINTS, ProjectKind, SeatProject
from baloot.core.ruleset import KhosaraBaloot, KhosaraProjects, RaisedProjects, Ruleset
from baloot.core.score import LineKind
from baloot.core.seats import Seat, Team
from baloot.scoring.sheet import Clauses, Draft, Inputs, Lines, Settled, line
from baloot.scoring.texts import BALOOT, PROJECTS, SEATS, Clause, Text


class Goes(Enum):
    """To whom projects or Baloot go."""

    ALL_TO_WINNER = 1
    TO_OWNER = 2
    WINNERS_OWN = 3
    NOWHERE = 4

    __hash__ = object.__hash__


# Members of an Enum are slow to get by name in Python 3.11, and these are needed in most rounds.
_ALL_TO_WINNER, _NOWHERE = Goes.ALL_TO_WINNER, Goes.NOWHERE
_LOST, _FAILED = Clause.BECAUSE_LOST, Clause.BECAUSE_FAILED

_WRITER: dict[Goes, Callable[[Team, Team], Team | None]] = {
    Goes.ALL_TO_WINNER: lambda _owner, winner: winner,
    Goes.TO_OWNER: lambda owner, _winner: owner,
    Goes.WINNERS_OWN: lambda owner, winner: owner if owner is winner else None,
    Goes.NOWHERE: lambda _owner, _winner: None,
}
_PROJECTS_OF_LOSER: dict[KhosaraProjects, Goes] = {
    KhosaraProjects.TRANSFER: Goes.ALL_TO_WINNER,
    KhosaraProjects.OWN_ONLY: Goes.WINNERS_OWN,
    KhosaraProjects.NONE: Goes.NOWHERE,
}
_BALOOT_OF_LOSER: dict[KhosaraBaloot, Goes] = {
    KhosaraBaloot.TRANSFER: Goes.ALL_TO_WINNER,
    KhosaraBaloot.OWNER_KEEPS: Goes.TO_OWNER,
    KhosaraBaloot.NONE: Goes.NOWHERE,
}


class Spoils(NamedTuple):
    """What becomes of projects and Baloot: to whom each goes, `times` what a project, and why a void one is void.

    Without a `rule` each line cites the one that gives the value.
    """

    projects: Goes
    baloot: Goes
    times: int = 1
    rule: str = ""
    void: Clause = _LOST


def spoils_of_lost(settled: Settled, rule: str) -> Spoils:
    """In a lost round, the buyer's or a raised one: what goes across, what its owner keeps, what is void (2.28, 2.29)."""
    ruleset = settled.record.ruleset
    projects = projects_of_lost(ruleset, raised=settled.level > 1)
    void = _FAILED if projects is _NOWHERE else _LOST
    return Spoils(projects, _BALOOT_OF_LOSER[ruleset.khosara_baloot], settled.project_times, rule, void)


def projects_of_lost(ruleset: Ruleset, *, raised: bool) -> Goes:
    """To whom projects go when one side takes all; a raised round may leave the loser's behind (2.29)."""
    goes = _PROJECTS_OF_LOSER[ruleset.khosara_projects]
    if raised and goes is _ALL_TO_WINNER and ruleset.raised_projects is RaisedProjects.WINNERS_OWN:
        return Goes.WINNERS_OWN
    return goes


def holdings(settled: Settled, spoils: Spoils) -> Lines:
    """A line for each project and each Baloot, also for those that do not count."""
    play = settled.record.play
    projects = tuple([_project(settled, owned, spoils) for owned in play.projects]) if play.projects else ()
    if not play.baloot:
        return projects
    return (*projects, *[_baloot(settled, seat, spoils) for seat in play.baloot])


def _project(settled: Settled, owned: SeatProject, spoils: Spoils) -> Draft:
    kind, seat = owned.project.kind, owned.seat
    writer = _WRITER[spoils.projects](seat.team, settled.verdict.ahead)
    return _project_line(seat, kind, settled.counting.project_points[kind], writer, spoils)


@cache
def _project_line(seat: Seat, kind: ProjectKind, value: int, writer: Team | None, spoils: Spoils) -> Draft:
    """There are few such lines, so each is made once."""
    times = 0 if writer is None else spoils.times
    inputs = (("seat", int(seat)), ("project_kind", int(kind)), ("value", value), ("multiplier", times))
    clauses = _fate(seat.team, writer, spoils.void)
    return _line(LineKind.PROJECT, spoils.rule or "2.21", seat, writer, inputs, clauses, PROJECTS[kind])


def _baloot(settled: Settled, seat: Seat, spoils: Spoils) -> Draft:
    writer = _WRITER[spoils.baloot](seat.team, settled.verdict.ahead)
    inputs = (("seat", int(seat)), ("value", BALOOT_POINTS), ("multiplier", int(writer is not None)))
    clauses = _fate(seat.team, writer, spoils.void)
    if settled.level > 1 and writer is not None:
        clauses = (*clauses, Clause.NEVER_MULTIPLIED)
    return _line(LineKind.BALOOT, spoils.rule or "2.25", seat, writer, inputs, clauses, BALOOT)


def _line(
    kind: LineKind,
    rule: str,
    seat: Seat,
    writer: Team | None,
    inputs: Inputs,
    clauses: Clauses,
    holding: Text,
) -> Draft:
    """What nobody writes stands at its owner's side with 0."""
    (_, value), (_, times) = inputs[-2:]
    team = seat.team if writer is None else writer
    return line(team, kind, rule, value * times, inputs, clauses, ("seat", SEATS[seat]), ("holding", holding))


def _fate(owner: Team, writer: Team | None, void: Clause) -> Clauses:
    if writer is None:
        return Clause.VOID, void
    return (Clause.KEPT if writer is owner else Clause.TAKEN,)
