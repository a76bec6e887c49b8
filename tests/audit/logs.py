"""Logs to audit, and ways to damage them as somebody would who can write to the database."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any
from uuid import UUID

from baloot.audit.anew import decide_anew
from baloot.audit.matches import audit_rows
from baloot.audit.records import Audited, HeadRow, Row
from baloot.core.catalogue import NAMES, RULESETS
from baloot.core.ruleset import STANDARD, Cut, IllegalPlay, Ruleset
from baloot.core.seats import Seat
from baloot.store.v1 import entry_pb2 as log
from baloot.table import events as ev
from baloot.table.chain import START, link
from baloot.table.entries import holder_of
from baloot.table.events import Entry, Settings, Status
from baloot.table.payload import encode

from tests.table.test_deals import BEACON, Adding
from tests.table.trial import Trial


@dataclass(frozen=True)
class Match:
    """A match as it is stored."""

    id: UUID
    rows: tuple[Row, ...]
    head: HeadRow | None

    def audited(self) -> Audited:
        return audit_rows(self.id, self.rows, self.head)

    def thorough(self) -> Audited:
        audited = self.audited()
        asyncio.run(decide_anew(audited, self.rows, None))
        return audited

    def with_rows(self, rows: Sequence[Row]) -> Match:
        """The same match with other rows, in a chain that holds, and a head that fits."""
        chained = chain(self.id, rows)
        return Match(self.id, chained, head_of(chained))

    def with_row(self, sequence: int, **changed: object) -> Match:
        rows = list(self.rows)
        rows[sequence - 1] = rows[sequence - 1]._replace(**changed)  # type: ignore[arg-type]
        return self.with_rows(rows)

    def edited(self, sequence: int, edit: Callable[[log.Entry], object]) -> Match:
        """The match with another open half of an entry."""
        payload = log.Entry.FromString(self.rows[sequence - 1].payload)
        edit(payload)
        return self.with_row(sequence, payload=payload.SerializeToString())

    def edited_secret(self, sequence: int, edit: Callable[[log.Secret], object]) -> Match:
        secret = log.Secret.FromString(self.rows[sequence - 1].secret)
        edit(secret)
        return self.with_row(sequence, secret=secret.SerializeToString())

    def where(self, name: str, nth: int = 0) -> int:
        """The number of an entry that holds an event, told by its field."""
        found = [row.sequence for row in self.rows if event_in(log.Entry.FromString(row.payload), name)]
        return found[nth]


def event_in(entry: log.Entry, name: str) -> bool:
    return any(event.WhichOneof("event") == name for event in entry.events)


def event_of(entry: log.Entry, name: str) -> Any:
    """The message of an event in an entry."""
    return next(getattr(event, name) for event in entry.events if event.WhichOneof("event") == name)


def chain(match: UUID, rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows with the links that belong to them."""
    before, chained = START, []
    for row in rows:
        secret = sha256(row.secret).digest()
        before = link(
            before, match, row.sequence, row.at, row.actor, row.payload, secret, by_default=row.by_default
        )
        chained.append(row._replace(chain=before))
    return tuple(chained)


def head_of(rows: Sequence[Row]) -> HeadRow:
    last = rows[-1]
    return HeadRow(last.sequence, last.status, last.deadline)


def stored(entries: Sequence[Entry]) -> Match:
    """Entries as the store would write them."""
    status, rows = Status.OPEN, []
    for entry in entries:
        for event in entry.events:
            status = _AFTER.get(type(event), status)
        rows.append(_row(entry, status))
    chained = chain(entries[0].table_id, rows)
    return Match(entries[0].table_id, chained, head_of(chained))


_AFTER = {
    ev.MatchStarted: Status.PLAYING,
    ev.MatchEnded: Status.FINISHED,
    ev.MatchForfeited: Status.FINISHED,
    ev.TableAbandoned: Status.ABANDONED,
}


def _row(entry: Entry, status: Status) -> Row:
    payload, secret = encode(entry)
    return Row(
        entry.sequence,
        entry.at,
        entry.actor,
        entry.by_default,
        entry.request_id.bytes,
        entry.request_digest,
        status.value,
        entry.deadline,
        payload,
        secret,
        holder_of(entry),
        None,
    )


def trial(ruleset: Ruleset, seed: int, **settings: object) -> Trial:
    made = Trial(seed=seed, settings=replace(Settings(ruleset, round_pause=0), **settings))  # type: ignore[arg-type]
    if ruleset.illegal_play is IllegalPlay.ALLOW_WITH_QAID:
        made.claims = 0.004
    return made


@cache
def played(name: str = "standard", seed: int = 1) -> Match:
    """A match of random players under a rule set, to its end."""

    async def play() -> list[Entry]:
        made = trial(RULESETS[name], seed)
        await made.fill()
        await made.play()
        return await made.entries()

    assert name in NAMES
    return stored(asyncio.run(play()))


@cache
def adding(deals: int, *, beacon: bool = False, cut: Cut = Cut.NONE) -> Match:
    """A match in which all seats add to every block of deals, and everybody passes until so many are thrown in."""

    async def play() -> list[Entry]:
        ruleset = STANDARD.with_options(name="mine", cut=cut)
        made = Adding(settings=Settings(ruleset, round_pause=0, beacon="lottery" if beacon else ""))
        await made.fill()
        if beacon:
            await made.table.give_beacon(made.table_id, made.id(), BEACON)
        await made.all_pass(deals)
        await made.play(150)
        await made.table.leave_seat(made.table_id, made.tokens[Seat.EAST], made.id())
        return await made.entries()

    return stored(asyncio.run(play()))


@cache
def idle(name: str = "standard", seed: int = 1, **settings: object) -> Match:
    """A match in which seats miss turns now and then, and bots come and go."""

    async def play() -> list[Entry]:
        made = trial(RULESETS[name], seed, **settings)
        await made.fill()
        state = await made.state()
        while not state.status.ended:
            if state.questions and state.deadline is not None and made.random.random() < 0.15:
                made.clock.now = max(made.clock.now, state.deadline)
                await made.table.step(made.table_id)
            else:
                await made.one_more(state)
            state = await made.state()
        return await made.entries()

    return stored(asyncio.run(play()))
