"""A log in the hands of a cheat, and what the ways of tampering share."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from baloot.api.core.v1.cards_pb2 import Card
from baloot.api.table.v1 import events_pb2 as wire

from tests.verifier.honest import HonestLog, Row, honest, proof_of

Codes = set[str]
CHAIN: Codes = {"CHAIN_WRONG", "ENTRY_MISSING"}
BEGINNINGS = ("dealt", "round_opened")


@cache
def written(shape: str, number: int) -> HonestLog:
    """An honest log, which nobody may change: tampering takes copies."""
    return honest(shape, number)


@dataclass
class Forgery:
    """A log in the hands of a cheat."""

    log: HonestLog
    rng: random.Random
    rows: list[Row] = field(default_factory=list)
    pins: list[tuple[int, str]] = field(default_factory=list)
    seeds: list[tuple[int, str]] = field(default_factory=list)
    beacon: str = ""

    def __post_init__(self) -> None:
        self.rows = [row.copy() for row in self.log.rows]

    def events(self, *names: str) -> list[tuple[int, wire.TableEvent]]:
        """The events of these kinds, each with the place of its row."""
        return [
            (place, event)
            for place, row in enumerate(self.rows)
            for event in row.entry.events
            if event.WhichOneof("event") in names
        ]

    def one(self, *names: str) -> tuple[int, wire.TableEvent]:
        """Any of them. Raises Unfit where there is none."""
        found = self.events(*names)
        if not found:
            raise Unfit
        return self.rng.choice(found)

    def drop(self, place: int, event: wire.TableEvent) -> wire.TableEvent:
        """Takes an event out of its row, which stays."""
        events = self.rows[place].entry.events
        kept = wire.TableEvent()
        kept.CopyFrom(event)
        events.remove(event)
        return kept

    def insert(self, place: int, *events: wire.TableEvent) -> None:
        """Writes an entry of its own before a place."""
        row = self.rows[place - 1].copy()
        del row.entry.events[:]
        row.entry.events.extend(events)
        self.rows.insert(place, row)

    def deals(self) -> list[tuple[int, int]]:
        """The rows of each deal, those of a cut included: the first, and the one after the last."""
        starts = [place for place, event in self.events(*BEGINNINGS) if not is_cut(event)]
        return list(zip(starts, [*starts[1:], len(self.rows) - 1], strict=True))

    def proof(self) -> dict[str, Any]:
        return proof_of(self.log.match, self.rows)


class Unfit(Exception):
    """A log in which there is nothing to tamper with in this way."""


def need(holds: object) -> None:
    if not holds:
        raise Unfit


def is_cut(event: wire.TableEvent) -> bool:
    return event.WhichOneof("event") == "dealt" and bool(event.dealt.cut)


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def another(card: Card.ValueType, rng: random.Random) -> Card.ValueType:
    return rng.choice([other for other in Card.values() if other not in (0, card)])


def begun(event: wire.TableEvent) -> int:
    return event.dealt.number or event.round_opened.number


def dealt_in(forged: Forgery, first: int, after: int) -> wire.TableEvent:
    return next(event for place, event in forged.events("dealt") if first <= place < after)
