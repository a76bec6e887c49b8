"""Calls to other services."""

from __future__ import annotations

import pytest
from baloot.core.errors import Reason, Refusal
from baloot.kit import deadlines
from baloot.kit.calling import call
from baloot.kit.channels import open_channel

from tests.kit.conftest import Running
from tests.kit.echo import EchoStub, text


async def test_an_answer_is_awaited(running: Running) -> None:
    assert (await call(running.stub.ask, text("a"))).value == "a"


async def test_a_refusal_is_raised_as_it_was_there(running: Running) -> None:
    with pytest.raises(Refusal) as caught:
        await call(running.stub.ask, text("refuse"))
    assert (caught.value.reason, caught.value.field) == (Reason.MUST_FOLLOW, "card")


async def test_a_service_that_is_away_is_unavailable() -> None:
    async with open_channel("127.0.0.1:1") as channel:
        with pytest.raises(Refusal) as caught:
            await call(EchoStub(channel).ask, text("a"), timeout=2)
    assert caught.value.reason is Reason.UNAVAILABLE
    assert "127.0.0.1" not in caught.value.message


@pytest.mark.parametrize(
    ("left", "own", "sent"),
    [(None, 2.0, 2.0), (10.0, 2.0, 2.0), (1.0, 2.0, 0.95)],
    ids=["nobody waits", "own is smaller", "what is left is smaller"],
)
async def test_a_call_gets_the_smaller_of_its_timeout_and_what_is_left(
    running: Running, left: float | None, own: float, sent: float
) -> None:
    deadlines.set_remaining(left)
    seen = float((await call(running.stub.ask, text("left"), timeout=own)).value)
    assert seen == pytest.approx(sent, abs=0.2)  # gRPC rounds it on its way


async def test_without_time_left_nobody_is_asked(running: Running) -> None:
    deadlines.set_remaining(0.04)
    with pytest.raises(Refusal) as caught:
        await call(running.stub.ask, text("a"))
    assert caught.value.reason is Reason.DEADLINE_EXCEEDED
