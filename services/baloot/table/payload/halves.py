"""The two halves of an entry, and how a subject tells what it puts into them and reads out of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from baloot.codec.cards import encode_hand
from baloot.core.cards import Hand
from baloot.core.deal import FourHands
from baloot.store.v1 import entry_pb2 as log
from baloot.table.events import Event, HandsCompleted, PlayStarted

Hiders = Mapping[type[Event], tuple[str, Callable[[Any, log.Entry, log.Secret], None]]]
"""For each event that hides something, the place for it, of which an entry has one, and how it is put there."""

Readers = Mapping[str, Callable[[Any, log.Entry, log.Secret], Event | None]]
"""How each event is read, by its field in a `TableEvent`; None for one that cannot be told without its secret."""

NO_HANDS: FourHands = (Hand(), Hand(), Hand(), Hand())
"""The hands of an event that is read without its secret."""

_Message = TypeVar("_Message")
_Value = TypeVar("_Value")


def each(decode_one: Callable[[_Message, str], _Value], messages: Sequence[_Message]) -> tuple[_Value, ...]:
    """The messages of a repeated field, decoded."""
    return tuple([decode_one(message, "") for message in messages])


def hide_hands(event: HandsCompleted | PlayStarted, _payload: log.Entry, secret: log.Secret) -> None:
    """Puts all hands into the secret half."""
    secret.hands.extend(encode_hand(hand) for hand in event.hands)
