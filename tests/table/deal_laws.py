"""What must hold of the deals of a log: commitments, what seats add, and the seeds that are revealed. Every check asserts."""

from __future__ import annotations

import hmac
from collections.abc import Sequence

from baloot.core.deal import NO_SEAT_SEEDS, Dealt
from baloot.core.seats import SEATS, Seat
from baloot.dealing import rules
from baloot.table import events as ev
from baloot.table.events import BeaconGiven, DealsCommitted, Entry, Event, SeedAdded, SeedsRevealed

OVER = (ev.RoundScored, ev.MatchEnded, ev.MatchForfeited, ev.TableAbandoned)


def check_reveals(log: Sequence[Entry]) -> None:
    """Every deal is committed to before it begins, and its seed revealed once, in turn, when it is over and not later."""
    committed, begun, told = 0, 0, 0
    for entry in log:
        over = 0
        for event in entry.events:
            if isinstance(event, DealsCommitted):
                assert event.block.first_number == committed + 1
                committed = event.block.last_number
            if (number := number_of(event)) and number != begun:
                assert number == begun + 1
                assert number <= committed
                over, begun = begun, number
            over = begun if isinstance(event, OVER) else over
        told = check_reveal(entry, told, over)


def number_of(event: Event) -> int:
    """The number of the deal that an event begins, or goes on with."""
    if isinstance(event, ev.RoundDealt):
        return event.dealt.number
    return event.number if isinstance(event, ev.RoundOpened) else 0


def check_reveal(entry: Entry, told: int, over: int) -> int:
    """The last event tells the seeds of all deals that are over, and of no other; returns how far that is."""
    revealed = [event for event in entry.events if isinstance(event, SeedsRevealed)]
    if over <= told:
        assert not revealed
        return told
    assert entry.events[-1:] == tuple(revealed)
    assert revealed[0].first_number == told + 1
    assert revealed[0].last_number == over
    return over


def check_decks(log: Sequence[Entry]) -> None:
    """Each deck, and the first dealer, follow from what the log tells in the end."""
    seeds = {
        event.first_number + n: seed
        for entry in log
        for event in entry.events
        if isinstance(event, SeedsRevealed)
        for n, seed in enumerate(event.seeds)
    }
    added: dict[int, dict[Seat, bytes]] = {}
    first, latest, beacon, commitments = 0, 0, b"", dict[int, bytes]()
    firsts: dict[int, int] = {}
    for event in (event for entry in log for event in entry.events):
        match event:
            case DealsCommitted(block):
                latest = block.first_number
                added[latest] = {}
                for number in range(latest, block.last_number + 1):
                    firsts[number] = latest
                    commitments[number] = block.seed(number).commitment
            case ev.SeatTaken(seat, _, _, _, seed):
                added[latest][seat] = seed
            case SeedAdded(seat, first, seed):
                assert first == latest
                assert not added[first].get(seat)
                added[first][seat] = seed
            case BeaconGiven(value):
                beacon = value
    table_id = log[0].table_id.bytes
    dealer = None
    for event in (event for entry in log for event in entry.events):
        if isinstance(event, ev.RoundOpened | ev.RoundDealt) and dealer is None:
            dealer = event.dealer
            seats = seat_seeds(added[1])
            key = rules.hand_key(seeds[1], table_id, 1, 0, seats, beacon)
            lot = hmac.digest(key, b"baloot/dealer/v1\0" + table_id, "sha256")[0]
            assert dealer is SEATS[lot % 4]
        if isinstance(event, ev.RoundDealt):
            number = event.dealt.number
            seats = seat_seeds(added[firsts[number]])
            dealt: Dealt = rules.deal(table_id, number, seeds[number], seats, beacon)
            assert dealt == event.dealt
            assert dealt.commitment == commitments[number]
    for number, seed in seeds.items():
        assert rules.commitment(table_id, number, 0, seed) == commitments[number]


def seat_seeds(added: dict[Seat, bytes]) -> tuple[bytes, ...]:
    """What the seats add to a deal, zeros for those that told nothing."""
    return tuple(added.get(seat) or NO_SEAT_SEEDS[seat] for seat in SEATS)


def facts(entry: Entry) -> tuple[Event, ...]:
    """What happened in an entry besides seeds that are revealed."""
    return tuple(event for event in entry.events if not isinstance(event, SeedsRevealed))
