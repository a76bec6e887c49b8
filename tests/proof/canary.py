"""The canary: matches with the log at its most talkative, and players who ask for what must be refused all the time.

No line that any process writes names a card, holds a mask of a hand, a sealed seed or what a token is known by; no
refusal names a card that its reader may not know at that moment.
"""

from __future__ import annotations

import asyncio
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any
from uuid import UUID

import grpc
from baloot.api.core.v1.play_pb2 import QAID_GROUND_REVOKE, ClaimQaid, ClaimSawa, PlayCard
from baloot.api.table.v1 import table_pb2 as pb
from baloot.client.table import TableClient
from baloot.codec.enums import CARD, SEAT
from baloot.core.cards import CARDS
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.table import events as ev
from baloot.table.events import Entry
from baloot.table.evolve import evolve
from baloot.table.postgres import PostgresStore
from baloot.table.server import NAME
from baloot.table.state import TableState

from tests.e2e.platforms import log_in
from tests.e2e.players import PACE, Player, open_match, playing
from tests.e2e.servers import Prepare, ServerProcess, nothing
from tests.postgres import reachable_folder
from tests.proof import marks
from tests.proof.report import Figure, Progress, Tell, at_least, none_of
from tests.table.test_views import may_know

ROUNDS, QUICK_ROUNDS = 1000, 40
AT_ONCE = 4
RUDENESS = 0.5
"""How often a player asks for something impossible before it acts."""
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Heard:
    """A refusal as it came, to whom, and the last entry that its reader knew."""

    seat: int
    sequence: int
    reason: str
    text: str


@dataclass(slots=True)
class Provoker(Player):
    """A player that asks for impossible things in between, and keeps all refusals."""

    heard: list[Heard] = field(default_factory=list)
    used: str = ""

    async def _answer(self, question: Any, sequence: int) -> None:
        if self.rng.random() < RUDENESS:
            await self._provoke(question, sequence)
        await Player._answer(self, question, sequence)
        self.used = str(next(reversed(self.acknowledged), ""))

    async def _provoke(self, question: Any, sequence: int) -> None:
        request, metadata = self._impossible(question)
        method: Any = self.seat._channel.unary_unary(f"/{NAME}/SubmitAction")
        try:
            await method(request, metadata=metadata)
        except grpc.aio.AioRpcError as error:
            raw = [value for _, value in error.trailing_metadata() or ()]
            text = " ".join(
                value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in raw
            )
            told = f"{error.details()} {text}"
            self.heard.append(Heard(self.seat.seat, sequence, from_rpc_error(error).reason.value, told))

    def _own(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self.seat.seat_token}"),)

    def _impossible(self, question: Any) -> tuple[bytes, Any]:
        """A request that cannot be done, as bytes: some illegal, some with a wrong token or a used id, some no request."""
        if self.rng.random() < 0.1:
            return self.rng.randbytes(40), self._own()
        request = pb.SubmitActionRequest(table_id=self.seat.table_id, request_id=str(uuid.uuid4()))
        self._ask_for_too_much(request, question)
        if self.used and self.rng.random() < 0.2:
            request.request_id = self.used
        metadata = self._own()
        if self.rng.random() < 0.1:
            metadata = (("authorization", "Bearer nobody"),)
        elif self.rng.random() < 0.1:
            request.expected_sequence = 100_000
        return request.SerializeToString(), metadata

    def _ask_for_too_much(self, request: pb.SubmitActionRequest, question: Any) -> None:
        """A card that is not legal, a claim that cannot be made, or a card during the auction."""
        legal = {choice.card for choice in question.play.legal}
        cards = [number for number in map(CARD.encode, CARDS) if number not in legal]
        card = self.rng.choice(cards)
        match self.rng.randrange(4):
            case 0:
                request.qaid.CopyFrom(ClaimQaid(card=card, proof=card, ground=QAID_GROUND_REVOKE))
            case 1 if question.WhichOneof("question") == "call":
                request.sawa.CopyFrom(ClaimSawa())
            case _:
                request.card.CopyFrom(PlayCard(card=card, akka=self.rng.random() < 0.3))


@dataclass(slots=True)
class Catch:
    """What was played and heard, and what must not be found in any log."""

    rounds: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    secrets: set[str] = field(default_factory=set)
    masks: set[str] = field(default_factory=set)

    def add(self, log: Sequence[Entry], heard: Sequence[Heard], tokens: Sequence[str]) -> int:
        """Takes a match in: what it hides, and whether a refusal told of it. Returns its rounds."""
        rounds = sum(isinstance(event, ev.RoundDealt) for entry in log for event in entry.events)
        states = states_of(log)
        for refusal in heard:
            self.reasons[refusal.reason] += 1
            self.problems += told_too_much(refusal, states)
        for entry in log:
            self.secrets |= set(secrets_of(entry))
        self.secrets |= set(tokens)
        self.rounds += rounds
        self.masks |= marks.masks_of(hand for state in states if state.round for hand in state.round.hands)
        return rounds

    def search(self, name: str, text: str) -> None:
        """Looks through what a process wrote: no card at all, whoever may know it."""
        for line in text.splitlines():
            found = [*map(str, marks.cards_named(line)), *marks.named_otherwise(line)]
            found += marks.masks_named(line, self.masks)
            found += list(self.secrets_in(line))
            if found:
                self.problems.append(f"{name} names {found[0]}: {line[:SHOWN]}")

    def secrets_in(self, line: str) -> Iterator[str]:
        return (word for word in words(line) if word in self.secrets)


def words(line: str) -> Iterator[str]:
    """The parts of a line that may be a token or a number in hexadecimals."""
    return (word for part in line.split() for word in part.strip('",:{}[]()').split('"') if len(word) >= 16)


def states_of(log: Sequence[Entry]) -> list[TableState]:
    states: list[TableState] = []
    for entry in log:
        states.append(evolve(states[-1] if states else None, entry))
    return states


def secrets_of(entry: Entry) -> Iterator[str]:
    """The sealed seeds and the hashes of tokens, in hexadecimals."""
    for event in entry.events:
        if isinstance(event, ev.RoundDealt | ev.RoundOpened):
            yield event.sealed_seed.sealed.hex()
        elif isinstance(event, ev.SeatTaken):
            yield event.token_hash.hex()


def told_too_much(heard: Heard, states: Sequence[TableState]) -> Iterator[str]:
    """The cards in a refusal that its reader could not know at any moment while it was on its way."""
    seat = SEAT.decode(heard.seat, "seat")
    known = set().union(*(may_know(state, seat) for state in states[heard.sequence - 1 : heard.sequence + 4]))
    hidden = marks.cards_named(heard.text) - known
    if hidden:
        yield f"{heard.reason} told {seat!r} of {[str(card) for card in hidden]}"
    for found in marks.named_otherwise(heard.text):
        yield f"{heard.reason} holds {found}"


@contextmanager
def talkative(folder: Path, prepare: Prepare = nothing) -> Iterator[ServerProcess]:
    """The platform in one process, logging all it can."""
    process = ServerProcess(folder, "up", "--data", str(folder / "data"), environment={"BALOOT_LOG": "debug"})
    process.listen(prepare)
    try:
        yield process
    finally:
        process.stop()


async def caught(rounds: int, tell: Tell = lambda _: None, prepare: Prepare = nothing) -> Catch:
    """Plays so many rounds among rude players, and looks through all that was written and heard."""
    catch, progress = Catch(), Progress(tell, "rounds", rounds)
    with reachable_folder() as folder:
        with talkative(folder, prepare) as process:
            async with log_in(folder / "data") as store, open_channel(process.address) as channel:
                tables = TableClient(channel, pace=PACE)
                await asyncio.gather(
                    *(rude_matches(tables, store, rounds, catch, n, progress) for n in range(AT_ONCE))
                )
        for path in sorted(folder.rglob("*.log")):
            catch.search(path.name, path.read_text(errors="replace"))
    return catch


async def rude_matches(
    tables: TableClient, store: PostgresStore, rounds: int, catch: Catch, seed: int, progress: Progress
) -> None:
    """One match after the other, until all together have enough rounds."""
    rng = Random(seed)
    while catch.rounds < rounds:
        match = await open_match(lambda: tables, rng, witnessed=0)
        match.players = [Provoker(player.seat, player.rng, player.shyness) for player in match.players]
        match.witnesses = []
        async with playing([match]):
            await match.end()
        provokers = [player for player in match.players if isinstance(player, Provoker)]
        heard = [one for player in provokers for one in player.heard]
        tokens = [player.seat.seat_token or "" for player in provokers]
        for _ in range(catch.add(await store.read(UUID(match.table_id)), heard, tokens)):
            progress.step()


def figures(catch: Catch, rounds: int) -> list[Figure]:
    """What was played, heard and found."""
    return [
        at_least("rounds with every line logged", catch.rounds, rounds),
        at_least("refusals looked through", catch.reasons.total(), rounds),
        Figure("their reasons", ", ".join(f"{reason} {n:,}" for reason, n in catch.reasons.most_common())),
        none_of("cards, hands, seeds and tokens in logs and refusals", catch.problems),
    ]


async def prove(quick: bool, tell: Tell) -> list[Figure]:
    rounds = QUICK_ROUNDS if quick else ROUNDS
    return figures(await caught(rounds, tell), rounds)
