"""Checks the deals of a match of Baloot from its proof file. It needs Python 3.11 and nothing else.

    python verify.py PROOF.json [--pin SEQUENCE:CHAIN]... [--seed SEAT=SEED]... [--beacon HEX] [--json] [--quiet]
    python verify.py --vectors VECTORS.json

`--pin` is what a player noted while playing: the chain value at a sequence number. `--seed` is what a seat sent.
`--beacon` is the value of the table's beacon as its public source tells it.
Exit codes: 0 verified, 1 refused, 2 cannot be read, 3 nothing is refuted, but it is not provable either.
DEALS.md, "Checking a match", tells the format, every reason, and what is proved by it and what is not.
"""

from __future__ import annotations

import argparse
import hmac
import json
import re
import sys
from base64 import b64decode
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, TypeVar

SEATS = ("South", "East", "North", "West")
EXIT_CODES = {"verified": 0, "refused": 1, "unreadable": 2, "unproved": 3}
FORMAT = "baloot-proof/1"
NOTHING = bytes(32)
NEWEST_EVENT = 33
LAST_CUT = 7

REASONS = {
    "UNREADABLE": "This is no proof file that can be read: {what} is not as it must be.",
    "ENTRY_MISSING": "Entry {expected} is missing: entry {entry} stands in its place.",
    "CHAIN_WRONG": "Entry {entry} is not what the chain was made of.",
    "PIN_WRONG": "The chain value that was noted at entry {entry} is not that of this log.",
    "BEGIN_WRONG": "Entry {entry} does not open the table in the way every log begins.",
    "EVENT_MISPLACED": "Entry {entry} goes on with a deal where none is on.",
    "END_MISSING": "The log is said to be complete, and does not tell how the match ended.",
    "AFTER_END": "Entry {entry} begins deal {deal} after the match had ended.",
    "DEAL_EARLY": "Entry {entry} begins deal {deal} before the match has started.",
    "COMMITMENT_MISSING": "Deal {deal} begins in entry {entry} without a commitment before it.",
    "COMMITMENT_LATE": "Entry {entry} commits to deal {deal} after it began.",
    "COMMITMENT_WRONG": "Deal {deal} in entry {entry} has another commitment than the one that was made for it.",
    "BLOCK_WRONG": "Entry {entry} commits to deals from {deal} on, where those from {expected} on are next.",
    "SEED_EARLY": "In entry {entry} {seat} adds a seed to deals that nobody has committed to.",
    "SEED_LATE": "In entry {entry} {seat} adds a seed to deals that have begun, or whose beacon is known.",
    "SEED_AFTER_TIME": "In entry {entry} {seat} adds a seed when the value of the beacon may be public already.",
    "SEED_TWICE": "In entry {entry} {seat} adds a second seed to the same deals.",
    "SEED_UNFIT": "In entry {entry} {seat} adds a seed that is not 32 bytes long.",
    "OWN_SEED_MISSING": "The seed that {seat} sent was not added to any deals.",
    "BEACON_MISSING": "Deal {deal} begins in entry {entry} before the beacon is given.",
    "BEACON_EARLY": "Entry {entry} gives the beacon before any deal is committed to.",
    "BEACON_UNEXPECTED": "Entry {entry} gives a beacon where none is due.",
    "BEACON_BEFORE_TIME": "Entry {entry} gives the beacon before its value may be public.",
    "BEACON_WRONG": "The beacon of this log is {value}, and not the value that was looked up.",
    "BEACON_ABSENT": "A value was looked up, and the settings of this match name no beacon.",
    "NUMBER_WRONG": "Entry {entry} begins deal {deal}, where deal {expected} is next.",
    "DEAL_UNFINISHED": "Deal {deal} was neither scored nor void when entry {entry} began the next.",
    "VOID_WRONG": "Deal {deal} is called void in entry {entry}, after its contract was settled.",
    "KAWESH_UNSHOWN": "The Kawesh of {seat} in entry {entry} lays no hand open, and ends deal {deal}.",
    "CUT_WRONG": "The cut of deal {deal} in entry {entry} does not fit how the deal was opened.",
    "DEALER_WRONG": "{seat} deals deal {deal} in entry {entry}, where it is the turn of {expected}.",
    "REVEAL_MISSING": "The seed of deal {deal} is not revealed by entry {entry}, where it is due.",
    "REVEAL_EARLY": "The seed of deal {deal} is revealed in entry {entry}, before the deal is over.",
    "REVEAL_WRONG": "Entry {entry} reveals the seed of deal {deal}, where that of deal {expected} is next.",
    "SEED_WRONG": "The seed that was revealed for deal {deal} does not open its commitment.",
    "ROOT_WRONG": "The root of deal {deal} is not that of the deck which its seeds and beacon make.",
    "LOT_WRONG": "{seat} deals first, and the lot fell to {expected}.",
    "UP_CARD_WRONG": "The up card of deal {deal} is not the one of its deck.",
    "HAND_WRONG": "The hand of {seat} laid open in entry {entry} is not the one dealt to it in deal {deal}.",
    "CARD_WRONG": "The card of {seat} in entry {entry} was not dealt to it in deal {deal}.",
    "CARD_TWICE": "The card of {seat} in entry {entry} was played before in deal {deal}.",
    "TRICK_WRONG": "The trick in entry {entry} is not made of the last four cards of deal {deal}.",
    "PROJECT_WRONG": "A project of {seat} in entry {entry} has cards not dealt to it in deal {deal}.",
    "SAWA_WRONG": "The cards of the Sawa of {seat} in entry {entry} are not those left to it in deal {deal}.",
}
"""Why a proof is not accepted. The first that is found is told."""

FACTS = {
    "CHECKED": "{deals} deals are what their seeds make them: {played} played, {thrown_in} thrown in, "
    "{kawesh} ended by Kawesh, {reshuffled} reshuffled, {broken_off} broken off.",
    "SEEDS": "Deals {first} to {last}: seats that added a seed: {added}; seats that did not: {absent}.",
    "BEACON": "The beacon was given in entry {entry} at {at}, before the first deal, and after deals 1 to {last} were "
    "committed to: {value}, by the name “{name}”.",
    "BEACON_SEEDS": "The last seed that a seat added before the beacon was accepted at {at}.",
    "BEACON_TIME": "The beacon may be public from {at} on: it was not given before, and no seed was added to those "
    "deals from then on.",
    "BEACON_COMPARED": "The beacon is the value that was looked up.",
    "PINS": "{count} chain values that were noted are those of this log.",
    "OWN_SEED": "The seed that {seat} sent went into deals {first} to {last}.",
}
"""What is proved."""

GAPS = {
    "NO_CHAIN": "The log is older than its chain: nothing shows that it is whole and was not written anew.",
    "NO_COMMITMENTS": "Deals {deals}: nobody had committed to them before they were dealt.",
    "NO_DEALS": "No deal can be checked.",
    "NOT_OVER": "The match is not over by this file: what follows is not checked.",
    "NOT_REVEALED": "Deals {deals}: the seed is not told yet.",
    "NO_SEEDS": "Deals {first} to {last}: no seat added a seed and no beacon was to come, so their maker may have "
    "tried out decks before he committed.",
    "BEACON_KNOWN": "Deals from {first} on were committed to when the beacon was known or could be: there only the "
    "seats' seeds bind.",
    "BEACON_UNTIMED": "The settings do not tell from when on the beacon may be public: that the seeds came before is "
    "not shown.",
    "BEACON_NOT_COMPARED": "The beacon was not compared with its public source: that it is the value of “{name}” is "
    "the word of the server.",
    "LOSERS_UNSHOWN": "That {losing} lost the match before, and so one of them deals first, is the word of the server: "
    "this log alone cannot show it.",
    "NO_PINS": "No chain value that a player noted was compared: a log that was written anew as a whole is not noticed.",
    "PINS_BEYOND": "{count} chain values were noted behind the end of this file, and were not compared.",
    "NO_OWN_SEED": "No seed that a player sent is known to have gone into these deals: whose the seeds are is the word "
    "of the server.",
    "OWN_SEED_UNPINNED": "Deals {first} to {last}: no chain value of entries {since} to {until} was compared, so "
    "nothing shows that they were committed to before {seat} sent a seed for them.",
    "OWN_SEED_ELSEWHERE": "Deals {first} to {last}: none of the seeds that are said to be of {seat} went into them.",
    "OWN_SEED_UNUSED": "The seed that {seat} sent for deals {first} to {last} binds nothing: none of them began.",
    "UNKNOWN_EVENTS": "{count} events are of a later version than this verifier, and were passed over.",
    "RULES": "Whether calls, cards and scores follow the rules is not judged here.",
}
"""What is not proved."""


class Failed(Exception):
    """Why a proof is not accepted."""

    def __init__(self, code: str, **facts: Any) -> None:
        super().__init__(code)
        self.code, self.facts = code, facts


def told(texts: dict[str, str], code: str, **facts: Any) -> dict[str, Any]:
    """A sentence with its code and what it is about."""
    facts = {name: shown(value) if isinstance(value, str) else value for name, value in facts.items()}
    spelled = {name: listed(value) if isinstance(value, list) else value for name, value in facts.items()}
    return {"code": code, "sentence": texts[code].format(**spelled), **facts}


def listed(values: list[Any]) -> str:
    return ", ".join(map(str, values)) or "none"


UNSHOWN = re.compile(
    r"[^ -\[\]-~\u00a1-\u00aa\u00ac\u00ae-\u00ba\u00bc-\u024f\u0370-\u0482\u048a-\u052f"
    r"\u060c\u061b\u061f-\u063a\u0641-\u0655\u0660-\u066d\u0671-\u06d3\u06f0-\u06fc]"
)
"""All but the signs of Latin, Greek, Cyrillic and Arabic, without the backslash and the quotation marks used here."""
LONGEST = 100


def shown(text: str) -> str:
    """A text of the log as it may be printed: no sign in it moves, hides or turns what stands around it."""
    cut = text if len(text) <= LONGEST else text[:LONGEST] + "..."
    return UNSHOWN.sub(lambda sign: f"\\u{{{ord(sign[0]):x}}}", cut)


def moment(micros: int) -> str:
    """A moment in microseconds since 1970 as a date and a time in UTC."""
    at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
    return at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


# The recipe of a deal.


def u32(number: int) -> bytes:
    return number.to_bytes(4, "big")


def keyed(key: bytes, text: bytes) -> bytes:
    return hmac.digest(key, text, "sha256")


def place_of(match: bytes, number: int, redeal: int = 0) -> bytes:
    return match + u32(number) + u32(redeal)


def commitment_of(seed: bytes, place: bytes) -> bytes:
    return sha256(b"baloot/commit/v1\0" + place + seed).digest()


def hand_key_of(seed: bytes, place: bytes, seats: Sequence[bytes], beacon: bytes) -> bytes:
    return keyed(seed, b"baloot/deal/v1\0" + place + b"".join(seats) + beacon)


def shuffled(key: bytes) -> tuple[list[int], int]:
    """The deck, and how many bytes of the stream were read for it."""
    deck, stream, read = list(range(32)), b"", 0
    for last in range(31, 0, -1):
        while True:
            if read == len(stream):
                stream += keyed(key, b"stream\0" + u32(read // 32))
            byte, read = stream[read], read + 1
            if byte < 256 - 256 % (last + 1):
                break
        chosen = byte % (last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck, read


def leaf_of(key: bytes, place: bytes, position: int, card: int) -> bytes:
    salt = keyed(key, b"salt\0" + bytes((position,)))[:16]
    return sha256(b"\0" + place + bytes((position, card)) + salt).digest()


def root_of(key: bytes, place: bytes, deck: Sequence[int]) -> bytes:
    level = [leaf_of(key, place, position, card) for position, card in enumerate(deck)]
    while len(level) > 1:
        level = [sha256(b"\1" + level[n] + level[n + 1]).digest() for n in range(0, len(level), 2)]
    return level[0]


def lot_of(key: bytes, match: bytes, losers: int) -> int:
    """Who deals first, 1 to 4: any seat, or one of the side `losers` (1 or 2) where that deals."""
    drawn = keyed(key, b"baloot/dealer/v1\0" + match)[0]
    return losers + drawn % 2 * 2 if losers else 1 + drawn % 4


def cut_deck(deck: list[int], cut: int, commitment: bytes) -> list[int]:
    """The deck as it is dealt after a cut."""
    if cut == 2:
        depth = 1 + commitment[0] % 31
        return deck[depth:] + deck[:depth]
    if cut == 4:
        return [*deck[1:21], deck[0], *deck[21:]]
    if cut == 5:
        return deck[29:] + deck[:29]
    if cut == 6:
        return deck[:6] + deck[29:] + deck[6:29]
    return deck[3:9] + deck[:3] + deck[9:] if cut == 7 else deck


def hands_of(deck: list[int], dealer: int, taker: int) -> dict[int, list[int]]:
    """The hands of the seats 1 to 4: the first five cards, and all eight where somebody takes the up card."""
    hands, at = {}, 21
    for n in range(4):
        seat = (dealer + n) % 4 + 1
        hands[seat] = deck[3 * n : 3 * n + 3] + deck[12 + 2 * n : 14 + 2 * n]
        if taker:
            count = 2 if seat == taker else 3
            hands[seat] += deck[at : at + count] + deck[20:21] * (seat == taker)
            at += count
    return hands


# Messages in protobuf's wire format.


class Message:
    """The values of each field, by its number. `name` says where it stands."""

    def __init__(self, data: bytes, name: str) -> None:
        self.name = name
        self.values: dict[int, list[int | bytes]] = {}
        at = 0
        while at < len(data):
            key, at = self._varint(data, at)
            self._require(8 <= key < 1 << 32)
            value, at = self._value(data, at, key & 7)
            self.values.setdefault(key >> 3, []).append(value)

    def _require(self, holds: object) -> None:
        if not holds:
            raise Failed("UNREADABLE", what=self.name)

    def _varint(self, data: bytes, at: int) -> tuple[int, int]:
        value = 0
        for n in range(10):
            self._require(at + n < len(data))
            value += (data[at + n] & 127) << 7 * n
            if data[at + n] < 128:
                return value, at + n + 1
        raise Failed("UNREADABLE", what=self.name)

    def _value(self, data: bytes, at: int, kind: int) -> tuple[int | bytes, int]:
        self._require(kind in (0, 1, 2, 5))
        if kind == 0:
            return self._varint(data, at)
        length, at = self._varint(data, at) if kind == 2 else (8 if kind == 1 else 4, at)
        self._require(length <= len(data) - at)
        return data[at : at + length], at + length

    def _one(self, field_number: int, kind: type) -> Any:
        values = self.values.get(field_number, [])
        self._require(len(values) < 2 and all(isinstance(value, kind) for value in values))
        return values[0] if values else kind()

    def number(self, field_number: int, end: int = 1 << 31) -> int:
        value: int = self._one(field_number, int)
        self._require(value < end)
        return value

    def moment(self, field_number: int) -> int | None:
        """A `google.protobuf.Timestamp` in microseconds since 1970; None where it is unset."""
        if field_number not in self.values:
            return None
        told = self.message(field_number)
        return told.number(1, 1 << 33) * 1_000_000 + told.number(2, 1_000_000_000) // 1_000

    def data(self, field_number: int) -> bytes:
        value: bytes = self._one(field_number, bytes)
        return value

    def seat(self, field_number: int) -> int:
        seat = self.number(field_number)
        self._require(1 <= seat <= 4)
        return seat

    def message(self, field_number: int) -> Message:
        return Message(self.data(field_number), self.name)

    def all_data(self, field_number: int) -> list[bytes]:
        values = self.values.get(field_number, [])
        self._require(all(isinstance(value, bytes) for value in values))
        return [value for value in values if isinstance(value, bytes)]

    def messages(self, field_number: int) -> list[Message]:
        return [Message(data, self.name) for data in self.all_data(field_number)]

    def cards(self, field_number: int) -> list[int]:
        """Cards as 0 to 31, and -1 for none; they may be packed into one value."""
        found = []
        for value in self.values.get(field_number, []):
            packed, at = (b"", 0) if isinstance(value, int) else (value, 0)
            if isinstance(value, int):
                found.append(value - 1)
            while at < len(packed):
                card, at = self._varint(packed, at)
                found.append(card - 1)
        return found


# The file: entries that are numbered without a gap, and the chain that binds them.


@dataclass(frozen=True)
class Entry:
    """One entry of the log, as it is stored."""

    sequence: int
    at: int
    actor: int
    by_default: bool
    payload: bytes
    secret: bytes
    chain: bytes


HEXADECIMAL = r"[0-9a-f]"
BASE64 = r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?"


def require_form(holds: object, what: str) -> None:
    if not holds:
        raise Failed("UNREADABLE", what=what)


def matches(pattern: str, value: object) -> bool:
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def whole(value: object, lowest: int, highest: int) -> bool:
    return type(value) is int and lowest <= value <= highest


def opened(proof: object) -> tuple[bytes, bool, list[Entry]]:
    """The match, whether the log is complete, and its entries."""
    require_form(isinstance(proof, dict) and proof.get("format") == FORMAT, "its format")
    assert isinstance(proof, dict)
    require_form(matches(HEXADECIMAL + "{32}", proof.get("match")), "the match")
    require_form(type(proof.get("complete")) is bool, "the mark whether it is complete")
    entries = proof.get("entries")
    require_form(isinstance(entries, list) and entries, "the list of entries")
    read = [entry_of(entry, place) for place, entry in enumerate(entries or (), 1)]
    return bytes.fromhex(proof["match"]), proof["complete"], read


def entry_of(entry: object, place: int) -> Entry:
    what = f"entry {place}"
    require_form(isinstance(entry, dict), what)
    assert isinstance(entry, dict)
    require_form(whole(entry.get("n"), 1, (1 << 31) - 1) and whole(entry.get("at"), 0, (1 << 53) - 1), what)
    require_form(whole(entry.get("actor"), 0, 4) and type(entry.get("by_default")) is bool, what)
    require_form(matches(BASE64, entry.get("payload")), what)
    require_form(matches(HEXADECIMAL + "{64}", entry.get("secret")), what)
    require_form(matches(f"(?:{HEXADECIMAL}{{64}})?", entry.get("chain")), what)
    payload, secret, chain = b64decode(entry["payload"]), entry["secret"], entry["chain"]
    facts = entry["n"], entry["at"], entry["actor"], entry["by_default"]
    return Entry(*facts, payload, bytes.fromhex(secret), bytes.fromhex(chain))


def link(before: bytes, match: bytes, entry: Entry) -> bytes:
    """The chain value of an entry, after the one before."""
    head = before + match + u32(entry.sequence) + entry.at.to_bytes(8, "big")
    acted = bytes((entry.actor, entry.by_default))
    return sha256(
        b"baloot/chain/v1\0" + head + acted + sha256(entry.payload).digest() + entry.secret
    ).digest()


def check_chain(match: bytes, entries: list[Entry]) -> bool:
    """Whether there is a chain; a log that begins without one has none at all."""
    chained, before = bool(entries[0].chain), NOTHING
    for expected, entry in enumerate(entries, 1):
        if entry.sequence != expected:
            raise Failed("ENTRY_MISSING", entry=entry.sequence, expected=expected)
        before = link(before, match, entry) if chained else b""
        if entry.chain != before:
            raise Failed("CHAIN_WRONG", entry=expected)
    return chained


def check_pins(entries: list[Entry], pins: Iterable[tuple[int, str]], *, complete: bool) -> int:
    """How many of the chain values that were noted stand in the log; those behind its end are not compared."""
    compared = 0
    for sequence, chain in pins:
        inside = 1 <= sequence <= len(entries)
        if (inside and entries[sequence - 1].chain.hex() != chain.lower()) or (complete and not inside):
            raise Failed("PIN_WRONG", entry=sequence)
        compared += inside
    return compared


# The walk through the log: what was committed to, added, dealt and revealed, and in which order.


@dataclass
class Block:
    """Deals that were committed to together, when and in which entry, and what the seats 1 to 4 added to them.

    `added` tells of each of these seeds the entry and the moment.
    """

    first: int
    last: int
    entry: int
    at: int
    seeds: dict[int, bytes] = field(default_factory=dict)
    added: dict[int, tuple[int, int]] = field(default_factory=dict)
    begun: bool = False


@dataclass
class Deal:
    """What the log tells of one deal. `sights` are the cards that were seen: reason, entry, seat and cards."""

    number: int
    dealer: int
    commitment: bytes
    block: Block | None
    dealt: bool = False
    root: bytes = b""
    up_card: int = -1
    cut: int = 0
    settled: bool = False
    taker: int = 0
    end: str = ""
    seed: bytes = b""
    sights: list[tuple[str, int, int, list[int]]] = field(default_factory=list)


class Log:
    """All that the entries tell of the deals. Raises Failed where the order is broken."""

    def __init__(self, *, chained: bool) -> None:
        self.chained = chained
        self.commitments: dict[int, bytes] = {}
        self.blocks: list[Block] = []
        self.deals: list[Deal] = []
        self.beacon_name, self.beacon, self.committed_before_beacon = "", b"", 0
        self.beacon_time: int | None = None
        self.beacon_given_in = (0, 0)
        self.losers, self.kawesh_rotates = 0, False
        self.created_before = self.started = self.ended = False
        self.unknown = 0
        self.entry = self.at = 0

    def read(self, entry: Entry) -> None:
        self.entry, self.at = entry.sequence, entry.at
        name = f"the payload of entry {entry.sequence}"
        events = [self._event(message) for message in Message(entry.payload, name).messages(1)]
        if (entry.sequence == 1) != (1 in [number for number, _ in events[:1]]):
            raise Failed("BEGIN_WRONG", entry=entry.sequence)
        for number, event in events:
            handle = HANDLERS.get(number)
            if handle is not None:
                handle(self, event)
            self.unknown += number > NEWEST_EVENT
        self._require_revealed()

    def _event(self, message: Message) -> tuple[int, Message]:
        require_form(len(message.values) == 1, message.name)
        (number,) = message.values
        return number, message.message(number)

    def created(self, event: Message) -> None:
        if self.created_before:
            raise Failed("BEGIN_WRONG", entry=self.entry)
        self.created_before = True
        settings = event.message(1)
        rules = settings.message(1)
        self.losers = settings.number(7) if rules.number(2) == 2 else 0
        require_form(self.losers <= 2, event.name)
        self.kawesh_rotates = rules.number(19) == 2
        self.beacon_name = settings.data(12).decode(errors="replace")
        self.beacon_time = settings.moment(13) if self.beacon_name else None

    def committed(self, event: Message) -> None:
        first, commitments = event.number(1), event.all_data(2)
        if first <= len(self.deals):
            raise Failed("COMMITMENT_LATE", entry=self.entry, deal=first)
        expected = self.blocks[-1].last + 1 if self.blocks else len(self.deals) + 1
        if first != expected or not commitments or any(len(each) != 32 for each in commitments):
            raise Failed("BLOCK_WRONG", entry=self.entry, deal=first, expected=expected)
        self.blocks.append(Block(first, first + len(commitments) - 1, self.entry, self.at))
        self.commitments |= dict(enumerate(commitments, first))

    def seat_taken(self, event: Message) -> None:
        if event.data(4):
            self._add_seed(event.seat(1), 1, event.data(4))

    def seat_left(self, event: Message) -> None:
        """A seat that is left frees its seed only before the match: then no deal has begun."""
        if not self.started and self.blocks:
            self.blocks[0].seeds.pop(event.seat(1), None)

    def seed_added(self, event: Message) -> None:
        self._add_seed(event.seat(1), event.number(2), event.data(3))

    def _add_seed(self, seat: int, first: int, seed: bytes) -> None:
        about = {"entry": self.entry, "seat": SEATS[seat - 1]}
        block = next((block for block in self.blocks if block.first == first), None)
        if block is None:
            raise Failed("SEED_EARLY", **about)
        if block.begun or block.last <= self.committed_before_beacon:
            raise Failed("SEED_LATE", **about)
        if self._may_be_public() and not self.beacon:
            raise Failed("SEED_AFTER_TIME", **about)
        if seat in block.seeds:
            raise Failed("SEED_TWICE", **about)
        if len(seed) != 32:
            raise Failed("SEED_UNFIT", **about)
        block.seeds[seat], block.added[seat] = seed, (self.entry, self.at)

    def _may_be_public(self) -> bool:
        return self.beacon_time is not None and self.at >= self.beacon_time

    def knew_beacon(self, block: Block) -> bool:
        """Whether whoever committed to a block may have known the beacon."""
        public = self.beacon_time is not None and block.at >= self.beacon_time
        return bool(self.beacon) and (public or block.first > self.committed_before_beacon)

    def match_started(self, _event: Message) -> None:
        self.started = True

    def beacon_given(self, event: Message) -> None:
        value = event.data(1)
        if not self.beacon_name or self.beacon or self.deals or len(value) != 32:
            raise Failed("BEACON_UNEXPECTED", entry=self.entry)
        if not self.blocks:
            raise Failed("BEACON_EARLY", entry=self.entry)
        if self.beacon_time is not None and not self._may_be_public():
            raise Failed("BEACON_BEFORE_TIME", entry=self.entry)
        self.beacon, self.committed_before_beacon = value, self.blocks[-1].last
        self.beacon_given_in = self.entry, self.at

    def round_opened(self, event: Message) -> None:
        self._begin(event.number(1), event.seat(2), event.data(3))

    def dealt(self, event: Message) -> None:
        number, dealer, commitment, cut = event.number(1), event.seat(2), event.data(5), event.number(7)
        waiting = self.deals[-1] if self.deals and not self.deals[-1].dealt else None
        if (waiting is None) != (cut == 0) or cut > LAST_CUT:
            raise Failed("CUT_WRONG", entry=self.entry, deal=number)
        if waiting is not None and cut == 3:
            waiting.end = "reshuffled"
        if waiting is None or cut == 3:
            self._begin(number, dealer, commitment)
        deal = self.deals[-1]
        if (number, dealer, commitment) != (deal.number, deal.dealer, deal.commitment):
            raise Failed("CUT_WRONG", entry=self.entry, deal=number)
        deal.dealt, deal.root, deal.up_card, deal.cut = True, event.data(6), event.number(3) - 1, cut

    def _begin(self, number: int, dealer: int, commitment: bytes) -> None:
        about = {"entry": self.entry, "deal": number}
        if self.ended:
            raise Failed("AFTER_END", **about)
        if not self.started:
            raise Failed("DEAL_EARLY", **about)
        if self.deals and not self.deals[-1].end:
            raise Failed("DEAL_UNFINISHED", entry=self.entry, deal=len(self.deals))
        if number != len(self.deals) + 1:
            raise Failed("NUMBER_WRONG", **about, expected=len(self.deals) + 1)
        block = next((block for block in self.blocks if block.first <= number <= block.last), None)
        self._require_commitment(about, self.commitments.get(number), commitment)
        if self.beacon_name and not self.beacon:
            raise Failed("BEACON_MISSING", **about)
        self._require_dealer(about, dealer)
        if block is not None:
            block.begun = True
        self.deals.append(Deal(number, dealer, commitment, block))

    def _require_commitment(self, about: dict[str, Any], made: bytes | None, shown: bytes) -> None:
        if made is None and (self.chained or self.blocks):
            raise Failed("COMMITMENT_MISSING", **about)
        if made not in (None, shown):
            raise Failed("COMMITMENT_WRONG", **about)

    def _require_dealer(self, about: dict[str, Any], dealer: int) -> None:
        if not self.deals:
            return
        last = self.deals[-1]
        again = last.end == "reshuffled" or (last.end == "kawesh" and not self.kawesh_rotates)
        expected = last.dealer if again else last.dealer % 4 + 1
        if dealer != expected:
            raise Failed("DEALER_WRONG", **about, seat=SEATS[dealer - 1], expected=SEATS[expected - 1])

    def _current(self) -> Deal:
        """The deal that is on; an event of a deal where none is on is out of its place."""
        if not self.deals or self.deals[-1].end or not self.deals[-1].dealt:
            raise Failed("EVENT_MISPLACED", entry=self.entry)
        return self.deals[-1]

    def void(self, event: Message) -> None:
        deal, hands = self._current(), [hand.cards(1) for hand in event.messages(2)]
        about = {"entry": self.entry, "deal": deal.number}
        if deal.settled:
            raise Failed("VOID_WRONG", **about)
        caller = event.seat(1) if event.number(1) else 0
        if caller and not any(hands[caller - 1 : caller]):
            raise Failed("KAWESH_UNSHOWN", **about, seat=SEATS[caller - 1])
        deal.end = "kawesh" if caller else "thrown_in"
        for seat, cards in enumerate(hands, 1):
            self._see("HAND_WRONG", seat, cards)

    def settled(self, _event: Message) -> None:
        self._current().settled = True

    def play_started(self, event: Message) -> None:
        self.settled(event)
        self._current().taker = event.message(1).seat(4)

    def card_played(self, event: Message) -> None:
        self._see("CARD_WRONG", event.seat(1), [event.number(2) - 1])
        for project in event.messages(3):
            self._see("PROJECT_WRONG", event.seat(1), project.cards(2))

    def trick_won(self, event: Message) -> None:
        trick = event.message(1)
        self._see("TRICK_WRONG", trick.seat(1), trick.cards(2))

    def projects_shown(self, event: Message) -> None:
        for shown in event.messages(1):
            self._see("PROJECT_WRONG", shown.seat(1), shown.message(2).cards(2))

    def sawa_claimed(self, event: Message) -> None:
        self._see("SAWA_WRONG", event.seat(1), event.cards(3))

    def _see(self, code: str, seat: int, cards: list[int]) -> None:
        require_form(1 <= seat <= 4, f"the payload of entry {self.entry}")
        if not self.deals or not self.deals[-1].dealt:
            raise Failed("EVENT_MISPLACED", entry=self.entry)
        if cards:
            self.deals[-1].sights.append((code, self.entry, seat, cards))

    def scored(self, _event: Message) -> None:
        self._current().end = "played"

    def over(self, _event: Message) -> None:
        self.ended = True

    def revealed(self, event: Message) -> None:
        for number, seed in enumerate(event.all_data(2), event.number(1)):
            expected = next((deal.number for deal in self.deals if not deal.seed), len(self.deals) + 1)
            skips = not self.chained and expected not in self.commitments
            known = 1 <= number <= len(self.deals) and not self.deals[number - 1].seed
            if not known or len(seed) != 32 or (number != expected and not skips):
                raise Failed("REVEAL_WRONG", entry=self.entry, deal=number, expected=expected)
            if not self.deals[number - 1].end and not self.ended:
                raise Failed("REVEAL_EARLY", entry=self.entry, deal=number)
            self.deals[number - 1].seed = seed

    def _require_revealed(self) -> None:
        """All deals before the last one, and that one too once it is scored or the match is over."""
        for deal in self.deals:
            due = deal is not self.deals[-1] or deal.end == "played" or self.ended
            if due and not deal.seed and deal.block is not None:
                raise Failed("REVEAL_MISSING", entry=self.entry, deal=deal.number)


HANDLERS: dict[int, Callable[[Log, Message], None]] = {
    1: Log.created,
    2: Log.seat_taken,
    3: Log.seat_left,
    4: Log.match_started,
    5: Log.dealt,
    9: Log.settled,
    10: Log.void,
    11: Log.play_started,
    12: Log.card_played,
    13: Log.trick_won,
    15: Log.projects_shown,
    16: Log.sawa_claimed,
    17: Log.scored,
    18: Log.over,
    19: Log.over,
    20: Log.round_opened,
    29: Log.over,
    30: Log.committed,
    31: Log.seed_added,
    32: Log.beacon_given,
    33: Log.revealed,
}
"""What each event tells; the others up to NEWEST_EVENT tell nothing of the deals."""


# The deals themselves, once their seeds are told.


def check_deal(match: bytes, log: Log, deal: Deal) -> None:
    place = place_of(match, deal.number)
    if commitment_of(deal.seed, place) != deal.commitment:
        raise Failed("SEED_WRONG", deal=deal.number)
    added = deal.block.seeds if deal.block is not None else {}
    key = hand_key_of(deal.seed, place, [added.get(seat, NOTHING) for seat in range(1, 5)], log.beacon)
    deck, _ = shuffled(key)
    if deal.dealt and root_of(key, place, deck) != deal.root:
        raise Failed("ROOT_WRONG", deal=deal.number)
    lot = lot_of(key, match, log.losers)
    if deal.number == 1 and deal.block is not None and lot != deal.dealer:
        raise Failed("LOT_WRONG", seat=SEATS[deal.dealer - 1], expected=SEATS[lot - 1])
    if deal.dealt:
        check_cards(deal, cut_deck(deck, deal.cut, deal.commitment))


def check_cards(deal: Deal, deck: list[int]) -> None:
    """Everything that was seen of the cards against the deck as it was dealt."""
    if deal.up_card != deck[20]:
        raise Failed("UP_CARD_WRONG", deal=deal.number)
    first, hands = hands_of(deck, deal.dealer, 0), hands_of(deck, deal.dealer, deal.taker)
    played: list[tuple[int, int]] = []
    for code, entry, seat, cards in deal.sights:
        about = {"entry": entry, "deal": deal.number, "seat": SEATS[seat - 1]}
        hand, gone = (first if code == "HAND_WRONG" else hands)[seat], [card for _, card in played]
        if code == "CARD_WRONG" and cards[0] in gone:
            raise Failed("CARD_TWICE", **about)
        if not SEEN[code](cards, hand, gone, deal.taker):
            raise Failed(code, **about)
        if code == "TRICK_WRONG" and played[-4][0] != seat:
            raise Failed(code, **about)
        played += [(seat, cards[0])] * (code == "CARD_WRONG")


Judge = Callable[[list[int], list[int], list[int], int], bool]
SEEN: dict[str, Judge] = {
    "HAND_WRONG": lambda cards, hand, _gone, _taker: sorted(cards) == sorted(hand),
    "CARD_WRONG": lambda cards, hand, _gone, taker: taker > 0 and cards[0] in hand,
    "TRICK_WRONG": lambda cards, _hand, gone, _taker: len(cards) == 4 and cards == gone[-4:],
    "PROJECT_WRONG": lambda cards, hand, _gone, _taker: set(cards) <= set(hand),
    "SAWA_WRONG": lambda cards, hand, gone, _taker: sorted(cards) == sorted(set(hand) - set(gone)),
}
"""Whether cards that were seen can be right: with the hand as it was dealt, and the cards played before."""


# The verdict.


def verify(
    proof: object,
    pins: Sequence[tuple[int, str]] = (),
    seeds: Sequence[tuple[int, str]] = (),
    beacon: str = "",
) -> dict[str, Any]:
    """What is found out about a proof. `pins` are chain values by sequence number, `seeds` seeds by seat (1 to 4),
    and `beacon` is the value that was looked up; all in hexadecimal.
    """
    try:
        return accepted(proof, Noted(pins, seeds, beacon.lower()))
    except Failed as failed:
        verdict = "unreadable" if failed.code == "UNREADABLE" else "refused"
        return {"verdict": verdict, **told(REASONS, failed.code, **failed.facts), "facts": [], "gaps": []}


@dataclass(frozen=True)
class Noted:
    """What players noted while they played, and what was looked up."""

    pins: Sequence[tuple[int, str]]
    seeds: Sequence[tuple[int, str]]
    beacon: str

    def sent(self, seat: int, block: Block) -> bool:
        """Whether a seat added to a block what it sent."""
        return (seat, block.seeds.get(seat, b"").hex()) in self._seeds

    @property
    def _seeds(self) -> set[tuple[int, str]]:
        return {(seat, seed.lower()) for seat, seed in self.seeds}

    @property
    def seats(self) -> list[int]:
        """The seats of which a seed is known."""
        return sorted({seat for seat, _ in self.seeds})


def accepted(proof: object, noted: Noted) -> dict[str, Any]:
    match, complete, entries = opened(proof)
    chained = check_chain(match, entries)
    pinned = check_pins(entries, noted.pins, complete=complete)
    log = Log(chained=chained)
    for entry in entries:
        log.read(entry)
    if complete and not log.ended:
        raise Failed("END_MISSING")
    check_noted(log, noted)
    checked = [deal for deal in log.deals if deal.seed]
    for deal in checked:
        check_deal(match, log, deal)
    gaps = list(gaps_of(log, checked, pinned, noted, complete=complete))
    unproved = {"NO_CHAIN", "NO_COMMITMENTS", "NO_DEALS"} & {gap["code"] for gap in gaps}
    verdict = "unproved" if unproved else "verified"
    facts = list(facts_of(log, checked, pinned, noted))
    return {"verdict": verdict, "code": "", "sentence": "", "facts": facts, "gaps": gaps}


def check_noted(log: Log, noted: Noted) -> None:
    for seat, seed in noted.seeds:
        if not any(block.seeds.get(seat, b"").hex() == seed.lower() for block in log.blocks):
            raise Failed("OWN_SEED_MISSING", seat=SEATS[seat - 1])
    if noted.beacon and not log.beacon_name:
        raise Failed("BEACON_ABSENT")
    if noted.beacon and log.beacon and noted.beacon != log.beacon.hex():
        raise Failed("BEACON_WRONG", value=log.beacon.hex())


def facts_of(log: Log, checked: list[Deal], pinned: int, noted: Noted) -> Iterable[dict[str, Any]]:
    ends = {
        end: sum(deal.end == end for deal in checked)
        for end in ("played", "thrown_in", "kawesh", "reshuffled")
    }
    if checked:
        yield told(
            FACTS, "CHECKED", deals=len(checked), **ends, broken_off=sum(not deal.end for deal in checked)
        )
    for block in log.blocks:
        if block.begun:
            added = [seat in block.seeds for seat in range(1, 5)]
            yield told(
                FACTS, "SEEDS", first=block.first, last=block.last,
                added=[name for name, has in zip(SEATS, added, strict=True) if has],
                absent=[name for name, has in zip(SEATS, added, strict=True) if not has],
            )  # fmt: skip
    if log.beacon:
        yield from beacon_facts(log, noted)
    if pinned:
        yield told(FACTS, "PINS", count=pinned)
    for seat, block in own_seeds(log, noted):
        yield told(FACTS, "OWN_SEED", seat=SEATS[seat - 1], first=block.first, last=begun_last(log, block))


def beacon_facts(log: Log, noted: Noted) -> Iterable[dict[str, Any]]:
    entry, at = log.beacon_given_in
    yield told(
        FACTS, "BEACON", entry=entry, at=moment(at), last=log.committed_before_beacon, value=log.beacon.hex(),
        name=log.beacon_name,
    )  # fmt: skip
    before = [block for block in log.blocks if block.first <= log.committed_before_beacon]
    added = [block.added[seat][1] for block in before for seat in block.seeds]
    if added:
        yield told(FACTS, "BEACON_SEEDS", at=moment(max(added)))
    if log.beacon_time is not None:
        yield told(FACTS, "BEACON_TIME", at=moment(log.beacon_time))
    if noted.beacon:
        yield told(FACTS, "BEACON_COMPARED")


def own_seeds(log: Log, noted: Noted) -> list[tuple[int, Block]]:
    """The seeds that seats sent and that went into deals that began."""
    begun = [block for block in log.blocks if block.begun]
    return [(seat, block) for block in begun for seat in noted.seats if noted.sent(seat, block)]


def begun_last(log: Log, block: Block) -> int:
    """The number of the last deal of a block that has begun."""
    return min(block.last, len(log.deals))


def gaps_of(
    log: Log, checked: list[Deal], pinned: int, noted: Noted, *, complete: bool
) -> Iterable[dict[str, Any]]:
    uncommitted = [deal.number for deal in log.deals if deal.block is None]
    unrevealed = [deal.number for deal in log.deals if not deal.seed and deal.block is not None]
    if not log.chained:
        yield told(GAPS, "NO_CHAIN")
    if uncommitted:
        yield told(GAPS, "NO_COMMITMENTS", deals=uncommitted)
    if not checked:
        yield told(GAPS, "NO_DEALS")
    if not complete:
        yield told(GAPS, "NOT_OVER")
    if unrevealed:
        yield told(GAPS, "NOT_REVEALED", deals=unrevealed)
    yield from binding_gaps(log)
    yield from word_gaps(log, noted)
    if not pinned:
        yield told(GAPS, "NO_PINS")
    if pinned < len(noted.pins):
        yield told(GAPS, "PINS_BEYOND", count=len(noted.pins) - pinned)
    yield from own_seed_gaps(log, noted)
    if log.unknown:
        yield told(GAPS, "UNKNOWN_EVENTS", count=log.unknown)
    yield told(GAPS, "RULES")


def binding_gaps(log: Log) -> Iterable[dict[str, Any]]:
    """Blocks whose commitments alone do not keep their maker from choosing."""
    for block in log.blocks:
        known = log.knew_beacon(block)
        if block.begun and known:
            yield told(GAPS, "BEACON_KNOWN", first=block.first)
        if block.begun and not any(map(any, block.seeds.values())) and (known or not log.beacon):
            yield told(GAPS, "NO_SEEDS", first=block.first, last=block.last)


def word_gaps(log: Log, noted: Noted) -> Iterable[dict[str, Any]]:
    """What is believed of the server: when the beacon was public, what its value is, and who lost the match before."""
    if log.beacon_name and log.beacon_time is None:
        yield told(GAPS, "BEACON_UNTIMED")
    if log.beacon_name and not (log.beacon and noted.beacon):
        yield told(GAPS, "BEACON_NOT_COMPARED", name=log.beacon_name)
    if log.losers:
        yield told(GAPS, "LOSERS_UNSHOWN", losing=[SEATS[log.losers - 1], SEATS[log.losers + 1]])


def own_seed_gaps(log: Log, noted: Noted) -> Iterable[dict[str, Any]]:
    """Where what seats sent does not bind the deals, or may have been known when they were committed to."""
    if not own_seeds(log, noted):
        yield told(GAPS, "NO_OWN_SEED")
    for block in log.blocks:
        for seat in noted.seats:
            gap = own_seed_gap(block, seat, noted)
            about = {"seat": SEATS[seat - 1], "first": block.first, "last": block.last}
            if gap == "OWN_SEED_UNPINNED":
                about |= {"since": block.entry, "until": block.added[seat][0] - 1}
            if gap:
                yield told(GAPS, gap, **about)


def own_seed_gap(block: Block, seat: int, noted: Noted) -> str:
    """The code of the gap that a seat's seed leaves in a block; empty for none."""
    sent = noted.sent(seat, block)
    if not block.begun:
        return "OWN_SEED_UNUSED" if sent else ""
    if not sent:
        return "OWN_SEED_ELSEWHERE"
    added = block.added[seat][0]
    pinned = any(block.entry <= sequence < added for sequence, _ in noted.pins)
    return "" if pinned else "OWN_SEED_UNPINNED"


TITLES = {
    "verified": "VERIFIED: the deals are what was committed to, and nobody changed a card.",
    "refused": "REFUSED: this log does not hold together.",
    "unreadable": "UNREADABLE: nothing could be checked.",
    "unproved": "NOT PROVABLE: nothing is refuted, but the log does not hold what would prove it.",
}


def lines_of(report: dict[str, Any]) -> list[str]:
    """The verdict for people to read."""
    lines = [TITLES[report["verdict"]]]
    if report["code"]:
        lines.append(f"{report['code']}: {report['sentence']}")
    lines += [f"  {fact['sentence']}" for fact in report["facts"]]
    if report["gaps"]:
        lines += ["Not proved by this:", *(f"  {gap['sentence']}" for gap in report["gaps"])]
    return lines


# Test vectors.

CARDS = [rank + suit for suit in "SHDC" for rank in ("7", "8", "9", "10", "J", "Q", "K", "A")]


def vector_of(given: dict[str, Any]) -> dict[str, Any]:
    """What follows from the seed and the place that a vector gives, in its words."""
    match, seed = bytes.fromhex(given["match"]), bytes.fromhex(given["seed"])
    place = place_of(match, given["number"], given["redeal"])
    key = hand_key_of(
        seed, place, [bytes.fromhex(seat) for seat in given["seats"]], bytes.fromhex(given["beacon"])
    )
    deck, read = shuffled(key)
    return {
        "commitment": commitment_of(seed, place).hex(), "hand_key": key.hex(), "bytes_read": read,
        "deck": " ".join(CARDS[card] for card in deck), "leaf_0": leaf_of(key, place, 0, deck[0]).hex(),
        "root": root_of(key, place, deck).hex(), "first_dealer": SEATS[lot_of(key, match, 0) - 1],
    }  # fmt: skip


def wrong_vectors(vectors: list[dict[str, Any]]) -> list[str]:
    """The vectors that this verifier does not agree with, by name."""
    return [vector["name"] for vector in vectors if not vector_of(vector).items() <= vector.items()]


# The command.


def pin_of(text: str) -> tuple[int, str]:
    """A pin as it is typed. Raises ValueError."""
    found = re.fullmatch(r"([0-9]{1,9}):([0-9a-fA-F]{64})", text, re.ASCII)
    if found is None:
        raise ValueError(f"{text}: a pin is a sequence number, a colon, and 64 hexadecimal digits")
    return int(found[1]), found[2]


def seed_of(text: str) -> tuple[int, str]:
    """A seat's seed as it is typed. Raises ValueError."""
    found = re.fullmatch(r"(south|east|north|west)=([0-9a-f]{64})", text.lower(), re.ASCII)
    if found is None:
        raise ValueError(f"{text}: a seed is SOUTH, EAST, NORTH or WEST, =, and 64 hexadecimal digits")
    return SEATS.index(found[1].title()) + 1, found[2]


def beacon_of(text: str) -> str:
    """A beacon's value as it is typed. Raises ValueError."""
    if not matches("[0-9a-fA-F]{64}", text):
        raise ValueError(f"{text}: the value of a beacon is 64 hexadecimal digits")
    return text


Typed = TypeVar("Typed")


def typed(read: Callable[[str], Typed]) -> Callable[[str], Typed]:
    def reading(text: str) -> Typed:
        try:
            return read(text)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return reading


def read_json(name: str) -> object:
    """What a file holds, `-` for standard input; None where it is no JSON."""
    try:
        if name == "-":
            return json.load(sys.stdin)
        with open(name, encoding="utf-8") as file:  # noqa: PTH123 - as short as it is clear
            return json.load(file)
    except (ValueError, RecursionError):
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="verify.py", description="Check the deals of a match of Baloot.")
    parser.add_argument("proof", nargs="?", help="the proof file, - for standard input")
    parser.add_argument("--pin", type=typed(pin_of), action="append", default=[], metavar="SEQUENCE:CHAIN")
    parser.add_argument("--seed", type=typed(seed_of), action="append", default=[], metavar="SEAT=SEED")
    parser.add_argument("--beacon", type=typed(beacon_of), metavar="HEX")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    parser.add_argument("--quiet", action="store_true", help="print nothing; the exit code tells")
    parser.add_argument("--vectors", metavar="FILE", help="check test vectors instead of a proof")
    given = parser.parse_args(arguments)
    if (given.proof is None) == (given.vectors is None):
        parser.error("name either a proof file or --vectors")
    try:
        read = read_json(given.vectors or given.proof)
    except OSError as error:
        print(f"verify.py: {error}", file=sys.stderr)
        return EXIT_CODES["unreadable"]
    if given.vectors:
        return checked_vectors(read)
    return print_report(verify(read, given.pin, given.seed, given.beacon or ""), given)


def checked_vectors(vectors: Any) -> int:
    wrong = wrong_vectors(vectors)
    print(f"{len(vectors)} vectors, wrong: {listed(wrong) if wrong else 'none'}")
    return EXIT_CODES["refused" if wrong else "verified"]


def print_report(report: dict[str, Any], given: argparse.Namespace) -> int:
    """Prints as it was asked for, and returns the exit code."""
    if given.json:
        print(json.dumps(report, ensure_ascii=False))
    elif not given.quiet:
        print("\n".join(lines_of(report)))
    return EXIT_CODES[report["verdict"]]


if __name__ == "__main__":
    sys.exit(main())
