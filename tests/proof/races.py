"""Races for a turn: whoever comes first plays, once, and the others are told so.

A seat acts over two connections to two table services over one database, at the same moment, with different request
ids and, where there is a choice, different actions. At half of the tables they act when the table itself is about to.
"""

from __future__ import annotations

import asyncio
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from random import Random
from uuid import UUID

from baloot.api.core.v1.seats_pb2 import Seat
from baloot.api.table.v1.events_pb2 import Question
from baloot.app.migrate import migrate
from baloot.app.rules import NAMES
from baloot.client.table import TableClient, time_control
from baloot.codec.enums import SEAT
from baloot.core.errors import Refusal
from baloot.core.seats import Seat as BySeat
from baloot.kit.channels import open_channel
from baloot.table.events import Entry
from baloot.table.postgres import PostgresStore

from tests.e2e.platforms import TABLE, apart, running
from tests.e2e.players import PACE, PATIENCE, choose
from tests.e2e.servers import ServerProcess
from tests.postgres import fresh_database, reachable_folder, shared_postgres
from tests.proof.report import Figure, Progress, Tell, at_least, none_of

RACES, QUICK_RACES = 1000, 60
"""Of each kind."""
AT_ONCE = 6
"""Tables of each kind that are raced at together."""
OWN = ALLOWANCE = 0.1
"""Seconds of a turn, where the table races along."""
ENOUGH = 1.2
"""Of so many times the races that are wanted, enough are for turns that do not fall away."""
CLOSE = 0.004
"""Seconds around the table's own moment in which the clients act."""
WINNERS = ("one connection", "the other", "the table")


@dataclass(slots=True)
class Race:
    """One turn: what was sent by whom, and the entries that were acknowledged."""

    seat: Seat.ValueType
    asked_at: int
    requests: tuple[UUID, UUID]
    acknowledged: dict[UUID, int] = field(default_factory=dict)

    def outcome(self, log: Sequence[Entry]) -> str:
        """Who won; what is none of WINNERS is a turn that fell away, or begins with `broken`."""
        played = [entry for entry in log if entry.request_id in self.requests]
        if {entry.request_id: entry.sequence for entry in played} != self.acknowledged:
            return f"broken: {len(played)} of both are in the log, {len(self.acknowledged)} were acknowledged"
        if len(played) > 1:
            return "broken: both played"
        if played:
            return WINNERS[self.requests.index(played[0].request_id)]
        seat = SEAT.decode(self.seat, "seat")
        own = [entry for entry in log if entry.sequence > self.asked_at and acts_for(entry, seat)]
        return WINNERS[2] if own and own[0].by_default else "nobody: the question fell away"


def acts_for(entry: Entry, seat: BySeat) -> bool:
    """Whether an entry is what a seat did, or what the table did for it."""
    return entry.actor is seat or (entry.by_default and getattr(entry.events[0], "seat", None) is seat)


@dataclass(slots=True)
class Contest:
    """Tables of one kind, one after the other, until there were races enough."""

    wanted: int
    servers: tuple[TableClient, TableClient]
    progress: Progress
    by_clock: bool = False
    done: Counter[str] = field(default_factory=Counter)
    begun: int = 0

    @property
    def over(self) -> bool:
        return sum(self.done[winner] for winner in WINNERS) >= self.wanted

    async def run(self, store: PostgresStore, numbers: Iterator[int]) -> None:
        """One table after the other."""
        while not self.over:
            rng = Random(next(numbers))
            table = await self._opened()
            races: list[Race] = []
            seats = [await table.take_seat(f"player {n}") for n in range(4)]
            await asyncio.gather(*(self._race(seat, rng, races) for seat in seats))
            log = await store.read(UUID(table.table_id))
            self.done.update(race.outcome(log) for race in races)

    async def _opened(self) -> TableClient:
        if not self.by_clock:
            return await self.servers[0].create_table(action_timeout=PATIENCE, round_pause=0)
        control = time_control(OWN, OWN, 0, ALLOWANCE)
        return await self.servers[0].create_table(time_control=control, round_pause=0)

    async def _race(self, seat: TableClient, rng: Random, races: list[Race]) -> None:
        """Races for every turn of a seat, up to the end of the match or of the contest; then the seat is left."""
        ways = (
            seat,
            TableClient(self.servers[1]._channel, seat.table_id, seat.seat_token, seat=seat.seat, pace=PACE),
        )
        answered = 0
        async with aclosing(seat.watch()) as updates:
            async for update in updates:
                question = update.view.question
                if update.view.HasField("question") and question.asked_at > answered:
                    answered = question.asked_at
                    if self.by_clock:
                        await until_table_acts(update.view.deadline.ToNanoseconds() / 1e9, rng)
                    races.append(await raced(ways, question, update.view.sequence, rng))
                    self.begun += 1
                    self.progress.step()
                    if self.begun > self.wanted * ENOUGH:
                        await left(seat)


async def left(seat: TableClient) -> None:
    """Ends the match, if nobody else has."""
    with suppress(Refusal):
        await seat.leave_seat()


async def until_table_acts(deadline: float, rng: Random) -> None:
    moment = deadline + ALLOWANCE + rng.uniform(-3 * CLOSE, CLOSE)
    await asyncio.sleep(max(0.0, moment - time.time()))


async def raced(ways: Sequence[TableClient], question: Question, sequence: int, rng: Random) -> Race:
    """Acts over both ways at once."""
    race = Race(ways[0].seat, question.asked_at, (uuid.uuid4(), uuid.uuid4()))

    async def act(way: TableClient, request_id: UUID) -> None:
        try:
            entry = await way.submit(
                choose(question, rng), expected_sequence=sequence, request_id=str(request_id)
            )
        except Refusal:
            return
        race.acknowledged[request_id] = entry.sequence

    turns = list(zip(ways, race.requests, strict=True))
    await asyncio.gather(*(act(*turn) for turn in (turns if rng.random() < 0.5 else turns[::-1])))
    return race


@asynccontextmanager
async def two_services() -> AsyncIterator[tuple[str, str, PostgresStore]]:
    """Two table services over one database, and their log."""
    with shared_postgres() as server, reachable_folder() as folder:
        async with fresh_database(server) as url:
            await migrate(url)
            with apart(url) as platform:
                rules = [f"--rules={name}={platform.processes[name].address}" for name in NAMES]
                second = ServerProcess(folder, "serve", TABLE, *rules, environment={"BALOOT_DATABASE": url})
                with running(second, ServerProcess.kill):
                    async with platform.store() as store:
                        yield platform.table, second.address, store


async def contested(wanted: int, tell: Tell) -> dict[str, Counter[str]]:
    """Both kinds of races, and how often each ended how."""
    async with (
        two_services() as (first, second, store),
        open_channel(first) as one,
        open_channel(second) as other,
    ):
        servers = (TableClient(one, pace=PACE), TableClient(other, pace=PACE))
        kinds = {
            "two clients": Contest(wanted, servers, Progress(tell, "races between two clients", wanted)),
            "and the table": Contest(
                wanted, servers, Progress(tell, "races with the table", wanted), by_clock=True
            ),
        }
        numbers = count()
        runs = [kind.run(store, numbers) for kind in kinds.values() for _ in range(AT_ONCE)]
        await asyncio.gather(*runs)
        return {name: kind.done for name, kind in kinds.items()}


def figures(done: dict[str, Counter[str]], wanted: int) -> list[Figure]:
    """What the races show. Where the table races along, it must have won some and lost some."""
    found = []
    for name, outcomes in done.items():
        won = {winner: outcomes[winner] for winner in WINNERS}
        found.append(at_least(f"{name}: turns with exactly one play", sum(won.values()), wanted))
        found.append(Figure(f"{name}: won by", ", ".join(f"{winner} {n:,}" for winner, n in won.items())))
        problems = [why for why, n in outcomes.items() if why.startswith("broken") for _ in range(n)]
        found.append(none_of(f"{name}: turns with two plays, or a play that was not told", problems))
    fewest = min(done["and the table"][winner] for winner in WINNERS)
    found.append(at_least("and the table: the fewest wins of any of the three", fewest, 1))
    return found


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    wanted = QUICK_RACES if quick else RACES
    return figures(await contested(wanted, tell), wanted)
