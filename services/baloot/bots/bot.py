"""A bot at a table: an ordinary client that plays one seat until the table ends."""

from __future__ import annotations

import asyncio
from contextlib import aclosing

import structlog
from baloot.api.core.v1.play_pb2 import ClaimQaid
from baloot.api.table.v1.table_pb2 import TableView
from baloot.bots.choosing import Action, choose, claim_in, default_of
from baloot.client.retrying import UNKNOWN_OUTCOME
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal

OVERTAKEN = frozenset({Reason.SEQUENCE_STALE, Reason.NOT_YOUR_TURN, Reason.TABLE_ENDED})
"""Refusals that mean that the question is gone: somebody, or the clock, was faster."""
CLAIMED = OVERTAKEN | {Reason.WRONG_PHASE, Reason.QAID_WINDOW}
"""Refusals that mean that the round to claim something in is over: the partner was faster."""

log = structlog.get_logger()


async def play_seat(seat: TableClient, *, think: float = 0.0) -> TableView:
    """Answers every question to the seat, and claims what it can prove, until the table ends. Returns its last view.

    `think` is how long the bot waits before each answer, in seconds. Raises Refusal when the table cannot be watched.
    """
    last, answered = TableView(), 0
    async with aclosing(seat.watch()) as updates:
        async for update in updates:
            last = update.view
            if last.HasField("question") and last.question.asked_at > answered:
                answered = last.question.asked_at
                await asyncio.sleep(think)
                await _answer(seat, last)
            elif (claim := claim_in(last)) is not None:
                await asyncio.sleep(think)
                await _done(seat, claim, last)
    return last


async def _answer(seat: TableClient, view: TableView) -> None:
    """Does what the bot chose; if that is refused, what the table would do by itself, so that nobody waits for a bot."""
    if not await _done(seat, choose(view), view):
        await _done(seat, default_of(view.question), view)


async def _done(seat: TableClient, action: Action, view: TableView) -> bool:
    """Whether the question is settled: answered, or nothing that another answer would change."""
    try:
        await seat.submit(action, expected_sequence=view.sequence)
    except Refusal as refusal:
        if refusal.reason in (CLAIMED if isinstance(action, ClaimQaid) else OVERTAKEN):
            return True
        log.warning("bot refused", table=view.table_id, seat=view.viewer, reason=refusal.reason.value)
        return refusal.reason in UNKNOWN_OUTCOME
    return True
