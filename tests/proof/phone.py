"""A phone that is gone without a word: behind a network that keeps its connection and passes nothing on any more.

Both ends must notice by themselves: the server lets the stream go, and the client takes it for dead.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.kit.channels import open_channel
from baloot.table.feed import Rhythm

from tests.faults.proxy import proxy_to
from tests.proof.report import Figure, Tell, at_least, at_most
from tests.table.served import replica, until
from tests.table.trial import Trial

PHONES, QUICK_PHONES = 12, 2
NOTICED = 30.0
"""Seconds in which either end must notice."""
SLACK = 15.0
"""Seconds beyond them that are waited, to tell how late it was."""
APART = 1.7
"""Seconds between two phones, so that they are gone at different moments between two pings."""


@dataclass(slots=True)
class Noticed:
    """Seconds until the servers, the channels of the clients and their watches noticed; those that did not are missing."""

    server: list[float] = field(default_factory=list)
    channel: list[float] = field(default_factory=list)
    watch: list[float] = field(default_factory=list)


async def phone(noticed: Noticed, delay: float) -> None:
    """Two streams of one phone, of a client that waits for ever and of one that does not, over a network that dies."""
    clock = asyncio.get_running_loop().time
    trial = Trial(seed=1)
    await trial.deal()
    async with AsyncExitStack() as stack:
        served = await stack.enter_async_context(replica(trial.table, Rhythm()))
        proxy = await stack.enter_async_context(proxy_to(served.server.address))
        channel = await stack.enter_async_context(open_channel(proxy.address, mobile=True))
        cuts: dict[str, float] = {}
        for name, silence in (("channel", 3600.0), ("watch", Pace().silence)):
            client = TableClient(channel, str(trial.table_id), pace=Pace(silence=silence))
            task = asyncio.create_task(watched(client, name, cuts))
            stack.callback(task.cancel)
        await until(lambda: len(served.feed._watchers) == 2)
        await asyncio.sleep(delay)
        proxy.black_hole()
        gone = clock()
        noticed.server += await lasted(lambda: not served.feed._watchers, gone)
        await lasted(lambda: len(cuts) == 2, gone)
        noticed.channel += [cuts["channel"] - gone] if "channel" in cuts else []
        noticed.watch += [cuts["watch"] - gone] if "watch" in cuts else []


async def lasted(holds: Callable[[], bool], since: float) -> list[float]:
    """The seconds from a moment until something holds; nothing when it does not in any time that counts."""
    clock = asyncio.get_running_loop().time
    while clock() < since + NOTICED + SLACK:
        if holds():
            return [clock() - since]
        await asyncio.sleep(0.02)
    return []


async def watched(client: TableClient, name: str, cuts: dict[str, float]) -> None:
    """Watches until the network is gone, and notes when the client took it for dead."""

    def cut(_why: str) -> None:
        cuts.setdefault(name, asyncio.get_running_loop().time())

    async for _ in client.watch(on_cut=cut):
        pass


async def gone(count: int) -> Noticed:
    """So many phones, gone at different moments between two pings."""
    noticed = Noticed()
    await asyncio.gather(*(phone(noticed, 1 + APART * number) for number in range(count)))
    return noticed


def figures(noticed: Noticed, count: int) -> list[Figure]:
    """What both ends noticed."""
    every = {
        "the server lets the stream go": noticed.server,
        "the channel of the client breaks": noticed.channel,
        "the client's watch takes the stream for dead": noticed.watch,
    }
    found = []
    for what, seconds in every.items():
        found.append(at_least(f"{what}: phones", len(seconds), count))
        found.append(at_most(f"{what}: the latest", max(seconds, default=float("nan")), NOTICED, " s"))
    return found


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    count = QUICK_PHONES if quick else PHONES
    tell(f"{count} phones, and then some 30 s of silence …")
    return figures(await gone(count), count)
