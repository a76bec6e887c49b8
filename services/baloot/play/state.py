"""The state of a round of play: its moves, and what follows from them for the next question."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from baloot.core.cards import Card
from baloot.core.play import PlayRecord, Qaid, SeatMove, Trick
from baloot.core.projects import SeatProject
from baloot.core.seats import Seat, Team
from baloot.play.legality import Terms
from baloot.play.projects import ProjectOrder

Hands = tuple[int, ...]
"""The cards each seat holds, as bits, in order of seats."""
CARDS_IN_HAND = 8


def played_by(hands: Hands, seat: Seat) -> int:
    """How many cards a seat has played."""
    return CARDS_IN_HAND - hands[seat].bit_count()


@dataclass(frozen=True, slots=True, repr=False)
class Start:
    """What a round is played from: a record without moves, and what is worked out from it once.

    `royals` are the K and Q of trumps, as bits, when one hand was dealt both: only then can a Baloot come. That is
    secret, so it prints as `██`. `prompts` tells whether the server may say something with a card for its player,
    `lenient` whether cards against a duty are accepted, `owners_show` whether projects are shown by their owners.
    """

    record: PlayRecord
    on: Terms
    royals: int
    order: ProjectOrder
    prompts: bool
    lenient: bool
    owners_show: bool

    def __repr__(self) -> str:
        return "██"


class Said(NamedTuple):
    """What was said and credited so far.

    `announced` stands in the order of saying; `counting` is the side with the best project, known after the first trick,
    and `shown` what owners have shown where they have to. `refused` are the seats whose Sawa was refused, `sawa` the
    seat whose claim held, `qaid` the claim that ended the round.
    """

    announced: tuple[SeatProject, ...] = ()
    counting: Team | None = None
    baloot: tuple[Seat, ...] = ()
    refused: tuple[Seat, ...] = ()
    sawa: Seat | None = None
    shown: tuple[SeatProject, ...] = ()
    qaid: Qaid | None = None


class Play(NamedTuple):
    """A round of play at one moment. All but `start` and `moves` follows from them.

    It holds hands, so it prints as `██`.
    """

    start: Start
    moves: tuple[SeatMove, ...]
    hands: Hands
    turn: Seat | None
    """Who plays next; None when the round is over."""
    leader: Seat
    """Who leads, or led, the trick that is on the table."""
    trick: tuple[Card, ...]
    """The cards on the table, from the leader on."""
    best: int
    """The place in `trick` of the card that is winning it."""
    akka: bool
    """Whether Akka was said with the lead."""
    tricks: tuple[Trick, ...]
    """The finished tricks."""
    said: Said
    legal: int
    """The cards that the seat on turn may play, as bits; 0 when the round is over."""

    @property
    def record(self) -> PlayRecord:
        """The facts that this follows from."""
        first = self.start.record
        return PlayRecord(first.contract, first.dealer, first.hands, self.moves, first.ruleset)

    @property
    def unplayed(self) -> int:
        """The cards in all hands, as bits."""
        south, east, north, west = self.hands
        return south | east | north | west

    def __repr__(self) -> str:
        return f"Play({len(self.moves)} moves, turn={self.turn}, ██)"
