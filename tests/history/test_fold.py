"""From entries to what is told: against the table's own fold, and however the log is cut up."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from baloot.core.cards import Card
from baloot.core.deal import DealEnd
from baloot.core.projects import Project, ProjectKind, SeatProject
from baloot.core.seats import Seat, Team
from baloot.history.fold import Follower, MatchOver, Told, ends, matters, tell
from baloot.history.records import MatchStatus, RoundHistory
from baloot.play import rules
from baloot.table import events as ev
from baloot.table.events import Entry, Status
from baloot.table.policy import ForfeitReason
from baloot.table.state import Phase, Round, TableState

from tests.history.played import Logbook, forfeits, logbooks, owners_show, states

ENDED = (Phase.SCORED, Phase.VOID)


@pytest.fixture(params=range(5), ids=["finished", "another", "going on", "left", "never filled"])
def log(request: pytest.FixtureRequest) -> Logbook:
    return logbooks()[request.param]


def ended_rounds(log: Logbook) -> list[tuple[Round, Entry]]:
    """The table's own view of each round at its end."""
    found = []
    for entry, state in zip(log, states(log), strict=True):
        ends = any(isinstance(event, ev.RoundScored | ev.DealVoid) for event in entry.events)
        if ends and state.round is not None:
            found.append((state.round, entry))
    return found


def as_told(round_: Round, entry: Entry) -> RoundHistory:
    scored = round_.score is not None
    assert round_.end is not None
    return RoundHistory(
        round_.dealt.number,
        round_.dealer,
        round_.end,
        entry.at,
        round_.contract if scored else None,
        tuple(sorted(round_.shown, key=_order)) if scored else (),
        round_.score,
        round_.kawesh,
    )


def sorted_projects(round_: RoundHistory) -> RoundHistory:
    return replace(round_, projects=tuple(sorted(round_.projects, key=_order)))


def _order(owned: SeatProject) -> tuple[int, ...]:
    return owned.seat, *owned.project.cards


def test_each_round_is_told_as_the_table_saw_it(log: Logbook) -> None:
    told = [sorted_projects(round_) for round_ in tell(log).rounds]
    assert told == [as_told(round_, entry) for round_, entry in ended_rounds(log)]


def test_the_logs_hold_every_kind_of_end() -> None:
    """Otherwise the tests beside this one would say little."""
    told = [tell(log) for log in logbooks()]
    rounds = [round_ for one in told for round_ in one.rounds]
    assert {DealEnd.SCORED, DealEnd.THROWN_IN} <= {round_.end for round_ in rounds}
    assert any(round_.projects for round_ in rounds)
    assert any(round_.contract and round_.contract.raises for round_ in rounds)
    assert [one.over.status if one.over else None for one in told] == [
        MatchStatus.FINISHED,
        MatchStatus.FINISHED,
        None,
        MatchStatus.ABANDONED,
        None,
    ]


def test_a_kawesh_ends_a_round_without_a_score() -> None:
    log = logbooks()[0]
    deal = next(n for n, entry in enumerate(log) if isinstance(entry.events[0], ev.RoundDealt))
    event = log[deal].events[0]
    assert isinstance(event, ev.RoundDealt)
    hands = event.dealt.deck.first_hands(event.dealer)
    shown = replace(log[deal + 1], events=(ev.DealVoid(DealEnd.KAWESH, Seat.EAST, hands),))
    told = tell((*log[: deal + 1], shown))
    assert told.rounds == (RoundHistory(1, event.dealer, DealEnd.KAWESH, shown.at, kawesh=Seat.EAST),)
    assert told.sequence == shown.sequence


def test_where_owners_show_the_projects_are_those_that_were_counted() -> None:
    log = owners_show()
    ended = ended_rounds(log)
    told = [sorted_projects(round_) for round_ in tell(log).rounds]
    assert [round_.projects for round_ in told] == [counted(round_) for round_, _ in ended]
    silent = [round_ for round_, _ in ended if round_.projects_team is not None and not round_.shown]
    beaten = [
        round_ for round_, _ in ended if any(one.team is not round_.projects_team for one in round_.shown)
    ]
    assert silent, "no round in which nothing was shown would prove little"
    assert beaten, "no round in which the other side showed would prove little"


def counted(round_: Round) -> tuple[SeatProject, ...]:
    """What the play service told scoring."""
    if round_.score is None or round_.play is None:
        return ()
    outcome = rules.outcome(rules.fold(round_.play))
    assert outcome is not None
    return tuple(sorted(outcome.projects, key=_order))


def test_projects_of_the_side_that_lost_the_comparison_are_not_told() -> None:
    log = list(logbooks()[0])
    decided = next(
        n for n, entry in enumerate(log) if any(isinstance(e, ev.ProjectsDecided) for e in entry.events)
    )
    winners = next(event.team for event in log[decided].events if isinstance(event, ev.ProjectsDecided))
    before = tell(log).rounds
    for n in range(decided - 3, decided + 1):
        played = log[n].events[0]
        assert isinstance(played, ev.CardPlayed)
        if played.seat.team is not winners:
            sira = Project(ProjectKind.SIRA, (Card.C7H, Card.C8H, Card.C9H))
            louder = replace(played, move=replace(played.move, projects=(sira,)))
            log[n] = replace(log[n], events=(louder, *log[n].events[1:]))
    assert log != list(logbooks()[0])
    assert tell(log).rounds == before


def test_the_match_is_told_with_its_players_and_its_end(log: Logbook) -> None:
    told, last = tell(log), states(log)[-1]
    assert told.done == last.status.ended
    assert told.seen == len(log)
    if last.status in (Status.OPEN, Status.ABANDONED) and told.begun is None:
        assert told.over is None
        return
    assert told.begun is not None
    assert told.begun.players == tuple(player.name for player in last.seats if player)
    assert told.begun.ruleset_hash == last.settings.ruleset.hash
    if told.over is not None:
        assert told.over.winner is last.winner
        assert told.over.ended_at == log[-1].at


def together(first: Told, second: Told) -> Told:
    return Told(
        second.sequence,
        second.seen,
        first.begun or second.begun,
        first.rounds + second.rounds,
        first.over or second.over,
        first.done or second.done,
    )


def test_it_does_not_matter_where_the_log_is_cut(log: Logbook) -> None:
    whole = tell(log)
    for cut in range(len(log) + 1):
        first = tell(log[:cut])
        assert first.sequence <= cut
        assert together(first, tell(log[first.sequence :], first.sequence)) == whole


def test_it_may_be_cut_many_times() -> None:
    rng = Random(4)
    for log in logbooks():
        told, end = tell(()), 0
        while end < len(log):
            end = min(len(log), end + rng.randrange(1, 30))
            told = together(told, tell(log[told.sequence : end], told.sequence))
        assert told == tell(log)


def test_nothing_of_a_round_is_told_before_it_is_over(log: Logbook) -> None:
    for n, state in enumerate(states(log), 1):
        assert len(tell(log[:n]).rounds) == _over(state)


def _over(state: TableState) -> int:
    if state.round is None:
        return 0
    return state.round.dealt.number - (state.round.phase not in ENDED)


def test_only_what_changes_history_matters(log: Logbook) -> None:
    before = tell(())
    for n, entry in enumerate(log, 1):
        now = tell(log[:n])
        changed = (now.begun, now.rounds, now.over, now.done) != (
            before.begun,
            before.rounds,
            before.over,
            before.done,
        )
        assert matters(entry) == changed
        assert (now.sequence == n) == changed
        before = now


@pytest.mark.parametrize("begin", ["with the first entry", "later"])
def test_following_entry_by_entry_tells_what_the_log_tells(log: Logbook, begin: str) -> None:
    mattering = [entry.sequence for entry in log if matters(entry)]
    after = 0 if begin == "with the first entry" else mattering[len(mattering) // 2]
    follower = Follower(after)
    for entry in log[after:]:
        assert follower.follows(entry)
        told = follower.take(entry)
        if told is not None:
            assert told == tell(log[after : entry.sequence], after)
            after = entry.sequence
            follower = Follower(after)


def test_a_forfeit_ends_a_match_with_a_winner_and_the_reason() -> None:
    log, _ = forfeits()
    told = tell(log)
    assert told.over == MatchOver(MatchStatus.FINISHED, Team.EAST_WEST, log[-1].at, ForfeitReason.LEFT)
    assert told.done
    assert ends(log[-1])
    assert not any(ends(entry) for entry in log[:-1])


def test_a_walk_over_ends_a_table_at_which_no_match_began() -> None:
    _, log = forfeits()
    told = tell(log)
    assert isinstance(log[-1].events[-1], ev.MatchForfeited)
    assert (told.begun, told.over, told.done) == (None, None, True)
