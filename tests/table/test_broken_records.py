"""A record of the table's own that a rule service refuses is a fault of ours, and its text is nobody's business."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.app.rules import local_rules
from baloot.bidding.local import LocalBidding
from baloot.core.auction import PASS, AuctionStep
from baloot.core.deal import Dealt, Opening
from baloot.core.errors import Reason, Refusal, record_invalid
from baloot.core.seats import Seat
from baloot.dealing.local import LocalDealing
from baloot.kit.errors import from_rpc_error
from baloot.table.clocks import Clocks
from structlog.testing import capture_logs

from tests.table.served import acting, bearer, replica
from tests.table.trial import KEY, Trial


class Forgetful(LocalBidding):
    """A bidding service that no longer knows a call that it accepted."""

    async def make_call(self, *_: object) -> AuctionStep:
        raise record_invalid("call 1, sun by north, is not legal", "calls[1]")


class OtherKey(LocalDealing):
    """A dealing service whose key is another one since the deal."""

    async def open_cards(self, *_: object) -> Sequence[Opening]:
        raise Refusal(Reason.RECORD_INVALID, "made elsewhere", field="seed.sealed")


async def test_proofs_that_cannot_be_made_are_a_fault_of_ours() -> None:
    trial = Trial(seed=7, rules=replace(local_rules(KEY), dealing=OtherKey(KEY)))
    await trial.deal()
    async with replica(trial.table) as served:
        request = pb.GetOpeningsRequest(table_id=str(trial.table_id))
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await served.stub.GetOpenings(request, metadata=bearer(trial.tokens[Seat.EAST]))
    refusal = from_rpc_error(caught.value)
    assert (refusal.reason, refusal.field) == (Reason.INTERNAL, "")


class Closed(LocalDealing):
    """A dealing service that cannot open the seeds that it is given."""

    async def deal(self, *_: object) -> Dealt:
        raise Refusal(Reason.RECORD_INVALID, "made elsewhere, for the ace of spades", field="seed.sealed")


async def test_a_step_that_can_never_be_taken_is_logged_as_a_fault() -> None:
    trial = Trial(rules=replace(local_rules(KEY), dealing=Closed(KEY)))
    await trial.fill()
    with capture_logs() as logged:
        async with Clocks(trial.table, sweep_every=0.005):
            async with asyncio.timeout(10):
                while not any(entry["log_level"] == "error" for entry in logged):
                    await asyncio.sleep(0.005)
    (told, *_) = (entry for entry in logged if entry["log_level"] == "error")
    assert told["event"] == "a due step failed: the table's own record is refused"
    assert (told["table"], told["reason"]) == (str(trial.table_id), "RECORD_INVALID")
    assert "spades" not in str(logged)


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
