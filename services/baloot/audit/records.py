"""What an audit reads and what it finds."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple
from uuid import UUID


class Row(NamedTuple):
    """A row of the log as it is stored. It holds hidden cards, so it prints as `██`."""

    sequence: int
    at: int
    actor: int | None
    by_default: bool
    request_id: bytes
    request_digest: bytes
    status: int
    deadline: int | None
    payload: bytes
    secret: bytes
    holder: bytes | None
    chain: bytes | None

    def __repr__(self) -> str:
        return f"Row({self.sequence}, ██)"


class HeadRow(NamedTuple):
    """What the head of a table says: its last entry and where it stands."""

    sequence: int
    status: int
    deadline: int | None


class Code(StrEnum):
    """What is wrong, for programs. A code keeps its meaning for ever."""

    GAP = "gap"
    REQUEST = "request"
    CHAIN = "chain"
    HEAD = "head"
    COLUMN = "column"
    UNREADABLE = "unreadable"
    ACTOR = "actor"
    ORDER = "order"
    DEAL = "deal"
    COMMITMENT = "commitment"
    SEED = "seed"
    DECK = "deck"
    DEALER = "dealer"
    HANDS = "hands"
    ILLEGAL = "illegal"
    DEFAULT = "default"
    EVENT = "event"
    SHEET = "sheet"
    WINNER = "winner"
    POINTS = "points"
    HALVES = "halves"
    DECISION = "decision"
    HISTORY_MATCH = "history_match"
    HISTORY_ROUND = "history_round"


MEANING: dict[Code, str] = {
    Code.GAP: "the entries are not numbered 1, 2, 3, ... without gaps",
    Code.REQUEST: "a request was carried out twice",
    Code.CHAIN: "the hash of an entry does not follow from the entry and the hash before it",
    Code.HEAD: "the head of the table does not agree with its last entry",
    Code.COLUMN: "a column beside an entry does not agree with what is in it",
    Code.UNREADABLE: "an entry is not what this version could have written",
    Code.ACTOR: "an entry is told as done by somebody else than whoever acts in it",
    Code.ORDER: "something happened when it could not, or nothing where something had to",
    Code.DEAL: "the deals are not numbered one after the other",
    Code.COMMITMENT: "a commitment is missing, changed, early or late",
    Code.SEED: "a revealed seed is not the one that was committed to or comes too late, or something was added to deals "
    "when it could not be",
    Code.DECK: "the deck or its root is not what the seeds give",
    Code.DEALER: "another seat had to deal",
    Code.HANDS: "the cards of a seat or the up card are not those of the deck",
    Code.ILLEGAL: "a call, a card or a claim was against the rules",
    Code.DEFAULT: "what was done for a seat that did not answer is not the default action",
    Code.EVENT: "what followed from an action is not what the rules give",
    Code.SHEET: "a score sheet is not what the rules give",
    Code.WINNER: "the match was won by another side, at another moment, or not at all",
    Code.POINTS: "the cards of a round do not add up",
    Code.HALVES: "an entry, decided anew, has other bytes in one of its halves or columns",
    Code.DECISION: "an entry, decided anew, comes out otherwise",
    Code.HISTORY_MATCH: "history tells a match, or who sat at it, otherwise than the log",
    Code.HISTORY_ROUND: "history tells a round otherwise than the log",
}
"""What each code says."""


_OF_HISTORY = Code.HISTORY_MATCH, Code.HISTORY_ROUND


class Depth(StrEnum):
    """How deep an audit looks."""

    RULES = "rules"
    """The rules run once for each round."""
    THOROUGH = "thorough"
    """Every entry is decided anew as well, and both of its halves are compared, byte for byte."""


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is wrong with a match: at which entry, of which kind, and in a sentence. 0 is the whole log."""

    match: UUID
    sequence: int
    code: Code
    sentence: str

    def told(self) -> dict[str, Any]:
        """The finding in plain values."""
        return {
            "match": str(self.match),
            "sequence": self.sequence,
            "code": self.code.value,
            "sentence": self.sentence,
        }

    def __str__(self) -> str:
        where = (
            f"entry {self.sequence}" if self.sequence else "history" if self.code in _OF_HISTORY else "log"
        )
        return f"{self.match} {where}: {self.sentence} [{self.code.value}]"


class Unchecked(StrEnum):
    """What could not be checked, and why."""

    CHAIN = "the log is older than the hash chain"
    SEALED = "secrets are sealed and the key is not at hand"
    SEEDS = "deals whose seeds are not revealed"
    LOT = "the lot for the first dealer, which follows from no seed that is revealed"
    HISTORY = "matches of which history has told nothing yet, or whose log tells nothing"


@dataclass(slots=True)
class Audited:
    """What the audit of one match came to: how much was judged, what is wrong, and what could not be checked."""

    match: UUID
    entries: int = 0
    rounds: int = 0
    findings: list[Finding] = field(default_factory=list)
    unchecked: dict[Unchecked, int] = field(default_factory=dict)

    def could_not(self, what: Unchecked) -> None:
        """Counts one more thing that could not be checked."""
        self.unchecked[what] = self.unchecked.get(what, 0) + 1
