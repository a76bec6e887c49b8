"""Logs of matches as an honest server writes them, with no table behind them: only what the verifiers look at is true.

The calls, the winners of tricks and the scores are made up, since nobody but the audit judges them.
"""

from __future__ import annotations

import hmac
import random
from base64 import b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Any

from baloot.api.core.v1.cards_pb2 import Hand as WireHand
from baloot.api.table.v1 import events_pb2 as wire
from baloot.codec.enums import CALL_KIND, CARD, CUT_CHOICE, SEAT
from baloot.core.auction import CallKind, CutChoice
from baloot.core.cards import Card, Hand
from baloot.core.deal import Deck
from baloot.core.seats import SEATS, Seat
from baloot.dealing import rules
from baloot.store.v1 import entry_pb2 as log
from google.protobuf.timestamp_pb2 import Timestamp

BLOCK = 64
AHEAD = 8
"""The next block is committed to when a deal is dealt whose number is so close to the last one committed to."""
CUTS = tuple(choice for choice in CutChoice if choice is not CutChoice.RESHUFFLE)


@dataclass
class Row:
    """One entry of a log before it is bound into the chain."""

    entry: log.Entry
    at: int
    actor: int = 0
    by_default: bool = False
    secret: bytes = bytes(32)

    def copy(self) -> Row:
        entry = log.Entry()
        entry.CopyFrom(self.entry)
        return replace(self, entry=entry)


def link(before: bytes, match: bytes, number: int, row: Row) -> bytes:
    place = before + match + number.to_bytes(4, "big") + row.at.to_bytes(8, "big")
    acted = bytes([row.actor, row.by_default])
    payload = sha256(row.entry.SerializeToString()).digest()
    return sha256(b"baloot/chain/v1\0" + place + acted + payload + row.secret).digest()


def proof_of(match: bytes, rows: Sequence[Row], *, complete: bool = True) -> dict[str, Any]:
    """The proof file of a log, with its chain."""
    entries, chain = [], bytes(32)
    for number, row in enumerate(rows, 1):
        chain = link(chain, match, number, row)
        entries.append(
            {
                "n": number,
                "at": row.at,
                "actor": row.actor,
                "by_default": row.by_default,
                "payload": b64encode(row.entry.SerializeToString()).decode(),
                "secret": row.secret.hex(),
                "chain": chain.hex(),
            }
        )
    return {"format": "baloot-proof/1", "match": match.hex(), "complete": complete, "entries": entries}


@dataclass
class HonestLog:
    """Writes a log deal by deal. Everything in it follows from `name`."""

    name: str
    beacon_name: str = ""
    cuts: bool = False
    rotates: bool = False
    """Whether the next seat deals after a Kawesh."""
    lost_before: int = 0
    timed: bool = False
    """Whether the settings tell from when on the beacon may be public."""
    rows: list[Row] = field(default_factory=list)
    own: dict[int, list[bytes]] = field(default_factory=dict)
    """What each seat (1 to 4) added, block by block."""

    def __post_init__(self) -> None:
        self.rng = random.Random(self.name)
        self.match = self.rng.randbytes(16)
        self.seeds: list[bytes] = []
        self.beacon, self.beacon_time = b"", 0
        self.number = 0
        self.revealed = 0
        self.blocks: list[dict[int, bytes]] = []
        self.dealer: Seat | None = None
        self.last_end = ""
        self.now = 1_790_000_000_000_000 + self.rng.randrange(10**12)

    # Entries.

    def write(self, *events: wire.TableEvent, actor: int = 0) -> None:
        self.now += self.rng.randrange(1, 5_000_000)
        entry = log.Entry(events=events)
        by_default = actor == 0 and self.rng.random() < 0.1
        self.rows.append(Row(entry, self.now, actor, by_default, self.rng.randbytes(32)))

    def open(self, seats_with_seeds: Sequence[int] = (1, 2, 3, 4)) -> None:
        """Creates the table and seats four players; one comes, goes and comes again."""
        settings = wire.TableSettings(beacon=self.beacon_name, lost_before=self.lost_before)  # type: ignore[arg-type]
        if self.timed:
            self.beacon_time = self.now + 60_000_000
            settings.MergeFromString(timed_from(self.beacon_time))
        settings.ruleset.kawesh_redeal = 2 if self.rotates else 1  # type: ignore[assignment]
        settings.ruleset.first_dealer = 2 if self.lost_before else 1  # type: ignore[assignment]
        created = wire.TableEvent(table_created=wire.TableCreated(settings=settings))
        self.write(created, self.committed())
        self.write(self.taken(2, self.rng.randbytes(32)), actor=2)
        self.write(wire.TableEvent(seat_left=wire.SeatLeft(seat=SEAT.encode(SEATS[1]))), actor=2)
        for seat in range(1, 5):
            seed = self.rng.randbytes(32) if seat in seats_with_seeds else b""
            events = [self.taken(seat, seed)]
            if seed:
                self.blocks[0][seat] = seed
            if seat == 4:
                events.append(wire.TableEvent(match_started=wire.MatchStarted()))
            self.write(*events, actor=seat)
        if self.beacon_name:
            self.beacon = self.rng.randbytes(32)
            self.now = max(self.now, self.beacon_time)
            self.write(wire.TableEvent(beacon_given=wire.BeaconGiven(value=self.beacon)))

    def taken(self, seat: int, seed: bytes) -> wire.TableEvent:
        name = f"player {self.rng.randrange(10**6)}"
        return wire.TableEvent(seat_taken=wire.SeatTaken(seat=seat, player_name=name, seed=seed))  # type: ignore[arg-type]

    def committed(self) -> wire.TableEvent:
        first = len(self.seeds) + 1
        self.seeds += [self.rng.randbytes(32) for _ in range(BLOCK)]
        self.blocks.append({})
        numbers = range(first, first + BLOCK)
        commitments = [rules.commitment(self.match, n, 0, self.seeds[n - 1]) for n in numbers]
        return wire.TableEvent(
            deals_committed=wire.DealsCommitted(first_number=first, commitments=commitments)
        )

    def add_seed(self, seat: int) -> None:
        """A seat adds to the last block that was committed to."""
        seed, first = self.rng.randbytes(32), len(self.seeds) - BLOCK + 1
        self.blocks[-1][seat] = seed
        added = wire.SeedAdded(seat=seat, first_number=first, seed=seed)  # type: ignore[arg-type]
        self.write(wire.TableEvent(seed_added=added), actor=seat)

    # Deals.

    def shuffled(self, number: int) -> rules.Shuffle:
        added = self.blocks[(number - 1) // BLOCK]
        seats = [added.get(seat, bytes(32)) for seat in range(1, 5)]
        return rules.shuffle(self.seeds[number - 1], self.match, number, 0, seats, self.beacon)

    def commitment(self, number: int) -> bytes:
        return rules.commitment(self.match, number, 0, self.seeds[number - 1])

    def next_dealer(self) -> Seat:
        if self.dealer is None:
            key = self.shuffled(1).hand_key
            lot = hmac.digest(key, b"baloot/dealer/v1\0" + self.match, "sha256")[0]
            return SEATS[self.lost_before - 1 + lot % 2 * 2] if self.lost_before else SEATS[lot % 4]
        again = self.last_end == "kawesh" and not self.rotates
        return self.dealer if again else self.dealer.next

    def deal(self, end: str, cut: CutChoice = CutChoice.GO_ON) -> None:
        """One deal from its beginning to its end: `played`, `sawa`, `thrown_in` or `kawesh`."""
        self.dealer = self.next_dealer()
        self.number += 1
        if self.cuts:
            opened = wire.RoundOpened(number=self.number, dealer=SEAT.encode(self.dealer))
            opened.commitment = self.commitment(self.number)
            self.write(*self.with_due(wire.TableEvent(round_opened=opened)))
        if self.cuts and cut is CutChoice.RESHUFFLE:
            self.number += 1
        shuffled = self.shuffled(self.number)
        depth = 1 + self.commitment(self.number)[0] % 31
        deck = shuffled.deck.cut(cut, depth) if self.cuts else shuffled.deck
        self.write(*self.with_due(self.dealt(shuffled, deck, cut)))
        if end in ("thrown_in", "kawesh"):
            self.void(deck, end)
        else:
            self.play(deck, sawa=end == "sawa")
        self.last_end = end

    def dealt(self, shuffled: rules.Shuffle, deck: Deck, cut: CutChoice) -> wire.TableEvent:
        assert self.dealer is not None
        dealt = wire.Dealt(
            number=self.number, dealer=SEAT.encode(self.dealer), up_card=CARD.encode(deck.up_card)
        )
        dealt.commitment, dealt.deck_root = self.commitment(self.number), shuffled.deck_root
        if self.cuts:
            dealt.cut = CUT_CHOICE.encode(cut)
        return wire.TableEvent(dealt=dealt)

    def with_due(self, begins: wire.TableEvent) -> list[wire.TableEvent]:
        """A beginning with what is due in its entry: the next block, and the seeds of deals that are over."""
        events = [begins]
        if self.number + AHEAD > len(self.seeds):
            events.append(self.committed())
        return events + self.reveal(self.number - 1)

    def reveal(self, last: int) -> list[wire.TableEvent]:
        first, seeds = self.revealed + 1, self.seeds[self.revealed : last]
        self.revealed = max(last, self.revealed)
        revealed = wire.SeedsRevealed(first_number=first, seeds=seeds)
        return [wire.TableEvent(seeds_revealed=revealed)] if seeds else []

    def pass_(self, seat: Seat) -> None:
        call = wire.CallMade(seat=SEAT.encode(seat))
        call.call.kind = CALL_KIND.encode(CallKind.PASS)
        self.write(wire.TableEvent(call_made=call), actor=1 + seat)

    def void(self, deck: Deck, end: str) -> None:
        assert self.dealer is not None
        void = wire.DealVoid()
        self.pass_(self.dealer.next)
        if end == "kawesh":
            hands = deck.first_hands(self.dealer)
            shown = [self.rng.randrange(4)] if self.rotates else range(4)
            void.kawesh = 1 + shown[0]  # type: ignore[assignment]
            void.hands.extend(hand_of(hands[seat]) if seat in shown else WireHand() for seat in range(4))
        self.write(wire.TableEvent(deal_void=void))

    def play(self, deck: Deck, *, sawa: bool) -> None:
        assert self.dealer is not None
        taker = self.rng.choice(SEATS)
        hands = [list(hand) for hand in deck.full_hands(self.dealer, taker)]
        started = wire.PlayStarted(leader=SEAT.encode(self.dealer.next))
        started.contract.taker = started.contract.buyer = SEAT.encode(taker)
        bought = wire.TableEvent(bought=wire.Bought(contract=started.contract))
        self.write(bought, wire.TableEvent(play_started=started), actor=1 + taker)
        leader = self.dealer.next
        for trick in range(6 if sawa else 8):
            leader = self.trick(leader, hands, last=trick == 7)
        if sawa:
            self.rng.shuffle(hands[leader])
            claimed = wire.SawaClaimed(seat=SEAT.encode(leader), held=True)
            claimed.cards.extend(CARD.encode(card) for card in hands[leader])
            self.write(wire.TableEvent(sawa_claimed=claimed), *self.scored(), actor=1 + leader)

    def trick(self, leader: Seat, hands: list[list[Card]], *, last: bool) -> Seat:
        played = []
        for n in range(4):
            seat = SEATS[(leader + n) % 4]
            held = list(hands[seat])
            card = hands[seat].pop(self.rng.randrange(len(hands[seat])))
            played.append(CARD.encode(card))
            events = [wire.TableEvent(card_played=wire.CardPlayed(seat=SEAT.encode(seat), card=played[-1]))]
            if len(held) == 7 and n == 0:
                events.append(self.shown(seat, held))
            if n == 3:
                won = wire.TrickWon()
                won.trick.leader = SEAT.encode(leader)
                won.trick.cards.extend(played)
                events.append(wire.TableEvent(trick_won=won))
            self.write(*events, *(self.scored() if last and n == 3 else ()), actor=1 + seat)
        return self.rng.choice(SEATS)

    def shown(self, seat: Seat, held: list[Card]) -> wire.TableEvent:
        shown = wire.ProjectsShown()
        owned = shown.projects.add(seat=SEAT.encode(seat))
        owned.project.cards.extend(CARD.encode(card) for card in held[:3])
        return wire.TableEvent(projects_shown=shown)

    def scored(self) -> list[wire.TableEvent]:
        scored = wire.TableEvent(round_scored=wire.RoundScored())
        return [scored, *self.reveal(self.number)]

    def end(self) -> None:
        """Ends the match after its last deal."""
        left = self.reveal(self.number)
        if not left:
            self.write(wire.TableEvent(match_ended=wire.MatchEnded()))
            return
        abandoned = wire.TableEvent(table_abandoned=wire.TableAbandoned())
        self.write(abandoned, *left)

    def proof(self, *, complete: bool = True) -> dict[str, Any]:
        return proof_of(self.match, self.rows, complete=complete)


def timed_from(micros: int) -> bytes:
    """The settings' `beacon_time`, field 13, as it is written."""
    moment = Timestamp(seconds=micros // 1_000_000, nanos=micros % 1_000_000 * 1_000).SerializeToString()
    return bytes((13 << 3 | 2, len(moment))) + moment


def hand_of(hand: Hand) -> WireHand:
    return WireHand(cards=[CARD.encode(card) for card in hand])


# The shapes of logs that are tried.


def plain(name: str) -> HonestLog:
    written = HonestLog(name)
    written.open()
    for end in ("played", "thrown_in", "sawa", "kawesh", "played"):
        written.deal(end)
    return written


def cut(name: str) -> HonestLog:
    written = HonestLog(name, cuts=True)
    written.open((1, 3))
    for choice in written.rng.sample(CUTS, 3):
        written.deal("played", choice)
    written.deal("thrown_in", CutChoice.CUT)
    written.deal("sawa", CutChoice.TOP_UP)
    return written


def reshuffled(name: str) -> HonestLog:
    written = HonestLog(name, cuts=True)
    written.open()
    for choice in (CutChoice.RESHUFFLE, CutChoice.CUT, CutChoice.RESHUFFLE, CutChoice.GO_ON):
        written.deal(written.rng.choice(("played", "kawesh")), choice)
    written.deal("played")
    return written


def kawesh(name: str) -> HonestLog:
    written = HonestLog(name, rotates=True, lost_before=1 + len(name) % 2)
    written.open((2,))
    written.add_seed(4)
    for end in ("kawesh", "played", "kawesh", "kawesh", "sawa"):
        written.deal(end)
    return written


def beacon(name: str) -> HonestLog:
    written = HonestLog(name, beacon_name="a public value {of tomorrow}", timed=name[-1] in "02468")
    written.open((1, 2))
    for end in ("thrown_in", "played", "thrown_in", "played"):
        written.deal(end)
    return written


def long(name: str) -> HonestLog:
    """More than one block, and a match that is broken off after a void."""
    written = HonestLog(name)
    written.open((1, 2, 3))
    for number in range(1, BLOCK + 7):
        written.deal("played" if number in (3, BLOCK + 1) else written.rng.choice(("thrown_in", "kawesh")))
        if number in (BLOCK - 5, BLOCK - 2):
            written.add_seed(1 + number % 4)
    return written


SHAPES: dict[str, Callable[[str], HonestLog]] = {
    "plain": plain, "cut": cut, "reshuffled": reshuffled, "kawesh": kawesh, "beacon": beacon, "long": long
}  # fmt: skip


def honest(shape: str, number: int = 0) -> HonestLog:
    """The log of a shape and a number, to its end."""
    written = SHAPES[shape](f"{shape} {number}")
    written.end()
    return written
