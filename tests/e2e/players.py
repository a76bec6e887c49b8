"""Whole matches over the public API: players that choose at random from what they are offered, and witnesses."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar
from uuid import UUID

from baloot.api.core.v1.auction_pb2 import CALL_KIND_PASS, Call, CallQuestion
from baloot.api.core.v1.play_pb2 import ClaimSawa, PlayCard, PlayQuestion
from baloot.api.core.v1.seats_pb2 import SEAT_UNSPECIFIED, Seat
from baloot.api.table.v1.events_pb2 import Question, TableEntry
from baloot.api.table.v1.table_pb2 import TableView
from baloot.client import follow
from baloot.client.retrying import Pace
from baloot.client.table import Action, TableClient
from baloot.client.watching import Update
from baloot.core.errors import Reason, Refusal

PACE = Pace(first=0.02, longest=0.25, silence=8.0)
PATIENCE = 120.0
"""Seconds before a table acts for a seat: longer than any test, so that nobody's failure is made good by the clock."""
OVERTAKEN = (
    Reason.SEQUENCE_STALE,
    Reason.NOT_YOUR_TURN,
    Reason.WRONG_PHASE,
    Reason.KAWESH_WINDOW,
    Reason.TABLE_ENDED,
)
"""The offer of a Kawesh out of turn ends without a word when somebody else goes on."""

_Result = TypeVar("_Result")


def choose(question: Question, rng: Random, shyness: int = 4) -> Action:
    """Anything legal. Passing is so many times likelier than any other call, so that matches have some rounds."""
    if question.WhichOneof("question") == "call":
        return _choose_call(question.call, rng, shyness)
    return _choose_move(question.play, rng)


def _choose_call(asked: CallQuestion, rng: Random, shyness: int) -> Call:
    weights = [shyness if call.kind == CALL_KIND_PASS else 1 for call in asked.legal]
    return rng.choices(asked.legal, weights)[0]


def _choose_move(asked: PlayQuestion, rng: Random) -> PlayCard | ClaimSawa:
    if asked.sawa and rng.random() < 0.05:
        return ClaimSawa()
    choice = rng.choice(asked.legal)
    declared = rng.choice(asked.declarations).projects if asked.declarations and rng.random() < 0.8 else ()
    return PlayCard(card=choice.card, projects=declared, akka=choice.akka and rng.random() < 0.5)


@dataclass(slots=True)
class Player:
    """Plays one seat to the end. `acknowledged` holds the entry that each request was promised to be."""

    seat: TableClient
    rng: Random
    shyness: int = 4
    acknowledged: dict[UUID, int] = field(default_factory=dict)
    witness: Witness | None = None
    """Keeps what the seat is told: a seat has one stream."""

    async def play(self) -> None:
        answered = 0
        async with aclosing(self._updates()) as updates:
            async for update in updates:
                question = update.view.question
                if update.view.HasField("question") and question.asked_at > answered:
                    answered = question.asked_at
                    await self._answer(question, update.view.sequence)

    async def _answer(self, question: Question, sequence: int) -> None:
        request_id = uuid.UUID(int=self.rng.getrandbits(128), version=4)
        try:
            entry = await self.seat.submit(
                choose(question, self.rng, self.shyness),
                expected_sequence=sequence,
                request_id=str(request_id),
            )
        except Refusal as refusal:
            if refusal.reason not in OVERTAKEN:
                raise
        else:
            self.acknowledged[request_id] = entry.sequence

    def _updates(self) -> AsyncGenerator[Update, None]:
        return self.seat.watch() if self.witness is None else self.witness.updates()


@dataclass(slots=True)
class Witness:
    """Watches a table from its first entry on and keeps everything it is told."""

    table: TableClient
    told: list[TableEntry] = field(default_factory=list)
    views: dict[int, bytes] = field(default_factory=dict)
    """Its view after each entry."""
    cuts: list[str] = field(default_factory=list)

    @property
    def viewer(self) -> Seat.ValueType:
        return self.table.seat

    @property
    def sequence(self) -> int:
        return self.told[-1].sequence if self.told else 0

    async def watch(self) -> None:
        async with aclosing(self.updates()) as updates:
            async for _ in updates:
                pass

    async def updates(self) -> AsyncGenerator[Update, None]:
        """What it is told, as it is kept."""
        known = follow.fresh(self.table.table_id, self.viewer)
        async with aclosing(self.table.watch(known=known, on_cut=self.cuts.append)) as updates:
            async for update in updates:
                assert update.entry is not None, "the view came whole: entries were left out"
                self.told.append(update.entry)
                self.views[update.view.sequence] = as_bytes(update.view)
                yield update

    async def compare(self) -> list[str]:
        """What differs between what GetTable tells now and what has been, or will have been, followed to."""
        view = await self.table.view()
        async with asyncio.timeout(30):
            while view.sequence not in self.views:
                await asyncio.sleep(0.005)
        same = self.views[view.sequence] == as_bytes(view)
        return [] if same else [f"viewer {self.viewer} at entry {view.sequence} of {self.table.table_id}"]


def as_bytes(view: TableView) -> bytes:
    return view.SerializeToString(deterministic=True)


Connect = Callable[[], TableClient]
"""A new client of the service, on a way of its own if there are several."""


@dataclass(slots=True)
class Match:
    """One table with its four players and some witnesses."""

    table_id: str
    players: list[Player]
    witnesses: list[Witness]
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    def begin(self) -> None:
        """Lets everybody watch and play."""
        seen = [player.witness for player in self.players]
        works = [witness.watch() for witness in self.witnesses if witness not in seen]
        works += [player.play() for player in self.players]
        self.tasks = [asyncio.create_task(work) for work in works]

    async def end(self) -> None:
        """Waits for the end of the match."""
        await asyncio.gather(*self.tasks)

    def require_going_on(self) -> None:
        """Raises what any of its people stumbled over."""
        for task in self.tasks:
            if task.done():
                task.result()

    @property
    def sequence(self) -> int:
        """The last entry that anybody has heard of."""
        return max(witness.sequence for witness in self.witnesses)

    @property
    def over(self) -> bool:
        return all(task.done() for task in self.tasks)

    def acknowledged(self) -> dict[UUID, int]:
        return {key: value for player in self.players for key, value in player.acknowledged.items()}


async def open_match(
    connect: Connect, rng: Random, *, rules: str = "standard", witnessed: int = 4, shyness: int = 4
) -> Match:
    """Opens a table and takes its seats. Every player and every witness connects for itself.

    There is a witness of the public, and so many players keep what they are told. Players who are shy throw many deals in.
    """
    opener = await connect().create_table(rules=rules, action_timeout=PATIENCE, round_pause=0)
    seats = [await opener.take_seat(f"player {number}") for number in range(4)]
    players = [Player(joined(connect(), seat), Random(rng.random()), shyness) for seat in seats]
    witnesses = [Witness(joined(connect(), opener))]
    for player in players[:witnessed]:
        player.witness = Witness(player.seat)
        witnesses.append(player.witness)
    return Match(opener.table_id, players, witnesses)


def joined(client: TableClient, seat: TableClient) -> TableClient:
    """The seat, through another client's connection."""
    return TableClient(
        client._channel, seat.table_id, seat.seat_token, seat=seat.seat or SEAT_UNSPECIFIED, pace=client._pace
    )


@asynccontextmanager
async def playing(matches: Sequence[Match]) -> AsyncIterator[None]:
    """Lets matches be played in the background; in the end nobody is left, however it ends."""
    for match in matches:
        match.begin()
    try:
        yield
    finally:
        tasks = [task for match in matches for task in match.tasks]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def within(seconds: float, work: Awaitable[_Result]) -> _Result:
    async with asyncio.timeout(seconds):
        return await work
