"""The auction: what is said while buying, and what is asked next (rules, sections 2.5 to 2.16).

An `AuctionRecord` holds the facts. What follows from them is the bidding service's to say.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from baloot.core.cards import Card, Hand, Suit
from baloot.core.contract import Contract
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.seats import Seat


class CallKind(Enum):
    """What may be said. PASS is also every refusal: bass, wala, no takeover, no double."""

    PASS = 1
    HOKUM = 2
    SUN = 3
    ASHKAL = 4
    QABLAK = 5
    KAWESH = 6
    CONFIRM = 7
    DOUBLE = 8
    THREE = 9
    FOUR = 10
    GAHWA = 11
    CUT = 12

    __hash__ = object.__hash__


class CutChoice(Enum):
    """What the cutter does before the deal, where cutting has privileges (2.3)."""

    GO_ON = 1
    CUT = 2
    RESHUFFLE = 3
    TOP_UP = 4
    BOTTOM_TO_PARTNER = 5
    BOTTOM_KEPT = 6
    TOP_KEPT = 7

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Call:
    """One call. `suit` belongs to CONFIRM in the second bidding, `locked` to raises of a Hokum (2.15), `cut` to CUT.

    At the confirm step SUN turns the Hokum to Sun. Notation: `pass`, `confirm H`, `double locked`, `cut top_up`.
    """

    kind: CallKind
    suit: Suit | None = None
    locked: bool | None = None
    cut: CutChoice | None = None

    def __str__(self) -> str:
        words = [self.kind.name.lower()]
        if self.suit is not None:
            words.append(str(self.suit))
        if self.locked is not None:
            words.append("locked" if self.locked else "open")
        if self.cut is not None:
            words.append(self.cut.name.lower())
        return " ".join(words)

    @classmethod
    def parse(cls, text: str) -> Call:
        """Reads the notation back. Raises ValueError."""
        kind, *rest = text.split()
        try:
            return cls(
                CallKind[kind.upper()],
                next((suit for suit in Suit for word in rest if word.upper() == str(suit)), None),
                next((word.lower() == "locked" for word in rest if word.lower() in ("locked", "open")), None),
                next((cut for cut in CutChoice for word in rest if word.upper() == cut.name), None),
            )
        except KeyError:
            raise ValueError(f"not a call: {text!r}") from None


def spelled_calls(calls: Iterable[Call]) -> str:
    """Calls in their notation, separated by commas: `pass,double open,double locked`."""
    return ",".join(map(str, calls))


PASS = Call(CallKind.PASS)
HOKUM = Call(CallKind.HOKUM)
SUN = Call(CallKind.SUN)
ASHKAL = Call(CallKind.ASHKAL)
QABLAK = Call(CallKind.QABLAK)
KAWESH = Call(CallKind.KAWESH)
CONFIRM = Call(CallKind.CONFIRM)


class QuestionKind(Enum):
    """What a seat is asked.

    FIRST and SECOND: to buy in that bidding. ANSWER: Sun over a Hokum (several seats at once, answers sealed).
    TAKEOVER: qablak. CONFIRM: keep the Hokum (naming the suit in the second bidding) or turn to Sun.
    DOUBLE THREE FOUR GAHWA: to raise. KAWESH: an offer out of turn that need not be answered.
    PLAY: to play a card (asked by the play service). CUT: to cut the deck. QAID: to let the round be scored.
    """

    FIRST = 1
    ANSWER = 2
    TAKEOVER = 3
    SECOND = 4
    CONFIRM = 5
    DOUBLE = 6
    THREE = 7
    FOUR = 8
    GAHWA = 9
    KAWESH = 10
    PLAY = 11
    CUT = 12
    QAID = 13

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class SeatCall:
    """A call and who made it."""

    seat: Seat
    call: Call


@dataclass(frozen=True, slots=True)
class AuctionRecord:
    """The facts of one auction.

    `hands` are the first five cards of each seat in order of seats (needed for Kawesh only; empty means unknown),
    `scores` the game points of each team before the round (for the double of a Sun).
    """

    dealer: Seat
    up_card: Card
    hands: tuple[Hand, ...] = ()
    scores: tuple[int, int] = (0, 0)
    calls: tuple[SeatCall, ...] = ()
    ruleset: Ruleset = STANDARD

    def __hash__(self) -> int:
        # Records are keys of dictionaries, and all calls would be hashed for each further one.
        return hash((self.dealer, self.up_card, self.scores, len(self.calls), self.hands[:1]))

    def after(self, seat: Seat, call: Call) -> AuctionRecord:
        """The record with one call more. Made field by field: `replace` takes twice as long, once in every call."""
        calls = (*self.calls, SeatCall(seat, call))
        return AuctionRecord(self.dealer, self.up_card, self.hands, self.scores, calls, self.ruleset)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question to one seat with every legal call; `default` is what is said for a seat that does not answer.

    A wrong Ashkal that counts as Sun (2.8) is accepted but not listed.
    """

    seat: Seat
    kind: QuestionKind
    legal: tuple[Call, ...] = field(repr=False)
    default: Call

    @property
    def optional(self) -> bool:
        """An offer that nobody else knows of and nobody waits for."""
        return self.kind is QuestionKind.KAWESH


@dataclass(frozen=True, slots=True)
class ThrownIn:
    """Everybody passed twice: no score, the deal passes right."""


@dataclass(frozen=True, slots=True)
class KaweshCalled:
    """A worthless hand was shown: no score, and the deal is dealt again (2.12)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AuctionStep:
    """What follows from a record: questions (never empty before the end) or an outcome.

    `contract` is what is bought so far, known from the end of the buying on, while raises are still asked.
    `sealed` are the answers to a Hokum that are given but not yet settled: only their owner may know them.
    """

    record: AuctionRecord
    asked: tuple[Asked, ...]
    contract: Contract | None
    outcome: Contract | ThrownIn | KaweshCalled | None
    sealed: tuple[Seat, ...] = ()
