"""Entries as they are written: back as they were, and nothing hidden in the open half."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from baloot.core.auction import Call, CallKind
from baloot.core.cards import CARDS
from baloot.core.deal import SealedSeed
from baloot.core.seats import Seat
from baloot.store.v1 import entry_pb2
from baloot.table import events as ev
from baloot.table.events import SECOND, DealsCommitted, Entry, Event, PresenceChanged, Settings, TimeControl
from baloot.table.payload import Unreadable, decode, encode
from hypothesis import given

from tests.strategies.cards import dealt, randoms
from tests.strategies.entries import EVENTS, any_entry, entries, plain_entry, table_id


def entry_of(*events: Event) -> Entry:
    rng = Random(1)
    return replace(plain_entry(table_id(rng), 1, rng), events=events)


@given(entries())
def test_every_entry_comes_back_as_it_was(entry: Entry) -> None:
    facts = decode(*encode(entry))
    assert facts.events == entry.events
    assert facts.questions == entry.questions
    assert (facts.received, facts.time_used) == (entry.received, entry.time_used)


def test_an_entry_that_is_older_than_time_controls_has_no_clocks() -> None:
    entry = next(entry for entry in map(any_entry, map(Random, range(99))) if entry.questions)
    payload, secret = encode(entry)
    open_half = entry_pb2.Entry.FromString(payload)
    open_half.ClearField("received")
    open_half.ClearField("time_used")
    for asked in open_half.asked:
        asked.ClearField("own_until")
        asked.ClearField("deadline")
    facts = decode(open_half.SerializeToString(), secret)
    assert facts.questions == tuple(replace(open_, clock=None) for open_ in entry.questions)
    assert (facts.received, facts.time_used) == (None, ())


def test_settings_that_are_older_than_time_controls_have_the_time_of_an_answer() -> None:
    settings = Settings(action_timeout=12 * SECOND)
    (event,) = decode(*encode(entry_of(ev.TableCreated(settings)))).events
    assert event == ev.TableCreated(settings)
    assert settings.control == TimeControl(12 * SECOND, 12 * SECOND, 0, 0)


def test_every_kind_of_event_can_be_written() -> None:
    assert set(EVENTS) == set(Event.__args__)
    for kind, make in EVENTS.items():
        event = make(Random(3))
        assert isinstance(event, kind)
        assert decode(*encode(entry_of(event))).events == (event,)


def shuffled_secrets(event: Event, rng: Random) -> Event:
    """The same event with another secret."""
    match event:
        case PresenceChanged(seat, presence):
            return PresenceChanged(seat, presence, rng.randbytes(16))
        case ev.RoundDealt(dealer, old, seed, cut):
            up_card = event.deck.up_card
            others = iter(rng.sample([card for card in CARDS if card != up_card], 31))
            cards = (card if card == up_card else next(others) for card in old.deck.cards)
            other = replace(old, deck=replace(old.deck, cards=tuple(cards)))
            return ev.RoundDealt(dealer, other, SealedSeed(seed.commitment, rng.randbytes(60)), cut)
        case ev.RoundOpened(number, dealer, seed):
            return ev.RoundOpened(number, dealer, SealedSeed(seed.commitment, rng.randbytes(60)))
        case DealsCommitted(block):
            return DealsCommitted(replace(block, sealed=rng.randbytes(len(block.sealed))))
        case ev.HandsCompleted():
            return ev.HandsCompleted(dealt(rng))
        case ev.AnswerGiven(seat):
            return ev.AnswerGiven(seat, Call(rng.choice(list(CallKind))))
        case ev.PlayStarted(contract, leader):
            return ev.PlayStarted(contract, leader, dealt(rng))
        case ev.CardPlayed(seat, move, credited):
            others_of = [
                replace(project, cards=tuple(sorted(rng.sample(CARDS, 5)))) for project in move.projects
            ]
            return ev.CardPlayed(seat, replace(move, projects=tuple(others_of)), credited)
        case _:
            return event


@given(randoms())
def test_the_open_half_does_not_depend_on_what_is_hidden(rng: Random) -> None:
    entry = any_entry(rng)
    other = replace(entry, events=tuple(shuffled_secrets(event, rng) for event in entry.events))
    assert encode(entry)[0] == encode(other)[0]


@given(randoms())
def test_the_open_half_tells_who_is_asked_but_not_what_is_offered(rng: Random) -> None:
    entry = any_entry(rng)
    public = [question for question in entry.questions if not question.private]
    told = entry_pb2.Entry.FromString(encode(entry)[0]).asked
    assert [asked.seat - 1 for asked in told] == [question.seat for question in public]
    assert encode(entry)[0] == encode(replace(entry, questions=tuple(public)))[0]


def test_what_could_not_be_read_back_is_not_written() -> None:
    rng = Random(5)
    deal = EVENTS[ev.RoundDealt](rng)
    assert isinstance(deal, ev.RoundDealt)
    with pytest.raises(ValueError, match="commitment"):
        encode(entry_of(replace(deal, sealed_seed=SealedSeed(bytes(32), b"sealed"))))
    for kind in (ev.SeatTaken, ev.RoundDealt, ev.AnswerGiven, ev.PlayStarted, ev.CardPlayed):
        with pytest.raises(ValueError, match="at most one"):
            encode(entry_of(EVENTS[kind](rng), EVENTS[kind](rng)))


def test_what_is_damaged_or_new_is_not_read() -> None:
    payload, secret = encode(entry_of(ev.SeatLeft(Seat.WEST)))
    with pytest.raises(Unreadable):
        decode(payload[:-1], secret)
    unknown_kind = b"\x0a\x04\x9a\x06\x01x"
    with pytest.raises(Unreadable, match="does not know"):
        decode(unknown_kind, secret)
    nowhere = entry_pb2.Entry()
    nowhere.events.add().seat_left.seat = 9  # type: ignore[assignment]
    with pytest.raises(Unreadable):
        decode(nowhere.SerializeToString(), secret)
    rematch = entry_pb2.Entry()
    rematch.events.add().table_created.settings.rematch_of = "the one before"
    with pytest.raises(Unreadable, match="UUID"):
        decode(rematch.SerializeToString(), secret)


def test_a_hidden_part_that_is_missing_is_noticed() -> None:
    for kind in (ev.RoundDealt, ev.AnswerGiven, ev.PlayStarted):
        payload, _ = encode(entry_of(EVENTS[kind](Random(4))))
        with pytest.raises(Unreadable):
            decode(payload, b"")


def test_the_time_stands_beside_both_halves() -> None:
    """So the same facts are the same bytes whenever they come about."""
    entry = any_entry(Random(8))
    later = replace(entry, at=entry.at + 1, sequence=entry.sequence + 1, deadline=None)
    assert encode(entry) == encode(later)
