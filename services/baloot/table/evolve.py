"""The fold: a table's state after one entry more. Total over all events, and asks nobody."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from baloot.core.auction import AuctionRecord, CallKind, QuestionKind, SeatCall
from baloot.core.contract import Contract, Level, Raise
from baloot.core.deal import DealEnd
from baloot.core.play import PlayRecord, SawaMove
from baloot.core.seats import SEATS, Seat
from baloot.table import events as ev
from baloot.table.absence import bots_after
from baloot.table.deals import DealInputs
from baloot.table.events import (
    BeaconGiven,
    DealsCommitted,
    Entry,
    Event,
    PresenceChanged,
    SeedAdded,
    SeedsRevealed,
    Status,
)
from baloot.table.state import Connection, OnTable, Pending, Phase, Player, Round, TableState
from baloot.table.timing import banks_after

T = TypeVar("T")


def evolve(state: TableState | None, entry: Entry) -> TableState:
    """The state after an entry. `state` is None before the first, which must open the table."""
    if state is None:
        state = _opened(entry)
    missed = missed_after(state, entry)
    for event in entry.events:
        apply = _APPLY.get(type(event))
        if apply is not None:
            state = apply(state, event)
        elif isinstance(event, PresenceChanged):
            state = _connected(state, event, entry)
    if any(open_.kind is QuestionKind.QAID for open_ in entry.questions):
        state = _reviewed(state)
    return state._replace(
        sequence=entry.sequence,
        questions=entry.questions,
        deadline=entry.deadline,
        defaults_in_row=_defaults_in_row(state, entry),
        extended=_extended(state, entry.events[0]),
        banks=banks_after(state.banks, entry.time_used) if entry.time_used else state.banks,
        missed=missed,
    )


def fold(entries: Iterable[Entry], state: TableState | None = None) -> TableState | None:
    """The state after all entries; None when there are none."""
    for entry in entries:
        state = evolve(state, entry)
    return state


def _opened(entry: Entry) -> TableState:
    first = entry.events[0]
    if entry.sequence != 1 or not isinstance(first, ev.TableCreated):
        raise ValueError(f"the log of table {entry.table_id} does not begin with its creation")
    settings = first.settings
    return TableState(entry.table_id, settings, banks=(settings.control.bank,) * len(SEATS))


def _reviewed(state: TableState) -> TableState:
    assert state.round is not None
    return state._replace(round=state.round._replace(phase=Phase.REVIEW))


def _defaults_in_row(state: TableState, entry: Entry) -> int:
    if entry.by_default:
        return state.defaults_in_row + 1
    return 0 if _acted(entry) else state.defaults_in_row


def _acted(entry: Entry) -> bool:
    """Whether a player did something. What a seat adds to deals its app may have sent by itself."""
    return entry.actor is not None and not isinstance(entry.events[0], SeedAdded)


def missed_after(state: TableState, entry: Entry) -> tuple[int, ...]:
    """The turns in a row that each seat has missed, after an entry of the table `state`."""
    if entry.actor is not None:
        if not state.missed[entry.actor] or not _acted(entry):
            return state.missed
        return _with(state.missed, entry.actor, 0)
    seat = next((seat for event in entry.events if (seat := _played_by(state, event)) is not None), None)
    return state.missed if seat is None else _with(state.missed, seat, state.missed[seat] + 1)


_TURNS = (ev.CallMade, ev.AnswerGiven, ev.CardPlayed, ev.SawaClaimed, ev.RoundAccepted)


def _played_by(state: TableState, event: Event) -> Seat | None:
    """The seat whose turn an event is; None if it is nobody's."""
    if isinstance(event, _TURNS):
        return event.seat
    if isinstance(event, ev.QaidClaimed):
        return event.qaid.claimer
    if isinstance(event, ev.RoundDealt) and event.cut is not None:
        return state.questions[0].seat
    return None


def _extended(state: TableState, first: Event) -> bool:
    """Who comes and goes, and what seats add to deals to come, changes nothing in the game."""
    return isinstance(first, ev.ClockExtended) or (
        state.extended and isinstance(first, PresenceChanged | SeedAdded)
    )


def _connected(state: TableState, event: PresenceChanged, entry: Entry) -> TableState:
    connection = Connection(event.presence, event.owner, entry.sequence, entry.at)
    return state._replace(connections=_with(state.connections, event.seat, connection))


def _seat_taken(state: TableState, event: ev.SeatTaken) -> TableState:
    player = Player(event.player_name, event.token_hash, event.player_id)
    taken = _with_player(state, event.seat, player)
    return taken._replace(
        deals=state.deals.after_seat_seed(event.seat, event.seat_seed), seatings=state.seatings + 1
    )


def _seat_left(state: TableState, event: ev.SeatLeft) -> TableState:
    if state.status is not Status.OPEN:
        return state
    return _with_player(state, event.seat, None)._replace(deals=state.deals.after_seat_seed(event.seat, b""))


def _with_player(state: TableState, seat: int, player: Player | None) -> TableState:
    seats = list(state.seats)
    seats[seat] = player
    return state._replace(
        seats=(seats[0], seats[1], seats[2], seats[3]), connections=_with(state.connections, seat, None)
    )


def _with(values: tuple[T, ...], seat: int, value: T) -> tuple[T, ...]:
    return (*values[:seat], value, *values[seat + 1 :])


def _match_started(state: TableState, _event: ev.MatchStarted) -> TableState:
    return state._replace(status=Status.PLAYING)


def auction_record(state: TableState, event: ev.RoundDealt) -> AuctionRecord:
    """The record of the auction that a deal begins."""
    deck = event.deck
    return AuctionRecord(
        dealer=event.dealer,
        up_card=deck.up_card,
        hands=deck.first_hands(event.dealer),
        scores=state.scores,
        ruleset=state.settings.ruleset,
    )


def _dealt(state: TableState, event: ev.RoundDealt) -> TableState:
    auction, number = auction_record(state, event), event.dealt.number
    deals = state.deals.after_begin(number)
    inputs = deals.inputs(number) or DealInputs(event.sealed_seed)
    dealt = Round(event.dealer, event.dealt, inputs, auction.hands, auction, cut=event.cut)
    return state._replace(round=dealt, pending=None, deals=deals)


def _round_opened(state: TableState, event: ev.RoundOpened) -> TableState:
    pending = Pending(event.number, event.dealer, event.sealed_seed)
    return state._replace(pending=pending, deals=state.deals.after_begin(event.number))


def _committed(state: TableState, event: DealsCommitted) -> TableState:
    return state._replace(deals=state.deals.after_commitment(event.block))


def _seed_added(state: TableState, event: SeedAdded) -> TableState:
    return state._replace(deals=state.deals.after_seat_seed(event.seat, event.seat_seed))


def _beacon_given(state: TableState, event: BeaconGiven) -> TableState:
    return state._replace(deals=state.deals._replace(beacon=event.value))


def _seeds_revealed(state: TableState, event: SeedsRevealed) -> TableState:
    return state._replace(deals=state.deals.after_reveal(event))


def _hands_completed(round_: Round, event: ev.HandsCompleted) -> Round:
    return round_._replace(hands=event.hands)


def _asked_again(round_: Round, _event: ev.AskedAgain) -> Round:
    return round_._replace(asked_again=True)


def _accepted(round_: Round, event: ev.RoundAccepted) -> Round:
    return round_._replace(accepted=(*round_.accepted, event.seat))


def _qaid_claimed(round_: Round, event: ev.QaidClaimed) -> Round:
    assert round_.play is not None
    claim = event.qaid.claim
    if claim.card is None:  # a wrong Sawa claims itself
        return round_._replace(qaid=event.qaid)
    return round_._replace(play=round_.play.after(event.qaid.claimer, claim), qaid=event.qaid)


def _call_made(round_: Round, event: ev.CallMade) -> Round:
    return round_._replace(
        auction=round_.auction.after(event.seat, event.call),
        calls=(*round_.calls, SeatCall(event.seat, event.call)),
        contract=_raised(round_.contract, event),
    )


_LEVELS = {
    CallKind.DOUBLE: Level.DOUBLE,
    CallKind.THREE: Level.THREE,
    CallKind.FOUR: Level.FOUR,
    CallKind.GAHWA: Level.GAHWA,
}


def _raised(contract: Contract | None, event: ev.CallMade) -> Contract | None:
    level = _LEVELS.get(event.call.kind)
    if contract is None or level is None:
        return contract
    step = Raise(event.seat, level, bool(event.call.locked))
    return replace(contract, raises=(*contract.raises, step))


def _answer_given(round_: Round, event: ev.AnswerGiven) -> Round:
    return round_._replace(
        auction=round_.auction.after(event.seat, event.call),
        sealed=(*round_.sealed, SeatCall(event.seat, event.call)),
    )


def _answers_opened(round_: Round, event: ev.AnswersOpened) -> Round:
    return round_._replace(calls=(*round_.calls, *event.answers), sealed=())


def _bought(round_: Round, event: ev.Bought) -> Round:
    return round_._replace(contract=event.contract)


def _void(round_: Round, event: ev.DealVoid) -> Round:
    return round_._replace(phase=Phase.VOID, end=event.end, kawesh=event.kawesh, open_hands=event.hands)


def _play_started(round_: Round, event: ev.PlayStarted) -> Round:
    record = PlayRecord(event.contract, round_.dealer, event.hands, (), round_.auction.ruleset)
    return round_._replace(phase=Phase.PLAY, contract=event.contract, hands=event.hands, play=record)


def _card_played(round_: Round, event: ev.CardPlayed) -> Round:
    assert round_.play is not None
    seat, move = event.seat, event.move
    hands = (*round_.hands[:seat], round_.hands[seat].without(move.card), *round_.hands[seat + 1 :])
    return round_._replace(
        play=round_.play.after(seat, move),
        hands=hands,
        trick=(*round_.trick, OnTable(seat, move)),
        announced=(*round_.announced, (seat, move.projects)) if move.projects else round_.announced,
        baloot=(*round_.baloot, seat) if event.baloot else round_.baloot,
    )


def _trick_won(round_: Round, event: ev.TrickWon) -> Round:
    return round_._replace(tricks=(*round_.tricks, event.trick), trick=())


def _projects_decided(round_: Round, event: ev.ProjectsDecided) -> Round:
    return round_._replace(projects_team=event.team)


def _projects_shown(round_: Round, event: ev.ProjectsShown) -> Round:
    return round_._replace(shown=(*round_.shown, *event.projects))


def _sawa_claimed(round_: Round, event: ev.SawaClaimed) -> Round:
    assert round_.play is not None
    return round_._replace(
        play=round_.play.after(event.seat, SawaMove()),
        sawa=(*round_.sawa, event),
        baloot=round_.baloot if event.baloot is None else (*round_.baloot, event.baloot),
    )


def _round_scored(state: TableState, event: ev.RoundScored) -> TableState:
    assert state.round is not None
    scored = state.round._replace(phase=Phase.SCORED, score=event.score, end=DealEnd.SCORED)
    return state._replace(round=scored, scores=event.score.totals)


def _match_ended(state: TableState, event: ev.MatchEnded) -> TableState:
    return state._replace(status=Status.FINISHED, winner=event.winner)


def _abandoned(state: TableState, event: ev.TableAbandoned) -> TableState:
    return state._replace(status=Status.ABANDONED, abandoned=event.reason)


def _bot_seated(state: TableState, event: ev.BotSeated) -> TableState:
    return state._replace(bots=bots_after(state.bots, (event,)))


def _player_returned(state: TableState, event: ev.PlayerReturned) -> TableState:
    return state._replace(
        bots=bots_after(state.bots, (event,)),
        returned=_with(state.returned, event.seat, state.sequence + 1),
    )


def _forfeited(state: TableState, event: ev.MatchForfeited) -> TableState:
    return state._replace(status=Status.FINISHED, winner=event.winner, forfeited=event.reason)


def _in_round(apply: Callable[[Round, Any], Round]) -> Callable[[TableState, Any], TableState]:
    def within(state: TableState, event: Event) -> TableState:
        assert state.round is not None
        return state._replace(round=apply(state.round, event))

    return within


_APPLY: dict[type[Event], Callable[[TableState, Any], TableState]] = {
    ev.SeatTaken: _seat_taken,
    ev.SeatLeft: _seat_left,
    ev.BotSeated: _bot_seated,
    ev.PlayerReturned: _player_returned,
    ev.MatchForfeited: _forfeited,
    ev.MatchStarted: _match_started,
    ev.RoundOpened: _round_opened,
    ev.RoundDealt: _dealt,
    ev.CallMade: _in_round(_call_made),
    ev.AnswerGiven: _in_round(_answer_given),
    ev.AnswersOpened: _in_round(_answers_opened),
    ev.Bought: _in_round(_bought),
    ev.DealVoid: _in_round(_void),
    ev.HandsCompleted: _in_round(_hands_completed),
    ev.AskedAgain: _in_round(_asked_again),
    ev.PlayStarted: _in_round(_play_started),
    ev.CardPlayed: _in_round(_card_played),
    ev.TrickWon: _in_round(_trick_won),
    ev.ProjectsDecided: _in_round(_projects_decided),
    ev.ProjectsShown: _in_round(_projects_shown),
    ev.SawaClaimed: _in_round(_sawa_claimed),
    ev.RoundAccepted: _in_round(_accepted),
    ev.QaidClaimed: _in_round(_qaid_claimed),
    ev.RoundScored: _round_scored,
    ev.MatchEnded: _match_ended,
    ev.TableAbandoned: _abandoned,
    DealsCommitted: _committed,
    SeedAdded: _seed_added,
    BeaconGiven: _beacon_given,
    SeedsRevealed: _seeds_revealed,
}
"""What each event does to the state. `TableCreated` is the state's beginning and changes nothing.

`PresenceChanged` is not here, since its entry matters too."""
