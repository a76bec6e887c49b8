"""What happens at a table, as facts. One accepted command makes one entry; a table is the fold of its entries.

The events hold everything, secrets included. What a viewer may see of them is decided in `views` alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple
from uuid import UUID

from baloot.core.auction import Asked, Call, CutChoice, QuestionKind, SeatCall
from baloot.core.cards import Card, Hand
from baloot.core.contract import Contract
from baloot.core.deal import DealEnd, Dealt, Deck, SealedSeed
from baloot.core.play import CardMove, PlayAsked, Qaid, Trick
from baloot.core.projects import SeatProject
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.score import RoundScore
from baloot.core.seats import Seat, Team
from baloot.table.deal_events import BeaconGiven, DealsCommitted, SeedAdded, SeedsRevealed
from baloot.table.policy import AbsencePolicy, ForfeitReason
from baloot.table.presence import PresenceChanged

Micros = int
"""A moment as microseconds since 1970 by the store's clock, or a length of time in microseconds."""

SECOND: Micros = 1_000_000

LATE: Micros = 2 * SECOND
"""A default action that comes later than this after its deadline is late by our fault: the clock is extended instead."""

IDLE_AFTER_DEFAULTS = 40
"""A match in which this many actions in a row were taken by default is abandoned."""


class Status(Enum):
    """Where a table stands."""

    OPEN = 1
    PLAYING = 2
    FINISHED = 3
    ABANDONED = 4

    @property
    def ended(self) -> bool:
        return self in (Status.FINISHED, Status.ABANDONED)


class AbandonReason(Enum):
    """Why a table was given up."""

    LEFT = 1
    NEVER_FILLED = 2
    IDLE = 3
    NO_BEACON = 4


class TimeControl(NamedTuple):
    """How much time a seat has: of its own for each call and each card, and in a bank for the whole match.

    `network_allowance` is how much later than the deadline an action may be received; the table waits for it.
    """

    call_time: Micros
    card_time: Micros
    bank: Micros = 0
    network_allowance: Micros = 0

    def own_time(self, kind: QuestionKind) -> Micros:
        """The time of its own that a question has."""
        return self.card_time if kind is QuestionKind.PLAY else self.call_time


@dataclass(frozen=True, slots=True)
class Settings:
    """What is chosen when a table is created. Without a `time_control` every answer has `action_timeout`, to the moment;
    without an `absence` no bot plays for anybody, and whoever leaves abandons the table.
    """

    ruleset: Ruleset = STANDARD
    action_timeout: Micros = 30 * SECOND
    round_pause: Micros = 5 * SECOND
    fill_timeout: Micros = 900 * SECOND
    rematch_of: UUID | None = None
    lost_before: Team | None = None
    """The side that lost the match which this one follows."""
    time_control: TimeControl | None = None
    absence: AbsencePolicy | None = None
    spectator_delay: Micros = 0
    """How much later everybody without a seat sees what happens."""
    event_id: str = ""
    """The event that the table belongs to."""
    beacon: str = ""
    """The name of the public random value that is mixed into every deal; empty for none."""
    beacon_time: Micros | None = None
    """The moment from which that value may be public; None without one, and at tables that are older than this."""

    @property
    def control(self) -> TimeControl:
        """How much time a seat has, at every table."""
        return self.time_control or TimeControl(self.action_timeout, self.action_timeout)

    @property
    def policy(self) -> AbsencePolicy:
        """What happens when a player is away, at every table."""
        return self.absence or AbsencePolicy()


@dataclass(frozen=True, slots=True)
class TableCreated:
    """Opens a table."""

    settings: Settings


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """Seats a player. `token_hash` is the SHA-256 of the seat token, or stands for the account `player_id`; a guest has none.

    `seed` is what the player adds to the deals that are committed to: 32 bytes, or empty.
    """

    seat: Seat
    player_name: str
    token_hash: bytes = field(repr=False)
    player_id: str = ""
    seed: bytes = b""


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """Frees a seat of an open table, or says who left a playing one."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class BotSeated:
    """Lets a bot play for a seat from now on."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayerReturned:
    """Says that a player plays for its seat again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class MatchForfeited:
    """Ends a match that the side `loser` gives up."""

    loser: Team
    reason: ForfeitReason

    @property
    def winner(self) -> Team:
        return self.loser.other


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """All four seats are taken."""


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Begins a round whose deck may be cut first (2.3). The commitment to its seed stands before the cut."""

    number: int
    dealer: Seat
    seed: SealedSeed


@dataclass(frozen=True, slots=True)
class RoundDealt:
    """Begins a round, or goes on with one whose deck was cut. `dealt` is the deck as it was shuffled."""

    dealer: Seat
    dealt: Dealt
    seed: SealedSeed
    cut: CutChoice | None = None

    @property
    def deck(self) -> Deck:
        """The deck in the order in which it is dealt."""
        return cut_deck(self.dealt, self.cut)


def cut_deck(dealt: Dealt, cut: CutChoice | None) -> Deck:
    """A shuffled deck as it is dealt after the cut.

    A plain cut lifts 1 to 31 cards. The commitment settles how many, since a screen has no hand to do it.
    """
    return dealt.deck if cut is None else dealt.deck.cut(cut, cut_depth(dealt))


def cut_depth(dealt: Dealt) -> int:
    """How many cards a plain cut lifts from a deck: 1 to 31."""
    return 1 + dealt.commitment[0] % 31


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

    hands: tuple[Hand, Hand, Hand, Hand]


@dataclass(frozen=True, slots=True)
class AskedAgain:
    """Asks once more a seat that has not named a suit in time (2.9)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PlayStarted:
    """Deals the last cards after the last raise."""

    contract: Contract
    leader: Seat
    hands: tuple[Hand, Hand, Hand, Hand]


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """One card with what was said with it; `baloot` says that a Baloot is credited with it."""

    seat: Seat
    move: CardMove
    baloot: bool


@dataclass(frozen=True, slots=True)
class TrickWon:
    """Ends a trick."""

    trick: Trick


@dataclass(frozen=True, slots=True)
class ProjectsDecided:
    """Tells after the first trick whose projects count."""

    team: Team


@dataclass(frozen=True, slots=True)
class ProjectsShown:
    """Lays projects open."""

    projects: tuple[SeatProject, ...]


@dataclass(frozen=True, slots=True)
class SawaClaimed:
    """A claim of all remaining tricks.

    `cards` are the claimer's, laid open if it holds in an order that proves it; `baloot` is who gets a Baloot credited with it.
    """

    seat: Seat
    held: bool
    cards: tuple[Card, ...] = ()
    baloot: Seat | None = None


@dataclass(frozen=True, slots=True)
class ClockExtended:
    """Gives the seats that are asked their time once more, since the table itself was away when it ran out."""


@dataclass(frozen=True, slots=True)
class RoundAccepted:
    """A seat lets the round be scored, where a violation could still be claimed (2.33)."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class QaidClaimed:
    """Ends the play of a round with a claim that was judged (2.33)."""

    qaid: Qaid


@dataclass(frozen=True, slots=True)
class RoundScored:
    """Ends a round with its sheet."""

    score: RoundScore


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """Ends the match."""

    winner: Team
    totals: tuple[int, int]


@dataclass(frozen=True, slots=True)
class TableAbandoned:
    """Ends a table without a winner."""

    reason: AbandonReason


Event = (
    TableCreated
    | SeatTaken
    | SeatLeft
    | BotSeated
    | PlayerReturned
    | MatchForfeited
    | PresenceChanged
    | MatchStarted
    | RoundOpened
    | RoundDealt
    | CallMade
    | AnswerGiven
    | AnswersOpened
    | Bought
    | DealVoid
    | HandsCompleted
    | AskedAgain
    | PlayStarted
    | CardPlayed
    | TrickWon
    | ProjectsDecided
    | ProjectsShown
    | SawaClaimed
    | ClockExtended
    | RoundAccepted
    | QaidClaimed
    | RoundScored
    | MatchEnded
    | TableAbandoned
    | DealsCommitted
    | SeedAdded
    | BeaconGiven
    | SeedsRevealed
)


class SeatClock(NamedTuple):
    """The clock of a seat that is asked: until when the question's own time lasts, and until when the bank does."""

    own_until: Micros
    deadline: Micros


class TimeUsed(NamedTuple):
    """What a seat took for a question that is settled, and what is left in its bank."""

    seat: Seat
    used: Micros
    bank: Micros


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """A question that waits for its seat. `asked_at` is the sequence number of the entry that asked it.

    A private one has no `clock`, since nobody waits for it; nor has one that is older than time controls.
    """

    asked_at: int
    question: Asked | PlayAsked
    clock: SeatClock | None = None

    @property
    def seat(self) -> Seat:
        return self.question.seat

    @property
    def kind(self) -> QuestionKind:
        return self.question.kind if isinstance(self.question, Asked) else QuestionKind.PLAY

    @property
    def private(self) -> bool:
        """Whether nobody but its seat may know that it is open."""
        return isinstance(self.question, Asked) and self.question.optional


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted command: who did what when, the facts, and who is asked from then on.

    `request_id` is the client's, or derived for the table's own steps; `request_digest` tells a repeated request from
    another one with the same id, and does not give a sealed answer away to who lacks the token. `actor` is None for
    the table itself. `deadline` is when the table acts by itself, the network allowance included. `at` is when it was
    accepted, `received` when the server got the action of a seat, `time_used` what the settled questions took where
    there are banks. `chain` is the link of the log's hash chain, once it is stored; empty in logs that have none.
    """

    table_id: UUID
    sequence: int
    at: Micros
    actor: Seat | None
    request_id: UUID
    request_digest: bytes
    events: tuple[Event, ...]
    questions: tuple[OpenQuestion, ...] = ()
    deadline: Micros | None = None
    by_default: bool = False
    received: Micros | None = None
    time_used: tuple[TimeUsed, ...] = ()
    chain: bytes = field(default=b"", compare=False, repr=False)

    def linked(self, chain: bytes) -> None:
        """Notes the link that the log gave it: once, before anybody else has the entry. A copy would cost more than sealing it."""
        object.__setattr__(self, "chain", chain)

    def told_at(self, delay: Micros) -> Micros:
        """When everybody may know of it, at a table with a delay: of its opening at once, of all else after the delay."""
        return self.at + delay if self.sequence > 1 else self.at

    def __hash__(self) -> int:
        # What is encoded of an entry is remembered by it; moment and number tell entries apart well enough.
        return hash((self.at, self.sequence))
