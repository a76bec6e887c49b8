"""Streams that are cut again and again: everybody gets every entry, in order, once, and holds the right view.

Four players and a public viewer follow each match with the Python client, each over a network of its own that is cut
at random points of the match, and resume by themselves.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field
from itertools import count
from random import Random
from uuid import UUID

from baloot.client import follow
from baloot.client.retrying import Pace
from baloot.client.table import TableClient
from baloot.table.postgres import PostgresStore

from tests.e2e.checks import broken
from tests.e2e.platforms import together
from tests.e2e.players import Match, Player, Witness, as_bytes, open_match, within
from tests.faults.proxy import Proxy, proxy_to
from tests.proof.report import Figure, Progress, Tell, at_least, none_of

CUTS = 100
MATCHES, QUICK_MATCHES = 100, 4
AT_ONCE = 4
GAP = 3
"""Entries between two cuts of a stream, at most."""
IMPATIENT = Pace(first=0.005, longest=0.05, silence=8.0)
MATCH_SECONDS = 300.0


@dataclass(slots=True)
class Viewer:
    """Watches a match over a network of its own and plays if it has a seat; one stream for both."""

    witness: Witness
    player: Player | None
    proxy: Proxy
    rng: Random
    cuts: int = 0
    next_cut: int = 0
    answered: int = 0

    async def follow(self) -> None:
        """Follows the match to its end, and has its network cut on the way."""
        table = self.witness.table
        known = follow.fresh(table.table_id, self.witness.viewer)
        async with aclosing(table.watch(known=known, on_cut=self.witness.cuts.append)) as updates:
            async for update in updates:
                assert update.entry is not None, "the view came whole: entries were left out"
                self.witness.told.append(update.entry)
                self.witness.views[update.view.sequence] = as_bytes(update.view)
                self._cut_if_due()
                if self.player is not None and update.view.HasField("question"):
                    await self._answer(self.player)

    async def _answer(self, player: Player) -> None:
        view = self.witness.told[-1]
        question = view.question
        if view.HasField("question") and question.asked_at > self.answered:
            self.answered = question.asked_at
            await player._answer(question, view.sequence)

    def _cut_if_due(self) -> None:
        """Cuts the network at the next point: now, or a moment later while something is under way."""
        if self.witness.sequence < self.next_cut:
            return
        self.next_cut = self.witness.sequence + self.rng.randint(1, GAP)
        self.cuts += 1
        cut = self.rng.choice((self.proxy.reset, self.proxy.reset, self.proxy.drop))
        asyncio.get_running_loop().call_later(self.rng.choice((0.0, self.rng.uniform(0, 0.005))), cut)


async def followed(server: str, rng: Random) -> tuple[Match, list[Viewer]]:
    """Plays one match at full speed between players whose streams are cut."""
    async with AsyncExitStack() as stack:
        proxies = [await stack.enter_async_context(proxy_to(server)) for _ in range(6)]
        clients = [
            await stack.enter_async_context(TableClient(proxy.address, pace=IMPATIENT)) for proxy in proxies
        ]
        match = await open_match(iter(clients).__next__, rng, witnessed=0, shyness=8)
        viewers = [
            Viewer(Witness(player.seat), player, proxy, Random(rng.random()))
            for player, proxy in zip(match.players, proxies[1:5], strict=True)
        ]
        viewers.append(Viewer(match.witnesses[0], None, proxies[5], Random(rng.random())))
        match.witnesses = [viewer.witness for viewer in viewers]
        await within(MATCH_SECONDS, all_of(viewers))
    return match, viewers


async def all_of(viewers: list[Viewer]) -> None:
    async with asyncio.TaskGroup() as group:
        for viewer in viewers:
            group.create_task(viewer.follow())


@dataclass(slots=True)
class Account:
    """What came of the matches: what is wrong, the cuts of every stream, and the entries of all logs."""

    wanted: int
    progress: Progress | None = None
    problems: list[str] = field(default_factory=list)
    fewest: list[int] = field(default_factory=list)
    """The fewest cuts of any stream, for each match with enough of them."""
    cuts: int = 0
    entries: int = 0

    def add(self, viewers: list[Viewer], problems: list[str], entries: int) -> None:
        """Notes a match. One that ended before all streams were cut often enough is checked and does not count."""
        self.problems += problems
        self.cuts += sum(viewer.cuts for viewer in viewers)
        self.entries += entries
        fewest = min(viewer.cuts for viewer in viewers)
        if fewest >= CUTS:
            self.fewest.append(fewest)
            if self.progress is not None:
                self.progress.step()

    @property
    def full(self) -> bool:
        return len(self.fewest) >= self.wanted

    def figures(self) -> list[Figure]:
        """What is told of it."""
        return [
            at_least("matches, each followed by four seats and the public", len(self.fewest), self.wanted),
            at_least("cuts of every stream in each of them, the fewest", min(self.fewest), CUTS),
            Figure("cuts of all streams, and entries of all matches", f"{self.cuts:,} and {self.entries:,}"),
            none_of("entries missed, repeated or out of order, and views unlike the log", self.problems),
        ]


async def several(server: str, store: PostgresStore, account: Account) -> Account:
    """Plays matches, some at once, until the account has as many as it wants."""
    numbers = count()

    async def one_by_one() -> None:
        while not account.full:
            match, viewers = await followed(server, Random(next(numbers)))
            log = await store.read(UUID(match.table_id))
            account.add(viewers, await broken(log, match), len(log))

    await asyncio.gather(*(one_by_one() for _ in range(min(AT_ONCE, account.wanted))))
    return account


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    """Raises what a viewer stumbled over for good."""
    matches = QUICK_MATCHES if quick else MATCHES
    account = Account(matches, Progress(tell, "matches", matches))
    with together() as platform:
        async with platform.store() as store:
            return (await several(platform.table, store, account)).figures()
