"""An entry as it is written in the log: what everybody may see in one half, what is secret in the other.

The open half is what `views.project` shows to everybody, so nothing hidden can slip into it. Both halves together give
the entry back as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from uuid import UUID

from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.auction import decode_asked, decode_call, decode_seat_call, encode_call
from baloot.codec.cards import decode_cards, decode_four_hands, decode_hands, decode_points, encode_hand
from baloot.codec.contract import decode_contract
from baloot.codec.deal import decode_dealt, encode_dealt
from baloot.codec.enums import CARD, CUT_CHOICE, SEAT, TEAM
from baloot.codec.play import (
    decode_announced,
    decode_play_asked,
    decode_project,
    decode_qaid,
    decode_seat_project,
    decode_trick,
    encode_project,
)
from baloot.codec.ruleset import decode_ruleset_of
from baloot.codec.score import decode_round_score
from baloot.core.cards import Hand
from baloot.core.deal import DealEnd, Dealt, Deck, SealedSeed
from baloot.core.errors import Refusal
from baloot.core.play import CardMove
from baloot.core.seats import SEATS
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.codec import (
    ABANDON_REASON,
    FORFEIT_REASON,
    PRESENCE,
    decode_absence,
    decode_control,
    decode_duration,
    decode_time,
)
from baloot.table.deal_events import DealsCommitted
from baloot.table.deal_payload import DECODE_DEALS, hide_seeds
from baloot.table.encoding import field_bytes, fields_bytes, public_parts, question_bytes, time_field
from baloot.table.events import Entry, Event, Micros, OpenQuestion, SeatClock, TimeUsed
from baloot.table.presence import PresenceChanged
from google.protobuf.message import DecodeError


class Unreadable(ValueError):
    """What the log holds is not what this version writes: it is damaged, or a later version's."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What of an entry is written in its two halves. The rest has columns of its own."""

    events: tuple[Event, ...]
    questions: tuple[OpenQuestion, ...]
    received: Micros | None = None
    time_used: tuple[TimeUsed, ...] = ()


def encode(entry: Entry) -> tuple[bytes, bytes]:
    """The open half and the secret half. Raises ValueError for an entry that could not be given back as it is."""
    public = public_parts(entry)
    if len(public.events) != len(entry.events):
        raise ValueError("nobody may see some event of the entry, so it cannot be written")
    payload, secret = log.Entry(), log.Secret()
    _hide(entry.events, payload, secret)
    return (
        fields_bytes(log.Entry.EVENTS_FIELD_NUMBER, public.events)
        + fields_bytes(log.Entry.ASKED_FIELD_NUMBER, public.asked)
        + time_field(log.Entry.RECEIVED_FIELD_NUMBER, entry.received)
        + fields_bytes(log.Entry.TIME_USED_FIELD_NUMBER, public.time_used)
        + payload.SerializeToString(),
        secret.SerializeToString()
        + fields_bytes(log.Secret.QUESTIONS_FIELD_NUMBER, map(_open_question, entry.questions)),
    )


def _open_question(open_: OpenQuestion) -> bytes:
    return _ASKED[open_.seat] + field_bytes(log.OpenQuestion.QUESTION_FIELD_NUMBER, question_bytes(open_))


_ASKED = tuple(log.OpenQuestion(seat=SEAT.encode(seat)).SerializeToString() for seat in SEATS)
"""For each seat, an open question that does not say yet what it asks."""


def decode(payload: bytes, secret: bytes | None) -> Facts:
    """The facts of both halves; without the secret one, as everybody may see them. Raises Unreadable."""
    try:
        open_half = log.Entry.FromString(payload)
        hidden = None if secret is None else log.Secret.FromString(secret)
        events = (_event(message, open_half, hidden) for message in open_half.events)
        return Facts(
            tuple(event for event in events if event is not None),
            () if hidden is None else _questions(open_half, hidden),
            decode_time(open_half.received) if open_half.HasField("received") else None,
            tuple(_used(message) for message in open_half.time_used),
        )
    except (DecodeError, Refusal) as error:
        raise Unreadable(str(error)) from error


# What is hidden of an event.


def _hide(events: Sequence[Event], payload: log.Entry, secret: log.Secret) -> None:
    hiding = [(event, *_HIDE[type(event)]) for event in events if type(event) in _HIDE]
    if len({place for _, place, _ in hiding}) != len(hiding):
        raise ValueError("an entry has at most one event of a kind that hides something")
    for event, _, hide in hiding:
        hide(event, payload, secret)


def _hide_token(event: ev.SeatTaken, payload: log.Entry, _secret: log.Secret) -> None:
    payload.token_hash = event.token_hash


def _hide_owner(event: PresenceChanged, _payload: log.Entry, secret: log.Secret) -> None:
    secret.presence_owner = event.owner


def _hide_deal(event: ev.RoundDealt, _payload: log.Entry, secret: log.Secret) -> None:
    if event.seed.commitment != event.dealt.commitment:
        raise ValueError("a deal has the commitment of its seed")
    secret.deal.CopyFrom(encode_dealt(event.dealt))
    secret.sealed_seed = event.seed.sealed


def _hide_seed(event: ev.RoundOpened, _payload: log.Entry, secret: log.Secret) -> None:
    secret.sealed_seed = event.seed.sealed


def _hide_answer(event: ev.AnswerGiven, _payload: log.Entry, secret: log.Secret) -> None:
    secret.answer.CopyFrom(encode_call(event.call))


def _hide_hands(event: ev.PlayStarted | ev.HandsCompleted, _payload: log.Entry, secret: log.Secret) -> None:
    secret.hands.extend(encode_hand(hand) for hand in event.hands)


def _hide_move(event: ev.CardPlayed, _payload: log.Entry, secret: log.Secret) -> None:
    secret.projects.extend(encode_project(announced) for announced in event.move.projects)
    secret.shown.extend(encode_project(shown) for shown in event.move.shown)
    secret.baloot_said = event.move.baloot


_HIDE: dict[type[Event], tuple[str, Callable[[Any, log.Entry, log.Secret], None]]] = {
    ev.SeatTaken: ("token", _hide_token),
    PresenceChanged: ("owner", _hide_owner),
    ev.RoundOpened: ("seed", _hide_seed),
    ev.RoundDealt: ("seed", _hide_deal),
    ev.AnswerGiven: ("answer", _hide_answer),
    ev.HandsCompleted: ("hands", _hide_hands),
    ev.PlayStarted: ("hands", _hide_hands),
    ev.CardPlayed: ("said", _hide_move),
    DealsCommitted: ("block", hide_seeds),
}
"""For each event that hides something, the place for it, of which an entry has one, and how it is put there."""


# The way back.


def _event(message: wire.TableEvent, payload: log.Entry, secret: log.Secret | None) -> Event | None:
    name = message.WhichOneof("event")
    if name is None:
        raise Unreadable("the entry holds an event that this version does not know")
    read = _DECODE[name]
    if secret is None:
        read, secret = _DECODE_OPEN.get(name, read), _NO_SECRET
    event: Event | None = read(getattr(message, name), payload, secret)
    return event


def _questions(open_half: log.Entry, hidden: log.Secret) -> tuple[OpenQuestion, ...]:
    clocks = {asked.seat: _clock(asked) for asked in open_half.asked}
    return tuple(_question(message, clocks) for message in hidden.questions)


def _question(message: log.OpenQuestion, clocks: Mapping[Any, SeatClock | None]) -> OpenQuestion:
    question, clock = message.question, clocks.get(message.seat)
    if question.WhichOneof("question") == "call":
        return OpenQuestion(question.asked_at, decode_asked(question.call, "call"), clock)
    return OpenQuestion(question.asked_at, decode_play_asked(question.play, "play"), clock)


def _clock(asked: wire.Asked) -> SeatClock | None:
    """The clock of an open question; None where the entry is older than time controls."""
    if not asked.HasField("own_until"):
        return None
    return SeatClock(decode_time(asked.own_until), decode_time(asked.deadline))


def _used(message: wire.TimeUsed) -> TimeUsed:
    seat = SEAT.decode(message.seat, "seat")
    return TimeUsed(seat, decode_duration(message.used), decode_duration(message.bank))


def _created(message: wire.TableCreated, *_: object) -> Event:
    settings = message.settings
    return ev.TableCreated(
        ev.Settings(
            ruleset=decode_ruleset_of(settings, "settings"),
            action_timeout=decode_duration(settings.action_timeout),
            round_pause=decode_duration(settings.round_pause),
            fill_timeout=decode_duration(settings.fill_timeout),
            rematch_of=UUID(settings.rematch_of) if settings.rematch_of else None,
            lost_before=TEAM.decode_optional(settings.lost_before, "lost_before"),
            time_control=decode_control(settings.time_control) if settings.HasField("time_control") else None,
            absence=decode_absence(settings.absence) if settings.HasField("absence") else None,
            spectator_delay=decode_duration(settings.spectator_delay),
            event_id=settings.event_id,
            beacon=settings.beacon,
            beacon_time=decode_time(settings.beacon_time) if settings.HasField("beacon_time") else None,
        )
    )


def _seat_taken(message: wire.SeatTaken, payload: log.Entry, _secret: log.Secret) -> Event:
    seat = SEAT.decode(message.seat, "seat")
    return ev.SeatTaken(seat, message.player_name, payload.token_hash, message.player_id, message.seed)


def _seat_left(message: wire.SeatLeft, *_: object) -> Event:
    return ev.SeatLeft(SEAT.decode(message.seat, "seat"))


def _bot_seated(message: wire.BotSeated, *_: object) -> Event:
    return ev.BotSeated(SEAT.decode(message.seat, "seat"))


def _player_returned(message: wire.PlayerReturned, *_: object) -> Event:
    return ev.PlayerReturned(SEAT.decode(message.seat, "seat"))


def _forfeited(message: wire.MatchForfeited, *_: object) -> Event:
    loser, reason = TEAM.decode(message.loser, "loser"), FORFEIT_REASON.decode(message.reason, "reason")
    return ev.MatchForfeited(loser, reason)


_PRESENCE = {number: presence for presence, number in PRESENCE.items()}


def _presence_changed(message: wire.PresenceChanged, _payload: log.Entry, secret: log.Secret) -> Event:
    presence = _PRESENCE.get(message.presence)
    if presence is None:
        raise Unreadable(f"the number {message.presence} is no presence")
    return PresenceChanged(SEAT.decode(message.seat, "seat"), presence, secret.presence_owner)


def _match_started(*_: object) -> Event:
    return ev.MatchStarted()


def _dealt(message: wire.Dealt, _payload: log.Entry, secret: log.Secret) -> Event:
    dealt = decode_dealt(secret.deal, "deal")
    seed = SealedSeed(dealt.commitment, secret.sealed_seed)
    cut = CUT_CHOICE.decode_optional(message.cut, "cut")
    return ev.RoundDealt(SEAT.decode(message.dealer, "dealer"), dealt, seed, cut)


def _round_opened(message: wire.RoundOpened, _payload: log.Entry, secret: log.Secret) -> Event:
    seed = SealedSeed(message.commitment, secret.sealed_seed)
    return ev.RoundOpened(message.number, SEAT.decode(message.dealer, "dealer"), seed)


def _hands_completed(_message: wire.HandsCompleted, _payload: log.Entry, secret: log.Secret) -> Event:
    return ev.HandsCompleted(decode_four_hands(secret.hands, "hands"))


def _asked_again(message: wire.AskedAgain, *_: object) -> Event:
    return ev.AskedAgain(SEAT.decode(message.seat, "seat"))


def _clock_extended(*_: object) -> Event:
    return ev.ClockExtended()


def _round_accepted(message: wire.RoundAccepted, *_: object) -> Event:
    return ev.RoundAccepted(SEAT.decode(message.seat, "seat"))


def _qaid_claimed(message: wire.QaidClaimed, *_: object) -> Event:
    return ev.QaidClaimed(decode_qaid(message.qaid, "qaid"))


def _call_made(message: wire.CallMade, *_: object) -> Event:
    return ev.CallMade(SEAT.decode(message.seat, "seat"), decode_call(message.call, "call"))


def _answer_given(message: wire.AnswerGiven, _payload: log.Entry, secret: log.Secret) -> Event:
    return ev.AnswerGiven(SEAT.decode(message.seat, "seat"), decode_call(secret.answer, "answer"))


def _answers_opened(message: wire.AnswersOpened, *_: object) -> Event:
    return ev.AnswersOpened(_each(decode_seat_call, message.answers))


def _bought(message: wire.Bought, *_: object) -> Event:
    return ev.Bought(decode_contract(message.contract, "contract"))


def _void(message: wire.DealVoid, *_: object) -> Event:
    kawesh = SEAT.decode_optional(message.kawesh, "kawesh")
    end = DealEnd.THROWN_IN if kawesh is None else DealEnd.KAWESH
    return ev.DealVoid(end, kawesh, decode_hands(message.hands, "hands"))


def _play_started(message: wire.PlayStarted, _payload: log.Entry, secret: log.Secret) -> Event:
    return ev.PlayStarted(
        decode_contract(message.contract, "contract"),
        SEAT.decode(message.leader, "leader"),
        decode_four_hands(secret.hands, "hands"),
    )


def _card_played(message: wire.CardPlayed, _payload: log.Entry, secret: log.Secret) -> Event:
    projects = _each(decode_project, secret.projects)
    shown = _each(decode_project, secret.shown)
    move = CardMove(CARD.decode(message.card, "card"), projects, message.akka, secret.baloot_said, shown)
    return ev.CardPlayed(SEAT.decode(message.seat, "seat"), move, message.baloot)


def _trick_won(message: wire.TrickWon, *_: object) -> Event:
    return ev.TrickWon(decode_trick(message.trick, "trick"))


def _projects_decided(message: wire.ProjectsDecided, *_: object) -> Event:
    return ev.ProjectsDecided(TEAM.decode(message.team, "team"))


def _projects_shown(message: wire.ProjectsShown, *_: object) -> Event:
    return ev.ProjectsShown(_each(decode_seat_project, message.projects))


def _sawa_claimed(message: wire.SawaClaimed, *_: object) -> Event:
    return ev.SawaClaimed(
        SEAT.decode(message.seat, "seat"),
        message.held,
        decode_cards(message.cards, "cards"),
        SEAT.decode_optional(message.baloot, "baloot"),
    )


def _round_scored(message: wire.RoundScored, *_: object) -> Event:
    return ev.RoundScored(decode_round_score(message.score, "score"))


def _match_ended(message: wire.MatchEnded, *_: object) -> Event:
    return ev.MatchEnded(TEAM.decode(message.winner, "winner"), decode_points(message.totals))


_ABANDONED = {number: reason for reason, number in ABANDON_REASON.items()}


def _abandoned(message: wire.TableAbandoned, *_: object) -> Event:
    reason = _ABANDONED.get(message.reason)
    if reason is None:
        raise Unreadable(f"the number {message.reason} is no reason to abandon a table")
    return ev.TableAbandoned(reason)


_DECODE: dict[str, Callable[[Any, log.Entry, log.Secret], Event | None]] = {
    "table_created": _created,
    "seat_taken": _seat_taken,
    "seat_left": _seat_left,
    "bot_seated": _bot_seated,
    "player_returned": _player_returned,
    "match_forfeited": _forfeited,
    "presence_changed": _presence_changed,
    "match_started": _match_started,
    "dealt": _dealt,
    "call_made": _call_made,
    "answer_given": _answer_given,
    "answers_opened": _answers_opened,
    "bought": _bought,
    "deal_void": _void,
    "play_started": _play_started,
    "card_played": _card_played,
    "trick_won": _trick_won,
    "projects_decided": _projects_decided,
    "projects_shown": _projects_shown,
    "sawa_claimed": _sawa_claimed,
    "round_opened": _round_opened,
    "hands_completed": _hands_completed,
    "asked_again": _asked_again,
    "clock_extended": _clock_extended,
    "round_accepted": _round_accepted,
    "qaid_claimed": _qaid_claimed,
    "round_scored": _round_scored,
    "match_ended": _match_ended,
    "table_abandoned": _abandoned,
    **DECODE_DEALS,
}
"""How each event is read, by its field in a `TableEvent`."""


# What everybody sees of events that hide more than that.


def _dealt_to_somebody(message: wire.Dealt, *_: object) -> Event:
    dealt = Dealt(message.number, Deck(()), message.commitment, message.deck_root)
    cut = CUT_CHOICE.decode_optional(message.cut, "cut")
    seed = SealedSeed(message.commitment, b"")
    return ev.RoundDealt(SEAT.decode(message.dealer, "dealer"), dealt, seed, cut)


def _hidden_hands_completed(*_: object) -> Event:
    return ev.HandsCompleted(_NO_HANDS)


def _hidden_play_started(message: wire.PlayStarted, *_: object) -> Event:
    contract, leader = decode_contract(message.contract, "contract"), SEAT.decode(message.leader, "leader")
    return ev.PlayStarted(contract, leader, _NO_HANDS)


def _heard_card(message: wire.CardPlayed, *_: object) -> Event:
    projects = _each(decode_announced, message.projects)
    move = CardMove(CARD.decode(message.card, "card"), projects, message.akka, message.baloot)
    return ev.CardPlayed(SEAT.decode(message.seat, "seat"), move, message.baloot)


def _sealed(*_: object) -> None:
    return None


_NO_SECRET = log.Secret()
_NO_HANDS = (Hand(), Hand(), Hand(), Hand())
_DECODE_OPEN: dict[str, Callable[[Any, log.Entry, log.Secret], Event | None]] = {
    "dealt": _dealt_to_somebody,
    "hands_completed": _hidden_hands_completed,
    "play_started": _hidden_play_started,
    "answer_given": _sealed,
    "card_played": _heard_card,
}
"""How an event is read without its secrets, where that is not the same."""

_Message = TypeVar("_Message")
_Value = TypeVar("_Value")


def _each(decode_one: Callable[[_Message, str], _Value], messages: Sequence[_Message]) -> tuple[_Value, ...]:
    return tuple([decode_one(message, "") for message in messages])
