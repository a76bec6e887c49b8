"""From a log to a transcript: whole matches, those that are cut off, and those that are played now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from uuid import UUID

import pytest
from baloot.core.catalogue import NAMES
from baloot.core.deal import DealEnd
from baloot.core.play import CardMove
from baloot.core.seats import Team
from baloot.history.checked import disagreement
from baloot.history.transcripts import NotStarted, transcript
from baloot.notation import text
from baloot.table import events as ev
from baloot.table.events import AbandonReason, Entry, Event
from baloot.table.policy import ForfeitReason

from tests.notation.matches import log, match


def ended(entries: Sequence[Entry], event: Event) -> Sequence[Entry]:
    """The log, ended by an event in an entry of its own."""
    last = entries[-1]
    return [
        *entries,
        replace(last, sequence=last.sequence + 1, request_id=UUID(int=1), events=(event,), questions=()),
    ]


def until(entries: Sequence[Entry], kind: type[Event], count: int) -> Sequence[Entry]:
    """The log up to the entry with so many events of a kind."""
    seen = 0
    for n, entry in enumerate(entries):
        seen += sum(isinstance(event, kind) for event in entry.events)
        if seen >= count:
            return entries[: n + 1]
    raise AssertionError(f"fewer than {count} of {kind.__name__}")


@pytest.mark.parametrize("rules", NAMES)
def test_a_match_is_told_with_every_deal_and_its_winner(rules: str) -> None:
    told, entries = match(rules), log(rules)
    events = [event for entry in entries for event in entry.events]
    assert told.match == entries[0].table_id
    assert told.event == "house cup"
    assert [player.name for player in told.players] == [
        f"player {n}" for n in ("south", "east", "north", "west")
    ]
    assert [deal.number for deal in told.deals] == [
        e.dealt.number for e in events if isinstance(e, ev.RoundDealt)
    ]
    sheets = [event.score.totals for event in events if isinstance(event, ev.RoundScored)]
    assert [deal.score.totals for deal in told.deals if deal.score is not None] == sheets
    assert told.winner is next(event.winner for event in events if isinstance(event, ev.MatchEnded))


def test_of_a_live_match_only_finished_rounds_are_told() -> None:
    entries = until(log("standard"), ev.PlayStarted, 2)
    told = transcript(entries)
    over = [
        event
        for entry in entries
        for event in entry.events
        if isinstance(event, ev.RoundScored | ev.DealVoid)
    ]
    assert len(told.deals) == len(over)
    assert all(deal.end is not None for deal in told.deals)
    assert told.winner is None
    assert disagreement(told) is None


def announced(entries: Sequence[Entry]) -> Sequence[Entry]:
    """A log up to a card with which a project is announced: nobody has seen its cards."""
    for n, entry in enumerate(entries):
        if any(isinstance(event, ev.CardPlayed) and event.move.projects for event in entry.events):
            return entries[: n + 1]
    raise AssertionError("nobody announced a project")


def test_a_round_that_is_cut_off_is_told_as_far_as_it_was_open() -> None:
    whole = ended(announced(log("standard")), ev.MatchForfeited(Team.EAST_WEST, ForfeitReason.LEFT))
    told = transcript(whole)
    last = told.deals[-1]
    assert (last.end, last.first, last.hands, last.score) == (None, (), (), None)
    assert last.moves
    assert not any(isinstance(made.move, CardMove) and made.move.projects for made in last.moves)
    assert (told.winner, told.forfeit) == (Team.SOUTH_NORTH, "left")
    assert disagreement(told) is None


def half_answered(entries: Sequence[Entry]) -> Sequence[Entry]:
    """A log up to an answer to a Hokum that is sealed still."""
    for n, entry in enumerate(entries):
        kinds = {type(event) for event in entry.events}
        if ev.AnswerGiven in kinds and ev.AnswersOpened not in kinds:
            return entries[: n + 1]
    raise AssertionError("no answer stayed sealed")


def test_sealed_answers_stay_sealed_when_a_match_is_cut_off() -> None:
    entries = half_answered(log("standard"))
    told = transcript(ended(entries, ev.TableAbandoned(AbandonReason.IDLE)))
    heard = sum(isinstance(event, ev.CallMade) for entry in entries for event in entry.events)
    assert len(told.deals[-1].calls) == heard - earlier(entries)
    assert (told.winner, told.abandoned) == (None, "idle")


def earlier(entries: Sequence[Entry]) -> int:
    """The calls of the rounds before the last."""
    events = [event for entry in entries for event in entry.events]
    last = max(n for n, event in enumerate(events) if isinstance(event, ev.RoundDealt))
    return sum(isinstance(event, ev.CallMade) for event in events[:last])


def test_a_match_that_ends_between_two_rounds_has_no_round_twice() -> None:
    entries = until(log("standard"), ev.RoundScored, 1)
    told = transcript(ended(entries, ev.TableAbandoned(AbandonReason.LEFT)))
    numbers = [deal.number for deal in told.deals]
    assert numbers == sorted(set(numbers))
    assert told.deals[-1].end is DealEnd.SCORED


def test_a_table_without_a_match_has_no_transcript() -> None:
    with pytest.raises(NotStarted):
        transcript(log("standard")[:2])
    with pytest.raises(NotStarted):
        transcript([])


def test_hands_do_not_print() -> None:
    assert "██" in repr(match("standard").deals[0])
    assert str(match("standard").deals[0].proof) not in text(match("standard"))
