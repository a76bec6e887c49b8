"""Folding entries into a view: what a client knows of a table after it has seen all entries so far.

`apply` is total: every kind of event has its place here, and one that this version does not know is skipped. Whoever
follows a table from its first entry holds at each sequence number what GetTable tells the same viewer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from baloot.api.core.v1.auction_pb2 import (
    CALL_KIND_DOUBLE,
    CALL_KIND_FOUR,
    CALL_KIND_GAHWA,
    CALL_KIND_THREE,
    LOCK_LOCKED,
    QUESTION_KIND_QAID,
    SeatCall,
)
from baloot.api.core.v1.contract_pb2 import LEVEL_DOUBLE, LEVEL_FOUR, LEVEL_GAHWA, LEVEL_THREE, Raise
from baloot.api.core.v1.seats_pb2 import SEAT_EAST, SEAT_NORTH, SEAT_SOUTH, SEAT_UNSPECIFIED, SEAT_WEST, Seat
from baloot.api.table.v1.events_pb2 import (
    AnswerGiven,
    AnswersOpened,
    AskedAgain,
    BeaconGiven,
    BotSeated,
    Bought,
    CallMade,
    CardPlayed,
    ClockExtended,
    DealsCommitted,
    Dealt,
    DealVoid,
    HandsCompleted,
    MatchEnded,
    MatchForfeited,
    MatchStarted,
    PlayerReturned,
    PlayStarted,
    PresenceChanged,
    ProjectsDecided,
    ProjectsShown,
    QaidClaimed,
    RoundAccepted,
    RoundOpened,
    RoundScored,
    SawaClaimed,
    SeatLeft,
    SeatTaken,
    SeedAdded,
    SeedsRevealed,
    TableAbandoned,
    TableCreated,
    TableEntry,
    TableEvent,
    TrickWon,
)
from baloot.api.table.v1.table_pb2 import (
    ROUND_PHASE_AUCTION,
    ROUND_PHASE_CUT,
    ROUND_PHASE_PLAY,
    ROUND_PHASE_REVIEW,
    ROUND_PHASE_SCORED,
    ROUND_PHASE_VOID,
    TABLE_STATUS_ABANDONED,
    TABLE_STATUS_FINISHED,
    TABLE_STATUS_OPEN,
    TABLE_STATUS_PLAYING,
    AnnouncedProjects,
    PlayedCard,
    RoundView,
    SeatView,
    TableView,
)
from google.protobuf.duration_pb2 import Duration

SEATS = (SEAT_SOUTH, SEAT_EAST, SEAT_NORTH, SEAT_WEST)
LEVELS = {
    CALL_KIND_DOUBLE: LEVEL_DOUBLE,
    CALL_KIND_THREE: LEVEL_THREE,
    CALL_KIND_FOUR: LEVEL_FOUR,
    CALL_KIND_GAHWA: LEVEL_GAHWA,
}
"""The level that each raising call raises to."""


def fresh(table_id: str, viewer: Seat.ValueType = SEAT_UNSPECIFIED) -> TableView:
    """What a viewer knows before the first entry of a table."""
    return TableView(table_id=table_id, viewer=viewer)


def ended(view: TableView) -> bool:
    """Whether nothing can follow: the table is finished or abandoned."""
    return view.status in (TABLE_STATUS_FINISHED, TABLE_STATUS_ABANDONED)


def apply(view: TableView, entry: TableEntry) -> None:
    """Moves a view on by its next entry, in place. Raises ValueError for any entry but the one after its last."""
    if entry.sequence != view.sequence + 1:
        raise ValueError(f"entry {entry.sequence} does not follow entry {view.sequence}")
    missed = _missed_by(view, entry)
    for event in entry.events:
        _apply_event(view, event)
    if entry.actor and not _adds_seed(entry):
        view.seats[entry.actor - 1].missed = 0
    elif missed:
        view.seats[missed - 1].missed += 1
    view.sequence = entry.sequence
    view.ClearField("asked")
    view.asked.extend(entry.asked)
    if any(asked.kind == QUESTION_KIND_QAID for asked in entry.asked):
        view.round.phase = ROUND_PHASE_REVIEW
    _replace(view, "deadline", entry)
    _replace(view, "question", entry)
    for used in entry.time_used:
        if used.HasField("bank"):
            view.seats[used.seat - 1].bank.CopyFrom(used.bank)


def _adds_seed(entry: TableEntry) -> bool:
    """Whether an entry is a seat's own that says nothing about whether its player is there: an app may send it by itself."""
    return entry.events[0].HasField("seed_added")


_TURNS = frozenset({"call_made", "answer_given", "card_played", "sawa_claimed", "round_accepted"})


def _missed_by(view: TableView, entry: TableEntry) -> Seat.ValueType:
    """The seat that missed its turn, if the table answered for one or a bot did; unset otherwise."""
    for event in () if entry.actor else entry.events:
        kind = event.WhichOneof("event")
        if kind in _TURNS:
            seat: Seat.ValueType = getattr(event, kind).seat
            return seat
        if kind == "qaid_claimed":
            return event.qaid_claimed.qaid.claimer
        if kind == "dealt" and event.dealt.cut:
            return view.asked[0].seat if view.asked else SEAT_UNSPECIFIED
    return SEAT_UNSPECIFIED


def _apply_event(view: TableView, event: TableEvent) -> None:
    kind = event.WhichOneof("event")
    if kind is not None:
        _FOLD[kind](view, getattr(event, kind))


def _replace(view: TableView, field: str, entry: TableEntry) -> None:
    view.ClearField(field)  # type: ignore[arg-type] # one name for two messages
    if entry.HasField(field):  # type: ignore[arg-type] # as above
        getattr(view, field).CopyFrom(getattr(entry, field))


# The table.


def _table_created(view: TableView, event: TableCreated) -> None:
    view.status = TABLE_STATUS_OPEN
    view.settings.CopyFrom(event.settings)
    view.seats.extend(SeatView(seat=seat, bank=_full_bank(view)) for seat in SEATS)
    view.scores.SetInParent()


def _seat_taken(view: TableView, event: SeatTaken) -> None:
    view.seats[event.seat - 1].MergeFrom(
        SeatView(taken=True, player_name=event.player_name, player_id=event.player_id, seed=event.seed)
    )


def _seat_left(view: TableView, event: SeatLeft) -> None:
    """Frees the seat of an open table; during the match it only tells who left."""
    if view.status == TABLE_STATUS_OPEN:
        view.seats[event.seat - 1].CopyFrom(SeatView(seat=event.seat, bank=_full_bank(view)))


def _presence_changed(view: TableView, event: PresenceChanged) -> None:
    view.seats[event.seat - 1].presence = event.presence


def _full_bank(view: TableView) -> Duration | None:
    control = view.settings.time_control
    return control.bank if control.HasField("bank") else None


def _match_started(view: TableView, _: MatchStarted) -> None:
    view.status = TABLE_STATUS_PLAYING


def _match_ended(view: TableView, event: MatchEnded) -> None:
    view.status = TABLE_STATUS_FINISHED
    view.winner = event.winner
    view.scores.CopyFrom(event.totals)


def _table_abandoned(view: TableView, event: TableAbandoned) -> None:
    view.status = TABLE_STATUS_ABANDONED
    view.abandon_reason = event.reason


def _bot_seated(view: TableView, event: BotSeated) -> None:
    view.seats[event.seat - 1].bot_plays = True


def _player_returned(view: TableView, event: PlayerReturned) -> None:
    view.seats[event.seat - 1].bot_plays = False


def _match_forfeited(view: TableView, event: MatchForfeited) -> None:
    view.status = TABLE_STATUS_FINISHED
    view.winner = event.winner
    view.forfeit_reason = event.reason


# The deals.


def _deals_committed(view: TableView, event: DealsCommitted) -> None:
    """Nobody has added anything to these yet."""
    view.committed = event.first_number + len(event.commitments) - 1
    for seat in view.seats:
        seat.ClearField("seed")


def _seed_added(view: TableView, event: SeedAdded) -> None:
    view.seats[event.seat - 1].seed = event.seed


def _beacon_given(view: TableView, event: BeaconGiven) -> None:
    view.beacon = event.value


def _seeds_revealed(view: TableView, event: SeedsRevealed) -> None:
    """The round that is shown may be one of them; those before it are shown no more."""
    at = view.round.number - event.first_number
    if view.HasField("round") and 0 <= at < len(event.seeds):
        view.round.seed = event.seeds[at]


# The auction.


def _dealt(view: TableView, event: Dealt) -> None:
    view.round.CopyFrom(
        RoundView(
            number=event.number,
            phase=ROUND_PHASE_AUCTION,
            dealer=event.dealer,
            up_card=event.up_card,
            hand=sorted(event.hand),
            commitment=event.commitment,
            deck_root=event.deck_root,
            cut=event.cut,
        )
    )


def _round_opened(view: TableView, event: RoundOpened) -> None:
    view.round.CopyFrom(
        RoundView(
            number=event.number, phase=ROUND_PHASE_CUT, dealer=event.dealer, commitment=event.commitment
        )
    )


def _hands_completed(view: TableView, event: HandsCompleted) -> None:
    view.round.hand[:] = sorted(event.hand)


def _asked_again(_view: TableView, _event: AskedAgain | ClockExtended) -> None:
    """The questions and their deadline come with the entry."""


def _call_made(view: TableView, event: CallMade) -> None:
    """A raise goes into the contract at once; the last cards are dealt only after the last one."""
    view.round.calls.append(SeatCall(seat=event.seat, call=event.call))
    level = LEVELS.get(event.call.kind)
    if level is not None and view.round.HasField("contract"):
        locked = event.call.lock == LOCK_LOCKED
        view.round.contract.raises.append(Raise(seat=event.seat, level=level, locked=locked))


def _answer_given(view: TableView, event: AnswerGiven) -> None:
    view.round.answered.append(event.seat)
    if event.HasField("call"):
        view.round.own_answer.CopyFrom(event.call)


def _answers_opened(view: TableView, event: AnswersOpened) -> None:
    view.round.calls.extend(event.answers)
    view.round.ClearField("answered")
    view.round.ClearField("own_answer")


def _bought(view: TableView, event: Bought) -> None:
    view.round.contract.CopyFrom(event.contract)


def _deal_void(view: TableView, event: DealVoid) -> None:
    view.round.phase = ROUND_PHASE_VOID
    view.round.kawesh = event.kawesh
    view.round.open_hands.extend(event.hands)


# The play.


def _play_started(view: TableView, event: PlayStarted) -> None:
    view.round.phase = ROUND_PHASE_PLAY
    view.round.contract.CopyFrom(event.contract)
    view.round.hand[:] = sorted(event.hand)


def _card_played(view: TableView, event: CardPlayed) -> None:
    table = view.round
    table.trick.append(PlayedCard(seat=event.seat, card=event.card, akka=event.akka))
    if event.card in table.hand:
        table.hand.remove(event.card)
    if event.akka:
        table.akka.append(event.card)
    if event.projects:
        table.announced.append(AnnouncedProjects(seat=event.seat, projects=event.projects))
    if event.baloot:
        table.baloot.append(event.seat)


def _trick_won(view: TableView, event: TrickWon) -> None:
    view.round.tricks.append(event.trick)
    view.round.ClearField("trick")


def _projects_decided(view: TableView, event: ProjectsDecided) -> None:
    view.round.projects_team = event.team


def _projects_shown(view: TableView, event: ProjectsShown) -> None:
    view.round.shown.extend(event.projects)


def _sawa_claimed(view: TableView, event: SawaClaimed) -> None:
    view.round.sawa.append(event)
    if event.baloot:
        view.round.baloot.append(event.baloot)


def _round_accepted(view: TableView, event: RoundAccepted) -> None:
    view.round.accepted.append(event.seat)


def _qaid_claimed(view: TableView, event: QaidClaimed) -> None:
    view.round.qaid.CopyFrom(event.qaid)


def _round_scored(view: TableView, event: RoundScored) -> None:
    view.round.phase = ROUND_PHASE_SCORED
    view.round.score.CopyFrom(event.score)
    view.scores.CopyFrom(event.score.totals)


_FOLD: dict[str, Callable[[TableView, Any], None]] = {
    "table_created": _table_created,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "presence_changed": _presence_changed,
    "match_started": _match_started,
    "match_ended": _match_ended,
    "table_abandoned": _table_abandoned,
    "bot_seated": _bot_seated,
    "player_returned": _player_returned,
    "match_forfeited": _match_forfeited,
    "dealt": _dealt,
    "call_made": _call_made,
    "answer_given": _answer_given,
    "answers_opened": _answers_opened,
    "bought": _bought,
    "deal_void": _deal_void,
    "play_started": _play_started,
    "card_played": _card_played,
    "trick_won": _trick_won,
    "projects_decided": _projects_decided,
    "projects_shown": _projects_shown,
    "sawa_claimed": _sawa_claimed,
    "round_opened": _round_opened,
    "hands_completed": _hands_completed,
    "asked_again": _asked_again,
    "clock_extended": _asked_again,
    "round_accepted": _round_accepted,
    "qaid_claimed": _qaid_claimed,
    "round_scored": _round_scored,
    "deals_committed": _deals_committed,
    "seed_added": _seed_added,
    "beacon_given": _beacon_given,
    "seeds_revealed": _seeds_revealed,
}
"""Every kind of event; a test compares this with the contract."""
