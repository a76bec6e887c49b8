"""A whole match as it is written down: who played by which rules, every deal, and how it ended.

It holds facts, in the types in which the rules take them. Whether they agree with the rules is for others to say.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple
from uuid import UUID

from baloot.core.auction import CutChoice, SeatCall
from baloot.core.cards import Card, Hand
from baloot.core.contract import Contract
from baloot.core.deal import DealEnd
from baloot.core.play import Qaid, SeatMove
from baloot.core.projects import SeatProject
from baloot.core.ruleset import STANDARD, Ruleset
from baloot.core.score import RoundScore
from baloot.core.seats import Seat, Team


class NamedPlayer(NamedTuple):
    """Who sat on a seat: the name that was shown, and the id of the account, empty for a guest."""

    name: str = ""
    account: str = ""


Players = tuple[NamedPlayer, NamedPlayer, NamedPlayer, NamedPlayer]
"""The players in order of seats."""
NOBODY: Players = (NamedPlayer(), NamedPlayer(), NamedPlayer(), NamedPlayer())


@dataclass(frozen=True, slots=True)
class DealProof:
    """What a deal can be verified by, as far as it is known. The seed (32 bytes) is secret until it is revealed.

    `seat_seeds` are four times 32 bytes in order of seats, or none; a `beacon` has 32 bytes.
    """

    commitment: bytes | None = None
    deck_root: bytes | None = None
    seed: bytes | None = field(default=None, repr=False)
    seat_seeds: tuple[bytes, ...] = field(default=(), repr=False)
    beacon: bytes | None = None


NO_PROOF = DealProof()


@dataclass(frozen=True, slots=True)
class DealTranscript:
    """One deal, from the cut to the sheet. What is not known is empty or None.

    `first` are the first five cards and `hands` the eight cards of each seat, in order of seats. `calls` and `moves` are
    those of the auction's and the play's records; sealed answers stand where they were given. `shown` are the projects
    that were laid open, `credited` the seats that got a Baloot, `sawa_proof` the cards laid open by a Sawa that held.
    `end` is None for a deal that the end of the match cut off; `score` has no sentences, which follow from its figures.
    """

    number: int
    dealer: Seat
    up_card: Card
    cut: CutChoice | None = None
    first: tuple[Hand, ...] = ()
    hands: tuple[Hand, ...] = ()
    calls: tuple[SeatCall, ...] = ()
    contract: Contract | None = None
    moves: tuple[SeatMove, ...] = ()
    shown: tuple[SeatProject, ...] = ()
    credited: tuple[Seat, ...] = ()
    sawa_proof: tuple[Card, ...] = ()
    qaid: Qaid | None = None
    end: DealEnd | None = None
    score: RoundScore | None = None
    proof: DealProof = NO_PROOF


@dataclass(frozen=True, slots=True)
class Transcript:
    """A whole match.

    `log_chain` is the last value of the log's chain of hashes. `winner` is set when the match was won; by a forfeit if
    `forfeit` names why (`left`, `away`, `no_show`). `abandoned` names why a match ended without a winner.
    """

    match: UUID | None = None
    event: str = ""
    site: str = ""
    date: date | None = None
    players: Players = NOBODY
    ruleset: Ruleset = STANDARD
    deals: tuple[DealTranscript, ...] = ()
    winner: Team | None = None
    forfeit: str = ""
    abandoned: str = ""
    log_chain: bytes | None = None
