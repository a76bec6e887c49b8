"""The stored bytes of an entry, event by event: what was done is read, what followed is only compared.

The rows of a match hold the same few events again and again, so what is read once is remembered by its bytes.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache, lru_cache
from typing import Any, NamedTuple

from baloot.api.core.v1 import play_pb2
from baloot.api.core.v1.cards_pb2 import Hand as Message
from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.cards import decode_four_hands, encode_cards
from baloot.codec.enums import SEAT
from baloot.core.auction import Call
from baloot.core.cards import Card, Hand
from baloot.core.contract import Contract
from baloot.core.deal import FourHands
from baloot.core.errors import Refusal
from baloot.core.play import CardMove, Trick
from baloot.core.seats import SEATS, Seat
from baloot.play.rules import SILENT
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.codec import encode_event
from baloot.table.encoding import field_bytes, fields_bytes
from baloot.table.events import Event
from baloot.table.payload import Unreadable, decode
from baloot.table.views import project
from google.protobuf.json_format import MessageToDict
from google.protobuf.message import DecodeError

EVENT = field_bytes(log.Entry.EVENTS_FIELD_NUMBER, b"")[:1]
"""The first byte of an event in an entry."""
_EVENT = EVENT[0]
_QUESTIONS = 0x32
"""The first byte of the open questions in a secret half; what the events hide stands before them."""
_BYTES = 2
"""The wire type of what has a length; everything else in a secret half is a number."""

REMEMBERED = 4096
"""Events that are remembered with what they say."""

_CALL = field_bytes(wire.TableEvent.CALL_MADE_FIELD_NUMBER, b"")[:1]
"""What a call begins with, behind the length of the event: no call is long."""

_COMMITTED, _ADDED, _BEACON, _REVEALED = "deals_committed", "seed_added", "beacon_given", "seeds_revealed"


class Committed(NamedTuple):
    """The commitments to the deals from `first` on."""

    first: int
    commitments: tuple[bytes, ...]


class Added(NamedTuple):
    """What a seat adds to the deals from `first` on."""

    seat: Seat
    first: int
    seed: bytes


class Beacon(NamedTuple):
    """The public random value of a table."""

    value: bytes


class Revealed(NamedTuple):
    """The seeds of the deals from `first` on."""

    first: int
    seeds: tuple[bytes, ...]


Fact = Event | Committed | Added | Beacon
"""What begins an entry."""


def events_of(payload: bytes) -> list[bytes]:
    """The events of an entry one by one, each as it stands in its open half. Raises Unreadable."""
    found, at, end = [], 0, len(payload)
    while at < end and payload[at] == _EVENT:
        size, start = _length(payload, at + 1)
        if start + size > end:
            raise Unreadable("an event is cut off")
        found.append(payload[at : start + size])
        at = start + size
    return found


def _length(payload: bytes, at: int) -> tuple[int, int]:
    """A length, and where it ends."""
    size = shift = 0
    while at < len(payload) and shift < 32:
        byte = payload[at]
        size |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if byte < 0x80:
            return size, at
    raise Unreadable("a length is cut off")


def name_of(event: bytes) -> str:
    """The field in which an event stands; empty for one that this version does not know."""
    start = _length(event, 1)[1]
    return _NAMES.get(event[start : start + 1]) or _NAMES.get(event[start : start + 2], "")


def _names() -> dict[bytes, str]:
    names = {}
    for field in wire.TableEvent.DESCRIPTOR.oneofs[0].fields:
        event = wire.TableEvent()
        getattr(event, field.name).SetInParent()
        names[event.SerializeToString()[:-1]] = field.name
    return names


_NAMES = _names()
"""For the bytes by which a field begins, its name. None begins like another one."""


def _message(event: bytes) -> wire.TableEvent:
    try:
        (message,) = log.Entry.FromString(event).events
    except (DecodeError, ValueError) as error:
        raise Unreadable("an event cannot be read") from error
    return message


def fact_of(event: bytes, secret: bytes) -> Fact:
    """What an event says, with what is hidden of it. Raises Unreadable."""
    return _read(event, secret) if hides(secret) else _read_open(event)


@lru_cache(maxsize=REMEMBERED)
def _read_open(event: bytes) -> Fact:
    return _read(event, b"")


def _read(event: bytes, secret: bytes) -> Fact:
    name = name_of(event)
    read = _READ.get(name)
    if read is not None:
        try:
            told: Fact = read(getattr(_message(event), name))
        except Refusal as refusal:
            raise Unreadable(str(refusal)) from refusal
        return told
    try:
        (fact,) = decode(event, _hidden(secret)).events
    except (ValueError, OverflowError) as error:
        raise Unreadable(str(error)) from error
    return fact


def revealed_of(event: bytes) -> Revealed:
    """What a SeedsRevealed says."""
    message = _message(event).seeds_revealed
    return Revealed(message.first_number, tuple(message.seeds))


def committed_of(event: bytes) -> Committed:
    """What a DealsCommitted says."""
    return _committed(_message(event).deals_committed)


def is_call(event: bytes) -> bool:
    """Whether an event is a call that everybody hears."""
    return event[2:3] == _CALL


def is_committed(event: bytes) -> bool:
    """Whether an event is a DealsCommitted."""
    return name_of(event) == _COMMITTED


def is_revealed(event: bytes) -> bool:
    """Whether an event is a SeedsRevealed."""
    return name_of(event) == _REVEALED


def _committed(message: wire.DealsCommitted) -> Committed:
    return Committed(message.first_number, tuple(message.commitments))


def _added(message: wire.SeedAdded) -> Added:
    return Added(SEAT.decode(message.seat, "seat"), message.first_number, message.seed)


def _beacon(message: wire.BeaconGiven) -> Beacon:
    return Beacon(message.value)


_READ: dict[str, Any] = {_COMMITTED: _committed, _ADDED: _added, _BEACON: _beacon}


def _hidden(secret: bytes) -> bytes:
    """What the events hide of a secret half, without the questions behind it, which would take long to read."""
    at, end = 0, len(secret)
    while at < end and secret[at] != _QUESTIONS:
        size, at = _length(secret, at + 1) if secret[at] & 7 == _BYTES else (0, _length(secret, at + 1)[1])
        at += size
    return secret[:at]


def hides(secret: bytes) -> bool:
    """Whether a secret half that is open holds more than questions."""
    return bool(secret) and secret[0] != _QUESTIONS


def holds_hands(secret: bytes, hands: FourHands) -> bool:
    """Whether a secret half that is open hides these eight cards of each seat, and no others. Raises Unreadable."""
    told = [field_bytes(Message.CARDS_FIELD_NUMBER, bytes(encode_cards(hand))) for hand in hands]
    usual = fields_bytes(log.Secret.HANDS_FIELD_NUMBER, told)
    if secret.startswith(usual) and secret[len(usual) : len(usual) + 1] in (b"", b"%c" % _QUESTIONS):
        return True
    try:
        return decode_four_hands(log.Secret.FromString(_hidden(secret)).hands, "hands") == hands
    except (DecodeError, Refusal) as error:
        raise Unreadable("the hands cannot be read") from error


def token_of(payload: bytes) -> bytes:
    """What an entry keeps of the holder that it seats; empty for nobody. Raises Unreadable."""
    try:
        return log.Entry.FromString(payload).token_hash
    except DecodeError as error:
        raise Unreadable("the entry cannot be read") from error


def differences(expected: bytes, found: bytes) -> str:
    """Where two events differ, field by field."""
    wanted, there = _spelled(expected), _spelled(found)
    fields = sorted(path for path in wanted.keys() | there.keys() if wanted.get(path) != there.get(path))
    told = [
        f"{path} is {there.get(path, 'unset')} and should be {wanted.get(path, 'unset')}" for path in fields
    ]
    return "; ".join(told[:4]) or "its bytes are not those that are written for it"


def _spelled(event: bytes) -> dict[str, str]:
    try:
        message = MessageToDict(_message(event), preserving_proto_field_name=True)
    except (Unreadable, ValueError):
        return {}
    return dict(_flat(message, ""))


def _flat(value: Any, path: str) -> list[tuple[str, str]]:
    if isinstance(value, dict):
        return [
            one for name, inner in value.items() for one in _flat(inner, f"{path}.{name}" if path else name)
        ]
    if isinstance(value, list):
        return [one for place, inner in enumerate(value) for one in _flat(inner, f"{path}[{place}]")]
    return [(path, str(value))]


def event_bytes(event: Event) -> bytes:
    """An event as it stands in the open half of an entry. Raises Unreadable for one that nobody may see."""
    seen = project(event, None)
    if seen is None:
        raise Unreadable("nobody may see the event")
    return field_bytes(log.Entry.EVENTS_FIELD_NUMBER, encode_event(seen).SerializeToString())


@lru_cache(maxsize=256)
def created_bytes(event: ev.TableCreated) -> bytes:
    """The opening of a table, as it stands in the open half of an entry: many are opened with the same settings."""
    return event_bytes(event)


@lru_cache(maxsize=4096)
def call_bytes(seat: Seat, call: Call, *, sealed: bool) -> bytes:
    """A call, or that a sealed answer was given, as it stands in the open half of an entry."""
    return event_bytes(ev.AnswerGiven(seat, call) if sealed else ev.CallMade(seat, call))


@lru_cache(maxsize=4096)
def bought_bytes(contract: Contract) -> bytes:
    """That a contract is bought, as it stands in the open half of an entry."""
    return event_bytes(ev.Bought(replace(contract, raises=())))


@lru_cache(maxsize=4096)
def started_bytes(contract: Contract, leader: Seat) -> bytes:
    """That the play starts, as it stands in the open half of an entry: without hands."""
    return event_bytes(ev.PlayStarted(contract, leader, (Hand(),) * 4))


def trick_bytes(trick: Trick) -> bytes:
    """A finished trick as it stands in the open half of an entry. One comes with every fourth card."""
    leader, cards, winner, points = trick
    inner = (
        _leader(leader)
        + field_bytes(play_pb2.Trick.CARDS_FIELD_NUMBER, bytes(encode_cards(cards)))
        + _won(winner, points)
    )
    told = field_bytes(wire.TrickWon.TRICK_FIELD_NUMBER, inner)
    event = field_bytes(wire.TableEvent.TRICK_WON_FIELD_NUMBER, told)
    return field_bytes(log.Entry.EVENTS_FIELD_NUMBER, event)


# A message with some fields and one with others, put together, are encoded as a message with all of them. The number of
# a card takes one byte.


@cache
def _leader(seat: Seat) -> bytes:
    return play_pb2.Trick(leader=SEAT.encode(seat)).SerializeToString()


@cache
def _won(seat: Seat, points: int) -> bytes:
    return play_pb2.Trick(winner=SEAT.encode(seat), card_points=points).SerializeToString()


@lru_cache(maxsize=4096)
def card_bytes(seat: Seat, card: Card, *, akka: bool, baloot: bool) -> bytes:
    """A card with which no project is announced, as it stands in the open half of an entry."""
    return event_bytes(ev.CardPlayed(seat, CardMove(card, akka=akka), baloot))


def _silent_cards() -> dict[bytes, ev.CardPlayed]:
    """The bytes of all cards with which nothing is said; the moves are those that the rules know."""
    cards = [ev.CardPlayed(seat, move, baloot=False) for seat in SEATS for move in SILENT]
    return {event_bytes(card): card for card in cards}


SILENT_CARDS = _silent_cards()
"""What most entries begin with: a card, and nothing said with it."""

CARD_BYTES = len(next(iter(SILENT_CARDS)))
"""How long each of them is."""
