"""From the log of a table to the transcript of its match. Asks nobody: everything stands in the entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from baloot.core.auction import SeatCall
from baloot.core.cards import Hand
from baloot.core.play import CardMove, SeatMove
from baloot.core.projects import SeatProject
from baloot.core.score import RoundScore
from baloot.core.transcript import DealProof, DealTranscript, NamedPlayer, Players, Transcript
from baloot.play.state import CARDS_IN_HAND
from baloot.table import events as ev
from baloot.table.events import SECOND, Entry, Event
from baloot.table.evolve import evolve
from baloot.table.state import Player, Round, TableState


class NotStarted(ValueError):
    """A log of a table at which no match has begun: there is nothing to write down."""


class Written(NamedTuple):
    """What is written down so far."""

    deals: tuple[DealTranscript, ...] = ()


def transcript(entries: Sequence[Entry]) -> Transcript:
    """The match of a whole log, which begins with the table's opening; of a live match, its finished rounds.

    A round that the end of the match cut off is told as far as everybody could see it. Raises NotStarted.
    """
    state, written = None, Written()
    started: int | None = None
    for entry in entries:
        state = evolve(state, entry)
        for event in entry.events:
            if isinstance(event, ev.MatchStarted):
                started = entry.at
            write = _WRITE.get(type(event))
            if write is not None:
                written = write(written, state, event)
    if state is None or started is None:
        raise NotStarted("no match has begun at this table")
    return _whole(state, started, written)


def _whole(state: TableState, started: ev.Micros, written: Written) -> Transcript:
    return Transcript(
        match=state.table_id,
        event=state.settings.event_id,
        date=datetime.fromtimestamp(started / SECOND, UTC).date(),
        players=_players(state.seats),
        ruleset=state.settings.ruleset,
        deals=written.deals,
        winner=state.winner,
        forfeit="" if state.forfeited is None else state.forfeited.name.lower(),
        abandoned="" if state.abandoned is None else state.abandoned.name.lower(),
    )


def _players(seats: Sequence[Player | None]) -> Players:
    south, east, north, west = (
        NamedPlayer() if one is None else NamedPlayer(one.name, one.player_id) for one in seats
    )
    return south, east, north, west


# The deals.


def _ended(written: Written, state: TableState, _event: Event) -> Written:
    """Writes the round down that has just ended."""
    assert state.round is not None
    return written._replace(deals=(*written.deals, _deal(state.round)))


def _cut_off(written: Written, state: TableState, _event: Event) -> Written:
    """Writes a round down that the end of the match cut off, if one was under way."""
    round_ = state.round
    if round_ is None or round_.end is not None:
        return written
    return written._replace(deals=(*written.deals, _as_seen(_deal(round_), round_)))


def _deal(round_: Round) -> DealTranscript:
    auction, play = round_.auction, round_.play
    return DealTranscript(
        number=round_.dealt.number,
        dealer=round_.dealer,
        up_card=auction.up_card,
        cut=round_.cut,
        first=auction.hands,
        hands=_eight(round_),
        calls=auction.calls,
        contract=round_.contract,
        moves=() if play is None else play.moves,
        shown=round_.shown,
        credited=round_.baloot,
        sawa_proof=next((claim.cards for claim in round_.sawa if claim.held), ()),
        qaid=round_.qaid,
        end=round_.end,
        score=None if round_.score is None else _without_sentences(round_.score),
        proof=DealProof(round_.dealt.commitment, round_.dealt.deck_root),
    )


def _eight(round_: Round) -> tuple[Hand, ...]:
    """The eight cards of each seat, once they are dealt."""
    hands: tuple[Hand, ...] = round_.hands if round_.play is None else round_.play.hands
    return hands if all(len(hand) == CARDS_IN_HAND for hand in hands) else ()


def _without_sentences(score: RoundScore) -> RoundScore:
    return replace(score, lines=tuple(replace(line, english="", arabic="") for line in score.lines))


def _as_seen(deal: DealTranscript, round_: Round) -> DealTranscript:
    """A deal without what nobody laid open: hands, sealed answers, and announced projects that were not shown."""
    moves = tuple(_open_part(made, deal.shown) for made in deal.moves)
    return replace(deal, first=(), hands=(), calls=_open_calls(round_), moves=moves)


def _open_calls(round_: Round) -> tuple[SeatCall, ...]:
    sealed = list(round_.sealed)
    return (
        tuple(said for said in round_.auction.calls if said not in sealed) if sealed else round_.auction.calls
    )


def _open_part(made: SeatMove, shown: Sequence[SeatProject]) -> SeatMove:
    move = made.move
    if not isinstance(move, CardMove) or not move.projects:
        return made
    projects = tuple(project for project in move.projects if SeatProject(made.seat, project) in shown)
    return SeatMove(made.seat, replace(move, projects=projects))


Write = Callable[[Written, TableState, Any], Written]
_WRITE: Mapping[type[Event], Write] = {
    ev.RoundScored: _ended,
    ev.DealVoid: _ended,
    ev.MatchForfeited: _cut_off,
    ev.TableAbandoned: _cut_off,
}
"""What is written down at each event, once the entry has been folded; other events leave it as it is."""
