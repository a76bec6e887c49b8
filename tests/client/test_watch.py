"""Watching a table over connections that break."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import aclosing
from itertools import pairwise

import pytest
from baloot.api.table.v1.table_pb2 import Drain, Heartbeat, TableView
from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.core.errors import Reason, Refusal
from google.protobuf.duration_pb2 import Duration

from tests.client.conftest import Connected
from tests.client.script import TABLE, Script, Step, entries, folded, in_turn, unreliable

TOLD = entries(40)
WHOLE = folded(TOLD)
WHOLE_BUT_ONE = folded(TOLD[:39])


async def _watch(
    connected: Connected,
    script: Script,
    known: TableView | None = None,
    on_cut: Callable[[str], None] | None = None,
) -> list[int | None]:
    """The entries that a watch gave, None for a whole view; the last view is checked."""
    connected.service.script = script
    seen: list[int | None] = []
    view = None
    async for update in connected.table.watch(known=known, on_cut=on_cut):
        seen.append(update.entry.sequence if update.entry else None)
        view = update.view
    assert view == WHOLE
    return seen


async def test_a_watch_begins_with_the_view_and_ends_with_the_table(connected: Connected) -> None:
    seen = await _watch(connected, in_turn([folded(TOLD[:30]), *TOLD[30:]]))
    assert seen == [None, *range(31, 41)]
    assert connected.service.tokens == ["Bearer a-token"]


async def test_a_watch_of_a_table_that_has_ended_gives_its_view_alone(connected: Connected) -> None:
    assert await _watch(connected, in_turn([WHOLE])) == [None]


async def test_a_watch_goes_on_from_a_known_view(connected: Connected) -> None:
    seen = await _watch(connected, in_turn(TOLD[38:]), known=folded(TOLD[:38]))
    assert seen == [39, 40]


@pytest.mark.parametrize("seed", range(25))
async def test_a_watch_misses_and_repeats_nothing_whatever_the_server_does(
    connected: Connected, seed: int
) -> None:
    seen = await _watch(connected, unreliable(TOLD, seed))
    numbers = [number for number in seen if number is not None]
    assert seen[0] is None
    assert seen.count(None) == 1, "views that tell nothing new are no updates"
    assert numbers == list(range(41 - len(numbers), 41))


async def test_an_end_of_the_stream_before_the_end_of_the_table_means_resume(connected: Connected) -> None:
    assert await _watch(connected, in_turn([folded(TOLD[:39])], [TOLD[39]])) == [None, 40]
    assert [request.after_sequence for request in connected.service.requests] == [0, 39]


async def test_a_newer_view_in_the_middle_replaces_the_old_one(connected: Connected) -> None:
    seen = await _watch(connected, in_turn([folded(TOLD[:2]), folded(TOLD[:39]), TOLD[39]]))
    assert seen == [None, None, 40]


@pytest.mark.parametrize("reason", [Reason.UNAVAILABLE, Reason.READER_SLOW, Reason.INTERNAL])
async def test_a_watch_outlives_a_passing_refusal_and_says_so(connected: Connected, reason: Reason) -> None:
    cuts: list[str] = []
    refused = [Refusal(reason, "not now")]
    connected.service.script = in_turn(refused, refused, refused, [WHOLE])
    async for _ in connected.table.watch(on_cut=cuts.append):
        pass
    assert cuts == ["not now"] * 3


@pytest.mark.parametrize("reason", [Reason.RATE_LIMITED, Reason.TOO_MANY_STREAMS])
async def test_a_watch_waits_as_long_as_it_is_told(connected: Connected, reason: Reason) -> None:
    began = asyncio.get_running_loop().time()
    refused = [Refusal(reason, "not now", retry_after=60_000_000)]
    assert await _watch(connected, in_turn(refused, refused, [WHOLE])) == [None]
    assert 0.12 <= asyncio.get_running_loop().time() - began < 5


FOR_GOOD = [Reason.TABLE_UNKNOWN, Reason.TOKEN_INVALID, Reason.FIELD_INVALID, Reason.STREAM_SUPERSEDED]


@pytest.mark.parametrize("reason", FOR_GOOD)
async def test_a_watch_that_is_refused_for_good_raises(connected: Connected, reason: Reason) -> None:
    """Also when it had begun: two devices that opened a stream for each other's would do so for ever."""
    connected.service.script = in_turn([WHOLE_BUT_ONE, Refusal(reason, "never")])
    async with asyncio.timeout(10):
        with pytest.raises(Refusal) as refused:
            async for _ in connected.table.watch():
                pass
    assert refused.value.reason is reason
    assert len(connected.service.requests) == 1


async def test_a_server_that_lost_its_last_entries_is_believed(connected: Connected) -> None:
    def script(request: object, stream: int) -> object:
        return (
            [Refusal(Reason.SEQUENCE_AHEAD, "not so far")] if stream == 0 else [folded(TOLD[:20]), *TOLD[20:]]
        )

    seen = await _watch(connected, script, known=folded(TOLD[:30]))  # type: ignore[arg-type]
    assert seen == [None, *range(21, 41)]
    assert not connected.service.requests[1].HasField("after_sequence")


async def test_a_silent_stream_is_taken_for_dead(connected: Connected) -> None:
    cuts: list[str] = []
    connected.service.script = in_turn([folded(TOLD[:39]), 30.0], [TOLD[39]])
    async with asyncio.timeout(5):
        seen = [update.view.sequence async for update in connected.table.watch(on_cut=cuts.append)]
    assert seen[-1] == 40
    assert cuts == ["nothing was heard for 0.3 seconds"]


async def test_heartbeats_keep_a_quiet_stream_alive(connected: Connected) -> None:
    beat: list[Step] = [Heartbeat(sequence=39), 0.1]
    seen = await _watch(connected, in_turn([folded(TOLD[:39]), *(beat * 8), TOLD[39]]))
    assert seen == [None, 40]
    assert len(connected.service.requests) == 1


async def test_a_stream_that_only_tells_how_far_it_is_behind_is_opened_again(connected: Connected) -> None:
    ahead: list[Step] = [folded(TOLD[:39]), Heartbeat(sequence=40), Heartbeat(sequence=40), 30.0]
    cuts: list[str] = []
    assert await _watch(connected, in_turn(ahead, [TOLD[39]]), on_cut=cuts.append) == [None, 40]
    assert cuts == ["entries are missing"]


async def test_a_stream_that_is_ended_by_plan_is_opened_again_when_the_server_says(
    connected: Connected,
) -> None:
    stopping = Refusal(Reason.UNAVAILABLE, "the service is stopping")
    connected.service.script = in_turn(
        [folded(TOLD[:39]), Drain(wait=Duration(nanos=1)), stopping], [TOLD[39]]
    )
    patient = Pace(first=3600, longest=3600)
    async with (
        asyncio.timeout(10),
        TableClient(connected.server.address, TABLE, "a-token", pace=patient) as table,
    ):
        seen = [update.view.sequence async for update in table.watch()]
    assert seen == [39, 40]


async def test_the_wait_that_a_server_asked_for_is_for_one_stream(connected: Connected) -> None:
    again = Refusal(Reason.UNAVAILABLE, "not now")
    drained: list[Step] = [folded(TOLD[:39]), Drain(wait=Duration(nanos=1)), again]
    connected.service.script = in_turn(drained, [again], [TOLD[39]])
    waited: list[float] = []
    pace = Pace(first=0.02, longest=0.02)
    clock = asyncio.get_running_loop().time
    async with TableClient(connected.server.address, TABLE, "a-token", pace=pace) as table:
        async for _ in table.watch(on_cut=lambda _why: waited.append(clock())):
            pass
    assert len(waited) == 2
    assert clock() - waited[1] >= 0.01


async def test_leaving_a_watch_ends_its_call(connected: Connected) -> None:
    connected.service.script = in_turn([folded(TOLD[:3]), 30.0])
    async with aclosing(connected.table.watch()) as updates:
        async for _ in updates:
            assert connected.service.open_streams == 1
            break
    async with asyncio.timeout(5):
        await connected.service.closed.wait()
    assert connected.service.open_streams == 0


def test_waits_between_attempts_grow_to_their_bound_and_are_drawn_at_random() -> None:
    bounds = [0.1, 0.2, 0.4, 0.8, 1.0, 1.0]
    drawn = [list(zip(bounds, Pace(first=0.1, longest=1.0).waits(), strict=False)) for _ in range(20)]
    assert all(bound / 2 <= wait <= bound for waits in drawn for bound, wait in waits)
    assert all(one != other for one, other in pairwise(drawn))
