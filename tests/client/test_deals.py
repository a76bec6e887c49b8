"""What a seat's client checks of deals when their seeds are revealed: all that fits passes, and each tampering is named."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from baloot.api.table.v1.events_pb2 import TableEntry
from baloot.client import follow
from baloot.client.deals import DealChecker, Fault, Misfit, proves
from baloot.codec.deal import encode_opening
from baloot.core.catalogue import CATALOGUE, NAMES
from baloot.core.seats import SEATS, Seat
from baloot.table.codec import encode_entry
from baloot.table.events import Settings
from baloot.table.views import see_entry

from tests.table.test_deals import Adding, seed_of

Tamper = Callable[[Any], None]


async def match(name: str) -> Adding:
    trial = Adding(seed=3, settings=Settings(round_pause=0, ruleset=CATALOGUE[name].ruleset))
    await trial.fill()
    await trial.play()
    return trial


async def found(trial: Adding, seat: Seat, tamper: Tamper = lambda _: None, own: bytes = b"") -> list[Fault]:
    """The faults that a seat finds which follows the table from its first entry on."""
    view = follow.fresh(str(trial.table_id), seat + 1)  # type: ignore[arg-type]
    checker = DealChecker(view.table_id, {1: own or seed_of(seat)})
    checker.follow(view, None)
    faults: list[Fault] = []
    for entry in await trial.entries():
        told = TableEntry.FromString(encode_entry(see_entry(entry, seat)).SerializeToString())
        for event in told.events:
            tamper(event)
        follow.apply(view, told)
        faults += checker.follow(view, told)
    return faults


@pytest.mark.parametrize("name", NAMES)
async def test_honest_deals_have_no_fault(name: str) -> None:
    trial = await match(name)
    for seat in SEATS:
        assert not await found(trial, seat)


def another_seed(event: Any) -> None:
    if event.HasField("seeds_revealed"):
        event.seeds_revealed.seeds[0] = bytes(32)


def another_commitment(event: Any) -> None:
    if event.HasField("deals_committed"):
        event.deals_committed.commitments[:] = [bytes(32)] * 64


def another_root(event: Any) -> None:
    if event.HasField("dealt"):
        event.dealt.deck_root = bytes(32)


def another_card(event: Any) -> None:
    if event.HasField("dealt"):
        event.dealt.up_card = event.dealt.up_card % 32 + 1


def another_hand(event: Any) -> None:
    if event.HasField("dealt"):
        event.dealt.hand[0] = event.dealt.up_card


def another_seat_seed(event: Any) -> None:
    if event.HasField("seat_taken") and event.seat_taken.seat != 1:
        event.seat_taken.seed = bytes(32)


@pytest.mark.parametrize(
    ("tamper", "misfit"),
    [
        (another_seed, Misfit.COMMITMENT),
        (another_commitment, Misfit.COMMITMENT),
        (another_root, Misfit.DECK),
        (another_seat_seed, Misfit.DECK),
        (another_card, Misfit.CARDS),
        (another_hand, Misfit.CARDS),
    ],
)
async def test_each_tampering_is_found_in_each_deal(tamper: Tamper, misfit: Misfit) -> None:
    trial = await match("standard")
    faults = await found(trial, Seat.SOUTH, tamper)
    deals = (await trial.state()).deals.told
    assert faults == [Fault(number, misfit) for number in range(1, deals + 1)]


async def test_a_seat_notices_that_its_own_seed_was_not_used() -> None:
    trial = await match("standard")
    faults = await found(trial, Seat.SOUTH, own=b"x" * 32)
    assert {fault.misfit for fault in faults} == {Misfit.OWN_SEED}


async def test_openings_prove_their_cards_and_no_others() -> None:
    trial = await match("standard")
    told = await trial.table.openings(trial.table_id, trial.tokens[Seat.EAST])
    round_ = (await trial.state()).round
    assert round_ is not None
    root, table_id = round_.dealt.deck_root, str(trial.table_id)
    for opening in map(encode_opening, told.openings):
        assert proves(opening, table_id, told.number, root)
        assert not proves(opening, table_id, told.number + 1, root)
        opening.card = opening.card % 32 + 1  # type: ignore[assignment]
        assert not proves(opening, table_id, told.number, root)
