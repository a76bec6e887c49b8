"""Cards, hands, seats and pairs of points on the wire."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baloot.api.core.v1.cards_pb2 import Card as CardNumber
from baloot.api.core.v1.cards_pb2 import Hand as HandMessage
from baloot.api.core.v1.seats_pb2 import Seat as SeatNumber
from baloot.api.core.v1.seats_pb2 import TeamPoints
from baloot.codec.enums import CARD, SEAT
from baloot.codec.fields import decode_each, invalid, missing
from baloot.core.cards import CARDS_IN_DECK, Card, Hand
from baloot.core.seats import Seat

_NUMBERS = tuple(CARD.encode(card) for card in Card)
_CARDS = CARD.value_of
_KNOWN = frozenset(_CARDS)


def encode_cards(cards: Iterable[Card]) -> list[CardNumber.ValueType]:
    return [_NUMBERS[card] for card in cards]


def decode_cards(numbers: Sequence[int], path: str, *, most: int = CARDS_IN_DECK) -> tuple[Card, ...]:
    """Different cards in the order given. Raises Refusal for more than `most`, an unknown card or one that comes twice."""
    if len(numbers) > most or not _KNOWN.issuperset(numbers):
        return decode_each(
            CARD.decode, numbers, path, most=most
        )  # which finds and refuses the first that is wrong
    cards = tuple([_CARDS[number] for number in numbers])
    if len({*cards}) != len(cards):
        raise invalid(path, "holds a card twice")
    return cards


def encode_hand(hand: Hand) -> HandMessage:
    return HandMessage(cards=encode_cards(hand))


def decode_hand(message: HandMessage, path: str) -> Hand:
    mask = 0
    for card in decode_cards(message.cards, f"{path}.cards"):
        mask |= 1 << card
    return Hand(mask)


def decode_hands(messages: Sequence[HandMessage], path: str) -> tuple[Hand, ...]:
    """At most four hands, in order of seats."""
    return decode_each(decode_hand, messages, path, most=4)


def decode_four_hands(messages: Sequence[HandMessage], path: str) -> tuple[Hand, Hand, Hand, Hand]:
    """Exactly four hands, in order of seats."""
    hands = decode_hands(messages, path)
    if not hands:
        raise missing(path)
    if len(hands) != 4:
        raise invalid(path, f"holds {len(hands)} hands, and must hold four")
    return hands[0], hands[1], hands[2], hands[3]


def encode_seats(seats: Iterable[Seat]) -> list[SeatNumber.ValueType]:
    return [SEAT.encode(seat) for seat in seats]


def decode_seats(numbers: Sequence[int], path: str) -> tuple[Seat, ...]:
    """At most four seats."""
    return decode_each(SEAT.decode, numbers, path, most=4)


def encode_points(points: tuple[int, int]) -> TeamPoints:
    return TeamPoints(south_north=points[0], east_west=points[1])


def decode_points(message: TeamPoints) -> tuple[int, int]:
    """The points of each team; none where the message is unset."""
    return message.south_north, message.east_west
