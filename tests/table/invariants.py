"""What must hold after every event of a match, worked out from its entries alone. Every check asserts."""

from __future__ import annotations

from collections.abc import Sequence

from baloot.core.cards import CARDS, Card, card_points
from baloot.core.contract import Mode
from baloot.core.score import RoundScore
from baloot.core.seats import SEATS, TEAMS, Team
from baloot.table import events as ev
from baloot.table.events import Entry, Event, Status
from baloot.table.evolve import evolve
from baloot.table.state import Phase, Round, TableState

from tests.table.deal_laws import check_reveals

POINTS = {Mode.HOKUM: 162, Mode.SUN: 130}
"""All card points of a round, the ten of the last trick included."""


def check(log: Sequence[Entry]) -> None:
    """All that must hold of the log of a match that was won."""
    check_way(log)
    check_end(log)


def check_way(log: Sequence[Entry]) -> None:
    """All that must hold of the log of a match, however it ends."""
    check_reveals(log)
    state: TableState | None = None
    for entry in log:
        before = state
        state = evolve(state, entry)
        for event in entry.events:
            check_event(before, event)
        if state.round is not None:
            check_cards(state.round)
        check_winner(state)


def check_event(before: TableState | None, event: Event) -> None:
    """Only who holds a card plays it, a trick is worth its cards, and sheets add up."""
    round_ = before.round if before else None
    if isinstance(event, ev.CardPlayed):
        assert round_ is not None
        assert event.move.card in round_.hands[event.seat]
    elif isinstance(event, ev.TrickWon):
        assert round_ is not None
        assert round_.contract is not None
        assert event.trick.points == sum(
            card_points(card, round_.contract.trump) for card in event.trick.cards
        )
        assert event.trick.winner in SEATS
    elif isinstance(event, ev.RoundScored):
        assert before is not None
        check_sheet(before.scores, event.score)


def check_sheet(before: tuple[int, int], score: RoundScore) -> None:
    """The lines of a side add up to what it writes, and what it writes to its total."""
    for team in TEAMS:
        assert score.game_points[team] == sum(line.game_points for line in score.lines if line.team is team)
        assert score.totals[team] == before[team] + score.game_points[team]
        assert all(line.game_points >= 0 for line in score.lines)


def check_cards(round_: Round) -> None:
    """32 different cards, wherever they lie, and the card points of those that are won."""
    assert sorted(round_.deck.cards) == list(CARDS)
    if round_.phase in (Phase.AUCTION, Phase.VOID):
        check_first_hands(round_)
        return
    in_tricks = [card for trick in round_.tricks for card in trick.cards]
    on_table = [on_table.move.card for on_table in round_.trick]
    held = [card for hand in round_.hands for card in hand]
    assert sorted([*in_tricks, *on_table, *held]) == list(CARDS)
    assert [len(hand) for hand in round_.hands] == expected_sizes(round_)
    check_points(round_, held + on_table)


def check_first_hands(round_: Round) -> None:
    """Five cards each, or all eight where raises are asked with them, and none of them lies open."""
    held: list[Card] = [card for hand in round_.hands for card in hand]
    assert len(held) == len(set(held))
    assert [len(hand) for hand in round_.hands] in ([5] * 4, [8] * 4)
    assert (round_.deck.up_card in held) is (len(held) == 32)


def expected_sizes(round_: Round) -> list[int]:
    """Everybody has played to every trick, and to the open one who has a card on the table."""
    played = {one.seat for one in round_.trick}
    return [8 - len(round_.tricks) - (seat in played) for seat in SEATS]


def check_points(round_: Round, unplayed: list[Card]) -> None:
    """What is won and what is not yet are 162 or 130, with ten for the last trick; the sheet says the same."""
    contract = round_.contract
    assert contract is not None
    won = [sum(trick.points for trick in round_.tricks if trick.winner.team is team) for team in TEAMS]
    left = sum(card_points(card, contract.trump) for card in unplayed)
    assert sum(won) + left + 10 == POINTS[contract.mode]
    if round_.score is None:
        return
    claimed = next((claim.seat for claim in round_.sawa if claim.held), None)
    if claimed is not None or len(round_.tricks) == 8:
        last = (claimed if claimed is not None else round_.tricks[-1].winner).team
        won[last] += left + 10
        assert sum(won) == POINTS[contract.mode]
    assert list(round_.score.card_points) == won


def check_winner(state: TableState) -> None:
    """A match has a winner exactly when it is over, and one who has reached the target if the other did not forfeit."""
    assert (state.winner is not None) is (state.status is Status.FINISHED)
    if state.winner is not None and state.forfeited is None:
        assert state.scores[state.winner] >= state.settings.ruleset.match_target
        assert state.round is not None
        assert state.round.score is not None
        assert state.round.score.winner is state.winner


def check_end(log: Sequence[Entry]) -> None:
    """One side has won, once, with the last sheet."""
    sheets = [event.score for entry in log for event in entry.events if isinstance(event, ev.RoundScored)]
    winners: list[Team | None] = [sheet.winner for sheet in sheets]
    (end,) = [event for entry in log for event in entry.events if isinstance(event, ev.MatchEnded)]
    assert winners == [None] * (len(sheets) - 1) + [end.winner]
    assert end.totals == sheets[-1].totals
    assert log[-1].events[-2] == end
