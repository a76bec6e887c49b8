"""From the log of a table to the transcript of its match. Asks nobody: everything stands in the entries."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from baloot.core.auction import SeatCall
from baloot.core.cards import Hand
from baloot.core.deal import NO_SEAT_SEEDS
from baloot.core.play import CardMove, SeatMove
from baloot.core.projects import SeatProject
from baloot.core.score import RoundScore
from baloot.core.transcript import DealProof, DealTranscript, NamedPlayer, Players, Transcript
from baloot.history.fold import ends
from baloot.play.state import CARDS_IN_HAND
from baloot.table import events as ev
from baloot.table.events import SECOND, Entry, Event, SeedsRevealed
from baloot.table.evolve import evolve
from baloot.table.state import Player, Round, TableState


class NotStarted(ValueError):
    """A log of a table at which no match has begun: there is nothing to write down."""


class Written(NamedTuple):
    """What is written down so far. `held` is the last deal with its hands, as long as they are not told.

    Those of a deal that was not played out are told once the next one begins, or the match is over.
    """

    deals: tuple[DealTranscript, ...] = ()
    held: DealTranscript | None = None


def transcript(entries: Sequence[Entry]) -> Transcript:
    """The match of a whole log, which begins with the table's opening; of a live match, its finished rounds.

    A round that the end of the match cut off is told as far as everybody could see it. Raises NotStarted.
    """
    state, written, chain = None, Written(), b""
    started: int | None = None
    for entry in entries:
        state = evolve(state, entry)
        for event in entry.events:
            if isinstance(event, ev.MatchStarted):
                started = entry.at
            write = _WRITE.get(type(event))
            if write is not None:
                written = write(written, state, event)
        if ends(entry):
            chain = entry.chain
    if state is None or started is None:
        raise NotStarted("no match has begun at this table")
    return _whole(state, started, written, chain)


def _whole(state: TableState, started: ev.Micros, written: Written, chain: bytes) -> Transcript:
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
        log_chain=chain or None,
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


def _void(written: Written, state: TableState, _event: Event) -> Written:
    """Writes a deal down that was not played out, without its hands so far."""
    assert state.round is not None
    whole = _deal(state.round)
    return Written((*written.deals, _as_seen(whole, state.round)), whole)


def _told(written: Written, _state: TableState, _event: Event) -> Written:
    """Tells the hands of the deal before."""
    if written.held is None:
        return written
    return Written((*written.deals[:-1], written.held))


def _cut_off(written: Written, state: TableState, event: Event) -> Written:
    """Writes a round down that the end of the match cut off, if one was under way."""
    written, round_ = _told(written, state, event), state.round
    if round_ is None or round_.end is not None:
        return written
    return written._replace(deals=(*written.deals, _as_seen(_deal(round_), round_)))


def _revealed(written: Written, _state: TableState, event: SeedsRevealed) -> Written:
    """Writes seeds down, at the deals that are told."""
    seeds = dict(enumerate(event.seeds, event.first_number))
    deals = tuple(
        replace(deal, proof=replace(deal.proof, seed=seeds[deal.number])) if deal.number in seeds else deal
        for deal in written.deals
    )
    return written._replace(deals=deals)


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
        proof=_proof(round_),
    )


def _proof(round_: Round) -> DealProof:
    """What verifies a deal before its seed is known. Seats of which none added anything are left out."""
    dealt, inputs = round_.dealt, round_.inputs
    added = () if inputs.seat_seeds == NO_SEAT_SEEDS else inputs.seat_seeds
    return DealProof(dealt.commitment, dealt.deck_root, None, added, inputs.beacon or None)


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
    """The calls without the answers that are sealed: of equal calls, those that were made last."""
    latest = list(reversed(round_.auction.calls))
    for said in round_.sealed:
        latest.remove(said)
    return tuple(reversed(latest))


def _open_part(made: SeatMove, shown: Sequence[SeatProject]) -> SeatMove:
    move = made.move
    if not isinstance(move, CardMove) or not move.projects:
        return made
    projects = tuple(project for project in move.projects if SeatProject(made.seat, project) in shown)
    return SeatMove(made.seat, replace(move, projects=projects))


Write = Callable[[Written, TableState, Any], Written]
_WRITE: Mapping[type[Event], Write] = {
    ev.RoundScored: _ended,
    ev.DealVoid: _void,
    ev.RoundOpened: _told,
    ev.RoundDealt: _told,
    ev.MatchEnded: _told,
    ev.MatchForfeited: _cut_off,
    ev.TableAbandoned: _cut_off,
    SeedsRevealed: _revealed,
}
"""What is written down at each event, once the entry has been folded; other events leave it as it is."""
