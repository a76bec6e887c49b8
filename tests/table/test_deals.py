"""Deals that are committed to before the seats add to them, and whose seeds are revealed when they are over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Any
from uuid import UUID

import pytest
from baloot.app.rules import local_rules
from baloot.client import follow
from baloot.codec.enums import SEAT
from baloot.core.auction import PASS, QuestionKind
from baloot.core.catalogue import CATALOGUE, NAMES
from baloot.core.deal import DealEnd, SealedSeed
from baloot.core.errors import Reason, Refusal
from baloot.core.ruleset import STANDARD, Cut
from baloot.core.seats import SEATS, Seat
from baloot.dealing.local import LocalDealing
from baloot.dealing.rules import verify_opening
from baloot.table import events as ev
from baloot.table import identity
from baloot.table.codec import encode_entry, encode_table
from baloot.table.dealing import AddSeed, next_deal
from baloot.table.deals import AHEAD, BLOCK
from baloot.table.events import (
    SECOND,
    BeaconGiven,
    DealsCommitted,
    Entry,
    SeedAdded,
    SeedsRevealed,
    Settings,
    Status,
)
from baloot.table.evolve import evolve
from baloot.table.openings import openings_of
from baloot.table.policy import AbsencePolicy, LeavePolicy
from baloot.table.revealing import with_seeds
from baloot.table.state import TableState
from baloot.table.views import see, see_entry
from baloot.table.views.deals import SeenDealsCommitted

from tests.table.deal_laws import check_decks, check_reveals
from tests.table.invariants import check_way
from tests.table.trial import KEY, Trial

BEACON = bytes(range(100, 132))
FILL = 900 * SECOND


def seed_of(seat: Seat, first: int = 1) -> bytes:
    return bytes([seat + 1, first]) * 16


class Adding(Trial):
    """A trial whose players add to the shuffles, as apps do."""

    async def sit(self, seat: Seat, seed: bytes) -> Entry:
        entry, self.tokens[seat] = await self.table.take_seat(
            self.table_id, self.id(), seat, f"player {seat}", None, seed
        )
        return entry

    async def fill(self) -> None:
        await self.open()
        for seat in SEATS:
            await self.sit(seat, seed_of(seat))

    async def one_more(self, state: TableState) -> None:
        block = state.deals.open
        if block is not None and state.round is not None and not all(block.seat_seeds):
            first = block.sealed.first_number
            seat = Seat(block.seat_seeds.index(b""))
            await self.act(seat, AddSeed(first, seed_of(seat, first % 256)))
            return
        await super().one_more(state)

    async def all_pass(self, deals: int) -> TableState:
        """Everybody passes until so many deals are thrown in."""
        state = await self.state()
        while state.round is None or state.round.dealt.number < deals or state.questions:
            waiting = [one for one in state.questions if not one.private and one.kind is not QuestionKind.CUT]
            if waiting:
                await self.act(waiting[0].seat, PASS)
            else:
                await self.one_more(state)
            state = await self.state()
        return state


def events_of(log: Sequence[Entry], kind: type[Any]) -> list[Any]:
    return [event for entry in log for event in entry.events if isinstance(event, kind)]


def check_views(log: Sequence[Entry]) -> None:
    """Whoever folds the entries holds what the server would tell, at every sequence number."""
    views = {
        viewer: follow.fresh(str(log[0].table_id), SEAT.encode_optional(viewer)) for viewer in (None, *SEATS)
    }
    state: TableState | None = None
    for entry in log:
        state = evolve(state, entry)
        for viewer, view in views.items():
            follow.apply(view, encode_entry(see_entry(entry, viewer)))
            assert view == encode_table(see(state, viewer))


@pytest.mark.parametrize("name", NAMES)
async def test_every_deck_of_a_match_follows_from_what_is_revealed(name: str) -> None:
    trial = Adding(seed=5, settings=Settings(round_pause=0, ruleset=CATALOGUE[name].ruleset))
    await trial.fill()
    await trial.play()
    log = await trial.entries()
    check_way(log)
    check_decks(log)
    check_views(log)
    assert events_of(log, SeedsRevealed)


@pytest.mark.parametrize("cut", [Cut.NONE, Cut.PRIVILEGES])
async def test_more_deals_than_one_block_holds(cut: Cut) -> None:
    trial = Adding(settings=Settings(round_pause=0, ruleset=STANDARD.with_options(name="mine", cut=cut)))
    await trial.fill()
    await trial.all_pass(2 * BLOCK + 3)
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    log = await trial.entries()
    check_reveals(log)
    check_decks(log)
    check_views(log)
    blocks = [event.block for event in events_of(log, DealsCommitted)]
    assert [(block.first_number, block.last_number) for block in blocks[:3]] == [
        (1, 64),
        (65, 128),
        (129, 192),
    ]
    added = events_of(log, SeedAdded)
    assert {(one.seat, one.first_number) for one in added} == {(s, f) for s in SEATS for f in (65, 129)}
    for block in blocks[1:]:
        entry = next(one for one in log for event in one.events if event == DealsCommitted(block))
        assert isinstance(entry.events[0], ev.RoundDealt)
        assert entry.events[0].dealt.number + AHEAD > block.first_number - 1


async def test_the_first_entry_commits_to_a_block() -> None:
    trial = Trial()
    await trial.open()
    (opened,) = await trial.entries()
    created, committed = opened.events
    assert isinstance(created, ev.TableCreated)
    assert isinstance(committed, DealsCommitted)
    assert (committed.block.first_number, committed.block.count) == (1, BLOCK)
    assert len(committed.block.sealed) == 60 * BLOCK
    assert see_entry(opened, None).events[1] == SeenDealsCommitted(1, committed.block.commitments)


async def test_a_table_of_committed_deals_keeps_little() -> None:
    trial = Adding()
    await trial.fill()
    state = await trial.all_pass(60)
    blocks = [block for block in (state.deals.current, state.deals.coming) if block is not None]
    assert len(blocks) == 2
    assert sum(len(block.sealed.commitments) + len(block.sealed.sealed) for block in blocks) < 12_000


# What seats add.

Case = tuple[str, Callable[[Adding], Any], AddSeed, Reason | None, dict[str, str]]


async def opened(trial: Adding) -> None:
    await trial.open()
    await trial.sit(Seat.SOUTH, b"")


async def seeded(trial: Adding) -> None:
    await trial.open()
    await trial.sit(Seat.SOUTH, seed_of(Seat.SOUTH))


async def filled(trial: Adding) -> None:
    await Trial.fill(trial)


async def dealt(trial: Adding) -> None:
    await filled(trial)
    await trial.table.step(trial.table_id)


async def next_block(trial: Adding) -> None:
    await filled(trial)
    await trial.all_pass(BLOCK - AHEAD + 1)
    assert (await trial.state()).deals.coming is not None


async def ended(trial: Adding) -> None:
    await dealt(trial)
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())


async def given(trial: Adding) -> None:
    await filled(trial)
    await trial.table.give_beacon(trial.table_id, trial.id(), BEACON)


ADDED: list[Case] = [
    ("while the table fills", opened, AddSeed(1, b"s" * 32), None, {}),
    ("given with the seat", seeded, AddSeed(1, b"s" * 32), Reason.SEED_REPEATED, {}),
    ("before the first deal", filled, AddSeed(1, b"s" * 32), None, {}),
    ("of another block", filled, AddSeed(65, b"s" * 32), Reason.SEED_WINDOW, {"first_number": "1"}),
    ("once it is dealt", dealt, AddSeed(1, b"s" * 32), Reason.SEED_WINDOW, {}),
    ("to deals not committed to", dealt, AddSeed(65, b"s" * 32), Reason.SEED_WINDOW, {}),
    ("to the last block", next_block, AddSeed(1, b"s" * 32), Reason.SEED_WINDOW, {"first_number": "65"}),
    ("when the table has ended", ended, AddSeed(65, b"s" * 32), Reason.TABLE_ENDED, {}),
]


@pytest.mark.parametrize(
    ("arrange", "action", "reason", "metadata"), [case[1:] for case in ADDED], ids=[case[0] for case in ADDED]
)
async def test_when_a_seat_can_add(
    arrange: Callable[[Adding], Any], action: AddSeed, reason: Reason | None, metadata: dict[str, str]
) -> None:
    trial = Adding()
    await arrange(trial)
    if reason is None:
        entry = await trial.act(Seat.SOUTH, action)
        assert entry.events == (SeedAdded(Seat.SOUTH, action.first_number, action.seed),)
        with pytest.raises(Refusal) as again:
            await trial.act(Seat.SOUTH, replace(action, seed=b"t" * 32))
        assert again.value.reason is Reason.SEED_REPEATED
        return
    with pytest.raises(Refusal) as refused:
        await trial.act(Seat.SOUTH, action)
    assert refused.value.reason is reason
    assert dict(refused.value.metadata) == metadata


async def test_nothing_is_added_once_the_beacon_is_known() -> None:
    trial = Adding(settings=Settings(round_pause=0, beacon="a drawing"))
    await given(trial)
    with pytest.raises(Refusal) as refused:
        await trial.act(Seat.SOUTH, AddSeed(1, b"s" * 32))
    assert refused.value.reason is Reason.SEED_WINDOW


async def test_adding_moves_no_clock_and_brings_nobody_back() -> None:
    trial = Adding(settings=Settings(round_pause=0, absence=AbsencePolicy(bot_after=1)))
    await filled(trial)
    await trial.all_pass(BLOCK - AHEAD + 1)
    await trial.table.step(trial.table_id)
    state = await trial.state()
    asked = state.questions[0].seat
    trial.clock.pass_(state.deadline - trial.clock.now)  # type: ignore[operator]
    await trial.table.step(trial.table_id)  # by default, and a bot sits down
    before = await trial.state()
    assert (before.bots, before.missed[asked], before.defaults_in_row) == ((asked,), 1, 1)
    trial.clock.pass_(SECOND // 10)
    added = await trial.act(asked, AddSeed(65, b"s" * 32))
    after = await trial.state()
    for name in ("questions", "deadline", "bots", "missed", "defaults_in_row", "banks", "returned"):
        assert getattr(after, name) == getattr(before, name), name
    assert added.time_used == ()
    waiting = after.questions[0].seat  # adds while its own clock runs
    trial.clock.pass_(SECOND // 10)
    await trial.act(waiting, AddSeed(65, b"s" * 32))
    later = await trial.state()
    assert (later.questions, later.deadline) == (before.questions, before.deadline)
    check_views(await trial.entries())


async def test_a_seed_goes_with_who_leaves_an_open_table() -> None:
    trial = Adding()
    await trial.open()
    for seat in SEATS[:3]:
        await trial.sit(seat, seed_of(seat))
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    assert (await trial.state()).deals.coming.seat_seeds[Seat.EAST] == b""  # type: ignore[union-attr]
    await trial.sit(Seat.EAST, b"")
    await trial.act(Seat.EAST, AddSeed(1, b"e" * 32))
    await trial.sit(Seat.WEST, seed_of(Seat.WEST))
    await trial.play(30)
    log = await trial.entries()
    check_views(log)
    await trial.play()
    check_decks(await trial.entries())


async def test_the_same_request_with_another_seed_is_another_request() -> None:
    trial = Adding()
    await trial.open()
    request = trial.id()
    first = await trial.table.take_seat(trial.table_id, request, Seat.SOUTH, "Noura", None, b"s" * 32)
    assert await trial.table.take_seat(trial.table_id, request, Seat.SOUTH, "Noura", None, b"s" * 32) == first
    for seed in (b"", b"t" * 32):
        with pytest.raises(Refusal) as refused:
            await trial.table.take_seat(trial.table_id, request, Seat.SOUTH, "Noura", None, seed)
        assert refused.value.reason is Reason.REQUEST_ID_REUSED
    again = await trial.table.take_seat(trial.table_id, trial.id(), None, "Huda")
    assert again[0].request_digest == identity.request_digest("take", None, "Huda")


# The beacon.


async def test_no_card_is_dealt_before_the_beacon() -> None:
    trial = Adding(settings=Settings(round_pause=0, beacon="a drawing", fill_timeout=FILL))
    await trial.fill()
    await trial.table.step(trial.table_id)
    state = await trial.state()
    assert (state.round, state.questions, state.deadline) == (None, (), trial.clock.now + FILL)
    request = trial.id()
    entry = await trial.table.give_beacon(trial.table_id, request, BEACON)
    assert (entry.events, entry.deadline) == ((BeaconGiven(BEACON),), trial.clock.now)
    assert await trial.table.give_beacon(trial.table_id, request, BEACON) == entry
    await trial.play()
    log = await trial.entries()
    check_way(log)
    check_decks(log)
    check_views(log)


@pytest.mark.parametrize(
    ("beacon", "arrange", "reason"),
    [
        ("", filled, Reason.BEACON_WINDOW),
        ("a drawing", opened, Reason.BEACON_WINDOW),
        ("a drawing", given, Reason.BEACON_WINDOW),
    ],
    ids=["none is taken", "seats are free", "it is there"],
)
async def test_when_a_beacon_is_refused(
    beacon: str, arrange: Callable[[Adding], Any], reason: Reason
) -> None:
    trial = Adding(settings=Settings(round_pause=0, beacon=beacon))
    await arrange(trial)
    with pytest.raises(Refusal) as refused:
        await trial.table.give_beacon(trial.table_id, trial.id(), BEACON)
    assert refused.value.reason is reason


@pytest.mark.parametrize("late", [False, True])
async def test_a_beacon_that_is_not_given_ends_the_table(late: bool) -> None:
    trial = Adding(settings=Settings(round_pause=0, beacon="a drawing", fill_timeout=FILL))
    await trial.fill()
    trial.clock.pass_(FILL + (5 * SECOND if late else 0))
    await trial.table.step(trial.table_id)
    state = await trial.state()
    if late:  # it could not be given while the table was away
        assert (state.status, state.deadline) == (Status.PLAYING, trial.clock.now + FILL)
        trial.clock.pass_(FILL)
        await trial.table.step(trial.table_id)
        state = await trial.state()
    assert (state.status, state.abandoned) == (Status.ABANDONED, ev.AbandonReason.NO_BEACON)
    assert not events_of(await trial.entries(), SeedsRevealed)
    check_views(await trial.entries())


# What is revealed.


@pytest.mark.parametrize("policy", [LeavePolicy.ABANDON, LeavePolicy.FORFEIT])
@pytest.mark.parametrize("entries", range(0, 60, 7))
async def test_the_end_of_a_table_reveals_what_has_begun(policy: LeavePolicy, entries: int) -> None:
    ruleset = CATALOGUE[NAMES[entries % len(NAMES)]].ruleset
    settings = Settings(round_pause=0, absence=AbsencePolicy(leaving=policy), ruleset=ruleset)
    trial = Adding(seed=entries, settings=settings)
    await trial.fill()
    await trial.play(entries)
    begun = (await trial.state()).deals.begun
    await trial.table.leave_seat(trial.table_id, trial.tokens[Seat.EAST], trial.id())
    log = await trial.entries()
    check_reveals(log)
    check_views(log)
    told = events_of(log, SeedsRevealed)
    assert (told[-1].last_number if told else 0) == begun


class Shaky(LocalDealing):
    """Cannot be reached to reveal while it is down."""

    def __init__(self) -> None:
        super().__init__(KEY)
        self.down = False

    async def reveal(self, match_id: UUID, number: int, seed: SealedSeed) -> bytes:
        if self.down:
            raise Refusal(Reason.UNAVAILABLE, "dealing cannot be reached")
        return await super().reveal(match_id, number, seed)


async def test_a_round_is_scored_once_when_dealing_was_away() -> None:
    dealing = Shaky()
    trial = Adding(rules=replace(local_rules(KEY), dealing=dealing))
    await trial.fill()
    refused = 0
    while not events_of(await trial.entries(), ev.RoundScored):
        before, state = await trial.entries(), await trial.state()
        kept, dealing.down = trial.random.getstate(), state.round is not None
        try:
            await trial.one_more(state)
        except Refusal:
            assert await trial.entries() == before
            refused, dealing.down = refused + 1, False
            trial.random.setstate(kept)  # the same action with the same request id
            await trial.one_more(state)
    assert refused >= 1
    check_reveals(await trial.entries())


# Openings.


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(4))
async def test_openings_prove_what_a_seat_was_dealt_and_nothing_else(name: str, seed: int) -> None:
    trial = Adding(seed=seed, settings=Settings(round_pause=0, ruleset=CATALOGUE[name].ruleset))
    await trial.fill()
    with pytest.raises(Refusal) as refused:
        await trial.table.openings(trial.table_id, trial.tokens[Seat.SOUTH])
    assert refused.value.reason is Reason.ROUND_UNKNOWN
    rng, state = Random(seed), await trial.state()
    while not state.status.ended:
        await trial.one_more(state)
        state = await trial.state()
        if state.round is not None and rng.random() < 0.1:
            for seat in SEATS:
                await check_openings(trial, state, seat)


async def check_openings(trial: Adding, state: TableState, seat: Seat) -> None:
    round_ = state.round
    assert round_ is not None
    told = await trial.table.openings(trial.table_id, trial.tokens[seat])
    number, root = round_.dealt.number, round_.dealt.deck_root
    cards = [opening.card for opening in told.openings]
    complete = round_.contract is not None and (round_.play is not None or len(round_.hands[0]) == 8)
    if complete:
        assert round_.contract is not None
        own = set(round_.deck.full_hands(round_.dealer, round_.contract.taker)[seat])
    else:
        own = set(round_.deck.first_hands(round_.dealer)[seat])
    assert told.number == number
    assert sorted(cards) == sorted(own | {round_.deck.up_card})
    assert [one.position for one in told.openings] == sorted(one.position for one in told.openings)
    for opening in told.openings:
        assert verify_opening(root, trial.table_id.bytes, number, 0, opening)


async def test_openings_are_for_who_sits_there() -> None:
    trial = Adding()
    await dealt(trial)
    for holder, reason in (
        ("nobody's", Reason.TOKEN_INVALID),
        (identity.Account("a-1"), Reason.NOT_YOUR_SEAT),
    ):
        with pytest.raises(Refusal) as refused:
            await trial.table.openings(trial.table_id, holder)
        assert refused.value.reason is reason


# Tables that are older than commitments.


async def test_a_table_without_commitments_commits_before_its_next_deal() -> None:
    old = local_rules(KEY)
    trial = Adding()
    await trial.fill()
    log = await trial.entries()
    state: TableState | None = None
    for entry in log:  # as it was written before
        bare = tuple(
            replace(event, seat_seed=b"") if isinstance(event, ev.SeatTaken) else event
            for event in entry.events
            if not isinstance(event, DealsCommitted)
        )
        state = evolve(state, replace(entry, events=bare))
    assert state is not None
    (seed,) = await old.dealing.commit_deals(state.table_id, 1, 1)
    old_deal = await old.dealing.deal(state.table_id, 1, seed)
    sequence = state.sequence
    for events in ((ev.RoundDealt(Seat.SOUTH, old_deal, seed),), (ev.DealVoid(DealEnd.THROWN_IN),)):
        sequence += 1
        state = evolve(state, Entry(state.table_id, sequence, 1, None, state.table_id, b"", events))
    told = await openings_of(old, state, Seat.EAST)
    assert all(verify_opening(old_deal.deck_root, state.table_id.bytes, 1, 0, one) for one in told.openings)
    committed = await with_seeds(old, state, await next_deal(old, state))
    (event,) = committed.events
    assert isinstance(event, DealsCommitted)
    assert (event.block.first_number, event.block.last_number) == (2, 65)
    state = evolve(state, Entry(state.table_id, sequence + 1, 1, None, state.table_id, b"", committed.events))
    second = await with_seeds(old, state, await next_deal(old, state))
    (begun,) = second.events
    assert isinstance(begun, ev.RoundDealt)
    assert begun.dealer is Seat.EAST
    state = evolve(state, Entry(state.table_id, sequence + 2, 1, None, state.table_id, b"", second.events))
    over = await with_seeds(
        old, state, type(second)((ev.TableAbandoned(ev.AbandonReason.LEFT),), ends=Status.ABANDONED)
    )
    revealed = over.events[-1]
    assert isinstance(revealed, SeedsRevealed)
    assert revealed.first_number == revealed.last_number == 2


async def test_two_processes_reveal_once() -> None:
    """Both take the same step; the log has it once."""
    trial = Adding()
    await trial.fill()
    other = Adding(store=trial.log, clock=trial.clock)
    await trial.all_pass(3)
    await asyncio.gather(trial.table.step(trial.table_id), other.table.step(trial.table_id))
    check_reveals(await trial.entries())
