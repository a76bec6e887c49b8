"""What is wrong is refused: with its own status code, reason and field, and without changing anything."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from baloot.api.table.v1 import table_pb2 as pb
from baloot.core.access import Role
from baloot.core.errors import Reason
from baloot.core.seats import Seat
from baloot.kit.access import AccessSettings
from baloot.kit.errors import STATUS_CODES, from_rpc_error
from baloot.table.events import Entry
from baloot.table.memory import MemoryStore
from baloot.table.server import NAME

from tests.table.bad_requests import (
    ABOUT_A_TABLE,
    CASES,
    GOOD,
    SEATED,
    Case,
    Scene,
    first,
    get,
    nobody,
    scene,
    south,
)
from tests.table.served import Replica, acting, bearer, replica
from tests.table.trial import Trial

PROTO = Path(__file__).parents[2] / "protos/baloot/api/table/v1/table.proto"
ALWAYS = {Reason.MALFORMED, Reason.FIELD_REQUIRED, Reason.FIELD_INVALID}
BY_CHANCE = {
    Reason.ALREADY_LEFT,
    Reason.SEED_REPEATED,
    Reason.STREAM_SUPERSEDED,
    Reason.CONTENDED,
    Reason.READER_SLOW,
    Reason.TOO_MANY_STREAMS,
    Reason.TOO_MANY_TABLES,
}
"""Reasons that no request brings about by itself, but only together with others."""
OF_ACCOUNTS = {Reason.ALREADY_SEATED, Reason.NOT_YOUR_SEAT}
"""Reasons that guests never get; `test_accounts` brings them about."""


ALL = AccessSettings(guests=frozenset(Role))
"""Guests may be anything, so that it is the request that is refused."""


@pytest.fixture
async def served() -> AsyncIterator[Replica]:
    async with replica(Trial().table, access=ALL) as made:
        yield made


async def failure(served: Replica, rpc: str, request: Any, metadata: Any = ()) -> grpc.aio.AioRpcError:
    """The error that a call of any kind ends with."""
    call = getattr(served.stub, rpc)(request, metadata=metadata, timeout=5)
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (call.read() if rpc == "WatchTable" else call)
    return caught.value


@pytest.mark.parametrize("case", CASES, ids=str)
async def test_a_bad_request_is_refused_and_changes_nothing(case: Case) -> None:
    made = await scene(case.stage)
    async with replica(made.trial.table, access=ALL) as served:
        before = logs(made)
        error = await failure(served, case.rpc, case.ask(made), await who(made, case))
        refusal = from_rpc_error(error)
        assert (refusal.reason, refusal.field) == (case.reason, case.path), refusal.message
        assert error.code() is STATUS_CODES[case.reason]
        assert logs(made) == before
        assert set(made.trial.table.tables) <= set(before)
        await goes_on(made, served, case.stage)


async def who(made: Scene, case: Case) -> Any:
    if case.on_turn is None:
        return case.who(made)
    asked = await made.asked()
    return bearer(made.trial.tokens[asked if case.on_turn else asked.partner])


def logs(made: Scene) -> dict[Any, list[Entry]]:
    """Everything that is stored."""
    store = made.trial.log
    assert isinstance(store, MemoryStore)
    return {table_id: list(log) for table_id, log in store._entries.items()}


async def goes_on(made: Scene, served: Replica, stage: str) -> None:
    """What may be done next is done."""
    trial = made.trial
    before = await trial.state()
    if stage == "open":
        request = pb.TakeSeatRequest(
            table_id=str(trial.table_id), request_id=str(trial.id()), player_name="Huda"
        )
        await served.stub.TakeSeat(request)
    elif stage == "between":
        trial.clock.pass_(trial.settings.round_pause)
        await trial.table.step(trial.table_id)
    elif stage != "ended":
        seat = await made.asked()
        question = before.question_to(seat)
        assert question is not None
        request_ = acting(trial, question.question.default)
        await served.stub.SubmitAction(request_, metadata=bearer(trial.tokens[seat]))
    assert (await trial.state()).sequence == before.sequence + (stage != "ended")


BAD_BYTES = {
    "no message": b"\xff\xff\xff",
    "cut off": b"\x0a\x24abc",
    "not UTF-8": b"\x0a\x02\xc3\x28",
    "wrong wire type": b"\x0d\x01",
}


@pytest.mark.parametrize("raw", BAD_BYTES.values(), ids=BAD_BYTES)
@pytest.mark.parametrize("rpc", [rpc for rpc in GOOD if rpc != "ListMySeats"])
async def test_bytes_that_are_no_request_are_malformed(served: Replica, rpc: str, raw: bytes) -> None:
    error = await raw_failure(served, rpc, raw)
    assert from_rpc_error(error).reason is Reason.MALFORMED
    assert error.code() is grpc.StatusCode.INVALID_ARGUMENT


@pytest.mark.parametrize("rpc", GOOD)
async def test_a_request_of_more_than_64_kib_is_not_read(served: Replica, rpc: str) -> None:
    error = await raw_failure(served, rpc, b"\x0a\x80\x80\x04" + b"a" * 65536)
    assert error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert from_rpc_error(error).reason is Reason.LIMIT_EXCEEDED


async def test_an_rpc_that_is_not_known_is_unimplemented(served: Replica) -> None:
    error = await raw_failure(served, "KickPlayer", b"")
    assert error.code() is grpc.StatusCode.UNIMPLEMENTED


async def raw_failure(served: Replica, rpc: str, raw: bytes) -> grpc.aio.AioRpcError:
    """The error that bytes get, whatever they are."""
    method: Any = served.channel.unary_unary(f"/{NAME}/{rpc}")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await method(raw, timeout=5)
    return caught.value


@pytest.mark.parametrize(
    "rpc", [rpc for rpc in GOOD if rpc != "GiveBeacon"]
)  # it is good at no table of these
async def test_a_field_of_a_newer_version_is_passed_over(rpc: str) -> None:
    made = await scene("auction" if rpc in ("SubmitAction", "GetOpenings") else "open")
    async with replica(made.trial.table, access=ALL) as served:
        request: Any = GOOD[rpc](made)
        newer = type(request).FromString(request.SerializeToString() + b"\xf8\x3f\x01")
        metadata = bearer(made.trial.tokens[await made.asked()]) if rpc == "SubmitAction" else south(made)
        call = getattr(served.stub, rpc)(newer, metadata=metadata, timeout=5)
        assert await (call.read() if rpc == "WatchTable" else call)


async def test_an_id_in_large_letters_is_the_same_id() -> None:
    made = await scene("open")
    async with replica(made.trial.table, access=ALL) as served:
        request = pb.GetTableRequest(table_id=str(made.trial.table_id).upper())
        answer = await served.stub.GetTable(request)
        assert answer.view.table_id == str(made.trial.table_id)


@pytest.mark.parametrize("scheme", ["Bearer ", "bearer ", "BEARER  "])
async def test_the_scheme_may_be_written_as_one_likes(scheme: str) -> None:
    made = await scene("open")
    async with replica(made.trial.table, access=ALL) as served:
        metadata = (("authorization", scheme + made.trial.tokens[Seat.EAST]),)
        answer = await served.stub.GetTable(get(made), metadata=metadata)
        assert answer.view.viewer == Seat.EAST + 1


# What the contract says.


def documented() -> dict[str, set[Reason]]:
    """The reasons that the contract lists for each rpc."""
    text = PROTO.read_text().replace("\n  // ", " ").replace("\n  //", "\n")
    found = re.findall(r"Errors: (.*?) Idempotent[^\n]*\n +rpc (\w+)\(", text, re.DOTALL)
    return {
        rpc: {Reason(word) for word in re.findall(r"[A-Z]+(?:_[A-Z]+)+|CONTENDED", said)}
        for said, rpc in found
    }


def test_the_contract_lists_the_reasons_of_every_rpc() -> None:
    assert documented().keys() == GOOD.keys()


@pytest.mark.parametrize("rpc", GOOD)
def test_every_refusal_is_one_that_the_contract_lists(rpc: str) -> None:
    given = {case.reason for case in CASES if case.rpc == rpc}
    assert given <= documented()[rpc] | ALWAYS
    elsewhere = {"SubmitAction": of_the_rules(), "TakeSeat": {Reason.TOKEN_REQUIRED}}.get(rpc, set())
    assert documented()[rpc] - given <= BY_CHANCE | OF_ACCOUNTS | elsewhere


def of_the_rules() -> set[Reason]:
    """The reasons of the bidding and the play, which their own tests bring about."""
    ordered = list(Reason)
    return set(ordered[ordered.index(Reason.CALL_NOT_OFFERED) : ordered.index(Reason.LIMIT_EXCEEDED)])


def test_an_action_may_be_refused_for_every_reason_of_the_rules() -> None:
    assert documented()["SubmitAction"] >= of_the_rules()


def test_there_is_a_case_for_each_rpc_and_each_kind_of_stranger() -> None:
    assert {case.rpc for case in CASES} == set(GOOD)
    assert {case.rpc for case in CASES if case.reason is Reason.TOKEN_INVALID} == {
        *SEATED,
        "ListMySeats",
        "GetTable",
        "WatchTable",
    }
    assert {case.rpc for case in CASES if case.reason is Reason.TABLE_UNKNOWN} == {
        "CreateTable",
        *ABOUT_A_TABLE,
    }
    assert all(case.who in (nobody, south, first) or case.reason is Reason.TOKEN_INVALID for case in CASES)
