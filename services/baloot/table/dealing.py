"""Deciding what concerns deals: commitments, what seats add, the beacon, the cut, and the deal itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from uuid import UUID

from baloot.core.auction import Asked, Call, CallKind, CutChoice, QuestionKind, spelled_calls
from baloot.core.deal import SealedBlock
from baloot.core.errors import Reason, Refusal, forbidden
from baloot.core.ruleset import Cut
from baloot.core.seats import Position, Seat
from baloot.table import events as ev
from baloot.table.deals import AHEAD, BLOCK, DealInputs
from baloot.table.decision import Decision, same_again
from baloot.table.events import SECOND, BeaconGiven, DealsCommitted, Micros, SeedAdded, Status
from baloot.table.evolve import auction_record
from baloot.table.rules import Rules
from baloot.table.state import Pending, TableState

SOONEST_BEACON: Micros = 10 * SECOND
LATEST_BEACON: Micros = 86_400 * SECOND
"""How long after its table is opened a beacon may be public, at least and at most."""


@dataclass(frozen=True, slots=True)
class AddSeed:
    """Tells what a seat adds to the deals that are committed to from `first_number` on. It answers nothing."""

    first_number: int
    seed: bytes


async def commit(rules: Rules, table_id: UUID, first_number: int) -> DealsCommitted:
    """Commits to the next block of deals."""
    seeds = await rules.dealing.commit_deals(table_id, first_number, BLOCK)
    return DealsCommitted(SealedBlock.of(first_number, seeds))


def add_seed(state: TableState, seat: Seat, action: AddSeed, now: Micros) -> Decision:
    """What a seat adds to deals to come. It moves no clock, and says nothing about whether its player is there."""
    if state.status.ended:
        raise Refusal(Reason.TABLE_ENDED, "the table has ended")
    block = None if beacon_is_out(state, now) else state.deals.open
    if block is None or block.sealed.first_number != action.first_number:
        first = {} if block is None else {"first_number": str(block.sealed.first_number)}
        sentence = f"nothing can be added to the deals from number {action.first_number} on"
        raise Refusal(Reason.SEED_WINDOW, sentence, metadata=first)
    if block.seat_seeds[seat]:
        raise Refusal(Reason.SEED_REPEATED, "you have told what you add to these deals, and that stands")
    added = SeedAdded(seat, action.first_number, action.seed)
    return replace(same_again(state, added), stands=True, at=now)


def waits_for_beacon(state: TableState) -> bool:
    """Whether no deal may begin yet, since the beacon of the table is not known."""
    return bool(state.settings.beacon) and not state.deals.beacon


def wait_for_beacon(state: TableState, now: Micros) -> Micros:
    """How long the first deal waits for the beacon at most; 0 where it waits for none."""
    if not waits_for_beacon(state):
        return 0
    return state.settings.fill_timeout + max(0, (state.settings.beacon_time or 0) - now)


def beacon_is_out(state: TableState, now: Micros) -> bool:
    """Whether the beacon may be public, and the first deals have not begun: what is added now could be chosen by it."""
    moment = state.settings.beacon_time
    return moment is not None and now >= moment and state.deals.current is None


def require_ahead(moment: Micros | None, now: Micros) -> None:
    """Raises Refusal unless the moment of a beacon leaves a new table time to take what seats add."""
    if moment is None or SOONEST_BEACON <= moment - now <= LATEST_BEACON:
        return
    soonest, latest = SOONEST_BEACON // SECOND, LATEST_BEACON // SECOND
    sentence = f"beacon_time must be {soonest} to {latest} seconds after the table is opened"
    raise Refusal(Reason.FIELD_INVALID, sentence, field="beacon_time")


def give_beacon(state: TableState, value: bytes, now: Micros) -> Decision:
    """The beacon, after which the first deal follows. What the seats add stands before it, or it would protect nobody."""
    if state.status.ended:
        raise Refusal(Reason.TABLE_ENDED, "the table has ended")
    if not waits_for_beacon(state):
        raise Refusal(Reason.BEACON_WINDOW, "the table takes no beacon, or has it already")
    if state.status is Status.OPEN or state.deals.latest is None:
        raise Refusal(Reason.BEACON_WINDOW, "the beacon is given once all seats are taken")
    if state.settings.beacon_time is not None and now < state.settings.beacon_time:
        raise Refusal(Reason.BEACON_WINDOW, "the beacon is not given before its time has come")
    return Decision((BeaconGiven(value),), wait=0)


async def next_deal(rules: Rules, state: TableState) -> Decision:
    """Deals the next round, or lets its deck be cut first; commits first where that is still to be done."""
    last, ruleset = state.round, state.settings.ruleset
    number = last.dealt.number + 1 if last else 1
    inputs = state.deals.inputs(number)
    if inputs is None:
        committed = await commit(rules, state.table_id, number)
        return Decision((committed,), wait=state.settings.round_pause)
    previous = (last.dealer, last.end) if last and last.end else None
    lost = state.settings.lost_before
    dealer = await rules.dealing.choose_dealer(state.table_id, ruleset, previous, lost, *inputs)
    if ruleset.cut is Cut.PRIVILEGES:
        return Decision((ev.RoundOpened(number, dealer, inputs.sealed_seed),), (_cutting(dealer),))
    return await _deal(rules, state, number, dealer, inputs, None)


async def _deal(
    rules: Rules, state: TableState, number: int, dealer: Seat, inputs: DealInputs, cut: CutChoice | None
) -> Decision:
    dealt = await rules.dealing.deal(state.table_id, number, *inputs)
    event = ev.RoundDealt(dealer, dealt, inputs.sealed_seed, cut)
    step = await rules.bidding.get_auction(auction_record(state, event))
    committed = state.deals.committed
    if not committed or number + AHEAD <= committed:
        return Decision((event,), step.asked)
    return Decision((event, await commit(rules, state.table_id, committed + 1)), step.asked)


_CUTS = tuple(Call(CallKind.CUT, cut=choice) for choice in CutChoice)
_SPELLED_CUTS = spelled_calls(_CUTS)


def _cutting(dealer: Seat) -> Asked:
    """The question to the dealer's left, S3, what to do with the deck (2.3)."""
    return Asked(Position.S3.seat(dealer), QuestionKind.CUT, _CUTS, _CUTS[0])


async def cut(rules: Rules, state: TableState, pending: Pending, seat: Seat, action: object) -> Decision:
    """Deals a round once its deck is cut. Raises Refusal for anything else that a seat does while that is open."""
    if not isinstance(action, Call):
        raise forbidden(Reason.WRONG_PHASE, "the deck is being cut, and no card is dealt yet", rule="2.3")
    if state.question_to(seat) is None:
        raise forbidden(Reason.NOT_YOUR_TURN, f"{_cutting(pending.dealer).seat} cuts the deck", rule="2.3")
    if action.kind is not CallKind.CUT:
        raise forbidden(Reason.WRONG_PHASE, "the deck is to be cut first", rule="2.3", legal=_SPELLED_CUTS)
    if action not in _CUTS:
        raise forbidden(Reason.CUT_REQUIRED, "say what is done with the deck", legal=_SPELLED_CUTS)
    number = pending.number + (action.cut is CutChoice.RESHUFFLE)
    inputs = await _inputs(rules, state, pending, number)
    return await _deal(rules, state, number, pending.dealer, inputs, action.cut)


async def _inputs(rules: Rules, state: TableState, pending: Pending, number: int) -> DealInputs:
    """What a deck follows from that is cut, or shuffled once more; a round that is older than commitments has its own."""
    inputs = state.deals.inputs(number)
    if inputs is not None:
        return inputs
    if number == pending.number:
        return DealInputs(pending.sealed_seed)
    (seed,) = await rules.dealing.commit_deals(state.table_id, number, 1)
    return DealInputs(seed)
