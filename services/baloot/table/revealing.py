"""Revealing the seeds of deals that are over, in the entry with which they are."""

from __future__ import annotations

from dataclasses import replace

from baloot.core.errors import Reason, Refusal
from baloot.table import events as ev
from baloot.table.decision import Decision
from baloot.table.events import Event, SeedsRevealed
from baloot.table.rules import Rules
from baloot.table.state import TableState

_OVER = frozenset((ev.RoundScored, ev.MatchEnded, ev.MatchForfeited, ev.TableAbandoned))
"""With these every deal that has begun is over."""
_SETTLED = _OVER | {ev.RoundDealt, ev.RoundOpened}


class SeedLost(Exception):
    """The dealing service cannot open a seed that it has sealed: it has another key, or the log was changed."""


async def with_seeds(rules: Rules, state: TableState | None, decision: Decision) -> Decision:
    """A decision with the seeds of all deals that it brings to their end, as its last event.

    Raises Refusal when the dealing service cannot be asked, and SeedLost.
    """
    if state is None or _SETTLED.isdisjoint(map(type, decision.events)):
        return decision
    numbers = range(state.deals.told + 1, _last_over(state, decision.events) + 1)
    if not numbers:
        return decision
    try:
        seeds = tuple([await _seed(rules, state, number) for number in numbers])
    except Refusal as refusal:
        if refusal.reason is Reason.RECORD_INVALID:
            raise SeedLost(f"of a deal from {numbers[0]} to {numbers[-1]}") from refusal
        raise
    return replace(decision, events=(*decision.events, SeedsRevealed(numbers[0], seeds)))


def _last_over(state: TableState, events: tuple[Event, ...]) -> int:
    """The number of the last deal that is over: the last one that has begun, or the one before it that begins now."""
    begun = state.deals.begun
    if not _OVER.isdisjoint(map(type, events)):
        return begun
    for event in events:
        if isinstance(event, ev.RoundDealt):
            return min(begun, event.dealt.number - 1)
        if isinstance(event, ev.RoundOpened):
            return min(begun, event.number - 1)
    return 0


async def _seed(rules: Rules, state: TableState, number: int) -> bytes:
    inputs = state.deals.inputs(number)
    assert inputs is not None
    return await rules.dealing.reveal(state.table_id, number, inputs.sealed_seed)
