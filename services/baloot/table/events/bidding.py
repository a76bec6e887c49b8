"""The buying of a round: calls and answers, what was bought, and how a round ends that nobody plays."""

from __future__ import annotations

from dataclasses import dataclass, field

from baloot.core.auction import Call, SeatCall
from baloot.core.cards import Hand
from baloot.core.contract import Contract
from baloot.core.deal import DealEnd, FourHands
from baloot.core.seats import Seat


@dataclass(frozen=True, slots=True)
class CallMade:
    """A call that everybody hears."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class AnswerGiven:
    """A sealed answer to a Hokum."""

    seat: Seat
    call: Call = field(repr=False)


@dataclass(frozen=True, slots=True)
class AnswersOpened:
    """The answers to a Hokum, settled and open."""

    answers: tuple[SeatCall, ...]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """Asks once more a seat that has not named a suit in time (2.9)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Bought:
    """Ends the buying; raises may follow."""

    contract: Contract


@dataclass(frozen=True, slots=True)
class DealVoid:
    """Ends a round without a score. `hands` are the first hands that a Kawesh lays open."""

    end: DealEnd
    kawesh: Seat | None = None
    hands: tuple[Hand, ...] = ()


@dataclass(frozen=True, slots=True)
class HandsCompleted:
    """Deals the last cards before the raises, where a round may be doubled until the first lead (2.14)."""

    hands: FourHands


BiddingEvent = CallMade | AnswerGiven | AnswersOpened | AskedAgain | Bought | DealVoid | HandsCompleted
