"""What a viewer may see: the one place where secrets are taken out.

`project` turns an event into what one viewer sees of it, `see` does the same for a whole table. A viewer is a seat, or
None for everybody else. The types that come out hold nothing hidden, and only they can be encoded for clients; an event
that `project` does not know shows nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from baloot.core.auction import Call, CutChoice, SeatCall
from baloot.core.cards import Card, Hand
from baloot.core.contract import Contract
from baloot.core.play import CardMove, Qaid, Trick
from baloot.core.projects import Declaration, ProjectKind, SeatProject
from baloot.core.score import RoundScore
from baloot.core.seats import Seat, Team
from baloot.table import events as ev
from baloot.table.deal_events import BeaconGiven, DealsCommitted, SeedAdded, SeedsRevealed
from baloot.table.deals import NONE_ADDED
from baloot.table.events import AbandonReason, Entry, Event, Micros, OpenQuestion, Settings, Status
from baloot.table.policy import ForfeitReason
from baloot.table.presence import Presence, PresenceChanged
from baloot.table.state import Phase, Round, TableState
from baloot.table.timing import told_deadline

Viewer = Seat | None


@dataclass(frozen=True, slots=True)
class SeenProject:
    """An announced project; `cards` are empty unless the viewer holds or saw them."""

    kind: ProjectKind
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class SeenSeatTaken:
    """A seat taken, without its token."""

    seat: Seat
    player_name: str
    player_id: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeenPresence:
    """Whether a player is connected, without where."""

    seat: Seat
    presence: Presence


@dataclass(frozen=True, slots=True)
class SeenDeal:
    """A deal with the viewer's own first cards only."""

    number: int
    dealer: Seat
    up_card: Card
    hand: tuple[Card, ...]
    commitment: bytes
    deck_root: bytes
    cut: CutChoice | None


@dataclass(frozen=True, slots=True)
class SeenOpening:
    """A round that is opened and not dealt yet, without its seed."""

    number: int
    dealer: Seat
    commitment: bytes


@dataclass(frozen=True, slots=True)
class SeenPending:
    """A round that is not dealt yet, with its seed if the table ended before it was."""

    opening: SeenOpening
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeenCommitted:
    """Deals that are committed to, without their seeds. `commitments` are 32 bytes of each."""

    first_number: int
    commitments: bytes


@dataclass(frozen=True, slots=True)
class SeenHands:
    """The last cards, with the viewer's own hand only."""

    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeenAnswer:
    """A sealed answer; the call is the viewer's own or None."""

    seat: Seat
    call: Call | None


@dataclass(frozen=True, slots=True)
class SeenPlayStarted:
    """The last cards, with the viewer's own hand only."""

    contract: Contract
    leader: Seat
    hand: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class SeenCard:
    """A card played, with what everybody hears."""

    seat: Seat
    card: Card
    projects: tuple[SeenProject, ...]
    akka: bool
    baloot: bool


Seen = (
    ev.TableCreated
    | SeenSeatTaken
    | ev.SeatLeft
    | ev.BotSeated
    | ev.PlayerReturned
    | ev.MatchForfeited
    | SeenPresence
    | ev.MatchStarted
    | SeenOpening
    | SeenDeal
    | ev.CallMade
    | SeenAnswer
    | ev.AnswersOpened
    | ev.Bought
    | ev.DealVoid
    | SeenHands
    | ev.AskedAgain
    | SeenPlayStarted
    | SeenCard
    | ev.TrickWon
    | ev.ProjectsDecided
    | ev.ProjectsShown
    | ev.SawaClaimed
    | ev.ClockExtended
    | ev.RoundAccepted
    | ev.QaidClaimed
    | ev.RoundScored
    | ev.MatchEnded
    | ev.TableAbandoned
    | SeenCommitted
    | SeedAdded
    | BeaconGiven
    | SeedsRevealed
)


def project(event: Event, viewer: Viewer) -> Seen | None:
    """What the viewer sees of an event; None when it is nothing."""
    show = _PROJECT.get(type(event))
    return show(event, viewer) if show else None


def _open(event: Any, _viewer: Viewer) -> Any:
    return event


def _seat_taken(event: ev.SeatTaken, _viewer: Viewer) -> Seen:
    return SeenSeatTaken(event.seat, event.player_name, event.player_id, event.seed)


def _presence(event: PresenceChanged, _viewer: Viewer) -> Seen:
    return SeenPresence(event.seat, event.presence)


def _dealt(event: ev.RoundDealt, viewer: Viewer) -> Seen:
    dealt, deck = event.dealt, event.deck
    hand = () if viewer is None else tuple(deck.first_hands(event.dealer)[viewer])
    return SeenDeal(
        dealt.number, event.dealer, deck.up_card, hand, dealt.commitment, dealt.deck_root, event.cut
    )


def _round_opened(event: ev.RoundOpened, _viewer: Viewer) -> Seen:
    return SeenOpening(event.number, event.dealer, event.seed.commitment)


def _committed(event: DealsCommitted, _viewer: Viewer) -> Seen:
    return SeenCommitted(event.block.first_number, event.block.commitments)


def _hands_completed(event: ev.HandsCompleted, viewer: Viewer) -> Seen:
    return SeenHands(() if viewer is None else tuple(event.hands[viewer]))


def _answer(event: ev.AnswerGiven, viewer: Viewer) -> Seen:
    return SeenAnswer(event.seat, event.call if viewer == event.seat else None)


def _play_started(event: ev.PlayStarted, viewer: Viewer) -> Seen:
    hand = () if viewer is None else tuple(event.hands[viewer])
    return SeenPlayStarted(event.contract, event.leader, hand)


def _card(event: ev.CardPlayed, viewer: Viewer) -> Seen:
    move = event.move
    announced = see_announced(move.projects, event.seat, viewer)
    return SeenCard(event.seat, move.card, announced, move.akka, event.baloot)


def see_announced(declaration: Declaration, owner: Seat, viewer: Viewer) -> tuple[SeenProject, ...]:
    """Announced projects: everybody hears their kinds, only their owner knows the cards."""
    own = viewer == owner
    return tuple([SeenProject(project.kind, project.cards if own else ()) for project in declaration])


_PROJECT: dict[type[Event], Callable[[Any, Viewer], Seen]] = {
    ev.TableCreated: _open,
    ev.SeatTaken: _seat_taken,
    ev.SeatLeft: _open,
    ev.BotSeated: _open,
    ev.PlayerReturned: _open,
    ev.MatchForfeited: _open,
    PresenceChanged: _presence,
    ev.MatchStarted: _open,
    ev.RoundOpened: _round_opened,
    ev.RoundDealt: _dealt,
    ev.CallMade: _open,
    ev.AnswerGiven: _answer,
    ev.AnswersOpened: _open,
    ev.Bought: _open,
    ev.DealVoid: _open,
    ev.HandsCompleted: _hands_completed,
    ev.AskedAgain: _open,
    ev.PlayStarted: _play_started,
    ev.CardPlayed: _card,
    ev.TrickWon: _open,
    ev.ProjectsDecided: _open,
    ev.ProjectsShown: _open,
    ev.SawaClaimed: _open,
    ev.ClockExtended: _open,
    ev.RoundAccepted: _open,
    ev.QaidClaimed: _open,
    ev.RoundScored: _open,
    ev.MatchEnded: _open,
    ev.TableAbandoned: _open,
    DealsCommitted: _committed,
    SeedAdded: _open,
    BeaconGiven: _open,
    SeedsRevealed: _open,
}


@dataclass(frozen=True, slots=True)
class SeenEntry:
    """An entry as one viewer may see it. `asked` are the open questions that everybody may know of."""

    entry: Entry
    events: tuple[Seen, ...]
    asked: tuple[OpenQuestion, ...]
    question: OpenQuestion | None


def see_entry(entry: Entry, viewer: Viewer) -> SeenEntry:
    """What the viewer sees of an entry; never nothing, so that its numbers have no gaps."""
    seen = [project(event, viewer) for event in entry.events]
    return SeenEntry(
        entry,
        tuple([event for event in seen if event is not None]),
        public_questions(entry.questions),
        own_question(entry.questions, viewer),
    )


def is_public(entry: Entry) -> bool:
    """Whether all viewers see the same events of an entry; only their own questions differ then."""
    return not any(_differs(event) for event in entry.events)


_PERSONAL = frozenset((ev.RoundDealt, ev.AnswerGiven, ev.HandsCompleted, ev.PlayStarted))
"""Events of which each seat sees its own side."""


def _differs(event: Event) -> bool:
    if isinstance(event, ev.CardPlayed):
        return bool(event.move.projects)
    return type(event) in _PERSONAL


def public_questions(questions: tuple[OpenQuestion, ...]) -> tuple[OpenQuestion, ...]:
    """The questions that everybody may know to be open (not what they offer)."""
    return tuple([open_ for open_ in questions if not open_.private])


def own_question(questions: tuple[OpenQuestion, ...], viewer: Viewer) -> OpenQuestion | None:
    """The viewer's own open question."""
    for open_ in questions:
        if open_.seat is viewer:
            return open_
    return None


@dataclass(frozen=True, slots=True)
class SeenOnTable:
    """A card that lies on the table."""

    seat: Seat
    card: Card
    akka: bool


@dataclass(frozen=True, slots=True)
class SeenRound:
    """A round as one viewer may see it. `hand` is the viewer's own, `up_card` what lay face up."""

    number: int
    phase: Phase
    dealer: Seat
    up_card: Card
    commitment: bytes
    deck_root: bytes
    hand: tuple[Card, ...]
    calls: tuple[SeatCall, ...]
    answered: tuple[Seat, ...]
    own_answer: Call | None
    contract: Contract | None
    tricks: tuple[Trick, ...]
    trick: tuple[SeenOnTable, ...]
    announced: tuple[tuple[Seat, tuple[SeenProject, ...]], ...]
    projects_team: Team | None
    shown: tuple[SeatProject, ...]
    baloot: tuple[Seat, ...]
    sawa: tuple[ev.SawaClaimed, ...]
    score: RoundScore | None
    kawesh: Seat | None
    open_hands: tuple[Hand, ...]
    cut: CutChoice | None
    accepted: tuple[Seat, ...]
    qaid: Qaid | None
    akka: tuple[Card, ...]
    seed: bytes


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A table as one viewer may see it. `names` are the players' in order of seats, None where a seat is free;
    `player_ids` their accounts, empty for guests; `seeds` what the seats add to the deals that were committed to last.
    """

    table_id: UUID
    sequence: int
    status: Status
    settings: Settings
    names: tuple[str | None, ...]
    viewer: Viewer
    scores: tuple[int, int]
    round: SeenRound | SeenPending | None
    asked: tuple[OpenQuestion, ...]
    question: OpenQuestion | None
    deadline: Micros | None
    winner: Team | None
    abandoned: AbandonReason | None
    banks: tuple[Micros, ...]
    missed: tuple[int, ...]
    bots: tuple[Seat, ...]
    forfeited: ForfeitReason | None
    presence: tuple[Presence | None, ...]
    player_ids: tuple[str, ...]
    committed: int
    beacon: bytes
    seeds: tuple[bytes, ...]


def see(state: TableState, viewer: Viewer) -> SeenTable:
    """The whole table for one viewer. It equals the fold of that viewer's entries."""
    return SeenTable(
        table_id=state.table_id,
        sequence=state.sequence,
        status=state.status,
        settings=state.settings,
        names=tuple(player.name if player else None for player in state.seats),
        viewer=viewer,
        scores=state.scores,
        round=_see_current(state, viewer),
        asked=public_questions(state.questions),
        question=own_question(state.questions, viewer),
        deadline=told_deadline(state.questions, state.deadline),
        winner=state.winner,
        abandoned=state.abandoned,
        banks=state.banks,
        missed=state.missed,
        bots=state.bots,
        forfeited=state.forfeited,
        presence=tuple(known.presence if known else None for known in state.connections),
        player_ids=tuple(player.player_id if player else "" for player in state.seats),
        committed=state.deals.committed,
        beacon=state.deals.beacon,
        seeds=state.deals.latest.seat_seeds if state.deals.latest else NONE_ADDED,
    )


def _see_current(state: TableState, viewer: Viewer) -> SeenRound | SeenPending | None:
    pending, round_ = state.pending, state.round
    if pending is not None:
        opening = SeenOpening(pending.number, pending.dealer, pending.seed.commitment)
        return SeenPending(opening, state.deals.seed_of(pending.number))
    return _see_round(round_, viewer, state.deals.seed_of(round_.dealt.number)) if round_ else None


def _see_round(round_: Round, viewer: Viewer, seed: bytes) -> SeenRound:
    return SeenRound(
        number=round_.dealt.number,
        phase=round_.phase,
        dealer=round_.dealer,
        up_card=round_.auction.up_card,
        commitment=round_.dealt.commitment,
        deck_root=round_.dealt.deck_root,
        hand=() if viewer is None else tuple(round_.hands[viewer]),
        calls=round_.calls,
        answered=tuple(answer.seat for answer in round_.sealed),
        own_answer=next((answer.call for answer in round_.sealed if answer.seat == viewer), None),
        contract=round_.contract,
        tricks=round_.tricks,
        trick=tuple(SeenOnTable(lying.seat, lying.move.card, lying.move.akka) for lying in round_.trick),
        announced=tuple((seat, see_announced(declared, seat, viewer)) for seat, declared in round_.announced),
        projects_team=round_.projects_team,
        shown=round_.shown,
        baloot=round_.baloot,
        sawa=round_.sawa,
        score=round_.score,
        kawesh=round_.kawesh,
        open_hands=round_.open_hands,
        cut=round_.cut,
        accepted=round_.accepted,
        qaid=round_.qaid,
        akka=_said_akka(round_),
        seed=seed,
    )


def _said_akka(round_: Round) -> tuple[Card, ...]:
    """The leads with which everybody heard Akka."""
    if round_.play is None:
        return ()
    moves = (made.move for made in round_.play.moves)
    return tuple(move.card for move in moves if isinstance(move, CardMove) and move.akka)
