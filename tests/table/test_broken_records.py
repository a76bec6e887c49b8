"""A record of the table's own that a rule service refuses is a fault of ours, and its text is nobody's business."""

from __future__ import annotations

from dataclasses import replace

import grpc
import pytest
from baloot.app.rules import local_rules
from baloot.bidding.local import LocalBidding
from baloot.core.auction import PASS, AuctionStep
from baloot.core.errors import Reason, record_invalid
from baloot.kit.errors import from_rpc_error
from structlog.testing import capture_logs

from tests.table.served import acting, bearer, replica
from tests.table.trial import KEY, Trial


class Forgetful(LocalBidding):
    """A bidding service that no longer knows a call that it accepted."""

    async def make_call(self, *_: object) -> AuctionStep:
        raise record_invalid("call 1, sun by north, is not legal", "calls[1]")


async def test_why_a_tables_own_record_is_refused_reaches_neither_clients_nor_logs() -> None:
    trial = Trial(seed=7, rules=replace(local_rules(KEY), bidding=Forgetful()))
    state = await trial.deal()
    seat = next(open_.seat for open_ in state.questions if not open_.private)
    async with replica(trial.table) as served:
        with capture_logs() as logged, pytest.raises(grpc.aio.AioRpcError) as caught:
            await served.stub.SubmitAction(acting(trial, PASS), metadata=bearer(trial.tokens[seat]))
    refusal = from_rpc_error(caught.value)
    assert refusal.reason is Reason.INTERNAL
    assert "sun" not in f"{refusal.message} {refusal.field} {refusal.metadata} {logged}"
    assert "BrokenRecord" in {entry.get("error") for entry in logged}
    assert await trial.state() == state
