"""The thorough half of an audit: every entry is decided anew, as a table would, and compared byte by byte.

What was done, and when, is taken from the log; what it brings about, who is asked what until when, and what is written of
that must come out the same. What only an outage explains is taken from the log as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from baloot.audit.course import Open
from baloot.audit.records import Audited, Code, Finding, Row
from baloot.bidding.local import LocalBidding
from baloot.core.auction import PASS, Call, CallKind
from baloot.core.deal import Dealt, Opening, SealedSeed
from baloot.core.errors import Refusal
from baloot.core.keys import StoreKey
from baloot.core.play import Move, SawaMove
from baloot.core.seats import SEATS, Seat
from baloot.play.local import LocalPlay
from baloot.scoring.local import LocalScoring
from baloot.table import events as ev
from baloot.table.dealing import AddSeed, add_seed, give_beacon
from baloot.table.decide import ComeBack, act, leave_seat, take_seat
from baloot.table.decision import Decision, same_again
from baloot.table.due import due
from baloot.table.entries import Request, entry_of
from baloot.table.events import (
    BeaconGiven,
    DealsCommitted,
    Entry,
    Micros,
    PresenceChanged,
    SeedAdded,
    SeedsRevealed,
)
from baloot.table.evolve import evolve
from baloot.table.payload import Unreadable, decode, encode
from baloot.table.revealing import with_seeds
from baloot.table.sealing import CannotOpen, is_sealed
from baloot.table.state import TableState
from baloot.table.timing import Moment


async def decide_anew(audited: Audited, rows: Sequence[Row], open_: Open | None) -> None:
    """Adds what is found to an audit. The first difference ends it, since the entries after it would differ for it."""
    if open_ is None and any(is_sealed(row.secret) for row in rows):
        return  # which the audit has told already
    rules, state = _Rules(), None
    for row in rows:
        try:
            secret = open_(row.sequence, row.secret) if open_ and is_sealed(row.secret) else row.secret
            entry = _entry(audited.match, row, secret)
            wrong = await _difference(rules, state, entry, row, secret)
            state = evolve(state, entry)
        except (Unreadable, CannotOpen):
            wrong = Code.UNREADABLE, "the entry is not what this version writes"
        except Refusal:
            wrong = Code.DECISION, "what was done is refused now"
        except Exception:  # noqa: BLE001 - damage has any form, and none of it may end an audit
            wrong = Code.DECISION, "the entry cannot be decided anew"
        if wrong is not None:
            _tell(audited, row.sequence, *wrong)
            return


def _tell(audited: Audited, sequence: int, code: Code, sentence: str) -> None:
    audited.findings.append(Finding(audited.match, sequence, code, sentence))
    audited.findings.sort(key=lambda finding: finding.sequence)


def _entry(match: UUID, row: Row, secret: bytes) -> Entry:
    facts = decode(row.payload, secret)
    return Entry(
        match,
        row.sequence,
        row.at,
        None if row.actor is None else SEATS[row.actor],
        UUID(bytes=row.request_id),
        row.request_digest,
        facts.events,
        facts.questions,
        row.deadline,
        row.by_default,
        facts.received,
        facts.time_used,
    )


async def _difference(
    rules: _Rules, state: TableState | None, entry: Entry, row: Row, secret: bytes
) -> tuple[Code, str] | None:
    """Where an entry, decided anew, is another one; None where it is the same."""
    if state is not None and _is_older(state, entry):
        return None
    rules.dealing.told = entry
    decision = await with_seeds(rules, state, await _decided(rules, state, entry))
    request = Request(b"", entry.request_id, entry.request_digest)
    moment = Moment(entry.at, entry.received)
    again = entry_of(entry.table_id, state, decision, entry.actor, request, moment)
    if again.time_used != entry.time_used:
        moment = replace(moment, resumed=_resumed(entry))
        again = entry_of(entry.table_id, state, decision, entry.actor, request, moment)
    again = _as_old(again, entry)
    payload, hidden = encode(again)
    if again.events != entry.events:
        return Code.DECISION, "the entry, decided anew, tells of something else"
    if payload != row.payload or hidden != secret:
        half = "open" if payload != row.payload else "secret"
        return Code.HALVES, f"the entry, decided anew, has another {half} half"
    if (again.deadline, again.by_default) != (row.deadline, row.by_default):
        return Code.HALVES, "the entry, decided anew, has another deadline, or is told as done by another"
    return None


def _is_older(state: TableState, entry: Entry) -> bool:
    """Whether an entry begins a deal to which nobody had committed: since there are commitments, none is dealt without."""
    begun = (event for event in entry.events if isinstance(event, ev.RoundDealt | ev.RoundOpened))
    return any(state.deals.inputs(_number(event)) is None for event in begun)


def _number(event: ev.RoundDealt | ev.RoundOpened) -> int:
    return event.dealt.number if isinstance(event, ev.RoundDealt) else event.number


def _resumed(entry: Entry) -> Micros:
    """When an outage must have ended for the time that was used to be no more than is told."""
    counts = entry.at if entry.received is None else min(entry.received, entry.at)
    return max((counts - used.used for used in entry.time_used), default=0)


def _as_old(again: Entry, entry: Entry) -> Entry:
    """An entry with a sheet without sentences, if the stored one is from before there were any."""
    old = any(
        isinstance(event, ev.RoundScored) and not event.score.lines[0].english for event in entry.events
    )
    return replace(again, events=tuple(map(_without_sentences, again.events))) if old else again


def _without_sentences(event: ev.Event) -> ev.Event:
    if not isinstance(event, ev.RoundScored):
        return event
    lines = tuple(replace(line, english="", arabic="") for line in event.score.lines)
    return ev.RoundScored(replace(event.score, lines=lines))


async def _decided(rules: _Rules, state: TableState | None, entry: Entry) -> Decision:
    first = entry.events[0]
    if state is None:
        assert isinstance(first, ev.TableCreated)
        return Decision(entry.events, wait=first.settings.fill_timeout)
    if isinstance(first, ev.SeatTaken):
        who = first.player_name, first.token_hash, first.player_id
        return take_seat(state, first.seat, *who, first.seat_seed, entry.at)
    if isinstance(first, BeaconGiven):
        return give_beacon(state, first.value, entry.at)
    if isinstance(first, SeedAdded) and entry.actor is not None:
        return add_seed(state, entry.actor, AddSeed(first.first_number, first.seat_seed), entry.at)
    if isinstance(first, ev.SeatLeft):
        return leave_seat(state, first.seat)
    if isinstance(first, PresenceChanged):
        return same_again(state, first)
    if entry.actor is not None:
        return await act(rules, state, entry.actor, _action(entry))
    return await _own_step(rules, state, entry)


async def _own_step(rules: _Rules, state: TableState, entry: Entry) -> Decision:
    """What the table did by itself. Whether it was late itself, or away, is taken from what it did."""

    async def by_bot(_state: TableState, _seat: Seat) -> Call | Move | ComeBack:
        return _action(entry)

    extended = isinstance(entry.events[0], ev.ClockExtended)
    deadline = entry.at if state.deadline is None else state.deadline
    if entry.at < deadline and not extended:
        raise Unreadable("the table acted before its time")
    walkover = isinstance(entry.events[0], ev.TableAbandoned) and entry.at - deadline > ev.LATE
    now = entry.at if extended or walkover else deadline
    decision = await due(rules, state, by_bot, now, entry.at if extended else 0)
    if decision is None:
        raise Unreadable("the table had ended")
    return decision


def _action(entry: Entry) -> Call | Move | ComeBack:
    """What was done in an entry."""
    for event in entry.events:
        match event:
            case ev.CallMade() | ev.AnswerGiven():
                return event.call
            case ev.CardPlayed():
                return event.move
            case ev.SawaClaimed():
                return SawaMove()
            case ev.QaidClaimed():
                return event.qaid.claim
            case ev.RoundAccepted():
                return PASS
            case ev.RoundDealt():
                return Call(CallKind.CUT, cut=event.cut)
            case _:
                continue
    return ComeBack()


@dataclass
class _StoredDealing:
    """Deals what the entry that is decided anew says was dealt."""

    told: Entry | None = None

    async def commit_deals(self, _match: UUID, first: int, count: int) -> Sequence[SealedSeed]:
        blocks = [event.block for event in self._events() if isinstance(event, DealsCommitted)]
        if not blocks:
            return [self._deal().sealed_seed] * count
        return [blocks[0].seed(number) for number in range(first, first + count)]

    async def choose_dealer(self, *_: object) -> Seat:
        return self._deal().dealer

    async def deal(self, *_: object) -> Dealt:
        deal = self._deal()
        assert isinstance(deal, ev.RoundDealt)
        return deal.dealt

    async def open_cards(self, *_: object) -> Sequence[Opening]:
        raise AssertionError("nobody asks for proofs here")

    async def reveal(self, _match: UUID, number: int, _seed: SealedSeed) -> bytes:
        (told,) = (event for event in self._events() if isinstance(event, SeedsRevealed))
        return told.seeds[number - told.first_number]

    async def match_key(self, _match: UUID) -> bytes:
        raise AssertionError("nothing is sealed here")

    async def store_key(self) -> StoreKey:
        raise AssertionError("nothing is sealed here")

    def _deal(self) -> ev.RoundDealt | ev.RoundOpened:
        return next(event for event in self._events() if isinstance(event, ev.RoundDealt | ev.RoundOpened))

    def _events(self) -> tuple[ev.Event, ...]:
        assert self.told is not None
        return self.told.events


@dataclass
class _Rules:
    """The rules of this process, with deals that are told."""

    dealing: _StoredDealing = field(default_factory=_StoredDealing)
    bidding: LocalBidding = field(default_factory=LocalBidding)
    play: LocalPlay = field(default_factory=LocalPlay)
    scoring: LocalScoring = field(default_factory=LocalScoring)
